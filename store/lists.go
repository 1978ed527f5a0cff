package store

import (
	"bytes"
	"slices"
	"strings"

	"dormouse/store/internal/journal"
)

// revertList takes back what a change did to a list that was changed since: a
// line that it added goes, one that it took comes back where it stood among the
// lines that are there now, as far as any version of the list tells.
func revertList(now, before, after []byte, versions [][]byte) []byte {
	nl := breakOf(string(now) + string(before))
	whole := endsWhole(string(now)) && endsWhole(string(before))
	was, is, have := lines(ended(string(before), nl)), lines(ended(string(after), nl)), lines(ended(string(now), nl))
	for _, l := range is {
		if at := find(have, l); !has(was, l) && at >= 0 {
			have = slices.Delete(have, at, at+1)
		}
	}
	orders := []order{orderOf(was)}
	for _, v := range versions {
		orders = append(orders, orderOf(lines(ended(string(v), nl))))
	}
	for _, l := range was {
		if !has(is, l) && !has(have, l) {
			have = slices.Insert(have, placeOf(l, have, orders), l)
		}
	}
	out := strings.Join(have, "")
	if !whole {
		out = strings.TrimSuffix(out, nl)
	}
	return []byte(out)
}

// order is the place of each line of one version.
type order map[string]int

func orderOf(list []string) order {
	o := make(order, len(list))
	for i, l := range list {
		if l = bareLine(l); l != "" {
			o[l] = i
		}
	}
	return o
}

// placeOf is where a line belongs: behind the last line that it ever stood
// behind, or else before the first that it stood before, or else at the end.
func placeOf(l string, have []string, orders []order) int {
	behind, front := -1, -1
	for i, y := range have {
		switch relation(bareLine(l), bareLine(y), orders) {
		case 1:
			behind = i + 1
		case -1:
			if front < 0 {
				front = i
			}
		}
	}
	switch {
	case behind >= 0:
		return behind
	case front >= 0:
		return front
	}
	return len(have)
}

// relation is 1 where x stood behind y in the first version that has both, -1
// where it stood before it, 0 where none has both.
func relation(x, y string, orders []order) int {
	for _, o := range orders {
		i, ok1 := o[x]
		k, ok2 := o[y]
		switch {
		case !ok1 || !ok2:
		case i > k:
			return 1
		case i < k:
			return -1
		}
	}
	return 0
}

func find(list []string, l string) int {
	return slices.IndexFunc(list, func(m string) bool { return bareLine(m) == bareLine(l) })
}

func has(list []string, l string) bool { return find(list, l) >= 0 }

func bareLine(l string) string { return strings.TrimRight(l, "\r\n") }

// versionsMax is how many older versions of a list are asked for its order.
const versionsMax = 50

// versions are what a list held, the newest first.
func (s *Store) versions(rel string, shown []Entry) ([][]byte, error) {
	var hashes []string
	want := map[string]bool{}
	for _, e := range shown {
		for _, c := range e.Changes {
			for _, h := range []string{c.After, c.Before} {
				if c.Path == rel && h != "" && !want[h] && len(hashes) < versionsMax {
					want[h] = true
					hashes = append(hashes, h)
				}
			}
		}
	}
	contents, err := s.j.Contents(want)
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for _, h := range hashes {
		if b, ok := contents[h]; ok {
			out = append(out, bytes.Clone(b))
		}
	}
	return out, nil
}

// Kept lists the memory folders that have a journal below a state folder, sorted.
func Kept(state string) ([]string, error) { return journal.Folders(state) }
