package transcript

import "strings"

// outcome is what the client keeps of a tool's result in toolUseResult.
type outcome struct {
	kind        string // create or update, of Write
	file        string
	content     []byte // of Write: what stands on the disk; a JSON string
	original    []byte // of Edit; a JSON string
	patch       []hunk
	looked      string // the file that Read read
	web         bool   // it has what only WebFetch and WebSearch have
	interrupted bool
}

func (o *outcome) read(c *cursor) {
	if c.peek() != '{' {
		return
	}
	url, code := false, false
	c.members(func(name []byte) {
		switch string(name) {
		case "type":
			o.kind = c.short()
		case "filePath":
			o.file = c.short()
		case "content":
			o.content = str(c)
		case "originalFile":
			o.original = str(c)
		case "structuredPatch":
			o.patch = hunks(c)
		case "file":
			if c.peek() == '{' {
				c.members(func(name []byte) {
					if string(name) == "filePath" {
						o.looked = c.short()
					}
				})
			}
		case "interrupted":
			o.interrupted = c.is()
		case "url":
			url = true
		case "code":
			code = true
		case "searchCount":
			o.web = true
		}
	})
	o.web = o.web || url && code
}

// str is a string's raw JSON; nil for anything else.
func str(c *cursor) []byte {
	if c.peek() != '"' {
		return nil
	}
	return c.raw()
}

type hunk struct {
	oldStart, oldLines int
	lines              []string
}

// maxPatch is how many hunks and lines of a patch are read; with more, the text
// behind it is not known.
const maxPatch = 200_000

func hunks(c *cursor) (out []hunk) {
	n := 0
	c.items(func() {
		if n++; n > maxPatch {
			return
		}
		var h hunk
		if c.peek() == '{' {
			c.members(func(name []byte) {
				switch string(name) {
				case "oldStart":
					h.oldStart = c.int()
				case "oldLines":
					h.oldLines = c.int()
				case "lines":
					c.items(func() {
						if n++; n > maxPatch {
							return
						}
						l, _ := c.text(MaxLine)
						h.lines = append(h.lines, l)
					})
				}
			})
		}
		out = append(out, h)
	})
	if n > maxPatch {
		return []hunk{{oldStart: -1}} // fits no text
	}
	return out
}

// int reads a whole number; -1 for anything else.
func (c *cursor) int() int {
	v := c.raw()
	if len(v) == 0 || len(v) > 9 {
		return -1
	}
	n := 0
	for _, d := range v {
		if d < '0' || d > '9' {
			return -1
		}
		n = n*10 + int(d-'0')
	}
	return n
}

// text is what the file held after the tool. The front matter that the client
// renews in a note is in the patch too.
func (o *outcome) text() (string, bool) {
	if (o.kind == "create" || o.kind == "update") && o.content != nil {
		s, _ := (&cursor{b: o.content}).text(MaxLine)
		return s, true
	}
	if o.original == nil || len(o.patch) == 0 {
		return "", false
	}
	s, _ := (&cursor{b: o.original}).text(MaxLine)
	return patched(s, o.patch)
}

const noBreak = `\ No newline at end of file`

// patched applies the hunks of a unified diff to a text.
func patched(text string, hunks []hunk) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	var out strings.Builder
	at := 0
	for _, h := range hunks {
		from := h.oldStart - 1
		if h.oldLines == 0 {
			from = h.oldStart // a hunk that only adds stands behind the line
		}
		if from < at || from > len(lines) || h.oldLines < 0 || from+h.oldLines > len(lines) {
			return "", false
		}
		for _, l := range lines[at:from] {
			out.WriteString(l)
		}
		for i, l := range h.lines {
			if l == "" || l == noBreak || l[0] == '-' {
				continue
			}
			out.WriteString(l[1:])
			if i+1 == len(h.lines) || h.lines[i+1] != noBreak {
				out.WriteString("\n")
			}
		}
		at = from + h.oldLines
	}
	for _, l := range lines[at:] {
		out.WriteString(l)
	}
	return out.String(), true
}
