// Package mcpserver offers a project's notes to an agent as six tools, by the
// Model Context Protocol. What comes out of notes is fenced as data, with its date
// and origin; what goes in is the agent's word, through the gate of the store. No
// tool approves, raises trust, or changes a setting. The descriptions of the tools
// are fixed texts, one file beside each.
package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/host"
	"dormouse/internal/mcpserver/memory"
)

// Memory answers the tools. It is asked one thing at a time. An error is for the
// agent to read: it has the reason and the way out, and no text of a note that
// waits for a review.
type Memory interface {
	Search(context.Context, memory.Where, memory.Query) (*memory.Found, error)
	Read(context.Context, memory.Where, string) (*memory.Text, error)
	Remember(context.Context, memory.Where, memory.New) (*memory.Written, error)
	Update(context.Context, memory.Where, memory.Edit) (*memory.Written, error)
	Forget(context.Context, memory.Where, string) (*memory.Written, error)
	Status(context.Context, memory.Where) (*memory.Status, error)
}

// Config is how the server was started.
type Config struct {
	Version string
	Project string // absolute; "": the client tells
	Store   string // a folder of notes instead of the project's; "": the project's
	Env     host.Env
	Log     io.Writer

	rootsTime time.Duration // for tests; 0: rootsTime
}

// Server is the tools over a memory.
type Server struct {
	conf Config
	mem  Memory
	turn chan struct{} // held by the call that is at work
}

// New makes a server for any transport.
func New(mem Memory, conf Config) *mcp.Server {
	s := &Server{conf: conf, mem: mem, turn: make(chan struct{}, 1)}
	out := mcp.NewServer(
		&mcp.Implementation{Name: "dormouse", Title: "Dormouse", Version: conf.Version},
		&mcp.ServerOptions{
			Instructions: strings.TrimSpace(instructions),
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Experimental: experimental()},
		},
	)
	s.addSearch(out)
	s.addRead(out)
	s.addRemember(out)
	s.addUpdate(out)
	s.addForget(out)
	s.addStatus(out)
	out.AddReceivingMiddleware(bounded)
	return out
}

// Serve speaks over two streams until the first ends or ctx does.
func Serve(ctx context.Context, in io.Reader, out io.Writer, mem Memory, conf Config) error {
	served, done := context.WithCancel(ctx)
	defer done()
	r, w := lines(served, in, out)
	err := New(mem, conf).Run(ctx, &mcp.IOTransport{Reader: r, Writer: w, MaxLineLength: -1})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("serving: %w", err)
	}
	return nil
}

// Sizes of a call in bytes, and of the text of an error in runes.
const (
	longestArgs  = 256 << 10
	longestName  = 64
	longestError = 2000
)

// bounded keeps calls and complaints about them to a size: what is wrong with an
// argument is told with the argument.
func bounded(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.GetParams().(*mcp.CallToolParamsRaw)
		if !ok || call == nil {
			return next(ctx, method, req)
		}
		if len(call.Name) > longestName {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no tool of so long a name"}
		}
		if n := len(call.Arguments); n > longestArgs {
			return said(answer{fmt.Sprintf("the arguments have %d bytes, and at most %d are taken: a note is one fact; keep the text in a file and remember where it is", n, longestArgs), true}), nil
		}
		res, err := next(ctx, method, req)
		if out, ok := res.(*mcp.CallToolResult); ok && out != nil && out.IsError {
			for _, c := range out.Content {
				if t, ok := c.(*mcp.TextContent); ok {
					t.Text = harmless(clipped(t.Text))
				}
			}
		}
		return res, err
	}
}

func clipped(text string) string {
	if n := 0; len(text) > longestError {
		for at := range text {
			if n++; n > longestError {
				return text[:at] + "…"
			}
		}
	}
	return text
}

// place is the argument that all tools have.
type place struct {
	Project string `json:"project,omitempty" jsonschema:"absolute folder; only if asked for"`
}

func (p place) project() string { return p.Project }

// kind is what a client may think of a tool.
type kind int

const (
	reads kind = iota
	adds
	changes
)

func (k kind) annotations() *mcp.ToolAnnotations {
	destroys, open := k == changes, false
	return &mcp.ToolAnnotations{ReadOnlyHint: k == reads, DestructiveHint: &destroys, OpenWorldHint: &open}
}

// answer is what a tool says; failed marks what did not do what was asked.
type answer struct {
	text   string
	failed bool
}

// add offers one tool. Errors are answers too: the agent is to read them.
func add[In interface{ project() string }](s *Server, to *mcp.Server, name string, k kind, text string, run func(context.Context, memory.Where, In) (answer, error)) {
	tool := &mcp.Tool{Name: name, Description: strings.TrimSpace(text), Annotations: k.annotations()}
	mcp.AddTool(to, tool, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		w, err := s.where(ctx, req, in.project())
		if errors.Is(err, errAsk) {
			return rootsQuestion(), nil, nil
		}
		a := answer{failed: true}
		if err == nil {
			a, err = s.inTurn(ctx, name, func() (answer, error) { return run(ctx, w, in) })
		}
		if err != nil {
			a = answer{text: err.Error(), failed: true}
		}
		return said(a), nil, nil
	})
}

func said(a answer) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: a.text}}, IsError: a.failed}
}

// inTurn lets one call work at a time: each may read every note there is. What goes
// wrong in one must not end the session.
func (s *Server) inTurn(ctx context.Context, name string, run func() (answer, error)) (a answer, err error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return a, ctx.Err()
	}
	defer func() { <-s.turn }()
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(s.conf.Log, "dormouse-mcp: %s: %v\n%s", name, r, debug.Stack()) // nowhere left to say it
			err = fmt.Errorf("%s failed: this is a defect of dormouse, and its standard error tells more", name)
		}
	}()
	if err := ctx.Err(); err != nil {
		return a, err
	}
	return run()
}
