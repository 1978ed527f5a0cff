package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unicode/utf8"
)

// schema is the part of JSON schema that our own schemas use. The full library
// costs 10 ms at each start of the program (it compiles its meta-schemas before
// main); a keyword that is not checked here is refused, so that none is taken for
// checked.
type schema struct {
	types     []string
	props     map[string]*schema
	required  []string
	enum      []any
	items     *schema
	closed    bool    // additionalProperties: false
	others    *schema // additionalProperties: {…}
	minLength *int    // runes
	maxLength *int
	minItems  *int
	maxItems  *int
	minimum   *float64
	maximum   *float64
}

type rawSchema struct {
	Type                 json.RawMessage            `json:"type"`
	Properties           map[string]json.RawMessage `json:"properties"`
	Required             []string                   `json:"required"`
	Enum                 []json.RawMessage          `json:"enum"`
	Items                json.RawMessage            `json:"items"`
	AdditionalProperties json.RawMessage            `json:"additionalProperties"`
	MinLength            *int                       `json:"minLength"`
	MaxLength            *int                       `json:"maxLength"`
	MinItems             *int                       `json:"minItems"`
	MaxItems             *int                       `json:"maxItems"`
	Minimum              *float64                   `json:"minimum"`
	Maximum              *float64                   `json:"maximum"`
}

func schemaKeywords() []string {
	return []string{
		"type", "properties", "required", "enum", "items", "additionalProperties",
		"minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum",
		// These only tell something to the reader.
		"$schema", "title", "description", "default", "examples", "$comment",
	}
}

func parseSchema(text []byte) (*schema, error) { return parseSchemaAt(text, 0) }

func parseSchemaAt(text []byte, depth int) (*schema, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil || keys == nil {
		return nil, errors.New("a schema is a JSON object")
	}
	for k := range keys {
		if !slices.Contains(schemaKeywords(), k) {
			return nil, fmt.Errorf("the keyword %q is not checked here", k)
		}
	}
	var raw rawSchema
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, errors.New("a keyword has a value of the wrong kind")
	}
	s := &schema{
		required: raw.Required, minLength: raw.MinLength, maxLength: raw.MaxLength,
		minItems: raw.MinItems, maxItems: raw.MaxItems, minimum: raw.Minimum, maximum: raw.Maximum,
	}
	if err := s.parseTypes(raw.Type); err != nil {
		return nil, err
	}
	for _, e := range raw.Enum {
		v, err := readJSON(e)
		if err != nil {
			return nil, err
		}
		s.enum = append(s.enum, v)
	}
	return s, s.parseInner(raw, depth)
}

func (s *schema) parseTypes(raw json.RawMessage) error {
	if raw == nil {
		return nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		s.types = []string{one}
	} else if json.Unmarshal(raw, &s.types) != nil || len(s.types) == 0 {
		return errors.New("type is a name or a list of names")
	}
	for _, t := range s.types {
		if !slices.Contains([]string{"object", "array", "string", "number", "integer", "boolean", "null"}, t) {
			return fmt.Errorf("there is no type %q", t)
		}
	}
	return nil
}

func (s *schema) parseInner(raw rawSchema, depth int) (err error) {
	for name, text := range raw.Properties {
		if s.props == nil {
			s.props = map[string]*schema{}
		}
		if s.props[name], err = parseSchemaAt(text, depth+1); err != nil {
			return err
		}
	}
	if raw.Items != nil {
		if s.items, err = parseSchemaAt(raw.Items, depth+1); err != nil {
			return err
		}
	}
	switch extra := string(raw.AdditionalProperties); extra {
	case "", "true":
	case "false":
		s.closed = true
	default:
		s.others, err = parseSchemaAt(raw.AdditionalProperties, depth+1)
	}
	return err
}

// check compares a value of readJSON with the schema. Errors name the place and
// the rule, in the schema's words.
func (s *schema) check(path string, v any) error {
	if len(s.types) > 0 && !slices.ContainsFunc(s.types, func(t string) bool { return isType(t, v) }) {
		return wrong(path, "is to be of type %s", listed(s.types))
	}
	if len(s.enum) > 0 && !slices.ContainsFunc(s.enum, func(e any) bool { return same(e, v) }) {
		return wrong(path, "is none of the values that are allowed")
	}
	switch v := v.(type) {
	case map[string]any:
		return s.checkObject(path, v)
	case []any:
		return s.checkList(path, v)
	case string:
		n := utf8.RuneCountInString(v)
		return within(path, "characters", n, s.minLength, s.maxLength)
	case json.Number:
		return s.checkNumber(path, v)
	}
	return nil
}

func (s *schema) checkObject(path string, v map[string]any) error {
	for _, name := range s.required {
		if _, ok := v[name]; !ok {
			return wrong(path, "lacks %q", name)
		}
	}
	for name, x := range v {
		inner, known := s.props[name]
		at := path + "." + name
		switch {
		case known:
		case s.closed:
			return wrong(path, "has a key that the schema doesn't know")
		case s.others != nil:
			inner, at = s.others, path+".*"
		default:
			continue
		}
		if err := inner.check(at, x); err != nil {
			return err
		}
	}
	return nil
}

func (s *schema) checkList(path string, v []any) error {
	if err := within(path, "items", len(v), s.minItems, s.maxItems); err != nil {
		return err
	}
	if s.items == nil {
		return nil
	}
	for i, x := range v {
		if err := s.items.check(fmt.Sprintf("%s[%d]", path, i), x); err != nil {
			return err
		}
	}
	return nil
}

func (s *schema) checkNumber(path string, n json.Number) error {
	f, err := n.Float64()
	switch {
	case err != nil || math.IsInf(f, 0):
		return wrong(path, "is a number out of range")
	case s.minimum != nil && f < *s.minimum:
		return wrong(path, "is to be at least %v", *s.minimum)
	case s.maximum != nil && f > *s.maximum:
		return wrong(path, "is to be at most %v", *s.maximum)
	}
	return nil
}

func within(path, what string, n int, least, most *int) error {
	switch {
	case least != nil && n < *least:
		return wrong(path, "is to have at least %d %s", *least, what)
	case most != nil && n > *most:
		return wrong(path, "is to have at most %d %s", *most, what)
	}
	return nil
}

func isType(name string, v any) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case json.Number:
		if name == "number" {
			return true
		}
		f, err := v.Float64()
		return name == "integer" && err == nil && f == math.Trunc(f)
	}
	return false
}

// same compares two JSON values; 1 and 1.0 are one number.
func same(a, b any) bool {
	x, ok1 := a.(json.Number)
	y, ok2 := b.(json.Number)
	if ok1 && ok2 {
		f, err1 := x.Float64()
		g, err2 := y.Float64()
		return err1 == nil && err2 == nil && f == g
	}
	return reflect.DeepEqual(a, b)
}

func listed(names []string) string {
	out := ""
	for i, n := range names {
		if i > 0 {
			out += " or "
		}
		out += n
	}
	return out
}
