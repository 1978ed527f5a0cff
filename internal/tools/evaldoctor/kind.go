package main

import (
	"embed"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"time"
)

//go:embed kinds
var kindFiles embed.FS

// kindNames are the layouts that a project can have, each a file in kinds.
var kindNames = []string{"goservice", "tsweb", "pylib", "rustws", "monorepo"}

// A fact is a sentence about something that was in the repository once, and the
// thing of today of which the same sentence is true.
type fact struct {
	class    string // path, symbol, command, branch, tag, host, version, unknown
	gone     string
	today    string
	sentence string // with %s for the thing, %V for its version alone
}

// say puts a thing into the sentence.
func (f fact) say(thing string) string {
	version := thing[strings.LastIndexByte(thing, ' ')+1:]
	return strings.NewReplacer("%s", thing, "%V", version).Replace(f.sentence)
}

// mark is the part of the thing by which the line is known again.
func (f fact) mark() string {
	if strings.Contains(f.sentence, "%V") {
		return f.gone[strings.LastIndexByte(f.gone, ' ')+1:]
	}
	return f.gone
}

type rename struct{ from, to, text string }

type repeat struct{ file, text string }

// A noteText is a note before it is written.
type noteText struct{ typ, slug, description, body string }

// A kind is a sort of project, its names filled in: the tree of today, what it
// was before, and what is true of it.
type kind struct {
	name, main string
	files      map[string]string
	order      []string // of files, as they stand in the text
	earlier    map[string]string
	removed    map[string]string
	gone       []string // paths of removed, in order
	renamed    []rename
	onBranch   map[string]map[string]string
	branches   []string
	merged     []string
	tags       []string
	facts      []fact
	repeats    []repeat
	claude     []string
	notes      []noteText
	requires   map[string][]string
}

// names fill the placeholders of the texts.
type names struct {
	project, org, domain string
	entities             []string
	port                 int
}

