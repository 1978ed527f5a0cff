package main

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

//go:embed data
var data embed.FS

// A section is wordings of one kind of fact, or of what is not to be kept.
type section struct {
	name  string
	types []string
	lines []string
}

// sections reads a file of wordings and keeps every second line of each section:
// the first ones are of the build half, the others of the held half.
func sections(file string, held bool) ([]section, error) {
	b, err := data.ReadFile("data/" + file)
	if err != nil {
		return nil, err
	}
	var out []section
	n := 0
	for _, l := range strings.Split(string(b), "\n") {
		switch {
		case strings.HasPrefix(l, "= "):
			name, types, found := strings.Cut(l[2:], " ")
			if strings.Contains(file, "_not.") {
				name, found = l[2:], false
			}
			s := section{name: name}
			if found && types != "-" {
				s.types = strings.Split(types, "|")
			}
			out, n = append(out, s), 0
		case l == "" || len(out) == 0:
		default:
			if n%2 == 1 == held {
				s := &out[len(out)-1]
				s.lines = append(s.lines, l)
			}
			n++
		}
	}
	return out, nil
}

// wholeFile reads a file of which all is of the build half.
func wholeFile(file string) ([]section, error) {
	a, err := sections(file, false)
	if err != nil {
		return nil, err
	}
	b, err := sections(file, true)
	return slices.DeleteFunc(append(a, b...), func(s section) bool { return len(s.lines) == 0 }), err
}

// A filled wording.
type filled struct {
	text string
	keys []string // what has to stand in the note
	vals map[string]value
}

// filler fills wordings with values of one half.
type filler struct {
	r      *rand.Rand
	lang   string
	held   bool
	topics map[string][]value
	now    time.Time
}

// choose takes a value of a topic of this half.
func (f *filler) choose(topic string) (value, error) {
	all := f.topics[topic]
	if len(all) == 0 {
		return value{}, fmt.Errorf("no values of %q", topic)
	}
	i := f.r.IntN(len(all)/2) * 2
	if f.held {
		i++
	}
	return all[i], nil
}

// fill fills a wording. with are values that are given, by topic.
func (f *filler) fill(line string, with map[string]value) (filled, error) {
	out := filled{vals: map[string]value{}}
	d := pickDay(f.r, f.lang, f.now)
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(line, "{")
		b.WriteString(before)
		if !found {
			break
		}
		slot, after, _ := strings.Cut(rest, "}")
		line = after
		needed := strings.HasPrefix(slot, "!")
		slot = strings.TrimPrefix(slot, "!")
		if slot == "on" || slot == "by" {
			if slot == "on" {
				b.WriteString(d.on)
			} else {
				b.WriteString(d.by)
			}
			out.keys = append(out.keys, d.iso)
			continue
		}
		v, s, err := f.value(slot, with, out.vals)
		if err != nil {
			return out, err
		}
		b.WriteString(s)
		if needed {
			out.keys = append(out.keys, v.key)
		}
	}
	out.text = b.String()
	return out, nil
}

func (f *filler) value(slot string, with, used map[string]value) (value, string, error) {
	topic := slot
	switch slot {
	case "not":
		topic = "use"
	case "need":
		topic = "svc"
	case "banning", "baninf", "banwe":
		topic = "ban"
	case "doinf", "dowe":
		topic = "do"
	case "value":
		topic = "attr"
	case "about":
		for _, v := range with {
			return v, v.key, nil
		}
		return value{}, "", fmt.Errorf("{about} without a fact")
	}
	v, ok := with[topic]
	if !ok {
		v, ok = used[topic]
	}
	if !ok {
		var err error
		if v, err = f.choose(topic); err != nil {
			return v, "", err
		}
	}
	used[topic] = v
	s, ok := v.forms[slot]
	if !ok {
		return v, "", fmt.Errorf("%q has no form %q", v.key, slot)
	}
	return v, s, nil
}
