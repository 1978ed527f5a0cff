package startup

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// AppendJSON appends the report as encoding/json would write it, without
// escaping for HTML. It is written out because context --json sits in hooks:
// the first use of encoding/json on these types costs half a millisecond of
// CPU, a tenth of what the whole command may take. A test holds the two equal.
func (r *Report) AppendJSON(b []byte) []byte {
	w := writer{slices.Grow(b, r.size())}
	w.open('{')
	w.text("host", r.Host)
	w.text("client", r.Client)
	w.text("cwd", r.Cwd)
	w.maybe("root", r.Root)
	list(&w, "loaded", r.Loaded, appendFile)
	list(&w, "after_reads", r.After, appendFile)
	list(&w, "ages", r.Ages, appendAge)
	list(&w, "not_loaded", r.Left, appendLeft)
	w.key("memory")
	appendMemory(&w, &r.Mem)
	list(&w, "problems", r.Problems, appendProblem)
	if len(r.Notices) > 0 {
		list(&w, "notices", r.Notices, appendProblem)
	}
	w.close('}')
	return w.b
}

// size is about how many bytes the JSON will take.
func (r *Report) size() int {
	const each = 400
	n := each * (4 + len(r.Loaded) + len(r.After) + len(r.Left) + len(r.Problems))
	for _, files := range [][]File{r.Loaded, r.After} {
		for i := range files {
			n += len(files[i].Text) + len(files[i].Text)/16
		}
	}
	return n
}

// writer appends JSON; a comma goes before every member but the first.
type writer struct{ b []byte }

func (w *writer) open(c byte)  { w.b = append(w.b, c) }
func (w *writer) close(c byte) { w.b = append(w.b, c) }

func (w *writer) comma() {
	if c := w.b[len(w.b)-1]; c != '{' && c != '[' {
		w.b = append(w.b, ',')
	}
}

func (w *writer) key(k string) {
	w.comma()
	w.b = append(w.b, '"')
	w.b = append(w.b, k...)
	w.b = append(w.b, '"', ':')
}

func (w *writer) text(k, v string) { w.key(k); w.b = appendString(w.b, v) }

func (w *writer) maybe(k, v string) {
	if v != "" {
		w.text(k, v)
	}
}

func (w *writer) number(k string, v int) { w.key(k); w.b = strconv.AppendInt(w.b, int64(v), 10) }

func (w *writer) maybeNumber(k string, v int) {
	if v != 0 {
		w.number(k, v)
	}
}

func (w *writer) flag(k string, v bool) { w.key(k); w.b = strconv.AppendBool(w.b, v) }

func list[T any](w *writer, k string, items []T, item func(*writer, *T)) {
	w.key(k)
	if items == nil {
		w.b = append(w.b, "null"...)
		return
	}
	w.open('[')
	for i := range items {
		w.comma()
		item(w, &items[i])
	}
	w.close(']')
}

func appendFile(w *writer, f *File) {
	w.open('{')
	w.text("path", f.Path)
	w.maybe("scope", string(f.Scope))
	w.text("text", f.Text)
	if c := f.Cut; c != nil {
		w.key("cut")
		w.open('{')
		w.text("by", c.By)
		w.number("total_lines", c.TotalLines)
		w.number("cut_lines", c.CutLines)
		w.maybeNumber("first_cut_line", c.FirstCutLine)
		w.maybeNumber("within_line", c.WithinLine)
		w.close('}')
	}
	w.text("reason", string(f.Reason))
	w.text("why", f.Why)
	w.maybe("imported_by", f.ImportedBy)
	w.maybeNumber("import_line", f.ImportLine)
	w.maybe("real_path", f.RealPath)
	w.number("bytes", int(f.Bytes))
	w.number("lines", f.Lines)
	w.number("chars", f.Chars)
	w.number("tokens", f.Tokens)
	if !f.Modified.IsZero() {
		w.key("modified")
		w.b = append(w.b, '"')
		w.b = f.Modified.AppendFormat(w.b, time.RFC3339Nano)
		w.b = append(w.b, '"')
	}
	w.close('}')
}

func appendAge(w *writer, a *Age) {
	w.open('{')
	w.text("path", a.Path)
	w.number("days", a.Days)
	w.flag("warn", a.Warn)
	w.close('}')
}

func appendLeft(w *writer, l *Left) {
	w.open('{')
	w.text("path", l.Path)
	w.maybe("scope", string(l.Scope))
	w.text("reason", string(l.Reason))
	w.text("why", l.Why)
	w.maybe("from", l.From)
	w.maybeNumber("line", l.Line)
	w.maybe("text", l.Text)
	w.maybe("near", l.Near)
	w.maybeNumber("count", l.Count)
	w.close('}')
}

func appendProblem(w *writer, p *Problem) {
	w.open('{')
	w.text("path", p.Path)
	w.maybeNumber("line", p.Line)
	w.text("what", p.What)
	w.close('}')
}

func appendDecision(w *writer, k string, d *Decision) {
	w.key(k)
	w.open('{')
	w.text("value", d.Value)
	w.text("by", d.By)
	w.maybe("file", d.File)
	w.maybeNumber("line", d.Line)
	w.close('}')
}

func appendMemory(w *writer, m *MemoryState) {
	w.open('{')
	w.flag("on", m.On)
	appendDecision(w, "switch", &m.Switch)
	w.text("dir", m.Dir)
	appendDecision(w, "where", &m.Where)
	w.flag("exists", m.Exists)
	if m.Index != nil {
		w.key("index")
		appendIndex(w, m.Index)
	}
	w.number("notes", m.Notes)
	if len(m.Oldest) > 0 {
		list(w, "oldest", m.Oldest, appendNote)
	}
	if len(m.Shared) > 0 {
		list(w, "shared_with", m.Shared, func(w *writer, s *string) { w.b = appendString(w.b, *s) })
	}
	if len(m.Others) > 0 {
		list(w, "other_stores", m.Others, appendStore)
	}
	w.close('}')
}

func appendIndex(w *writer, ix *Index) {
	w.open('{')
	w.text("path", ix.Path)
	if ix.Generated {
		w.flag("generated", true)
	}
	w.number("lines", ix.Lines)
	w.number("lines_limit", ix.LinesLimit)
	w.number("chars", ix.Chars)
	w.number("chars_limit", ix.CharsLimit)
	w.number("loaded_lines", ix.LoadedLines)
	w.number("loaded_chars", ix.LoadedChars)
	w.close('}')
}

func appendNote(w *writer, n *Note) {
	w.open('{')
	w.text("path", n.Path)
	w.number("days", n.Days)
	w.close('}')
}

func appendStore(w *writer, s *Store) {
	w.open('{')
	w.text("dir", s.Dir)
	w.number("notes", s.Notes)
	w.text("why", s.Why)
	w.close('}')
}

const hex = "0123456789abcdef"

// appendString quotes s: invalid UTF-8 becomes U+FFFD, and the two line
// separators that JavaScript stumbles over are escaped.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			b = append(b, s[from:i]...)
			b = appendEscape(b, c)
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || r == 0x2028 || r == 0x2029 {
			b = append(b, s[from:i]...)
			b = append(b, '\\', 'u', hex[r>>12&0xF], hex[r>>8&0xF], hex[r>>4&0xF], hex[r&0xF])
			from = i + size
		}
		i += size
	}
	return append(append(b, s[from:]...), '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
}
