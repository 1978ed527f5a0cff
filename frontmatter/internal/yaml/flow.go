package yaml

// flow reads a list or map in brackets inside a construct indented by n.
func (r *reader) flow(n, at int, p props) (*Node, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	r.brackets++
	defer func() { r.brackets-- }()
	c := &Node{Kind: List, Start: at, flow: true, open: true}
	closing := byte(']')
	if r.peek(0) == '{' {
		c.Kind, closing = Map, '}'
	}
	r.anchor(p, c)
	r.pos++
	for {
		if err := r.flowGap(n); err != nil {
			return nil, err
		}
		if r.peek(0) == closing {
			break
		}
		if r.peek(0) == ',' {
			return nil, r.unexpected()
		}
		if err := r.flowEntry(n, c); err != nil {
			return nil, err
		}
		if err := r.flowGap(n); err != nil {
			return nil, err
		}
		if r.peek(0) == ',' {
			r.pos++
		} else if r.peek(0) != closing {
			return nil, r.unexpected()
		}
	}
	r.pos++
	c.End = r.pos
	return r.close(c)
}

// flowGap is gap inside brackets: a document marker cannot stand there, and a new
// line must be indented more than n. Bun excuses brackets that close, and signs
// after a scalar.
func (r *reader) flowGap(n int) error {
	scalar := r.scalarEnd == r.pos
	if !r.gap() {
		return nil
	}
	switch c := r.peek(0); {
	case r.marker():
		return r.unexpected()
	case r.indent() > n || c == ']' || c == '}' || scalar && (c == ',' || c == ':'):
		return nil
	}
	return r.unexpected()
}

// flowIndicator reports whether pos is at c used as a sign inside brackets.
func (r *reader) flowIndicator(c byte) bool {
	return r.peek(0) == c && (isEdge(r.peek(1)) || isFlow(r.peek(1)))
}

// flowEntry reads one item of a list, one pair of a map, or a pair that stands
// in a list as a map of its own.
func (r *reader) flowEntry(n int, c *Node) error {
	at, bol := r.pos, r.bol
	explicit := r.flowIndicator('?')
	if explicit {
		r.pos++
		if err := r.flowGap(n); err != nil {
			return err
		}
	}
	key, err := r.flowItem(n)
	if err != nil {
		return err
	}
	last := r.bol
	if err := r.flowGap(n); err != nil {
		return err
	}
	// A colon right after a quoted or bracketed key needs no space behind it.
	json := !key.plain && key.End > key.Start && r.src[key.End-1] != ' '
	paired := r.flowIndicator(':') || r.peek(0) == ':' && json
	if c.Kind == List && !explicit && paired && (last != bol || r.bol != bol) {
		return r.fail("a key over several lines")
	}
	if c.Kind == List && !explicit && !paired {
		c.Items = append(c.Items, key)
		return nil
	}
	pair := Pair{Key: keyName(key), KeyStart: at}
	if pair.Value, err = r.flowValue(n, paired); err != nil {
		return err
	}
	if c.Kind == Map {
		c.Pairs = append(c.Pairs, pair)
		return nil
	}
	m := &Node{Kind: Map, Start: at, End: pair.Value.End, flow: true, Pairs: []Pair{pair}}
	if m, err = r.close(m); err == nil {
		c.Items = append(c.Items, m)
	}
	return err
}

func (r *reader) flowValue(n int, paired bool) (*Node, error) {
	if !paired {
		return r.empty(props{}, r.pos)
	}
	r.pos++
	if err := r.flowGap(n); err != nil {
		return nil, err
	}
	return r.flowItem(n)
}

// flowItem reads a value inside brackets; it may be empty.
func (r *reader) flowItem(n int) (*Node, error) {
	at := r.pos
	var outer props
	for {
		p, err := r.props()
		if err != nil {
			return nil, err
		}
		if err := outer.add(r, p); err != nil {
			return nil, err
		}
		if !p.any {
			break
		}
		if err := r.flowGap(n); err != nil {
			return nil, err
		}
	}
	switch c := r.peek(0); {
	case c == ',' || c == ']' || c == '}' || r.flowIndicator(':'):
		return r.empty(outer, at)
	case c == '*':
		if outer.any {
			return nil, r.fail("alias with an anchor or tag")
		}
		return r.alias()
	case c == '[' || c == '{':
		return r.flow(n, at, outer)
	}
	node, err := r.flowScalar(n, at)
	if err != nil {
		return nil, err
	}
	if node.plain {
		node.Kind = resolve(node.Text, outer.tag)
	}
	r.anchor(outer, node)
	return node, nil
}

func (r *reader) flowScalar(n, at int) (*Node, error) {
	if c := r.peek(0); c == '"' || c == '\'' {
		return r.quoted(n, at)
	}
	return r.plain(n, at, true)
}
