//nolint:staticcheck // roots are deprecated from protocol 2026-07-28 on, and all that clients have today
package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// handshake protocols let a server ask by itself; from this one on a question goes
// out as the result of a call, and the call comes again with the answer.
const stateless = "2026-07-28"

// rootsKey names that question.
const rootsKey = "roots"

// rootsTime is how long a client may take to tell its roots.
const rootsTime = 5 * time.Second

// errAsk says that the client has to be asked for its roots first.
var errAsk = errors.New("the client's roots are not known yet")

// listed asks the client, each time: roots change.
func (s *Server) listed(ctx context.Context, req *mcp.CallToolRequest) ([]string, error) {
	caps := req.ClientCapabilities()
	if caps == nil || caps.RootsV2 == nil {
		return nil, nil
	}
	var list *mcp.ListRootsResult
	if answer, ok := req.Params.InputResponses[rootsKey].(*mcp.ListRootsResult); ok {
		list = answer
	} else if req.ProtocolVersion() >= stateless {
		return nil, errAsk
	} else {
		ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.conf.rootsTime, rootsTime))
		defer cancel()
		var err error
		if list, err = req.Session.ListRoots(ctx, nil); err != nil {
			return nil, fmt.Errorf("asking the client for its roots: %w", err)
		}
	}
	var out []string
	for _, r := range list.Roots {
		if r == nil {
			continue
		}
		if dir, ok := fileOf(r.URI); ok {
			out = append(out, dir)
		}
	}
	return out, nil
}

// rootsQuestion is the result that asks for them.
func rootsQuestion() *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{rootsKey: &mcp.ListRootsParams{}}}
}
