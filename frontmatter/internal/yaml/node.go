package yaml

import (
	"strconv"
	"strings"
)

// props are the anchor and tag in front of a value.
type props struct {
	any    bool
	anchor string
	tag    string // "" none, "!" non-specific, else the name: Bun takes !int for !!int
	hasTag bool
	hasAnc bool
}

// add joins q to p; a value has at most one anchor and one tag.
func (p *props) add(r *reader, q props) error {
	if p.hasAnc && q.hasAnc {
		return r.fail("two anchors for one value")
	}
	if p.hasTag && q.hasTag {
		return r.fail("two tags for one value")
	}
	if q.hasAnc {
		p.anchor, p.hasAnc = q.anchor, true
	}
	if q.hasTag {
		p.tag, p.hasTag = q.tag, true
	}
	p.any = p.any || q.any
	return nil
}

// props reads anchors and tags up to the content of the line.
func (r *reader) props() (props, error) {
	var p props
	for {
		var q props
		var err error
		switch r.peek(0) {
		case '&':
			q.hasAnc = true
			q.anchor, err = r.name()
		case '!':
			q.hasTag = true
			q.tag, err = r.tag()
		default:
			return p, nil
		}
		if err != nil {
			return p, err
		}
		q.any = true
		if err := p.add(r, q); err != nil {
			return p, err
		}
		r.blanks()
	}
}

// name reads an anchor's or alias's name after its sign.
func (r *reader) name() (string, error) {
	r.pos++
	at := r.pos
	for !r.end() && !isEdge(r.src[r.pos]) && !isFlow(r.src[r.pos]) {
		r.pos++
	}
	if r.pos == at || r.brackets == 0 && isFlow(r.peek(0)) {
		return "", r.unexpected()
	}
	return r.src[at:r.pos], nil
}

// tag reads a tag. Handles other than ! and !! would need a directive, which
// front matter cannot hold.
func (r *reader) tag() (string, error) {
	at := r.pos + 1
	if r.peek(1) == '<' {
		r.pos += 2
		r.tagBytes("!")
		if r.peek(0) != '>' || r.pos == at+1 {
			return "", r.unexpected()
		}
		r.pos++
		return r.src[at:r.pos], nil // with its brackets, so that it is none of the core names
	}
	r.pos++
	if isEdge(r.peek(0)) {
		return "!", nil
	}
	if c := r.peek(0); c != '!' && c != '-' && !isAlnum(c) {
		return "", r.unexpected()
	}
	r.tagBytes("")
	name := r.src[at:r.pos]
	if r.peek(0) != '!' {
		return name, nil
	}
	if name != "" {
		return "", r.fail("unknown tag handle !%s!", name)
	}
	r.pos++
	r.tagBytes("")
	name = r.src[at+1 : r.pos]
	if c := r.peek(0); name == "" || !isEdge(c) && (r.brackets == 0 || !isFlow(c)) {
		return "", r.unexpected()
	}
	return name, nil
}

