package housekeeping

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// maxLines is the house cap on a file; tests may be longer, a table of cases is
// no idea of its own.
const maxLines = 600

// A source is one Go file of the module.
type source struct {
	path string // with slashes, from the module's folder
	text []byte
}

// sources reads every Go file below dir. That the test reads them by itself also
// tells Go's test cache that this package depends on all of them.
func sources(t *testing.T, dir string) []source {
	t.Helper()
	var files []source
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != dir && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files = append(files, source{filepath.ToSlash(rel), text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no Go file below %s", dir)
	}
	return files
}

// untidy returns one line for each thing that a source file should not have or
// lacks.
func untidy(files []source) ([]string, error) {
	var lines []string
	documented := map[string]bool{} // by folder
	for _, f := range files {
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, f.path, f.text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		folder := filepath.ToSlash(filepath.Dir(f.path))
		documented[folder] = documented[folder] || strings.TrimSpace(tree.Doc.Text()) != ""
		if strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		if n := bytes.Count(f.text, []byte("\n")); n > maxLines {
			lines = append(lines, fmt.Sprintf("%s: %d lines (at most %d): does it hold one idea?", f.path, n, maxLines))
		}
		// What only tests and developers run may take its time to start.
		if name, height, ok := room(module + "/" + folder); !ok || height >= 0 || name == "" {
			lines = append(lines, workAtStart(fset, tree)...)
		}
	}
	for folder, ok := range documented {
		if !ok {
			lines = append(lines, folder+": no file has a package comment")
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// workAtStart finds init functions and regular expressions compiled at package
// level. Each start of each command would pay for them.
func workAtStart(fset *token.FileSet, tree *ast.File) []string {
	var lines []string
	for _, decl := range tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				lines = append(lines, fmt.Sprintf("%s: func init runs at every start of every command", fset.Position(d.Pos())))
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				for _, value := range spec.(*ast.ValueSpec).Values {
					if compilesRegexp(value) {
						lines = append(lines, fmt.Sprintf("%s: a regular expression is compiled at every start of every command", fset.Position(value.Pos())))
					}
				}
			}
		}
	}
	return lines
}

// compilesRegexp reports whether evaluating e calls into package regexp; what
// stands in a function literal does not run yet (sync.OnceValue).
func compilesRegexp(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "regexp" {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

func TestEverySourceFileIsTidy(t *testing.T) {
	t.Parallel()
	lines, err := untidy(sources(t, root))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		t.Error(line)
	}
}

func TestUntidySourcesAreFound(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, path, text, want string }{
		{"a documented package", "note/a.go", "// Package note is.\npackage note\n", ""},
		{"no package comment", "note/a.go", "package note\n", "note: no file has a package comment"},
		{"a directive is no comment", "note/a.go", "//go:build linux\n\npackage note\n", "note: no file has a package comment"},
		{"an init", "note/a.go", "// Package note is.\npackage note\nfunc init() {}\n", "note/a.go:3:1: func init runs at every start of every command"},
		{"a method may be called init", "note/a.go", "// Package note is.\npackage note\ntype t int\nfunc (t) init() {}\n", ""},
		{"a regexp at package level", "note/a.go", "// Package note is.\npackage note\nvar re = wrap(regexp.MustCompile(`x`))\n", "note/a.go:3:10: a regular expression is compiled at every start of every command"},
		{"a regexp at its first use", "note/a.go", "// Package note is.\npackage note\nvar re = sync.OnceValue(func() any { return regexp.MustCompile(`x`) })\n", ""},
		{"tools may start slowly", "internal/tools/x/a.go", "// Package main is.\npackage main\nfunc init() {}\n", ""},
		{"601 lines", "note/a.go", "// Package note is.\npackage note\n" + strings.Repeat("\n", 599), "note/a.go: 601 lines (at most 600): does it hold one idea?"},
		{"a long test", "note/a_test.go", "// Package note is.\npackage note\n" + strings.Repeat("\n", 900), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lines, err := untidy([]source{{tt.path, []byte(tt.text)}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, strings.Join(lines, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
