package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/internal/mcpserver/memory"
)

// where decides whose notes a call means: those of the folder given when the
// server was started, else of a root of the client. arg chooses among roots, or
// within one; without any it decides alone. The folder that the server itself was
// started in counts for nothing.
func (s *Server) where(ctx context.Context, req *mcp.CallToolRequest, arg string) (memory.Where, error) {
	folder, session := codexSays(req.Params.Meta)
	w := memory.Where{Session: session}
	roots, err := s.roots(ctx, req, folder)
	if err != nil {
		return w, err
	}
	switch {
	case arg != "":
		w.Project, err = chosen(arg, roots)
	case len(roots) == 1:
		w.Project = roots[0]
	case len(roots) > 1:
		err = fmt.Errorf("there are several projects: give one of them as project: %s", strings.Join(roots, ", "))
	case s.conf.Store != "":
		return w, nil
	default:
		err = errors.New("which project is meant is not known, as this client names none: give its folder as project, an absolute path (or start the server with --project DIR)")
	}
	if err != nil {
		return w, err
	}
	if info, err := os.Stat(w.Project); err != nil || !info.IsDir() {
		return w, fmt.Errorf("project %s: no folder is there; give the absolute path of one", w.Project)
	}
	return w, nil
}

// roots are the folders that the client works in, from whoever knows best.
func (s *Server) roots(ctx context.Context, req *mcp.CallToolRequest, told string) ([]string, error) {
	if s.conf.Project != "" {
		return []string{s.conf.Project}, nil
	}
	roots, err := s.listed(ctx, req)
	switch {
	case err != nil || len(roots) > 0:
		return roots, err
	case told != "":
		return []string{told}, nil
	}
	if dir := inClaude(s.conf.Env); filepath.IsAbs(dir) {
		return []string{filepath.Clean(dir)}, nil
	}
	return nil, nil
}

// fileOf is the absolute path that a file URI names on this machine.
func fileOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	path = filepath.FromSlash(path)
	return filepath.Clean(path), filepath.IsAbs(path) && !strings.ContainsRune(path, 0)
}

// chosen is the folder that a call names. Where the client said what it works in,
// it is one of those, or lies in one.
func chosen(arg string, roots []string) (string, error) {
	if !filepath.IsAbs(arg) || strings.ContainsRune(arg, 0) {
		return "", fmt.Errorf("project %q is not an absolute path: give the folder's full path", arg)
	}
	arg = filepath.Clean(arg)
	if len(roots) == 0 {
		return arg, nil
	}
	for _, r := range roots {
		if within(arg, r) {
			return arg, nil
		}
	}
	return "", fmt.Errorf("project %s is not what this client works in: leave it out, or give one of %s", arg, strings.Join(roots, ", "))
}

// within compares where two paths really are.
func within(path, dir string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
