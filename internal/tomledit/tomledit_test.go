package tomledit

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func path() []string { return []string{"mcp_servers", "dormouse"} }

func keys() []Key {
	return []Key{{"command", "/opt/it's \"d\"\\\x7f"}, {"args", []string{"mcp", "x"}}}
}

const table = "[mcp_servers.dormouse]\ncommand = \"/opt/it's \\\"d\\\"\\\\\\u007F\"\nargs = [\"mcp\", \"x\"]\n"

func TestATableIsAppendedAndTakenAway(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"an empty file", "", table},
		{"a key", "model = \"x\" # mine\n", "model = \"x\" # mine\n\n" + table},
		{"an empty line is there already", "a = 1\n\n", "a = 1\n\n" + table},
		{"no line end", "a = 1", "a = 1\n\n" + table},
		{"another server", "[mcp_servers.other]\ncommand = 'x'\n", "[mcp_servers.other]\ncommand = 'x'\n\n" + table},
		{"CRLF", "a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(table, "\n", "\r\n")},
		{"a byte order mark", "\uFEFFa = 1\n", "\uFEFFa = 1\n\n" + table},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, start, piece, err := Append([]byte(tt.src), path(), keys())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(out)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			if back := string(out[:start]) + string(out[start+len(piece):]); back != tt.src {
				t.Errorf("without the piece: %q", back)
			}
			if _, _, _, err := Append(out, path(), keys()); !errors.Is(err, ErrThere) {
				t.Errorf("again: %v", err)
			}
			dropped, err := Drop(out, path())
			if err != nil {
				t.Fatal(err)
			}
			if got, want := strings.TrimRight(string(dropped), "\r\n"), strings.TrimRight(tt.src, "\r\n"); got != want {
				t.Errorf("dropped: %q, want %q", got, want)
			}
		})
	}
}

func TestOnlyTheTableAndThoseBelowItGo(t *testing.T) {
	t.Parallel()
	src := "a = 1\n\n# ours\n" + table + "enabled = false # of the person\n\n[mcp_servers.dormouse.tools.recall]\nmode = \"x\"\n\n# about the next\n[mcp_servers.dormousey]\ncommand = \"\"\"\n[mcp_servers.dormouse]\n\"\"\"\n"
	want := "a = 1\n\n# ours\n\n# about the next\n[mcp_servers.dormousey]\ncommand = \"\"\"\n[mcp_servers.dormouse]\n\"\"\"\n"
	got, err := Drop([]byte(src), path())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatCannotBeEditedIsRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, src    string
		append, drop error
	}{
		{"an inline table of servers", "mcp_servers = { other = { command = 'x' } }\n", ErrForm, nil},
		{"a server as an inline table", "[mcp_servers]\ndormouse = { command = 'x' }\n", ErrThere, ErrForm},
		{"a server as dotted keys", "mcp_servers.dormouse.command = 'x'\n", ErrThere, ErrForm},
		{"something else of that name", "mcp_servers = 1\n", ErrForm, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, _, _, err := Append([]byte(tt.src), path(), keys()); !errors.Is(err, tt.append) {
				t.Errorf("append: %v, want %v", err, tt.append)
			}
			out, err := Drop([]byte(tt.src), path())
			if !errors.Is(err, tt.drop) || err == nil && string(out) != tt.src {
				t.Errorf("drop: %q, %v, want %v", out, err, tt.drop)
			}
		})
	}
	_, _, _, err := Append([]byte("a = 1\nkey = sk-secret\n"), path(), keys())
	if se, ok := errors.AsType[*SyntaxError](err); !ok || se.Line != 2 || strings.Contains(err.Error(), "secret") {
		t.Errorf("no TOML: %v", err)
	}
	if _, err := Drop(bytes.Repeat([]byte("#"), MaxSize+1), path()); err == nil {
		t.Error("a file of any size was read")
	}
}

// source draws a file of whole lines in any order.
func source(t *rapid.T) []byte {
	nl := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "nl")
	piece := rapid.SampledFrom([]string{
		"", "# c", "  # [mcp_servers.dormouse]", "k1 = 1", "k2 = \"x\" # c", "k3 = '''" + nl + "[mcp_servers.dormouse]" + nl + "'''",
		"[t1]", "[mcp_servers.a]", "[mcp_servers]", "[[arr]]", "k4 = [ 1," + nl + "# c" + nl + " 2 ]", "[projects.\"/x y\"]", "\t",
	})
	text := strings.Join(rapid.SliceOfNDistinct(piece, 0, 10, rapid.ID).Draw(t, "lines"), nl)
	return []byte(rapid.SampledFrom([]string{"", "\uFEFF"}).Draw(t, "bom") + text + rapid.SampledFrom([]string{"", nl}).Draw(t, "end"))
}

func TestAppendedAndCutIsTheSource(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := source(t)
		out, start, piece, err := Append(src, path(), keys())
		if err != nil {
			t.Skip("no TOML")
		}
		if back := append(bytes.Clone(out[:start]), out[start+len(piece):]...); !bytes.Equal(back, src) {
			t.Fatalf("%q -> %q -> %q", src, out, back)
		}
		more := append(bytes.Clone(out), "[later]\nx = 1\n"...)
		dropped, err := Drop(more, path())
		if err != nil {
			t.Fatalf("%q: %v", more, err)
		}
		before, _ := Read(src)
		after, err := Read(dropped)
		if err != nil {
			t.Fatalf("%q: %v", dropped, err)
		}
		delete(after, "later")
		if diff := cmp.Diff(pruned(before, path()), pruned(after, path())); diff != "" {
			t.Fatalf("%q -> %q:\n%s", src, dropped, diff)
		}
		for _, line := range strings.Split(string(src), "\n") {
			if strings.Contains(line, "# c") && !strings.Contains(string(dropped), line) {
				t.Fatalf("%q went: %q -> %q", line, src, dropped)
			}
		}
	})
}

func FuzzTable(f *testing.F) {
	for _, s := range []string{"", "a = 1", "[mcp_servers]\r\n", "[mcp_servers.dormouse]\n[x]", "\uFEFF# c\n[[a]]\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4<<10 {
			return
		}
		if out, err := Drop(src, path()); err == nil {
			if _, err := Read(out); err != nil {
				t.Fatalf("%q -> %q: %v", src, out, err)
			}
		}
		out, start, piece, err := Append(src, path(), keys())
		if err != nil {
			return
		}
		if back := append(bytes.Clone(out[:start]), out[start+len(piece):]...); !bytes.Equal(back, src) {
			t.Fatalf("%q -> %q -> %q", src, out, back)
		}
	})
}
