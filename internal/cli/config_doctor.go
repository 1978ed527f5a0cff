package cli

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/doctor"
	"dormouse/frontmatter"
)

// ignoreRule is one thing that the person wants doctor to pass over.
type ignoreRule struct {
	Rule   string // the id of a rule
	Place  string // a glob, with slashes: relative to project and memory folder, or absolute
	Reason string
	Line   int // of the configuration
}

// doctorField reads what stands below doctor: in the configuration.
func (conf *config) doctorField(f frontmatter.Field) error {
	if f.Key != "ignore" {
		return conf.wrong(f, "is not known; there is ignore")
	}
	if f.Value.Kind == frontmatter.Null {
		return nil
	}
	if f.Value.Kind != frontmatter.List {
		return conf.wrong(f, "is a list, each item with rule, place and reason")
	}
	for _, item := range f.Value.Items {
		if len(item.Fields) == 0 {
			return conf.wrong(f, "is a list, each item with rule, place and reason")
		}
		rule, err := conf.ignoreItem(item)
		if err != nil {
			return err
		}
		conf.ignore = append(conf.ignore, rule)
	}
	return nil
}

func (conf *config) ignoreItem(item frontmatter.Value) (ignoreRule, error) {
	rule := ignoreRule{Line: item.Fields[0].Line}
	values := map[string]*string{"rule": &rule.Rule, "place": &rule.Place, "reason": &rule.Reason}
	for _, f := range item.Fields {
		rule.Line = min(rule.Line, f.Line)
		value := values[f.Key]
		if value == nil {
			return rule, conf.wrong(f, "is not known; there are rule, place and reason")
		}
		if f.Value.Kind != frontmatter.String || strings.TrimSpace(f.Value.Text) == "" {
			return rule, conf.wrong(f, "has no text")
		}
		*value = strings.TrimSpace(f.Value.Text)
		if err := conf.checkIgnore(f, &rule); err != nil {
			return rule, err
		}
	}
	for _, key := range []string{"rule", "place", "reason"} {
		if *values[key] == "" {
			return rule, fmt.Errorf("the configuration %s, line %d: what doctor is to ignore needs a %s", conf.path, rule.Line, key)
		}
	}
	return rule, nil
}

// checkIgnore looks at the value that a field brought in.
func (conf *config) checkIgnore(f frontmatter.Field, rule *ignoreRule) error {
	switch f.Key {
	case "rule":
		if !slices.ContainsFunc(doctor.Rules(), func(r doctor.Rule) bool { return r.ID == rule.Rule }) {
			return conf.wrong(f, fmt.Sprintf("names no rule: %s (dormouse doctor --rules lists them)", rule.Rule))
		}
	case "place":
		if rest, ok := strings.CutPrefix(rule.Place, "~/"); ok && conf.home != "" {
			rule.Place = path.Join(globText(filepath.ToSlash(conf.home)), rest) + slashAtEnd(rest)
		}
		if err := checkPlace(rule.Place); err != nil {
			return conf.wrong(f, fmt.Sprintf("is no glob: %s (%v)", rule.Place, err))
		}
	}
	return nil
}

func slashAtEnd(s string) string {
	if strings.HasSuffix(s, "/") {
		return "/"
	}
	return ""
}

// globText is a glob that matches just the text.
func globText(s string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(s)
}

var errAboveBase = errors.New("a place is absolute or below the project or the memory folder")

func checkPlace(place string) error {
	for part := range strings.SplitSeq(place, "/") {
		if part == ".." {
			return errAboveBase
		}
		if _, err := path.Match(part, ""); err != nil {
			return err
		}
	}
	return nil
}

// matches tells whether the finding is one to pass over. A place is compared with
// the path of the finding relative to the project, relative to the memory folder
// and as it is. An empty folder is none.
func (i ignoreRule) matches(f *doctor.Finding, project, store string) bool {
	if i.Rule != f.Rule || f.Place.Path == "" {
		return false
	}
	if i.absolute() {
		return globMatch(i.Place, filepath.ToSlash(f.Place.Path))
	}
	for _, base := range []string{project, store} {
		if base == "" {
			continue
		}
		rel, err := filepath.Rel(base, f.Place.Path)
		if err == nil && filepath.IsLocal(rel) && globMatch(i.Place, filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}

// absolute tells a place of the whole file system, on Windows with its drive.
func (i ignoreRule) absolute() bool {
	return strings.HasPrefix(i.Place, "/") || len(i.Place) > 2 && i.Place[1] == ':' && i.Place[2] == '/'
}

// concerns tells whether the place could be one of this project and this memory
// folder at all: an ignore for another project is not unused here.
func (i ignoreRule) concerns(project, store string) bool {
	if !i.absolute() {
		return true
	}
	fixed, _, _ := strings.Cut(i.Place, "*")
	fixed = path.Dir(fixed + "x")
	for _, base := range []string{project, store} {
		if base = filepath.ToSlash(base); base != "" && (within(base, fixed) || within(fixed, base)) {
			return true
		}
	}
	return false
}

func within(p, folder string) bool {
	return p == folder || strings.HasPrefix(p, strings.TrimSuffix(folder, "/")+"/")
}

// globMatch matches a path with slashes against a glob: ** stands for any number
// of folders, a slash at the end for all that is below. The work is at most the
// product of their numbers of names.
func globMatch(glob, name string) bool {
	if strings.HasSuffix(glob, "/") {
		glob += "**"
	}
	g, n := strings.Split(glob, "/"), strings.Split(name, "/")
	star, from := -1, 0 // the last ** and where the path went on after it
	i, k := 0, 0
	for k < len(n) {
		switch {
		case i < len(g) && g[i] == "**":
			star, from = i, k
			i++
		case i < len(g) && matchName(g[i], n[k]):
			i++
			k++
		case star >= 0:
			from++
			i, k = star+1, from
		default:
			return false
		}
	}
	return i == len(g) // a ** at the end stands for something: a/** is not a itself
}

func matchName(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return err == nil && ok
}

// passOver moves what is to be ignored from the findings to those passed over,
// and returns for each ignore whether it was of use.
func passOver(rep *doctor.Report, ignore []ignoreRule, project, store string) (used []bool) {
	used = make([]bool, len(ignore))
	if len(ignore) == 0 {
		return used
	}
	left := make([]doctor.Finding, 0, len(rep.Findings))
	for _, f := range rep.Findings {
		first := -1
		for i, r := range ignore {
			if r.matches(&f, project, store) {
				used[i] = true // each that would do it, not the first alone
				if first < 0 {
					first = i
				}
			}
		}
		if first < 0 {
			left = append(left, f)
			continue
		}
		rep.Suppressed = append(rep.Suppressed, doctor.Suppressed{Finding: f, Reason: ignore[first].Reason})
	}
	rep.Findings = left
	return used
}

// unusedIgnores are those that could have matched here and did not.
func unusedIgnores(ignore []ignoreRule, used []bool, project, store string) []ignoreRule {
	var out []ignoreRule
	for i, r := range ignore {
		if !used[i] && r.concerns(project, store) {
			out = append(out, r)
		}
	}
	return out
}