func pickNames(r *rand.Rand) names {
	entities := []string{"order", "parcel", "tariff", "meter", "ticket", "sensor", "voucher", "sample", "tenant", "probe", "batch", "quote"}
	r.Shuffle(len(entities), func(i, j int) { entities[i], entities[j] = entities[j], entities[i] })
	heads := []string{"heron", "alder", "quarry", "lantern", "mosaic", "ferry", "kestrel", "juniper", "tundra", "orchid", "saffron", "granite"}
	tails := []string{"works", "hub", "desk", "line", "mill", "gate", "yard", "base"}
	orgs := []string{"brightloom", "fjordline", "kalyna", "nordwind", "tallship", "vesna"}
	return names{
		project:  heads[r.IntN(len(heads))] + "-" + tails[r.IntN(len(tails))],
		org:      orgs[r.IntN(len(orgs))],
		domain:   []string{"corp.example", "eng.example", "dev.example"}[r.IntN(3)],
		entities: entities[:3+r.IntN(3)],
		port:     []int{8081, 4100, 5180, 7070, 8600}[r.IntN(5)],
	}
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func (n names) fill(text string) string {
	return strings.NewReplacer(
		"{P}", n.project, "{U}", strings.ReplaceAll(n.project, "-", "_"), "{O}", n.org, "{D}", n.domain,
		"{e1}", n.entities[0], "{E1}", upper(n.entities[0]), "{e2}", n.entities[1], "{port}", strconv.Itoa(n.port),
	).Replace(text)
}

// Dates are counted from the run: {date-40} is 40 days ago.
var months = [2][12]string{
	{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	{"січня", "лютого", "березня", "квітня", "травня", "червня", "липня", "серпня", "вересня", "жовтня", "листопада", "грудня"},
}

func fillDates(text string, now time.Time) string {
	re := regexp.MustCompile(`\{(date|long|uk|us|dots)([+-]\d+)\}`)
	return re.ReplaceAllStringFunc(text, func(s string) string {
		m := re.FindStringSubmatch(s)
		days, _ := strconv.Atoi(m[2]) // the pattern has digits only
		d := now.AddDate(0, 0, days)
		switch m[1] {
		case "long":
			return fmt.Sprintf("%d %s %d", d.Day(), months[0][d.Month()-1], d.Year())
		case "uk":
			return fmt.Sprintf("%d %s %d року", d.Day(), months[1][d.Month()-1], d.Year())
		case "us":
			return fmt.Sprintf("%s %d, %d", months[0][d.Month()-1], d.Day(), d.Year())
		case "dots":
			return d.Format("02.01.2006")
		}
		return d.Format("2006-01-02")
	})
}

// rows reads a table of kinds: lines of cells, split at " | "; # is a comment.
func rows(file string, now time.Time) [][]string {
	b, err := fs.ReadFile(kindFiles, "kinds/"+file)
	if err != nil {
		panic(err) // it is embedded
	}
	var out [][]string
	for line := range strings.Lines(fillDates(string(b), now)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		out = append(out, strings.Split(line, " | "))
	}
	return out
}

// readKind reads a kind and the notes that any project can have.
func readKind(name string, n names, now time.Time) *kind {
	k := &kind{
		files: map[string]string{}, earlier: map[string]string{}, removed: map[string]string{},
		onBranch: map[string]map[string]string{}, requires: map[string][]string{},
	}
	for _, file := range []string{name, "common"} {
		b, err := fs.ReadFile(kindFiles, "kinds/"+file+".txt")
		if err != nil {
			panic(err) // it is embedded
		}
		text := fillDates(n.fill(string(b)), now)
		for section := range strings.SplitSeq("\n"+text, "\n== ") {
			head, body, _ := strings.Cut(section, "\n")
			if head != "" {
				k.section(head, strings.TrimRight(body, "\n")+"\n", n)
			}
		}
	}
	return k
}

func (k *kind) section(head, body string, n names) {
	word, rest, _ := strings.Cut(head, " ")
	switch word {
	case "name":
		k.name = rest
	case "main":
		k.main = rest
	case "file":
		k.add(rest, body)
	case "each":
		for _, e := range n.entities {
			fill := strings.NewReplacer("{e}", e, "{E}", upper(e))
			k.add(fill.Replace(rest), fill.Replace(body))
		}
	case "earlier":
		k.earlier[rest] = body
	case "removed":
		k.removed[rest] = body
		k.gone = append(k.gone, rest)
	case "renamed":
		from, to, _ := strings.Cut(rest, " ")
		k.renamed = append(k.renamed, rename{from, to, body})
	case "onlybranch":
		branch, path, _ := strings.Cut(rest, " ")
		k.onBranch[branch] = map[string]string{path: body}
	case "branches":
		k.branches = strings.Fields(body)
	case "merged":
		k.merged = strings.Fields(body)
	case "tags":
		k.tags = strings.Fields(body)
	case "claude":
		k.claude = append(k.claude, body)
	case "requires":
		f := strings.Fields(rest)
		k.requires[f[0]] = f[1:]
	case "note":
		k.note(rest, body)
	case "facts", "repeats":
		k.table(word, body)
	}
}

func (k *kind) add(path, text string) {
	k.files[path] = text
	k.order = append(k.order, path)
}

func (k *kind) note(head, body string) {
	first, description, _ := strings.Cut(head, " | ")
	typ, slug, _ := strings.Cut(first, " ")
	k.notes = append(k.notes, noteText{typ, slug, description, body})
}

func (k *kind) table(word, body string) {
	for line := range strings.Lines(body) {
		c := strings.Split(strings.TrimSpace(line), " | ")
		switch {
		case word == "facts" && len(c) == 4:
			k.facts = append(k.facts, fact{c[0], c[1], c[2], c[3]})
		case word == "repeats" && len(c) == 2:
			k.repeats = append(k.repeats, repeat{c[0], c[1]})
		}
	}
}

func (k *kind) factsOf(classes ...string) []fact {
	var out []fact
	for _, f := range k.facts {
		for _, c := range classes {
			if f.class == c {
				out = append(out, f)
			}
		}
	}
	return out
}

func readText(file string) string {
	b, err := fs.ReadFile(kindFiles, "kinds/"+file)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}
