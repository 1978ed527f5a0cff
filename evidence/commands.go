package evidence

import (
	"context"
	"encoding/json"
	"path"
	"strings"
)

// maxManifests bounds how many files that define commands or versions are read.
const maxManifests = 2000

// toolFiles reports whether a file of that name defines what the tool runs.
func toolFile(tool, name string) bool {
	base := path.Base(name)
	switch tool {
	case "npm":
		return base == "package.json"
	case "make":
		return base == "Makefile" || base == "makefile" || base == "GNUmakefile" || strings.HasSuffix(base, ".mk") || strings.HasPrefix(base, "Makefile.")
	case "just":
		return strings.EqualFold(base, "justfile") || base == ".justfile" || strings.HasSuffix(base, ".just")
	case "task":
		l := strings.ToLower(base)
		return strings.HasPrefix(l, "taskfile.") || strings.HasPrefix(l, "taskfile") && (strings.HasSuffix(l, ".yml") || strings.HasSuffix(l, ".yaml"))
	case "cargo-bin", "cargo-pkg", "xtask":
		return base == "Cargo.toml" || name == ".cargo/config.toml" || strings.HasSuffix(name, "/.cargo/config.toml") || name == ".cargo/config"
	case "composer":
		return base == "composer.json"
	case "rake":
		return base == "Rakefile" || strings.HasSuffix(base, ".rake")
	case "gradle":
		return strings.HasSuffix(base, ".gradle") || strings.HasSuffix(base, ".gradle.kts")
	}
	return false
}

// defined reports whether a line of such a file defines the target.
func (t target) defined(line string) bool {
	trimmed := strings.TrimSpace(line)
	switch t.tool {
	case "npm", "composer":
		rest, ok := strings.CutPrefix(trimmed, `"`+t.name+`"`)
		rest = strings.TrimSpace(rest)
		if !ok || !strings.HasPrefix(rest, ":") {
			i := strings.Index(trimmed, `"`+t.name+`":`)
			return i > 0 && strings.Contains(trimmed[:i], "scripts")
		}
		return !versionText(strings.Trim(strings.TrimSpace(rest[1:]), `",`))
	case "make":
		return makeTarget(line, t.name)
	case "just":
		return justRecipe(line, t.name)
	case "task":
		return strings.HasPrefix(trimmed, t.name+":") || strings.HasPrefix(trimmed, `"`+t.name+`":`) || strings.HasPrefix(trimmed, "'"+t.name+"':")
	case "cargo-bin", "cargo-pkg":
		rest, ok := strings.CutPrefix(trimmed, "name")
		rest = strings.TrimSpace(rest)
		return ok && strings.HasPrefix(rest, "=") && strings.Trim(strings.TrimSpace(rest[1:]), `"'`) == t.name
	case "xtask":
		return strings.HasPrefix(trimmed, "xtask") || strings.Contains(trimmed, `"xtask"`)
	case "rake":
		name := t.name[strings.LastIndexByte(t.name, ':')+1:]
		return anyOf(trimmed+" ", "task :"+name+" ", "task :"+name+",", "task "+name+":", "task '"+name+"'", `task "`+name+`"`, "task(:"+name, "task :"+name+"=")
	case "gradle":
		return anyOf(trimmed+" ", "task "+t.name+" ", "task "+t.name+"(", "task "+t.name+"{", `register("`+t.name+`"`, "register('"+t.name+"'", `create("`+t.name+`"`, "val "+t.name+" by", `named("`+t.name+`"`)
	}
	return false
}

// versionText reports whether a value of package.json is a dependency's version:
// scripts and dependencies can have the same name.
func versionText(s string) bool {
	s = strings.TrimLeft(s, "^~>=<v ")
	return s != "" && s[0] >= '0' && s[0] <= '9' && strings.IndexByte(s, ' ') < 0 && strings.IndexByte(s, '.') > 0
}

func makeTarget(line, name string) bool {
	if line == "" || line[0] == '\t' || line[0] == '#' {
		return false
	}
	i := strings.IndexByte(line, ':')
	if i < 0 || strings.HasPrefix(line[i:], ":=") || strings.HasPrefix(line[i:], "::=") {
		return false
	}
	if strings.IndexByte(line[:i], '=') >= 0 {
		return false
	}
	for _, w := range strings.Fields(line[:i]) {
		if w == name || w == "%" {
			return true
		}
		if before, after, ok := strings.Cut(w, "%"); ok && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			return true
		}
	}
	return false
}

func justRecipe(line, name string) bool {
	if line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '#' {
		return false
	}
	rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(line, "@"), "alias "), name)
	if !ok || rest == "" || identByte(rest[0]) || rest[0] == '-' {
		return false
	}
	return strings.IndexByte(rest, ':') >= 0
}

// manifests are the files that define commands and versions, read once.
type manifests struct {
	texts map[string]string
}

// manifest returns the text of a tracked or new file, "" where it can't be read.
func (k *check) manifest(name string) string {
	if t, ok := k.read.texts[name]; ok {
		return t
	}
	if k.read.texts == nil {
		k.read.texts = map[string]string{}
		k.readBuf = make([]byte, maxSource+1)
		k.disk = newFolders(k.tree.top)
	}
	text := ""
	if len(k.read.texts) < maxManifests {
		if n, _, ok := k.disk.read(name, k.readBuf); ok {
			text = string(k.readBuf[:n])
		}
	}
	k.read.texts[name] = text
	return text
}

