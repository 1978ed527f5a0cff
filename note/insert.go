package note

import (
	"fmt"
	"strings"

	"dormouse/frontmatter"
)

// insert puts a new field in.
func (n *Note) insert(key, value string) ([]byte, error) {
	if !n.HasFront {
		return n.create(key, value)
	}
	key = n.home(key)
	want := n.values()
	if strings.HasPrefix(key, metadata+".") {
		if f, ok := n.Field(metadata); ok {
			if f.Value.Kind != frontmatter.Null {
				return nil, fmt.Errorf("%s: metadata is a %s: %w", key, f.Value.Kind, ErrEntangled)
			}
			delete(want, metadata)
		}
	}
	want[key] = text(value)
	var tries []edit
	for _, p := range n.places(key) {
		for _, v := range []string{scalar(value), quoteDouble(value)} {
			tries = append(tries, edit{p.at, p.at, p.lead + localKey(key) + ": " + v + p.nl})
		}
	}
	return n.first(key, want, tries)
}

// create puts a front matter in front of a text that has none, in the client's
// form. The text stays as it is.
func (n *Note) create(key, value string) ([]byte, error) {
	if key != keyName && key != keyDescription && !strings.Contains(key, ".") {
		key = metadata + "." + key
	}
	at := bomLen(string(n.raw[:min(len(n.raw), 2*len(bom))]))
	nl := documentBreak(string(n.raw[:min(len(n.raw), headBytes)]))
	lead := ""
	if strings.HasPrefix(key, metadata+".") {
		lead = metadata + ":" + nl + "  "
	}
	front := mark + nl + lead + localKey(key) + ": " + scalar(value) + nl + mark + nl
	if len(n.raw) > at {
		front += nl
	}
	return n.first(key, values{key: text(value)}, []edit{{at, at, front}})
}

// home is where a new field belongs: below metadata where the note has that.
func (n *Note) home(key string) string {
	if key == keyName || key == keyDescription || strings.Contains(key, ".") {
		return key
	}
	f, ok := n.Field(metadata)
	if ok && f.Value.Kind == frontmatter.Null || n.count(metadata+".") > 0 {
		return metadata + "." + key
	}
	return key
}

// place is where a line can be put in.
type place struct {
	at   int
	lead string // what goes before the key
	nl   string
}

// places lists where a new field can stand, the best first.
func (n *Note) places(key string) []place {
	prefix := ""
	if strings.HasPrefix(key, metadata+".") {
		prefix = metadata + "."
		if n.count(prefix) == 0 {
			return n.metadataPlaces()
		}
	}
	var out []place
	if f, ok := n.before(key, prefix); ok {
		out = append(out, n.behind(f))
	} else if f, ok := n.firstIn(prefix); ok {
		p := n.behind(f)
		p.at = f.Start
		out = append(out, p)
	}
	indent := ""
	if f, ok := n.lastIn(prefix); ok {
		p := n.behind(f)
		out, indent = append(out, p), p.lead
	}
	return append(out, n.atEnd(indent)) // blank lines may belong to the last value
}

// metadataPlaces lists where the first field below metadata can stand.
func (n *Note) metadataPlaces() []place {
	if f := n.metadataLine(); f.End > 0 {
		p := n.behind(f)
		p.lead += "  "
		return []place{p}
	}
	end := n.atEnd("")
	if f, ok := n.lastIn(""); ok {
		end = n.behind(f)
	}
	lead := end.lead + metadata + ":" + end.nl + end.lead + "  "
	return []place{{end.at, lead, end.nl}, n.atEnd(metadata + ":" + n.breakOf(n.frontAt) + "  ")}
}

// metadataLine returns the line that holds the key metadata and nothing else, as
// a field; its End is 0 if there is no such line.
func (n *Note) metadataLine() Field {
	for at := 0; at < len(n.front); {
		end := lineEnd(n.front, at)
		line := n.front[at:end]
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), metadata+":"); ok {
			if rest = strings.Trim(rest, " \t\r\n"); rest == "" || rest[0] == '#' {
				return Field{Key: metadata, Start: n.frontAt + at, End: n.frontAt + end}
			}
		}
		at = end
	}
	return Field{}
}

// behind is the place after a field, with its indentation and line break.
func (n *Note) behind(f Field) place {
	line := string(n.raw[f.Start:f.End])
	return place{f.End, line[:blanks(line)], n.breakOf(f.Start)}
}

// atEnd is the last place in the front matter.
func (n *Note) atEnd(lead string) place {
	return place{n.frontAt + len(n.front), lead, n.breakOf(n.frontAt)}
}

// breakOf returns the break of the line that begins at the offset, or else of
// the line with the opening mark.
func (n *Note) breakOf(at int) string {
	if at >= n.frontAt && at < n.frontAt+len(n.front) {
		rest := n.front[at-n.frontAt:]
		if nl := lineBreak(rest[:lineEnd(rest, 0)]); nl != "" {
			return nl
		}
	}
	if nl := lineBreak(string(n.raw[:n.frontAt])); nl != "" {
		return nl
	}
	return "\n"
}

// order is that in which the client writes the fields of one map. Unknown ones
// go to the end.
const order = " " + keyName + " " + keyDescription + " " + metadata + " " + keyNodeType + " " + keyType + " "

// rank is the place of a key in the order; every unknown key has the same.
func rank(key string) int {
	if i := strings.Index(order, " "+localKey(key)+" "); i >= 0 {
		return i
	}
	return len(order)
}

// before returns the field that a new one follows: the last of those that are
// ranked lower and stand in the same map.
func (n *Note) before(key, prefix string) (Field, bool) {
	best, found := Field{}, false
	for _, f := range n.Fields {
		if f.Start < 0 || !inMap(f.Key, prefix) || rank(f.Key) > rank(key) {
			continue
		}
		if !found || rank(f.Key) >= rank(best.Key) {
			best, found = f, true
		}
	}
	return best, found
}

func (n *Note) firstIn(prefix string) (Field, bool) {
	for _, f := range n.Fields {
		if f.Start >= 0 && inMap(f.Key, prefix) {
			return f, true
		}
	}
	return Field{}, false
}

func (n *Note) lastIn(prefix string) (Field, bool) {
	last, found := Field{}, false
	for _, f := range n.Fields {
		if f.Start >= 0 && (prefix == "" || inMap(f.Key, prefix)) {
			last, found = f, true
		}
	}
	// A field below metadata can be the last of the top's lines too.
	if found && prefix == "" && strings.HasPrefix(last.Key, metadata+".") {
		head := n.metadataLine()
		return Field{Key: metadata, Start: head.Start, End: last.End}, head.End > 0
	}
	return last, found
}

// inMap reports whether a field is one of the map under prefix.
func inMap(key, prefix string) bool {
	if prefix == "" {
		return !strings.HasPrefix(key, metadata+".")
	}
	return strings.HasPrefix(key, prefix)
}
