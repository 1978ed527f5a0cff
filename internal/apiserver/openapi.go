package apiserver

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"dormouse/internal/apiserver/wire"
)

// openapi serves the OpenAPI document; it is made when it is first asked for.
func (s *Server) openapi(w http.ResponseWriter, r *http.Request) {
	s.once.Do(func() { s.doc, _ = json.Marshal(s.Document()) }) // of types that can be written; a test reads it
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(s.doc) // who asked may be gone
}

// Document is the OpenAPI 3.1 document of the server, made of the same table as its
// routes.
func (s *Server) Document() *huma.OpenAPI {
	reg := huma.NewMapRegistry("#/components/schemas/", namer)
	for from, to := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[wire.Time]():       reflect.TypeFor[time.Time](),
		reflect.TypeFor[maybeText]():       reflect.TypeFor[string](),
		reflect.TypeFor[agentRef]():        reflect.TypeFor[any](),
		reflect.TypeFor[dreamModel]():      reflect.TypeFor[any](),
		reflect.TypeFor[wire.Listed]():     reflect.TypeFor[any](),
		reflect.TypeFor[json.RawMessage](): reflect.TypeFor[any](),
	} {
		reg.RegisterTypeAlias(from, to)
	}
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "dormoused", Version: s.c.Version,
			Description: "Memory stores and dreams, as Anthropic's Managed Agents API has them, on one's own machine.",
		},
		Components: &huma.Components{
			Schemas: reg,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"key":    {Type: "apiKey", In: "header", Name: "x-api-key"},
				"bearer": {Type: "http", Scheme: "bearer"},
			},
		},
		Security: []map[string][]string{{"key": {}}, {"bearer": {}}},
	}
	failure := reg.Schema(reflect.TypeFor[wire.Envelope](), true, "Error")
	for i := range s.ops {
		doc.AddOperation(s.ops[i].document(reg, failure))
	}
	return doc
}

// namer names a schema after its type, without our package names.
func namer(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	if strings.HasPrefix(name, "Page") {
		name += "Of"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func (o *operation) document(reg huma.Registry, failure *huma.Schema) *huma.Operation {
	op := &huma.Operation{
		OperationID: o.id, Method: o.method, Path: o.path, Summary: o.summary, Tags: []string{o.tag},
		Responses: map[string]*huma.Response{
			"200":     {Description: "It is done."},
			"default": {Description: "It is not.", Content: map[string]*huma.MediaType{"application/json": {Schema: failure}}},
		},
	}
	for part := range strings.SplitSeq(o.path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			op.Parameters = append(op.Parameters, &huma.Param{Name: strings.TrimSuffix(name, "}"), In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
		}
	}
	for _, p := range o.query {
		op.Parameters = append(op.Parameters, &huma.Param{Name: p.name, In: "query", Schema: p.schema()})
	}
	if o.in != nil {
		op.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{"application/json": {Schema: reg.Schema(reflect.TypeOf(o.in), true, o.id+"Request")}}}
	}
	switch {
	case o.stream != nil:
		op.Responses["200"].Content = map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}
	case o.out != nil:
		op.Responses["200"].Content = map[string]*huma.MediaType{"application/json": {Schema: reg.Schema(reflect.TypeOf(o.out), true, o.id+"Response")}}
	}
	return op
}

func (p parameter) schema() *huma.Schema {
	s := &huma.Schema{Type: p.kind}
	switch p.kind {
	case "time":
		s.Type, s.Format = huma.TypeString, "date-time"
	case "array":
		s.Items = &huma.Schema{Type: huma.TypeString}
	}
	for _, v := range p.values {
		s.Enum = append(s.Enum, v)
	}
	return s
}
