package yaml

// place tells what a block node may be, by what stands before it.
type place uint8

const (
	atTop      place = iota // start of the document
	asValue                 // after "key:": a block collection only on a line of its own
	asItem                  // after "- ": on the same line too
	asExplicit              // after "? " or its ": ": as both
)

// blockNode reads the value inside a construct indented by n spaces (-1: none).
func (r *reader) blockNode(n int, in place) (*Node, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	start := r.pos
	crossed := r.gap() || in == atTop
	if r.tabLine >= 0 {
		return nil, r.unexpected()
	}
	if r.absent(n, in, crossed) {
		return r.empty(props{}, start)
	}
	own := !r.tabbed() && (crossed || in != asValue)
	outer := props{}
	for {
		at := r.pos
		inner, err := r.props()
		if err != nil {
			return nil, err
		}
		if !inner.any || !r.restBlank() {
			return r.content(n, own, at, outer, inner)
		}
		if err := outer.add(r, inner); err != nil {
			return nil, err
		}
		end := r.pos
		r.gap()
		own = !r.tabbed()
		if r.absent(n, in, true) {
			return r.empty(outer, end)
		}
	}
}

// absent reports whether no value follows: the end, or a line indented too little.
func (r *reader) absent(n int, in place, crossed bool) bool {
	if r.end() || r.marker() {
		return true
	}
	if !crossed || r.indent() > n {
		return false
	}
	// A list may stand as deep as the key it belongs to.
	return in == atTop || in == asItem || r.indent() < n || r.tabbed() || !r.indicator('-')
}

// indicator reports whether pos is at c used as a sign, not as text.
func (r *reader) indicator(c byte) bool {
	return r.peek(0) == c && isEdge(r.peek(1))
}

// content reads what follows the properties inner, which start at at. own tells
// whether a block collection may start here; outer belongs to the whole value.
func (r *reader) content(n int, own bool, at int, outer, inner props) (*Node, error) {
	col := at - r.bol
	switch {
	case r.indicator('-'):
		if !own || inner.any {
			return nil, r.unexpected()
		}
		return r.blockList(col, outer)
	case r.indicator('?'), r.indicator(':'):
		if !own {
			return nil, r.unexpected()
		}
		return r.blockMap(col, at, outer, inner, nil)
	case r.peek(0) == '|', r.peek(0) == '>':
		if err := outer.add(r, inner); err != nil {
			return nil, err
		}
		return r.blockScalar(n, at, outer)
	}
	bol := r.bol
	node, err := r.inline(n, at, inner, outer)
	if err != nil {
		return nil, err
	}
	if !r.keyFollows() {
		return node, nil
	}
	if r.bol != bol {
		return nil, r.fail("a key over several lines")
	}
	if !own {
		return nil, r.unexpected()
	}
	return r.blockMap(col, at, outer, inner, node)
}

// keyFollows reports whether a colon that ends a key comes next, and steps to it.
func (r *reader) keyFollows() bool {
	at := r.pos
	r.blanks()
	if r.indicator(':') {
		return true
	}
	r.pos = at
	return false
}

func (r *reader) blockList(col int, p props) (*Node, error) {
	list := &Node{Kind: List, Start: r.pos, open: true}
	r.anchor(p, list)
	for {
		r.pos++
		item, err := r.blockNode(col, asItem)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, item)
		list.End = item.End
		more, err := r.sibling(col)
		if err != nil {
			return nil, err
		}
		if !more || !r.indicator('-') {
			return r.close(list)
		}
	}
}

// sibling steps to the next token and reports whether it can be an entry of a
// collection at column col.
func (r *reader) sibling(col int) (bool, error) {
	r.gap()
	if r.tabLine >= 0 {
		return false, r.unexpected()
	}
	if r.end() || r.marker() {
		return false, nil
	}
	if !r.first() || r.tabbed() || r.col() > col {
		return false, r.unexpected()
	}
	return r.col() == col, nil
}

// blockMap reads a map whose keys stand at column col. The first key is given
// when it was read already (pos is at its colon), or nil.
func (r *reader) blockMap(col, at int, outer, inner props, key *Node) (*Node, error) {
	m := &Node{Kind: Map, Start: at, open: true}
	r.anchor(outer, m)
	for {
		if len(m.Pairs) > 0 {
			r.later++
		}
		pair, err := r.blockPair(col, at, inner, key)
		if err != nil {
			return nil, err
		}
		more, err := r.sibling(col)
		if err != nil {
			return nil, err
		}
		if len(m.Pairs) > 0 {
			r.later--
		}
		m.Pairs = append(m.Pairs, pair)
		m.End = pair.Value.End
		if !more {
			return r.close(m)
		}
		at = r.pos
		if key, inner, err = r.nextKey(col); err != nil {
			return nil, err
		}
	}
}

// nextKey reads a key of a block map up to its colon; nil where the key is
// written with ? or is empty.
func (r *reader) nextKey(col int) (*Node, props, error) {
	at, bol := r.pos, r.bol
	p, err := r.props()
	if err != nil {
		return nil, p, err
	}
	if r.indicator('?') || r.indicator(':') {
		return nil, p, nil
	}
	if r.indicator('-') || p.any && r.restBlank() {
		return nil, p, r.unexpected()
	}
	key, err := r.inline(col, at, p, props{})
	if err != nil {
		return nil, p, err
	}
	if !r.keyFollows() {
		r.pos = at
		return nil, p, r.fail("a key without a colon and a space after it")
	}
	if r.bol != bol {
		return nil, p, r.fail("a key over several lines")
	}
	return key, p, nil
}

// blockPair reads one entry of a block map; pos is at its colon, or at the ?.
func (r *reader) blockPair(col, at int, p props, key *Node) (Pair, error) {
	in := asValue
	if key == nil && r.indicator('?') {
		in = asExplicit
		r.pos++
		var err error
		if key, err = r.blockNode(col, asExplicit); err != nil {
			return Pair{}, err
		}
		more, err := r.sibling(col)
		if err != nil {
			return Pair{}, err
		}
		if !more || !r.indicator(':') {
			none, err := r.empty(props{}, key.End)
			return Pair{Key: keyName(key), KeyStart: at, Value: none}, err
		}
	}
	if key == nil {
		var err error
		if key, err = r.empty(p, r.pos); err != nil {
			return Pair{}, err
		}
	}
	r.pos++
	value, err := r.blockNode(col, in)
	return Pair{Key: keyName(key), KeyStart: at, Value: value}, err
}

// close finishes a collection: its weight counts what is in it.
func (r *reader) close(n *Node) (*Node, error) {
	n.open = false
	n.weight = 1
	for _, i := range n.Items {
		n.weight += i.weight
	}
	for _, p := range n.Pairs {
		n.weight += p.Value.weight
	}
	return n, r.count(1)
}
