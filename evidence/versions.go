package evidence

import (
	"slices"
	"strconv"
	"strings"
)

// bound is one comparison of a version, as ">= 1.2".
type bound struct {
	op string // "", ">=", ">", "<=", "<", "^", "~"
	v  []int
}

// parseVersion reads "v1.21.3"; "1.x" ends at the x. ok is false for words.
func parseVersion(s string) ([]int, bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "v")
	var out []int
	for part := range strings.SplitSeq(s, ".") {
		n := 0
		for n < len(part) && part[n] >= '0' && part[n] <= '9' {
			n++
		}
		if n == 0 || n > 9 {
			break
		}
		v, err := strconv.Atoi(part[:n])
		if err != nil {
			break
		}
		if out = append(out, v); n < len(part) || len(out) == 4 {
			break
		}
	}
	return out, len(out) > 0
}

// parseBounds reads ">=3.9,<4", "^18.2.0", "~> 7.0", "1.21"; each inner list must
// hold in full, one of the outer ones is enough.
func parseBounds(spec string) [][]bound {
	var out [][]bound
	for alt := range strings.SplitSeq(strings.ReplaceAll(spec, "||", "|"), "|") {
		var all []bound
		fields := strings.FieldsFunc(alt, func(r rune) bool { return r == ',' || r == ' ' })
		op := ""
		for _, f := range fields {
			f = strings.Trim(f, `"'`)
			n := 0
			for n < len(f) && strings.IndexByte("<>=~^!", f[n]) >= 0 {
				n++
			}
			if n > 0 {
				op = f[:n]
			}
			v, ok := parseVersion(f[n:])
			if !ok {
				if n == 0 && f != "" {
					op = "" // a word
				}
				continue
			}
			switch op {
			case "==", "=", "===":
				op = ""
			case "~>":
				op = "~>"
			case "~=":
				op = "~>"
			case "!=":
				op = ""
				continue
			}
			if n := strings.TrimSuffix(f, "+"); n != f {
				op = ">="
			}
			all = append(all, bound{op, v})
			op = ""
		}
		if len(all) > 0 {
			out = append(out, all)
		}
	}
	return out
}

// limits are the half-open range of a bound: from lo on, up to hi without it; nil
// has no end.
func (b bound) limits() (lo, hi []int) {
	up := func(n int) []int {
		v := slices.Clone(b.v[:n])
		v[n-1]++
		return v
	}
	switch b.op {
	case ">=":
		return b.v, nil
	case ">":
		return up(len(b.v)), nil
	case "<":
		return nil, b.v
	case "<=":
		return nil, up(len(b.v))
	case "^":
		for i, x := range b.v {
			if x != 0 {
				return b.v, up(i + 1)
			}
		}
		return b.v, up(len(b.v))
	case "~":
		return b.v, up(min(2, len(b.v)))
	case "~>":
		return b.v, up(max(1, len(b.v)-1))
	}
	return b.v, up(len(b.v))
}

func compare(a, b []int) int {
	for i := range max(len(a), len(b)) {
		x, y := 0, 0
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			if x < y {
				return -1
			}
			return 1
		}
	}
	return 0
}

// overlap reports whether a version can meet all bounds of both lists.
func overlap(a, b []bound) bool {
	var lo, hi []int
	for _, x := range slices.Concat(a, b) {
		l, h := x.limits()
		if l != nil && (lo == nil || compare(l, lo) > 0) {
			lo = l
		}
		if h != nil && (hi == nil || compare(h, hi) < 0) {
			hi = h
		}
	}
	return lo == nil || hi == nil || compare(lo, hi) < 0
}

// statedVersion splits the text of a Version into its tool and its bound.
func statedVersion(text string) (tool string, b bound, ok bool) {
	text = strings.Trim(text, "`* ")
	name, rest := text, ""
	if i := strings.LastIndexAny(text, "@"); i > 0 {
		name, rest = text[:i], text[i+1:]
	} else if i := strings.IndexAny(text, " :`*_\n\t"); i > 0 {
		name, rest = text[:i], text[i:]
	}
	if tool = toolOf(name); tool == "" {
		tool = strings.ToLower(name)
	}
	i := strings.IndexAny(rest, "0123456789")
	if i < 0 {
		return "", b, false
	}
	switch before := rest[:i]; {
	case strings.Contains(before, ">="):
		b.op = ">="
	case strings.Contains(before, ">"):
		b.op = ">"
	case strings.Contains(before, "<="):
		b.op = "<="
	case strings.Contains(before, "<"):
		b.op = "<"
	case strings.Contains(before, "^"):
		b.op = "^"
	case strings.Contains(before, "~"):
		b.op = "~"
	}
	if strings.HasSuffix(rest, "+") {
		b.op = ">="
	}
	b.v, ok = parseVersion(rest[i:])
	return tool, b, ok
}

// judgeVersion compares what a text says with all that the repository declares of
// the same tool. One that agrees is enough.
func judgeVersion(text string, all map[string][]declaration) verdict {
	tool, said, ok := statedVersion(text)
	if !ok {
		return unknown("the version can't be read")
	}
	var against []declaration
	for _, name := range aliases(tool) {
		against = append(against, all[name]...)
	}
	least := said.op == ">=" && hasLeast(against)
	var first declaration
	for _, d := range against {
		alts := parseBounds(d.spec)
		if len(alts) == 0 {
			continue
		}
		if least && !isLeast(alts) {
			continue
		}
		if first.tool == "" {
			first = d
		}
		for _, bounds := range alts {
			if least && compare(trim(bounds[0].v, len(said.v)), said.v) != 0 {
				continue
			}
			if overlap([]bound{said}, bounds) {
				return present()
			}
		}
	}
	if first.tool == "" {
		return unknown("the repository declares no version of it")
	}
	return verdict{state: Differs, now: clean(first.spec), why: clean(first.file + " says " + first.spec)}
}

func trim(v []int, n int) []int { return v[:min(n, len(v))] }

// isLeast reports whether a declaration is a mere minimum. Two minimums that
// differ overlap, but say different things all the same.
func isLeast(alts [][]bound) bool {
	return len(alts) == 1 && alts[0][0].op == ">="
}

func hasLeast(all []declaration) bool {
	return slices.ContainsFunc(all, func(d declaration) bool {
		alts := parseBounds(d.spec)
		return len(alts) > 0 && isLeast(alts)
	})
}

// aliases are the names under which a tool is declared.
func aliases(tool string) []string {
	switch tool {
	case "react":
		return []string{"react", "react-dom"}
	case "postgres":
		return []string{"postgres", "postgresql", "postgis"}
	case "tailwindcss":
		return []string{"tailwindcss"}
	case "java":
		return []string{"java", "openjdk", "eclipse-temurin"}
	case "playwright":
		return []string{"playwright", "@playwright/test"}
	case "nestjs":
		return []string{"@nestjs/core"}
	}
	return []string{tool}
}

// judgeVersions decides on all versions.
func (k *check) judgeVersions(all map[string]verdict) {
	if len(all) == 0 {
		return
	}
	byTool := map[string][]declaration{}
	for _, d := range k.declarations() {
		byTool[d.tool] = append(byTool[d.tool], d)
	}
	for text := range all {
		all[text] = judgeVersion(text, byTool)
	}
}
