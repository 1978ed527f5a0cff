package doctor

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"dormouse/claim"
	"dormouse/draft"
	"dormouse/internal/safefile"
	"dormouse/store"
)

// manifestNames are the files in which a repository declares what it is made of
// and how it is run.
var manifestNames = []string{
	"package.json", "go.mod", "Makefile", "makefile", "justfile", "Taskfile.yml", "Taskfile.yaml", "pyproject.toml", "requirements.txt",
	"Cargo.toml", "docker-compose.yml", "compose.yaml",
}

// Bounds of what is read of a repository's own texts.
const (
	maxManifests = 40
	maxManifest  = 64 << 10 // bytes; a longer one is generated
	maxTexts     = 60
)

// repositoryFiles are the manifests and the documents of the repository.
func (c *check) repositoryFiles() (manifests, documents []string) {
	files, err := c.tree()
	if err != nil {
		return nil, nil
	}
	for _, f := range files {
		base := path.Base(f)
		switch {
		case slices.Contains(manifestNames, base) && len(manifests) < maxManifests:
			manifests = append(manifests, f)
		case (f == "README.md" || f == "CONTRIBUTING.md" || strings.HasPrefix(f, "docs/") && strings.HasSuffix(f, ".md")) && len(documents) < maxTexts:
			documents = append(documents, f)
		}
	}
	slices.Sort(manifests)
	slices.Sort(documents)
	return manifests, documents
}

// declared tells of statements that list what a manifest declares: nearly all of
// their words stand in one.
func (c *check) declared(manifests []string) {
	type manifest struct {
		file  string
		words map[string]bool
	}
	var list []manifest
	for _, f := range manifests {
		b, _, err := safefile.Read(filepath.Join(c.root, filepath.FromSlash(f)), maxManifest)
		if err != nil {
			continue
		}
		m := manifest{f, map[string]bool{"make": true, "just": true, strings.ToLower(path.Base(f)): true}}
		for w := range declaredWords(string(b)) {
			m.words[w] = true
		}
		list = append(list, m)
	}
	if len(list) == 0 {
		return
	}
	c.live(func(it *store.Item) {
		for _, cl := range c.claims[it.Rel] {
			for _, m := range list {
				if covered(cl.Text, m.words) {
					at := Place{Path: c.notePath(it.Rel), Line: it.Note.BodyLine() + cl.Line - 1, Text: cl.Text}
					c.add("repeats-repository", at, m.file, "%s lists what %s declares", c.at(at), m.file).
						relate("declares it", Place{Path: filepath.Join(c.root, filepath.FromSlash(m.file))}).
						fix("the note can go: the repository tells it to whoever looks", "", false, Plan{})
					break
				}
			}
		}
	})
}

// How much of a statement has to stand in a manifest, and of what kind.
const (
	coveredShare = 0.8
	coveredWords = 4
	coveredBoth  = 7 // words, those of the kind below counted twice
	coveredHard  = 2 // versions, options, words in backticks
)

// covered reports whether a statement says little more than a manifest.
func covered(text string, manifest map[string]bool) bool {
	if !strings.ContainsAny(text, "`0123456789-") {
		return false
	}
	all, there, hard := 0, 0, 0
	for w, isHard := range declaredWords(text) {
		all++
		if manifest[w] {
			there++
			if isHard {
				hard++
			}
		}
	}
	return there >= coveredWords && hard >= coveredHard && there+hard >= coveredBoth && float64(there) >= coveredShare*float64(all)
}

// declaredWords are the words of a text that name something, by their beginning,
// and whether each is a version, an option or the like.
func declaredWords(text string) map[string]bool {
	out := map[string]bool{}
	inCode := false
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:()[]{}\"'=<>^~|&*", r)
	}) {
		starts, ends := strings.HasPrefix(w, "`"), strings.HasSuffix(strings.TrimRight(w, "."), "`")
		code := inCode || starts
		inCode = (inCode || starts) && !ends
		w = strings.ToLower(strings.Trim(w, "`.?!"))
		w = strings.TrimPrefix(strings.TrimLeft(w, "-@/"), "v")
		if len(w) < 2 || draft.Grammatical(w) || strings.Contains(declares, " "+w+" ") {
			continue
		}
		hard := code || strings.ContainsAny(w, "0123456789-/_")
		for part := range strings.SplitSeq(w, "/") {
			if part = strings.TrimPrefix(part, "v"); part != "" {
				out[shortened(part)] = true
			}
		}
		w = shortened(w)
		out[w] = out[w] || hard
	}
	return out
}

// declares are words with which somebody lists what a manifest has; they tell
// nothing by themselves.
const declares = " the of and an to is are in on for or as it its at be by see uses use used run runs running start starts apply applies script scripts depend depends dependency dependencies version versions app module package root service command commands target targets recipe recipes "

// shortened is a word by its beginning, so that its forms are one; versions and
// names of files stay whole.
func shortened(w string) string {
	const letters = 4
	if r := []rune(w); !strings.ContainsAny(w, "0123456789.") && len(r) > letters {
		return string(r[:letters])
	}
	return w
}

// documentSources are the repository's texts as statements.
func (c *check) documentSources(files []string) (sources []claim.Source, places []said) {
	for _, f := range files {
		p := filepath.Join(c.root, filepath.FromSlash(f))
		b, _, err := safefile.Read(p, maxManifest)
		if err != nil || c.isDoc(p) {
			continue
		}
		sources = append(sources, claim.Source{Name: p, Text: string(b), Fixed: true})
		places = append(places, said{path: p, line: 1})
	}
	return sources, places
}
