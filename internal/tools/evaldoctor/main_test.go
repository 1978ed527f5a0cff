package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/doctor"
)

func TestEveryRuleHasFourKindsOfFault(t *testing.T) {
	all := faults()
	known := map[string]bool{}
	for _, r := range doctor.Rules() {
		known[r.ID] = true
		names := map[string]bool{}
		for _, v := range all[r.ID] {
			names[v.name] = true
		}
		if len(names) < 4 {
			t.Errorf("%s has %d kinds of fault", r.ID, len(names))
		}
	}
	for rule := range all {
		if !known[rule] {
			t.Errorf("faults of %s, which is no rule", rule)
		}
	}
}

// tree is all that the repository holds today, paths included.
func (k *kind) tree() string {
	var b strings.Builder
	for p, text := range k.files {
		b.WriteString("\n" + p + "\n" + text)
	}
	return b.String()
}

// needle is what a fact's thing looks like in the tree.
func needle(class, thing string) string {
	switch class {
	case "symbol":
		thing = thing[strings.LastIndexAny(thing, ".:")+1:]
	case "command":
		f := strings.Fields(thing)
		thing = f[len(f)-1]
		thing = strings.TrimPrefix(strings.ReplaceAll(thing, "benchmarks.", "benchmarks/"), "./")
	case "version":
		thing = strings.TrimPrefix(thing[strings.LastIndexByte(thing, ' ')+1:], "v")
	}
	return thing
}

func TestFactsAreTrueOfTheTreeTodayAndNotOtherwise(t *testing.T) {
	n := names{project: "heron-works", org: "kalyna", domain: "corp.example", entities: []string{"order", "parcel", "tariff"}, port: 8081}
	for _, name := range kindNames {
		k := readKind(name, n, time.Now())
		tree := k.tree()
		refs := strings.Join(append(k.branches, k.tags...), "\n")
		for _, f := range k.facts {
			where := tree
			if f.class == "branch" || f.class == "tag" {
				where = refs
			}
			if f.class == "version" {
				continue // a number can stand anywhere; the texts were read
			}
			if !strings.Contains(where, needle(f.class, f.today)) {
				t.Errorf("%s: %s %q is not there", name, f.class, f.today)
			}
			if strings.Contains(where, needle(f.class, f.gone)) {
				t.Errorf("%s: %s %q is still there", name, f.class, f.gone)
			}
		}
	}
}

func TestVersionsStandInTheTree(t *testing.T) {
	n := names{project: "heron-works", org: "kalyna", domain: "corp.example", entities: []string{"order", "parcel", "tariff"}, port: 8081}
	for _, name := range kindNames {
		k := readKind(name, n, time.Now())
		old := strings.Join(append(values(k.earlier), values(k.removed)...), "\n")
		for _, f := range k.factsOf("version") {
			if !strings.Contains(k.tree(), needle("version", f.today)) || !strings.Contains(old, needle("version", f.gone)) {
				t.Errorf("%s: %q or %q is nowhere", name, f.today, f.gone)
			}
		}
	}
}

func values(m map[string]string) []string {
	var out []string
	for _, k := range sortedKeys(m) {
		out = append(out, m[k])
	}
	return out
}

func TestTheTwinIsTheSameProject(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, name := range kindNames {
		a, b := newWorld("/x", name, 3, 9, now, false), newWorld("/x", name, 3, 9, now, true)
		if !maps.Equal(a.tracked, b.tracked) || a.indexText() != b.indexText() || a.proj != b.proj {
			t.Errorf("two worlds of %s from one seed differ", name)
		}
	}
}

func TestTheCheckedOutTreeIsTodays(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, name := range kindNames {
		w := newWorld(t.TempDir(), name, 3, 9, time.Now(), false)
		if err := w.write(); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("git", "-c", "safe.directory=*", "ls-files")
		cmd.Dir = w.proj
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Fields(string(out)); !slices.Equal(got, sortedKeys(w.tracked)) {
			t.Errorf("%s: the tree has %q, want %q", name, got, sortedKeys(w.tracked))
		}
		for p, want := range w.tracked {
			if got, err := os.ReadFile(filepath.Join(w.proj, p)); err != nil || string(got) != want {
				t.Errorf("%s: %s is not today's: %v", name, p, err)
			}
		}
	}
}

func TestTheFirstCutIsWhereTheClientStops(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"within both limits", strings.Repeat("- x\n", 200), 0},
		{"one line more", strings.Repeat("- x\n", 201), 201},
		{"too large", strings.Repeat(strings.Repeat("x", 999)+"\n", 30), 26},
		{"letters count, not bytes", strings.Repeat(strings.Repeat("ж", 499)+"\n", 50), 0},
		{"one long line", strings.Repeat("x", 25001), 1},
	} {
		if got := firstCut(c.text); got != c.want {
			t.Errorf("%s: line %d, want %d", c.name, got, c.want)
		}
	}
}

func TestASlugIsTheClientsOwn(t *testing.T) {
	for path, want := range map[string]string{
		"/srv/a_b": "-srv-a-b", "/home/dev/проект": "-home-dev-------", "/home/dev/🚀app": "-home-dev---app", "/w/app/.worktrees/fix": "-w-app--worktrees-fix",
	} {
		if got := slug(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
