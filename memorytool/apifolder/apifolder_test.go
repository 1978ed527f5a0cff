package apifolder_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/db"
	"dormouse/memorytool"
	"dormouse/memorytool/apifolder"
)

// newFolder is a memory store of a server of our own.
func newFolder(t testing.TB) *apifolder.Folder {
	t.Helper()
	d, err := db.Open(context.Background(), filepath.Join(t.TempDir(), "server.db"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, key, err := d.CreateKey(context.Background(), "w", "test")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(apiserver.New(apiserver.Config{Backend: d, Enter: d.Enter, Hosts: []string{"127.0.0.1"}}))
	t.Cleanup(func() {
		s.Close()
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	client := anthropic.NewClient(option.WithBaseURL(s.URL), option.WithAPIKey(key), option.WithMaxRetries(0))
	st, err := client.Beta.MemoryStores.New(context.Background(), anthropic.BetaMemoryStoreNewParams{Name: "S"})
	if err != nil {
		t.Fatal(err)
	}
	return &apifolder.Folder{Client: client, Store: st.ID}
}

func call(t testing.TB, tool *memorytool.Tool, in map[string]any) memorytool.Answer {
	t.Helper()
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	a := tool.Call(context.Background(), b)
	if a.Err != nil {
		t.Fatalf("%v: %v", in, a.Err)
	}
	return a
}

func TestAMemoryStoreIsAFolder(t *testing.T) {
	t.Parallel()
	tool := &memorytool.Tool{Folder: newFolder(t)}
	type object = map[string]any
	for _, tt := range []struct {
		in   object
		want string
		bad  bool
	}{
		{object{"command": "create", "path": "/memories/notes/a.md", "file_text": "one\ntwo\n"}, "File created successfully at: /memories/notes/a.md", false},
		{object{"command": "create", "path": "/memories/notes/a.md", "file_text": "x"}, "Error: File /memories/notes/a.md already exists", true},
		{object{"command": "create", "path": "/memories/notes", "file_text": "x"}, "Error: File /memories/notes already exists", true},
		{object{"command": "create", "path": "/memories/large", "file_text": strings.Repeat("x", 102_401)}, "Error: The memory store does not take it: content must be at most 102400 bytes long, it has 102401", true},
		{object{"command": "view", "path": "/memories"}, "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n8B\t/memories\n8B\t/memories/notes\n8B\t/memories/notes/a.md", false},
		{object{"command": "view", "path": "/memories/notes/a.md"}, "Here's the content of /memories/notes/a.md with line numbers:\n     1\tone\n     2\ttwo", false},
		{object{"command": "str_replace", "path": "/memories/notes/a.md", "old_str": "two", "new_str": "2"}, "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tone\n     2\t2", false},
		{object{"command": "insert", "path": "/memories/notes/a.md", "insert_line": 2, "insert_text": "three"}, "The file /memories/notes/a.md has been edited.", false},
		{object{"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/old/notes"}, "Successfully renamed /memories/notes to /memories/old/notes", false},
		{object{"command": "view", "path": "/memories/old/notes/a.md"}, "Here's the content of /memories/old/notes/a.md with line numbers:\n     1\tone\n     2\t2\n     3\tthree", false},
		{object{"command": "view", "path": "/memories/notes"}, "The path /memories/notes does not exist. Please provide a valid path.", true},
		{object{"command": "delete", "path": "/memories/old"}, "Successfully deleted /memories/old", false},
		{object{"command": "delete", "path": "/memories/old"}, "Error: The path /memories/old does not exist", true},
	} {
		if a := call(t, tool, tt.in); a.Text != tt.want || a.Failed != tt.bad {
			t.Errorf("%v: %q, failed %v, want %q", tt.in, a.Text, a.Failed, tt.want)
		}
	}
}

// Several programs on one store: each insertion is there.
func TestWhatOthersWroteMeanwhileStays(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	call(t, &memorytool.Tool{Folder: f}, map[string]any{"command": "create", "path": "/memories/a", "file_text": "begin\n"})
	var wg sync.WaitGroup
	var mu sync.Mutex
	var said []string
	for i := range 4 {
		wg.Go(func() {
			for k := range 5 {
				line := fmt.Sprintf("line %d %d", i, k)
				a := call(t, &memorytool.Tool{Folder: f}, map[string]any{"command": "insert", "path": "/memories/a", "insert_line": 1, "insert_text": line})
				if !a.Failed { // it may have been told to try once more
					mu.Lock()
					said = append(said, line)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	text, err := f.Read(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(text, "\n"), "\n")[1:]
	slices.Sort(got)
	slices.Sort(said)
	if !slices.Equal(got, said) || len(said) == 0 {
		t.Errorf("%d lines of %d that were written", len(got), len(said))
	}
}
