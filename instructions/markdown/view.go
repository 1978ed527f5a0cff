package markdown

import (
	"sort"
	"strings"
)

// view is a text derived from the source and the way back: the source itself,
// a part of it, or what is left of some lines without their container's
// markers and indentation.
type view struct {
	s     string
	base  int    // index of s[0] in the text that marks speak of
	marks []mark // nil: that text is the source
}

// mark says that from index at on the text is the source from src on, until
// the next mark. A mark that is fixed stands for characters that the source
// has not: they all come from src.
type mark struct {
	at, src int32
	fixed   bool
}

// offset returns the source offset of s[i]; i may be len(s).
func (v view) offset(i int) int {
	i += v.base
	if v.marks == nil {
		return i
	}
	k := sort.Search(len(v.marks), func(k int) bool { return int(v.marks[k].at) > i }) - 1
	if k < 0 {
		return 0
	}
	m := v.marks[k]
	if m.fixed {
		return int(m.src)
	}
	return int(m.src) + i - int(m.at)
}

// span returns the source range of s[i:j].
func (v view) span(i, j int) (int, int) {
	if i >= j {
		return v.offset(i), v.offset(i)
	}
	return v.offset(i), v.offset(j-1) + 1
}

func (v view) sub(i, j int) view { return view{v.s[i:j], v.base + i, v.marks} }

// unglued returns v with the joints of lazy lines as line feeds.
func (v view) unglued() view {
	if strings.IndexByte(v.s, glue) >= 0 {
		b := []byte(v.s)
		for i := range b {
			if b[i] == glue {
				b[i] = '\n'
			}
		}
		v.s = string(b)
	}
	return v
}

// builder puts a view together from parts of others.
type builder struct {
	b     []byte
	marks []mark
}

func (b *builder) len() int { return len(b.b) }

func (b *builder) view() view { return view{string(b.b), 0, b.marks} }

func (b *builder) mark(src int, fixed bool) {
	if n := len(b.marks); n > 0 {
		last := b.marks[n-1]
		if !fixed && !last.fixed && int(last.src)+len(b.b)-int(last.at) == src {
			return
		}
	}
	b.marks = append(b.marks, mark{int32(len(b.b)), int32(src), fixed})
}

// add appends v.s[i:j].
func (b *builder) add(v view, i, j int) {
	if i >= j {
		return
	}
	b.mark(v.offset(i), v.fixedAt(i))
	if v.marks != nil {
		from, to := v.base+i, v.base+j
		k := sort.Search(len(v.marks), func(k int) bool { return int(v.marks[k].at) > from })
		shift := int32(len(b.b) - from)
		for ; k < len(v.marks) && int(v.marks[k].at) < to; k++ {
			m := v.marks[k]
			b.marks = append(b.marks, mark{m.at + shift, m.src, m.fixed})
		}
	}
	b.b = append(b.b, v.s[i:j]...)
}

func (v view) fixedAt(i int) bool {
	k := sort.Search(len(v.marks), func(k int) bool { return int(v.marks[k].at) > v.base+i }) - 1
	return k >= 0 && v.marks[k].fixed
}

// put appends text that the source has not, as if it stood at source offset src.
func (b *builder) put(text string, src int) {
	b.mark(src, true)
	b.b = append(b.b, text...)
}

// at appends one byte that stands for the source byte at src.
func (b *builder) at(c byte, src int) {
	b.mark(src, false)
	b.b = append(b.b, c)
}

// addExpanded appends v.s[i:j] with every tab as four spaces.
func (b *builder) addExpanded(v view, i, j int) {
	for i < j {
		k := strings.IndexByte(v.s[i:j], '\t')
		if k < 0 {
			break
		}
		b.add(v, i, i+k)
		b.put("    ", v.offset(i+k))
		i += k + 1
	}
	b.add(v, i, j)
}

// normalized returns the source as marked sees it: every CR LF and every lone
// CR is a line feed.
func normalized(src string) view {
	v := view{s: src}
	if strings.IndexByte(src, '\r') < 0 {
		return v
	}
	var b builder
	for i := 0; i < len(src); {
		k := strings.IndexByte(src[i:], '\r')
		if k < 0 {
			b.add(v, i, len(src))
			break
		}
		b.add(v, i, i+k)
		i += k
		b.at('\n', i)
		if strings.HasPrefix(src[i:], "\r\n") {
			i++
		}
		i++
	}
	return b.view()
}
