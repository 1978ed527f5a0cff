package housekeeping

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writers lists, by file of the product, what it calls that changes a disk. What
// stands here is all there is: a new caller is a new way in, and has to say here
// why the gate of trust need not see it.
//
// Notes and index change in store/internal/folder alone, and only through a
// store.Store, whose gate sees each text (store/gate.go).
func writers() map[string]string {
	return map[string]string{
		// Into the memory folder.
		"store/internal/folder/replace.go": "Chmod MkdirAll OpenFile Remove Rename", // swaps one file of a planned change
		"store/store.go":                   "MkdirAll",                              // the folder itself
		// Into Dormouse's own state: the journal, and texts on their way.
		"store/known.go":                  "Remove Rename WriteFile",
		"store/purge.go":                  "MkdirAll WriteFile",
		"store/internal/journal/head.go":  "MkdirAll Rename WriteFile",
		"store/internal/journal/lock.go":  "MkdirAll WriteFile",
		"store/internal/journal/pack.go":  "OpenFile Remove Rename",
		"store/internal/journal/write.go": "OpenFile Remove Truncate",
		"internal/cli/edit.go":            "CreateTemp Remove",
		"internal/cli/extract_done.go":    "MkdirAll", // the folder of the lock
		"internal/cli/review.go":          "CreateTemp Remove",
		"internal/cli/sync_pair.go":       "MkdirAll", // the folder of the lock
		"internal/cli/import.go":          "MkdirAll", // likewise
		"internal/cli/sign.go":            "MkdirTemp RemoveAll WriteFile",
		// Modes of the memory folder and its files, made tighter; and no byte.
		"internal/cli/doctor_fix.go": "Chmod",
		// What was spent on models: dates and numbers. And folders that are gone
		// when a program has answered, with its prompt in one of them.
		"model/ledger.go":  "MkdirAll WriteFile",
		"model/program.go": "Mkdir MkdirTemp RemoveAll WriteFile",
		// Answers of models about dreams, by the hash of what was asked.
		"dream/bymodel/cache.go": "CreateTemp MkdirAll Remove Rename",
		// Dreams until somebody decides on them, and their archive: below the state
		// folder, whatever names stand in them (dream/shelf/shelf.go).
		"dream/shelf/keep.go":  "Mkdir MkdirAll OpenFile RemoveAll Rename WriteFile",
		"dream/shelf/purge.go": "Remove RemoveAll",
		// An index of what was read, which is only a cache (recall/find/doc.go).
		"recall/find/cache.go":    "CreateTemp MkdirAll Remove Rename",
		"recall/find/map_unix.go": "OpenFile", // to read
		"recall/find/purge.go":    "RemoveAll",
		// The folder that a program gives its model: its own, and no host's.
		"memorytool/dir.go":        "Link MkdirAll OpenFile Remove RemoveAll Rename",
		"internal/install/lock.go": "MkdirAll", // the folder of the lock
		// Vectors of texts, by the hash of the text: a cache as well.
		"recall/embed/cache.go": "CreateTemp MkdirAll Remove Rename",
		// What hooks keep between the events of a session, their queue and log.
		"internal/hook/keep.go":     "CreateTemp MkdirAll Remove Rename",
		"internal/hook/log.go":      "MkdirAll OpenFile Remove",
		"internal/hook/memory.go":   "Remove",
		"internal/hook/queue.go":    "Remove",
		"internal/cli/hook_work.go": "MkdirAll", // the folder of the lock
		// Hooks and servers in the agents' settings, and a note of what was added.
		"internal/install/apply.go":  "CreateTemp Link MkdirAll Remove Rename",
		"internal/install/record.go": "MkdirAll Remove Rename WriteFile",
		// The agent's settings, and the import of the global index: one known line.
		"internal/atomicfile/atomicfile.go": "Chmod CreateTemp MkdirAll Remove Rename",
		// The server's database file, and the folder it lies in.
		"internal/apiserver/db/dialect.go": "MkdirAll OpenFile",
		// Its first key, and the address where it serves.
		"internal/apiserver/daemon/serve.go": "WriteFile",
		// Open to read only.
		"internal/safefile/open_unix.go":  "OpenFile",
		"store/internal/folder/folder.go": "OpenFile",
		// A sample project in a temporary folder.
		"internal/cli/demo.go": "MkdirAll MkdirTemp RemoveAll WriteFile",
	}
}

// doors lists who opens a store: a store that is opened elsewhere could be one
// without a gate.
func doors() map[string]string {
	return map[string]string{
		"internal/cli/opening_place.go":       "Open", // with the guard's gate
		"internal/apiserver/daemon/mounts.go": "Open", // with the guard's gate, within mount.Exact
	}
}

// calls lists the calls of the named functions and methods, by file.
func calls(t *testing.T, files []source, of func(imported map[string]string, sel *ast.SelectorExpr) bool) map[string]string {
	t.Helper()
	found := map[string]map[string]bool{}
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		if _, height, ok := room(module + "/" + path.Dir(f.path)); !ok || height < 0 {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.path, f.text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		imported := map[string]string{}
		for _, im := range tree.Imports {
			p, _ := strconv.Unquote(im.Path.Value)
			name := path.Base(p)
			if im.Name != nil {
				name = im.Name.Name
			}
			imported[name] = p
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && of(imported, sel) {
					if found[f.path] == nil {
						found[f.path] = map[string]bool{}
					}
					found[f.path][sel.Sel.Name] = true
				}
			}
			return true
		})
	}
	out := map[string]string{}
	for file, names := range found {
		var list []string
		for n := range names {
			list = append(list, n)
		}
		slices.Sort(list)
		out[file] = strings.Join(list, " ")
	}
	return out
}

// changesDisk reports whether a call is of a function of package os that writes,
// or of a method of that name on an open file or folder.
func changesDisk(imported map[string]string, sel *ast.SelectorExpr) bool {
	names := []string{
		"WriteFile", "Create", "CreateTemp", "OpenFile", "Rename", "Remove", "RemoveAll", "Mkdir", "MkdirAll", "MkdirTemp", "Symlink", "Link", "Truncate", "Chmod",
		"Chtimes", "Chown", "CopyFS",
	}
	if !slices.Contains(names, sel.Sel.Name) {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	if ok && imported[x.Name] != "" {
		return imported[x.Name] == "os"
	}
	// A method: note.Remove and its like are pure, and stand in pure rooms.
	recv := fmt.Sprint(receiver(sel.X))
	return slices.Contains([]string{"root", "f", "file", "log", "pack"}, recv)
}

func receiver(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

func TestNothingElseWrites(t *testing.T) {
	t.Parallel()
	got := calls(t, sources(t, root), changesDisk)
	for file := range got {
		if house()[heightOf(file)].pure {
			delete(got, file) // it can't import os, so it is a method of that name
		}
	}
	if diff := cmp.Diff(writers(), got); diff != "" {
		t.Errorf("who writes (-listed +found):\n%s", diff)
	}
}

func TestEachStoreIsOpenedWithItsGate(t *testing.T) {
	t.Parallel()
	got := calls(t, sources(t, root), func(imported map[string]string, sel *ast.SelectorExpr) bool {
		x, ok := sel.X.(*ast.Ident)
		return ok && imported[x.Name] == module+"/store" && sel.Sel.Name == "Open"
	})
	if diff := cmp.Diff(doors(), got); diff != "" {
		t.Errorf("who opens a store (-listed +found):\n%s", diff)
	}
}

func heightOf(file string) int {
	_, height, _ := room(module + "/" + path.Dir(file))
	return height
}
