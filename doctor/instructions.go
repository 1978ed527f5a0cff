package doctor

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/startup"
)

// inInstructions tells of instructions that contradict one another: each
// statement is compared with each other one that loads at the same time.
func (c *check) inInstructions(sources []claim.Source, places []said) {
	var single []claim.Source
	var at []Place
	for i := range sources {
		if !places[i].instr {
			continue
		}
		for _, cl := range sources[i].Claims {
			p := Place{Path: places[i].path, Line: places[i].line + cl.Line - 1, Text: cl.Text}
			single = append(single, claim.Source{Name: fmt.Sprintf("%s %08d/%s.md", p.Path, len(single), c.matterOf(p.Path)), Text: cl.Text, Claims: []claim.Claim{cl}})
			at = append(at, p)
		}
	}
	for _, p := range claim.Across(single).Pairs {
		if p.Kind != claim.Conflict || p.InA < 0 || p.InB < 0 || single[p.A].Claims[0].Under != single[p.B].Claims[0].Under && at[p.A].Path == at[p.B].Path && bothScoped(single[p.A].Claims[0].Under, single[p.B].Claims[0].Under) {
			continue
		}
		a, b := at[p.A], at[p.B]
		f := c.add("conflict-instructions", a, b.Text, "%s and %s can't both hold: %s", c.at(a), c.at(b), p.Why).relate("says otherwise", b)
		if a.Path != b.Path {
			f.evidence("%s", c.laterWins(a.Path, b.Path))
		}
	}
}

// matterOf is what the name of an instruction file tells of its matter: nothing
// for one that is for all of the project.
func (c *check) matterOf(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".md")
	i := slices.IndexFunc(c.docs, func(d doc) bool { return d.path == path })
	if i >= 0 && c.docs[i].loads && (!c.docs[i].rule || len(base) == 1) {
		return ""
	}
	return base
}

// bothScoped tells two headings that each name a part: what is said below each
// can hold there.
func bothScoped(a, b string) bool {
	la, lb := a[strings.LastIndexByte(a, '/')+1:], b[strings.LastIndexByte(b, '/')+1:]
	return strings.TrimSpace(la) != "" && strings.TrimSpace(lb) != ""
}

// laterWins says in which order two files reach the agent; the client states none
// of them to be stronger.
func (c *check) laterWins(a, b string) string {
	order := map[string]int{}
	for i := range c.rep.Loaded {
		order[c.rep.Loaded[i].Path] = i + 1
	}
	first, second := a, b
	if order[b] < order[a] {
		first, second = b, a
	}
	if order[a] == 0 || order[b] == 0 {
		return "one of them loads only for some files, and then both stand before the agent"
	}
	scope := func(path string) startup.Scope { return c.rep.Loaded[order[path]-1].Scope }
	return fmt.Sprintf("%s (%s) stands before %s (%s); nothing tells the agent which one counts", c.show(first), scope(first), c.show(second), scope(second))
}