// tagBytes steps over what a tag can hold, and the bytes in more.
func (r *reader) tagBytes(more string) {
	for !r.end() {
		c := r.src[r.pos]
		if c == '%' {
			if _, ok := r.hex(r.pos+1, 2); !ok {
				return
			}
		} else if !isAlnum(c) && strings.IndexByte("-#;/?:@&=+$_.~*'()", c) < 0 && strings.IndexByte(more, c) < 0 {
			return
		}
		r.pos++
	}
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// anchor remembers n under the anchor of p.
func (r *reader) anchor(p props, n *Node) {
	if p.hasAnc {
		r.anchors[p.anchor] = n
	}
}

// empty is the value that is not there.
func (r *reader) empty(p props, at int) (*Node, error) {
	n := &Node{Kind: Null, Start: at, End: at, weight: 1}
	if p.tag == "!" || p.tag == "str" {
		n.Kind = String
	}
	r.anchor(p, n)
	return n, r.count(1)
}

// inline reads an alias, a quoted or plain scalar or a flow collection. inner
// stands on its line; outer is joined unless a key colon follows, for then outer
// belongs to the map.
func (r *reader) inline(n, at int, inner, outer props) (*Node, error) {
	if r.peek(0) == '*' {
		if inner.any || outer.any {
			return nil, r.fail("alias with an anchor or tag")
		}
		return r.alias()
	}
	var node *Node
	var err error
	switch r.peek(0) {
	case '[', '{':
		node, err = r.flow(n, at, inner)
	case '"', '\'':
		node, err = r.quoted(n, at)
	default:
		node, err = r.plain(n, at, false)
	}
	if err != nil {
		return nil, err
	}
	return node, r.settle(node, inner, outer)
}

// settle applies tag and anchor to a node read in line.
func (r *reader) settle(node *Node, inner, outer props) error {
	p := inner
	at := r.pos
	key := r.keyFollows()
	r.pos = at
	if !key {
		if err := p.add(r, outer); err != nil {
			return err
		}
	}
	if node.plain {
		node.Kind = resolve(node.Text, p.tag)
	}
	r.anchor(p, node)
	return nil
}

func (r *reader) alias() (*Node, error) {
	at := r.pos
	name, err := r.name()
	if err != nil {
		return nil, err
	}
	n, ok := r.anchors[name]
	if !ok {
		return nil, r.fail("unknown alias *%s", name)
	}
	c := Node{Kind: Null, weight: 1}
	if !n.open { // an alias inside its own anchor is a cycle; nothing here follows one
		c = *n
	}
	c.Start, c.End = at, r.pos
	return &c, r.count(c.weight)
}

// keyName is the name JavaScript gives the property.
func keyName(n *Node) string {
	switch n.Kind {
	case Null:
		return "null"
	case Bool:
		return strings.ToLower(n.Text)
	case Number:
		return numberName(n.Text)
	case List:
		var parts []string
		for _, i := range n.Items {
			s := keyName(i)
			if i.Kind == Null {
				s = ""
			}
			parts = append(parts, s)
		}
		return strings.Join(parts, ",")
	case Map:
		return "[object Object]"
	}
	return n.Text
}

// numberName is a number in JavaScript's decimal form, for the sizes that occur.
func numberName(s string) string {
	switch strings.TrimLeft(strings.ToLower(s), "+") {
	case ".inf":
		return "Infinity"
	case "-.inf":
		return "-Infinity"
	case ".nan":
		return "NaN"
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		if i, err := strconv.ParseInt(s, 0, 64); err == nil {
			f = float64(i)
		}
	}
	if f == 0 {
		f = 0 // -0 prints as 0
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// Properties are the entries of a map as JavaScript sees them: the last value of
// a repeated key, and what merge keys bring in where the map has no value itself.
func (n *Node) Properties() []Pair {
	o := object{at: map[string]int{}}
	for _, p := range n.Pairs {
		switch {
		case p.Key == "<<" && p.Value.Kind == Map:
			o.merge(p.Value)
		case p.Key == "<<" && p.Value.Kind == List:
			for _, i := range p.Value.Items {
				o.merge(i)
			}
		default:
			o.put(p)
		}
	}
	return o.pairs
}

// object is a map under construction; at finds a pair by its key.
type object struct {
	pairs []Pair
	at    map[string]int
}

func (o *object) put(p Pair) {
	i, ok := o.at[p.Key]
	switch {
	case !ok:
		o.at[p.Key] = len(o.pairs)
		o.pairs = append(o.pairs, p)
	case !p.Merged:
		o.pairs[i] = p
	}
}

// merge brings in what is not there yet; anything but a map brings nothing.
func (o *object) merge(from *Node) {
	if from.Kind != Map {
		return
	}
	for _, p := range from.Properties() {
		p.Merged = true
		o.put(p)
	}
}