// lookCommand tells whether the tree of today has what the command runs.
func (k *check) lookCommand(t target) bool {
	switch t.tool {
	case "go":
		return len(k.tree.find(t.name, false)) > 0 || k.tree.lies(t.name) || k.tree.lies(k.tree.prefix+t.name)
	case "module":
		p := strings.ReplaceAll(t.name, ".", "/")
		return len(k.tree.find(p, false)) > 0 || len(k.tree.find(p+".py", false)) > 0
	case "xtask":
		if len(k.tree.find("xtask", false)) > 0 {
			return true
		}
	case "cargo-bin":
		if len(k.tree.find("bin/"+t.name+".rs", false)) > 0 || len(k.tree.find("bin/"+t.name, true)) > 0 || len(k.tree.find("examples/"+t.name+".rs", false)) > 0 || len(k.tree.find("benches/"+t.name+".rs", false)) > 0 {
			return true
		}
	case "make":
		if len(k.tree.find(t.name, false)) > 0 && strings.ContainsAny(t.name, "./") {
			return true // a file as target
		}
	}
	for i := range k.tree.entries {
		e := &k.tree.entries[i]
		if e.dir || e.link || !toolFile(t.tool, e.path) {
			continue
		}
		if t.inText(k.manifest(e.path)) {
			return true
		}
	}
	return false
}

// inText reports whether a whole file defines the target.
func (t target) inText(text string) bool {
	if t.tool == "npm" || t.tool == "composer" {
		var m struct {
			Scripts map[string]json.RawMessage `json:"scripts"`
		}
		if json.Unmarshal([]byte(text), &m) == nil {
			_, ok := m.Scripts[t.name]
			return ok
		}
	}
	for line := range strings.Lines(text) {
		if t.defined(strings.TrimRight(line, "\r\n")) {
			return true
		}
	}
	return false
}

// judgeCommands asks the history for all commands that are missing, in one pass
// over the files that define commands.
func (k *check) judgeCommands(ctx context.Context, missing map[string]verdict) error {
	if len(missing) == 0 {
		return nil
	}
	open := map[string]target{}
	for text := range missing {
		t, _ := parseCommand(text)
		missing[text] = unknown("nothing in the tree defines it, and the history knows nothing of it")
		switch {
		case k.git == nil || k.git.head == "":
			missing[text] = unknown(k.noHistory())
		case t.tool == "go" || t.tool == "module":
			if err := k.judgePackage(ctx, text, t, missing); err != nil {
				return err
			}
		default:
			open[text] = t
		}
	}
	if len(open) == 0 {
		return nil
	}
	full, err := k.git.diffLog(ctx, func(d *diffLine) error {
		if d.added {
			return nil
		}
		for text, t := range open {
			if toolFile(t.tool, d.file) && t.defined(string(d.text)) {
				why, stamp := d.commit.says("removed")
				missing[text] = verdict{state: Gone, why: why, stamp: stamp}
				delete(open, text)
			}
		}
		if len(open) == 0 {
			return errEnough
		}
		return nil
	}, []string{"--diff-filter=DMT", "HEAD"}, manifestSpecs()...)
	if err != nil {
		return k.orUnknown(ctx, missing, err)
	}
	for text, t := range open {
		if t.tool == "cargo-bin" || t.tool == "xtask" {
			if err := k.judgePackage(ctx, text, t, missing); err != nil {
				return err
			}
		}
		if !full && missing[text].state == Unknown {
			missing[text] = unknown("nothing in the tree defines it, and the history can't be read to its end")
		}
	}
	return nil
}

// judgePackage decides on a command that runs a folder or file.
func (k *check) judgePackage(ctx context.Context, text string, t target, missing map[string]verdict) error {
	log, err := k.pathLog(ctx)
	if err != nil {
		return k.orUnknown(ctx, missing, err)
	}
	var tries []string
	switch t.tool {
	case "module":
		p := strings.ReplaceAll(t.name, ".", "/")
		tries = []string{p + ".py", p}
	case "cargo-bin":
		tries = []string{"bin/" + t.name + ".rs", "examples/" + t.name + ".rs"}
	default:
		tries = []string{t.name}
	}
	for _, p := range tries {
		if v, ok := k.fateOf(log, p, false); ok {
			missing[text] = v
			return nil
		}
	}
	return nil
}

// manifestSpecs are git's patterns of all files that define commands.
func manifestSpecs() []string {
	return []string{
		":(glob)**/package.json", ":(glob)**/Makefile", ":(glob)**/makefile", ":(glob)**/GNUmakefile", ":(glob)**/Makefile.*", ":(glob)**/*.mk", ":(glob,icase)**/justfile", ":(glob)**/.justfile", ":(glob)**/*.just",
		":(glob,icase)**/taskfile*", ":(glob)**/Cargo.toml", ":(glob)**/.cargo/config*", ":(glob)**/composer.json", ":(glob)**/Rakefile", ":(glob)**/*.rake", ":(glob)**/*.gradle", ":(glob)**/*.gradle.kts",
	}
}
