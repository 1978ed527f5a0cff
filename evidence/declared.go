package evidence

import (
	"encoding/json"
	"path"
	"strings"
)

// declaration is a version that a file of the repository asks for.
type declaration struct{ tool, spec, file string }

// declarations reads all files that declare versions, once.
func (k *check) declarations() []declaration {
	var out []declaration
	for i := range k.tree.entries {
		e := &k.tree.entries[i]
		if e.dir || e.link || !declaring(e.path) || fixture(e.path) {
			continue
		}
		name := e.path
		add := func(tool, spec string) {
			spec = strings.Trim(strings.TrimSpace(spec), `"'`)
			if tool != "" && spec != "" && len(out) < 100_000 {
				out = append(out, declaration{tool, spec, name})
			}
		}
		declared(name, k.manifest(name), add)
	}
	return out
}

// fixture reports whether a file is test data: what it declares is not what the
// repository uses.
func fixture(p string) bool {
	return strings.Contains(p, "testdata/") || strings.Contains(p, "fixtures/") || strings.Contains(p, "node_modules/") || strings.Contains(p, "vendor/")
}

// declaring reports whether a file of this name can declare versions.
func declaring(p string) bool {
	base := path.Base(p)
	switch base {
	case "go.mod", "package.json", ".nvmrc", ".node-version", ".python-version", ".ruby-version", ".go-version", ".java-version", ".tool-versions", "mise.toml", ".mise.toml", "pyproject.toml", "Cargo.toml", "Pipfile", "runtime.txt",
		"rust-toolchain", "rust-toolchain.toml", "Gemfile", "composer.json", ".gitlab-ci.yml", "setup.cfg", "setup.py", "compose.yml", "compose.yaml", "go.work":
		return true
	}
	return strings.Contains(strings.ToLower(base), "dockerfile") || strings.HasPrefix(base, "docker-compose") || strings.Contains(p, ".github/workflows/") || strings.Contains(p, ".circleci/") ||
		strings.HasPrefix(base, "requirements") && strings.HasSuffix(base, ".txt")
}

// declared finds the versions that a file declares.
func declared(name, text string, add func(tool, spec string)) {
	base := path.Base(name)
	switch base {
	case "go.mod", "go.work":
		goMod(text, add)
	case "package.json":
		packageJSON(text, add)
	case "composer.json":
		composerJSON(text, add)
	case ".nvmrc", ".node-version":
		add("node", strings.TrimSpace(text))
	case ".python-version", ".ruby-version", ".go-version", ".java-version":
		line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		tool := strings.TrimSuffix(base[1:], "-version")
		add(tool, strings.TrimPrefix(line, tool+"-"))
	case "runtime.txt":
		if v, ok := strings.CutPrefix(strings.TrimSpace(text), "python-"); ok {
			add("python", v)
		}
	case ".tool-versions":
		for line := range strings.Lines(text) {
			if f := strings.Fields(line); len(f) >= 2 {
				add(canonical(f[0]), f[1])
			}
		}
	case "rust-toolchain":
		if !strings.Contains(text, "=") {
			add("rust", strings.TrimSpace(text))
		} else {
			tomlVersions(text, add)
		}
	case "pyproject.toml", "Cargo.toml", "Pipfile", "rust-toolchain.toml", "mise.toml", ".mise.toml":
		tomlVersions(text, add)
	case "Gemfile":
		gemfile(text, add)
	case "setup.cfg", "setup.py":
		for line := range strings.Lines(text) {
			if _, v, ok := strings.Cut(line, "python_requires"); ok {
				add("python", strings.Trim(v, " =,\r\n"))
			}
		}
	default:
		if strings.HasPrefix(base, "requirements") {
			for line := range strings.Lines(text) {
				requirement(strings.TrimSpace(line), add)
			}
			return
		}
		yamlVersions(text, add)
	}
}

func canonical(name string) string {
	if t := toolOf(name); t != "" {
		return t
	}
	return strings.ToLower(name)
}

func goMod(text string, add func(tool, spec string)) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) > 0 && f[0] == "require" {
			f = f[1:]
		}
		if len(f) < 2 {
			continue
		}
		switch {
		case f[0] == "go":
			add("go", f[1])
		case f[0] == "toolchain":
			add("go", strings.TrimPrefix(f[1], "go"))
		case strings.Contains(f[0], "/") && strings.HasPrefix(f[1], "v"):
			name := path.Base(f[0])
			if strings.Trim(name, "v0123456789") == "" {
				name = path.Base(path.Dir(f[0]))
			}
			add(strings.ToLower(name), f[1])
			add(f[0], f[1])
		}
	}
}

func packageJSON(text string, add func(tool, spec string)) {
	var m struct {
		Engines, Dependencies, DevDependencies, PeerDependencies, OptionalDependencies, Volta map[string]any
		PackageManager                                                                        string
	}
	if json.Unmarshal([]byte(text), &m) != nil {
		return
	}
	for _, deps := range []map[string]any{m.Engines, m.Dependencies, m.DevDependencies, m.PeerDependencies, m.OptionalDependencies, m.Volta} {
		for name, v := range deps {
			if spec, ok := v.(string); ok && !strings.Contains(spec, ":") && !strings.Contains(spec, "/") {
				add(name, spec)
			}
		}
	}
	if name, v, ok := strings.Cut(m.PackageManager, "@"); ok {
		v, _, _ = strings.Cut(v, "+")
		add(name, v)
	}
}

