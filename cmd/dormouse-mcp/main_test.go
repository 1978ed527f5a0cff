package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// desk is a home, a project, and both programs beside each other.
type desk struct {
	t                  *testing.T
	bin, home, project string
}

func newDesk(t *testing.T, programs ...string) *desk {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, bin: filepath.Join(root, "bin"), home: filepath.Join(root, "home"), project: filepath.Join(root, "my project")}
	for _, dir := range []string{d.bin, d.home, d.project} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range programs {
		build := exec.Command("go", "build", "-o", d.bin+string(filepath.Separator), "dormouse/cmd/"+p)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("building %s: %v\n%s", p, err, out)
		}
	}
	return d
}

// command is dormouse with some arguments, started somewhere that is no project.
func (d *desk) command(args ...string) *exec.Cmd {
	name := "dormouse"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.Command(filepath.Join(d.bin, name), args...)
	cmd.Dir = d.home
	cmd.Env = []string{"HOME=" + d.home, "USERPROFILE=" + d.home, "PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	return cmd
}

func TestAClientTalksToTheProgram(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "dormouse", "dormouse-mcp")
	client := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "0"}, nil)
	client.AddRoots(&mcp.Root{URI: "file://" + strings.ReplaceAll(filepath.ToSlash(d.project), " ", "%20")}) //nolint:staticcheck // see internal/mcpserver/roots.go
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		s, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: d.command("mcp")}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
		if err != nil {
			t.Fatal(err)
		}
		call := func(tool string, args map[string]any) string {
			res, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
			if err != nil {
				t.Fatal(err)
			}
			return res.Content[0].(*mcp.TextContent).Text
		}
		name := "prices-" + protocol
		if got := call("remember", map[string]any{"text": "Prices are integers in cents since " + protocol + ".", "name": name, "new": true}); !strings.HasPrefix(got, "Remembered "+name) {
			t.Errorf("%s: %s", protocol, got)
		}
		if got := call("read", map[string]any{"note": name}); !strings.Contains(got, "| Prices are integers in cents since "+protocol) {
			t.Errorf("%s: %s", protocol, got)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: it ended with %v", protocol, err)
		}
	}
	out, err := d.command("list", "--project", d.project).Output()
	if err != nil || !strings.Contains(string(out), "prices-2025-11-25") || !strings.Contains(string(out), "prices-2026-07-28") {
		t.Errorf("list: %v\n%s", err, out)
	}
}

func TestTheProgramEndsWithItsInputAndWithASignal(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("signals of Windows can't be sent to a single process")
	}
	d := newDesk(t, "dormouse", "dormouse-mcp")
	const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}` + "\n"
	for _, end := range []string{"its input", "SIGTERM", "SIGINT"} {
		cmd := d.command("mcp")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		fmt.Fprint(in, hello)
		if _, err := out.Read(make([]byte, 1)); err != nil { // it is up
			t.Fatal(err)
		}
		switch end {
		case "its input":
			_ = in.Close()
		case "SIGTERM":
			_ = cmd.Process.Signal(syscall.SIGTERM)
		default:
			_ = cmd.Process.Signal(os.Interrupt)
		}
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil || errs.Len() > 0 {
			t.Errorf("%s: it ended with %v, and said %s", end, err, errs.String())
		}
		if !stuck.Stop() {
			t.Errorf("%s: it did not end", end)
		}
	}
}

func TestDormouseSaysWhenTheProgramIsMissing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "dormouse")
	cmd := d.command("mcp")
	cmd.Env[2] = "PATH=" + d.home
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(string(out), "the program dormouse-mcp is missing: it belongs beside dormouse or into PATH") {
		t.Errorf("exit %d, %v: %s", code, err, out)
	}
}

func TestWrongFlagsAreRefusedBeforeAnythingIsServed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "dormouse", "dormouse-mcp")
	cmd := d.command("mcp", "--host", "nobody")
	out, _ := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), "is not known") {
		t.Errorf("exit %d: %s", code, out)
	}
}
