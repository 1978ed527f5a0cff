// Package standin lets a test's own program stand in for dormouse: an agent calls
// it by a link, and it writes down what it is called for, beside that link.
package standin

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// What reaches the model, if the agent does what it says.
const (
	Context = "THE-HOOK-SPOKE" // from the hook at the start of a session
	Tool    = "recall"         // the server's only tool
	Answer  = "the dormouse said so"
)

const logName = "called.log"

// Run stands in, if this process was called as dormouse hook or dormouse mcp, and
// reports whether it was. It belongs into TestMain.
func Run() bool {
	if len(os.Args) < 2 || os.Args[1] != "hook" && os.Args[1] != "mcp" {
		return false
	}
	if err := run(os.Args[0], os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

func run(self string, args []string, in io.Reader, out io.Writer) error {
	self, err := exec.LookPath(self) // as it was called, not where the link leads
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(filepath.Dir(self), logName), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(log, strings.Join(args, " "))
	if err := errors.Join(err, log.Close()); err != nil {
		return err
	}
	switch {
	case args[0] == "mcp":
		return serve(in, out)
	case len(args) > 1 && args[1] == "SessionStart":
		_, err = fmt.Fprintf(out, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":%q}}`, Context)
	}
	return err
}

// serve answers the Model Context Protocol as far as one tool needs it.
func serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				ProtocolVersion string `json:"protocolVersion"`
			} `json:"params"`
		}
		if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
			return err
		}
		if req.ID == nil {
			continue
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": req.ID}
		switch req.Method {
		case "initialize":
			answer["result"] = map[string]any{
				"protocolVersion": req.Params.ProtocolVersion, "capabilities": map[string]any{"tools": map[string]any{}},
				"serverInfo": map[string]any{"name": "dormouse", "version": "0"},
			}
		case "tools/list":
			answer["result"] = map[string]any{"tools": []any{map[string]any{"name": Tool, "description": "x", "inputSchema": map[string]any{"type": "object"}}}}
		case "tools/call":
			answer["result"] = map[string]any{"content": []any{map[string]any{"type": "text", "text": Answer}}}
		default:
			answer["error"] = map[string]any{"code": -32601, "message": "no such method"}
		}
		if err := json.NewEncoder(out).Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Link makes the link by which dormouse is to be called, in a folder that is
// there, and returns it.
func Link(folder string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	link := filepath.Join(folder, "dormouse")
	return link, os.Symlink(self, link)
}

// Called returns what the link was called for since the last time, hooks in their
// order and then the server, which starts at any time among them.
func Called(link string) ([]string, error) {
	path := filepath.Join(filepath.Dir(link), logName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(a[:1], b[:1]) })
	return lines, os.Remove(path)
}