func composerJSON(text string, add func(tool, spec string)) {
	var m struct {
		Require map[string]string
	}
	if json.Unmarshal([]byte(text), &m) != nil {
		return
	}
	for name, spec := range m.Require {
		add(name, spec)
		add(map[string]string{"laravel/framework": "laravel", "symfony/framework-bundle": "symfony"}[name], spec)
	}
}

// tomlVersions reads lines of the shapes that versions stand in; a whole TOML
// parser would refuse files that are broken elsewhere.
func tomlVersions(text string, add func(tool, spec string)) {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[] ")
			continue
		}
		if strings.HasPrefix(line, `"`) || strings.HasPrefix(line, "'") {
			requirement(strings.Trim(line, `"', `), add)
		}
		key, v, ok := strings.Cut(line, "=")
		key, v = strings.Trim(key, ` "'`), strings.TrimSpace(v)
		if !ok || v == "" {
			continue
		}
		switch {
		case key == "requires-python":
			add("python", quotedValue(v))
		case key == "edition":
			add("edition", quotedValue(v))
		case key == "rust-version" || key == "channel":
			add("rust", quotedValue(v))
		case strings.HasPrefix(v, "["):
			for _, item := range strings.Split(strings.Trim(v, "[]"), ",") {
				requirement(strings.Trim(item, ` "'`), add)
			}
		case strings.HasPrefix(v, "{"):
			if _, rest, ok := strings.Cut(v, "version"); ok {
				add(canonical(key), quotedValue(strings.TrimLeft(rest, " =")))
			}
		case strings.Contains(section, "dependencies") || strings.HasPrefix(section, "tool.poetry") || section == "tools" || section == "packages" || section == "requires":
			if key == "version" {
				key = section[strings.LastIndexByte(section, '.')+1:]
			}
			if key == "python_version" {
				key = "python"
			}
			add(canonical(key), quotedValue(v))
		}
	}
}

// quotedValue takes the string that v begins with.
func quotedValue(v string) string {
	if v != "" && (v[0] == '"' || v[0] == '\'') {
		if i := strings.IndexByte(v[1:], v[0]); i >= 0 {
			return v[1 : 1+i]
		}
	}
	return ""
}

// requirement reads "django>=4.2,<5".
func requirement(line string, add func(tool, spec string)) {
	i := strings.IndexAny(line, "=<>~!")
	if i <= 0 || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "-") {
		return
	}
	name := strings.TrimSpace(line[:i])
	name, _, _ = strings.Cut(name, "[")
	if strings.ContainsAny(name, " \t(") {
		return
	}
	spec, _, _ := strings.Cut(line[i:], ";")
	spec, _, _ = strings.Cut(spec, "#")
	add(strings.ToLower(name), strings.TrimRight(spec, ` "',`))
}

func gemfile(text string, add func(tool, spec string)) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "ruby "); ok {
			add("ruby", quotedValue(strings.TrimSpace(rest)))
		}
		if rest, ok := strings.CutPrefix(line, "gem "); ok {
			name, spec, ok := strings.Cut(rest, ",")
			if ok {
				add(strings.Trim(name, ` "'`), quotedValue(strings.TrimSpace(spec)))
			}
		}
	}
}

// yamlVersions reads Dockerfiles, compose files and CI workflows: images and the
// versions that set-up steps are given.
func yamlVersions(text string, add func(tool, spec string)) {
	list := "" // tool whose versions follow as a list
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		if list != "" {
			if strings.HasPrefix(strings.TrimSpace(line), "- ") {
				add(list, strings.Trim(t, `"'`))
				continue
			}
			list = ""
		}
		if f := strings.Fields(t); len(f) > 1 && strings.EqualFold(f[0], "FROM") {
			for _, w := range f[1:] {
				if !strings.HasPrefix(w, "--") {
					image(w, add)
					break
				}
			}
			continue
		}
		key, v, ok := strings.Cut(t, ":")
		if !ok {
			continue
		}
		v = strings.TrimSpace(v)
		v, _, _ = strings.Cut(v, " #")
		key = strings.Trim(key, `"' `)
		if key == "image" {
			image(strings.Trim(v, `"'`), add)
			continue
		}
		tool := ""
		for _, suffix := range []string{"-version", "_version", "_VERSION", "-versions", "_versions"} {
			if s, ok := strings.CutSuffix(key, suffix); ok {
				tool = toolOf(strings.ToLower(s))
			}
		}
		if tool == "" && (key == "python" || key == "node" || key == "go" || key == "ruby" || key == "php" || key == "java") {
			tool = key
		}
		switch {
		case tool == "" || strings.Contains(v, "${{"):
		case v == "":
			list = tool
		case strings.HasPrefix(v, "["):
			for _, item := range strings.Split(strings.Trim(v, "[] "), ",") {
				add(tool, strings.Trim(item, ` "'`))
			}
		default:
			add(tool, v)
		}
	}
}

// image reads "registry/postgres:14-alpine".
func image(ref string, add func(tool, spec string)) {
	ref, _, _ = strings.Cut(ref, "@")
	ref = ref[strings.LastIndexByte(ref, '/')+1:]
	name, tag, ok := strings.Cut(ref, ":")
	if !ok || tag == "" || tag[0] < '0' || tag[0] > '9' {
		return
	}
	tag, rest, _ := strings.Cut(tag, "-")
	name = canonical(name)
	add(name, tag)
	if v, ok := strings.CutPrefix(rest, "alpine"); ok && v != "" {
		add("alpine", v)
	}
}
