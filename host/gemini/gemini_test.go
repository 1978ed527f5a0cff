package gemini

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/host"
	"dormouse/startup"
)

// lay writes files below a new folder and returns it, links resolved. In a text
// $R is that folder; "->x" makes a link to x, "/" a folder.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"h/.gemini", "p"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		text = strings.ReplaceAll(text, "$R", root)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if target, link := strings.CutPrefix(text, "->"); err == nil && link {
			err = os.Symlink(target, path)
		} else if err == nil && text == "/" {
			err = os.MkdirAll(path, 0o700)
		} else if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// session starts in a folder that is trusted by a variable, unless env says
// otherwise.
func session(root, cwd string, env map[string]string) host.Session {
	all := map[string]string{envTrust: "true"}
	maps.Copy(all, env)
	get := func(k string) string { return strings.ReplaceAll(all[k], "$R", root) }
	return host.Session{
		Cwd: filepath.Join(root, cwd),
		Env: host.Env{
			Home: filepath.Join(root, "h"), OS: "linux", Root: filepath.Join(root, "sys"), Getenv: get,
			Lookup: func(k string) (string, bool) { _, ok := all[k]; return get(k), ok },
		},
	}
}

func start(t *testing.T, s host.Session) *startup.Report {
	t.Helper()
	rep, err := Host{}.Startup(s)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func list(files []startup.File, root string) []string {
	var out []string
	for _, f := range files {
		out = append(out, string(f.Scope)+" "+short(f.Path, root)+": "+strings.ReplaceAll(f.Text, root, "$R"))
	}
	return out
}

func left(rep *startup.Report, root string) []string {
	var out []string
	for _, l := range rep.Left {
		out = append(out, string(l.Reason)+" "+short(l.Path, root))
	}
	return out
}

func short(path, root string) string {
	return filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
}

// Every row was run on Gemini CLI 0.61.0; what loads is what it sent to the
// model.
func TestWhatLoadsIsWhatTheClientSends(t *testing.T) {
	const ex = "h/.gemini/extensions/"
	for _, tc := range []struct {
		name     string
		files    map[string]string
		settings string
		env      map[string]string
		cwd      string
		want     []string
		left     []string
		problems int
	}{
		{
			name: "from the root of the repository, sorted by path",
			files: map[string]string{
				"GEMINI.md": "ABOVE", "h/.gemini/GEMINI.md": "GLOBAL", "p/.git/x": "", "p/GEMINI.md": "ROOT", "p/b/GEMINI.md": "B",
				"p/b/0/GEMINI.md": "ZERO", "p/b/0/A/GEMINI.md": "AA", "p/b/0/A/d/GEMINI.md": "D",
			},
			cwd:  "p/b/0/A",
			want: []string{"user h/.gemini/GEMINI.md: GLOBAL", "project p/GEMINI.md: ROOT", "project p/b/0/A/GEMINI.md: AA", "project p/b/0/GEMINI.md: ZERO", "project p/b/GEMINI.md: B"},
		}, {
			name: "without a repository only the start folder", files: map[string]string{"p/GEMINI.md": "ROOT", "p/b/GEMINI.md": "B"},
			cwd: "p/b", want: []string{"project p/b/GEMINI.md: B"},
		}, {
			name:     "other names, and GEMINI.md always",
			files:    map[string]string{"h/.gemini/AGENTS.md": "GA", "h/.gemini/GEMINI.md": "GG", "p/.git/x": "", "p/GEMINI.md": "G", "p/AGENTS.md": "A", "p/X.md": "X"},
			settings: `{"context": {"fileName": ["X.md", " AGENTS.md "]}}`,
			want:     []string{"user h/.gemini/AGENTS.md: GA", "user h/.gemini/GEMINI.md: GG", "project p/AGENTS.md: A", "project p/GEMINI.md: G", "project p/X.md: X"},
		}, {
			name: "a name that is a path with a variable in it", files: map[string]string{"p/d/N.md": "N", "p/d/M-x.md": "M"},
			settings: `{"context": {"fileName": ["d/$NAME.md", "d/${NO:-M}-x.md"]}}`, env: map[string]string{"NAME": "N"},
			want: []string{"project p/d/M-x.md: M", "project p/d/N.md: N"},
		}, {
			name: "texts are trimmed, and blank ones left out", files: map[string]string{"h/.gemini/GEMINI.md": " \n\t", "p/GEMINI.md": "\ufeff  T \u00a0\n"},
			want: []string{"project p/GEMINI.md: T"}, left: []string{"empty h/.gemini/GEMINI.md"},
		}, {
			name: "bytes that are no text stay visible", files: map[string]string{"p/GEMINI.md": "a\xff\xe2\x82b\r\nc"}, want: []string{"project p/GEMINI.md: a\ufffd\ufffdb\r\nc"},
		}, {
			name: "a folder of that name", files: map[string]string{"p/GEMINI.md": "/"}, left: []string{"not-a-file p/GEMINI.md"},
		}, {
			name: "no other spelling", files: map[string]string{"p/gemini.md": "LOW", "p/.gemini/GEMINI.md": "DOT"},
		}, {
			name: "a link to nothing", files: map[string]string{"p/GEMINI.md": "->nope"}, problems: 1,
		}, {
			name: "a link that turns in a circle", files: map[string]string{"p/GEMINI.md": "->GEMINI.md"}, left: []string{"unreadable p/GEMINI.md"}, problems: 1,
		}, {
			name:     "one file by two names loads once",
			files:    map[string]string{"p/GEMINI.md": "->AGENTS.md", "p/AGENTS.md": "A"},
			settings: `{"context": {"fileName": "AGENTS.md"}}`,
			want:     []string{"project p/AGENTS.md: A"}, left: []string{"duplicate p/GEMINI.md"},
		}, {
			name:  "of several paths to one file the topmost counts",
			files: map[string]string{"p/.git/x": "", "p/GEMINI.md": "G", "p/A/GEMINI.md": "->../GEMINI.md"}, cwd: "p/A",
			want: []string{"project p/GEMINI.md: G"}, left: []string{"duplicate p/A/GEMINI.md"},
		}, {
			name: "the user's file once more in the project", files: map[string]string{"h/.gemini/GEMINI.md": "G", "p/GEMINI.md": "->$R/h/.gemini/GEMINI.md"},
			want: []string{"user h/.gemini/GEMINI.md: G"}, left: []string{"duplicate p/GEMINI.md"},
		}, {
			name: "links in the start folder are resolved first", files: map[string]string{"r/.git/x": "", "r/GEMINI.md": "R", "r/a/GEMINI.md": "A", "l": "->r/a"},
			cwd: "l", want: []string{"project r/GEMINI.md: R", "project r/a/GEMINI.md: A"},
		}, {
			name:  "another marker of the root",
			files: map[string]string{"p/.git/x": "", "p/GEMINI.md": "ROOT", "p/a/x.mk": "", "p/a/GEMINI.md": "A", "p/a/b/GEMINI.md": "B"}, settings: `{"context": {"memoryBoundaryMarkers": ["x.mk"]}}`,
			cwd: "p/a/b", want: []string{"project p/a/GEMINI.md: A", "project p/a/b/GEMINI.md: B"},
		}, {
			name:  "no markers, no way up",
			files: map[string]string{"p/.git/x": "", "p/GEMINI.md": "ROOT", "p/a/GEMINI.md": "A"}, settings: `{"context": {"memoryBoundaryMarkers": []}}`,
			cwd: "p/a", want: []string{"project p/a/GEMINI.md: A"},
		}, {
			name:  "markers that lead elsewhere mark nothing",
			files: map[string]string{"p/.git/x": "", "p/GEMINI.md": "ROOT", "p/a/GEMINI.md": "A"}, settings: `{"context": {"memoryBoundaryMarkers": ["../p", "/"]}}`,
			cwd: "p/a", want: []string{"project p/a/GEMINI.md: A"},
		}, {
			name: "the way up ends at the user's own folder", files: map[string]string{"h/.gemini/GEMINI.md": "U", "h/.git/x": "", "h/GEMINI.md": "HOME", "h/.gemini/x/GEMINI.md": "X"},
			cwd: "h/.gemini/x", want: []string{"user h/.gemini/GEMINI.md: U", "project h/.gemini/x/GEMINI.md: X"},
		}, {
			name: "started in it, there is no project", files: map[string]string{"h/.gemini/GEMINI.md": "U", "h/.git/x": "", "h/GEMINI.md": "HOME"},
			cwd: "h/.gemini", want: []string{"user h/.gemini/GEMINI.md: U"},
		}, {
			name: "the home folder is a project like others", files: map[string]string{"h/.gemini/GEMINI.md": "U", "h/GEMINI.md": "HOME"},
			cwd: "h", want: []string{"user h/.gemini/GEMINI.md: U", "project h/GEMINI.md: HOME"},
		}, {
			name:     "included folders, those of all settings joined",
			files:    map[string]string{"p/GEMINI.md": "P", "q/GEMINI.md": "Q", "h/w/GEMINI.md": "W", "p/z/GEMINI.md": "Z", "p/.gemini/settings.json": `{"context": {"includeDirectories": ["../q"]}}`},
			settings: `{"context": {"includeDirectories": ["~/w", "z"]}}`,
			want:     []string{"project h/w/GEMINI.md: W", "project p/GEMINI.md: P", "project p/z/GEMINI.md: Z", "project q/GEMINI.md: Q"},
		}, {
			name: "an included folder that is not there", files: map[string]string{"p/GEMINI.md": "P"}, settings: `{"context": {"includeDirectories": ["nope"]}}`,
			want: []string{"project p/GEMINI.md: P"}, problems: 1,
		}, {
			name: "extensions, sorted by path",
			files: map[string]string{
				ex + "ex/gemini-extension.json": `{"name": "ex", "version": "1"}`, ex + "ex/GEMINI.md": "E @i.md", ex + "ex/i.md": "I",
				ex + "zz/gemini-extension.json": `{"name": "aa", "version": "1", "contextFileName": ["d/B.md", "A.md", "no.md", "../ex/i.md"]}`, ex + "zz/d/B.md": "B", ex + "zz/A.md": "A",
				ex + "bad/gemini-extension.json": `{"name": "b d", "version": "1"}`, ex + "bad/GEMINI.md": "BAD", ex + "none/GEMINI.md": "NONE", ex + "file": "x",
			},
			want: []string{"user " + ex + "ex/GEMINI.md: E <!-- Imported from: i.md -->\n<!-- End of import from: i.md -->", "user " + ex + "ex/i.md: I", "user " + ex + "zz/A.md: A", "user " + ex + "zz/d/B.md: B"},
		}, {
			name: "an extension that is off here, and one that is linked",
			files: map[string]string{
				ex + "ex/gemini-extension.json": `{"name": "ex", "version": "1"}`, ex + "ex/GEMINI.md": "E",
				ex + "l/.gemini-extension-install.json": `{"type": "link", "source": "$R/q"}`, "q/gemini-extension.json": `{"name": "l", "version": "1", "contextFileName": "C.md"}`, "q/C.md": "C",
				ex + "extension-enablement.json": `{"ex": {"overrides": ["!$R/*"]}, "l": {"overrides": ["!/*", "$R/p/"]}}`,
			},
			want: []string{"user q/C.md: C"}, left: []string{"off " + ex + "ex/GEMINI.md"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.settings != "" {
				tc.files["h/.gemini/settings.json"] = tc.settings
			}
			if tc.cwd == "" {
				tc.cwd = "p"
			}
			root := lay(t, tc.files)
			rep := start(t, session(root, tc.cwd, tc.env))
			if diff := cmp.Diff(tc.want, list(rep.Loaded, root)); diff != "" {
				t.Errorf("loaded (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.left, left(rep, root)); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
			if len(rep.Problems) != tc.problems {
				t.Errorf("problems: %+v, want %d", rep.Problems, tc.problems)
			}
		})
	}
}

func TestImports(t *testing.T) {
	const in, out = "<!-- Imported from: ", "<!-- End of import from: "
	from := func(name string) string { return in + name + " -->\n" + out + name + " -->" }
	for _, tc := range []struct {
		name, settings string
		files          map[string]string
		cwd            string
		want           []string
		left           []string
	}{
		{
			name:  "each keeps its own text",
			files: map[string]string{"p/GEMINI.md": "see @a.md\nand @d/b.md end", "p/a.md": " A \n", "p/d/b.md": "B @c.md", "p/d/c.md": "C"},
			want: []string{
				"project p/GEMINI.md: see " + from("a.md") + "\nand " + from("d/b.md") + " end", "project p/a.md:  A \n",
				"project p/d/b.md: B " + from("c.md"), "project p/d/c.md: C",
			},
		}, {
			name:  "what is no import",
			files: map[string]string{"p/GEMINI.md": "x@a.md (@a.md) @~/a.md @-a @1.md @@a.md @", "p/a.md": "A", "p/1.md": "1"},
			want:  []string{"project p/GEMINI.md: x@a.md (@a.md) @~/a.md @-a @1.md @@a.md @"},
		}, {
			name:  "code",
			files: map[string]string{"p/GEMINI.md": "` @a.md ` ``` @a.md ``` @a.md", "p/a.md": "A"},
			want:  []string{"project p/GEMINI.md: ` @a.md ` ``` @a.md ``` " + from("a.md"), "project p/a.md: A"},
			left:  []string{"import-not-parsed ", "import-not-parsed "},
		}, {
			name:  "what finds nothing",
			files: map[string]string{"p/GEMINI.md": "@alice @a.md, @d @a.md/x", "p/a.md": "A", "p/d/x": ""},
			want: []string{"project p/GEMINI.md: <!-- Import failed: alice - ENOENT: no such file or directory, access '$R/p/alice' --> " +
				"<!-- Import failed: a.md, - ENOENT: no such file or directory, access '$R/p/a.md,' --> " +
				"<!-- Import failed: d - EISDIR: illegal operation on a directory, read --> " +
				"<!-- Import failed: a.md/x - ENOTDIR: not a directory, access '$R/p/a.md/x' -->"},
			left: []string{"import-missing p/alice", "import-punctuation p/a.md,", "not-a-file p/d", "import-missing p/a.md/x"},
		}, {
			name:  "what leads out of the repository",
			files: map[string]string{"p/.git/x": "", "p/a/GEMINI.md": "@../z.md @../../up.md @/etc/x @https://x.y @file:///x @out.md", "p/z.md": "Z", "up.md": "UP", "p/a/out.md": "->../../up.md"},
			cwd:   "p/a",
			want: []string{"project p/a/GEMINI.md: " + from("../z.md") + " <!-- Import failed: ../../up.md - Path traversal attempt --> <!-- Import failed: /etc/x - Path traversal attempt --> " +
				"<!-- Import failed: https://x.y - Path traversal attempt --> <!-- Import failed: file:///x - Path traversal attempt --> <!-- Import failed: out.md - Path traversal attempt -->", "project p/z.md: Z"},
			left: []string{"import-external up.md", "import-external /etc/x", "import-external p/a/https:/x.y", "import-external p/a/file:/x", "import-external p/a/out.md"},
		}, {
			name:  "out of the folder, without a repository",
			files: map[string]string{"h/.gemini/GEMINI.md": "@x.md @../y.md", "h/.gemini/x.md": "X", "h/y.md": "Y"},
			want:  []string{"user h/.gemini/GEMINI.md: " + from("x.md") + " <!-- Import failed: ../y.md - Path traversal attempt -->", "user h/.gemini/x.md: X"},
			left:  []string{"import-external h/y.md"},
		}, {
			name:  "a circle, and the same file twice",
			files: map[string]string{"p/GEMINI.md": "@a.md @a.md", "p/a.md": "A @b.md", "p/b.md": "B @a.md"},
			want: []string{
				"project p/GEMINI.md: " + from("a.md") + " " + from("a.md"), "project p/a.md: A " + from("b.md"), "project p/b.md: B <!-- File already processed: a.md -->",
				"project p/a.md: A " + from("b.md"), "project p/b.md: B <!-- File already processed: a.md -->",
			},
			left: []string{"duplicate p/a.md", "duplicate p/a.md"},
		}, {
			name:  "five levels",
			files: map[string]string{"p/GEMINI.md": "@a.md", "p/a.md": "@b.md", "p/b.md": "@c.md", "p/c.md": "@d.md", "p/d.md": "@e.md", "p/e.md": "E @f.md `@g.md`", "p/f.md": "F"},
			want: []string{
				"project p/GEMINI.md: " + from("a.md"), "project p/a.md: " + from("b.md"), "project p/b.md: " + from("c.md"), "project p/c.md: " + from("d.md"),
				"project p/d.md: " + from("e.md"), "project p/e.md: E @f.md `@g.md`",
			},
			left: []string{"import-depth p/f.md"},
		}, {
			name:  "a blank one",
			files: map[string]string{"p/GEMINI.md": "x @a.md", "p/a.md": "\ufeff \n"},
			want:  []string{"project p/GEMINI.md: x " + from("a.md")}, left: []string{"empty p/a.md"},
		}, {
			name: "the flat format: each once, the last first, at any depth", settings: `{"context": {"importFormat": "flat"}}`,
			files: map[string]string{
				"p/GEMINI.md": "G @a.md @b.md @a.md `@ @c.md`", "p/a.md": "A @b.md", "p/b.md": "B @d.md\n", "p/c.md": "C",
				"p/d.md": "@e.md", "p/e.md": "@f.md", "p/f.md": "@g.md", "p/g.md": "@nope.md",
			},
			want: []string{
				"project p/GEMINI.md: G @a.md @b.md @a.md `@ @c.md`", "project p/a.md: A @b.md", "project p/b.md: B @d.md", "project p/d.md: @e.md", "project p/e.md: @f.md",
				"project p/f.md: @g.md", "project p/g.md: @nope.md",
			},
			left: []string{"import-not-parsed ", "import-missing p/nope.md"},
		}, {
			name: "another word for the format is the tree", settings: `{"context": {"importFormat": "x"}}`,
			files: map[string]string{"p/GEMINI.md": "@a.md", "p/a.md": "A"}, want: []string{"project p/GEMINI.md: " + from("a.md"), "project p/a.md: A"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.settings != "" {
				tc.files["h/.gemini/settings.json"] = tc.settings
			}
			if tc.cwd == "" {
				tc.cwd = "p"
			}
			root := lay(t, tc.files)
			rep := start(t, session(root, tc.cwd, nil))
			if diff := cmp.Diff(tc.want, list(rep.Loaded, root)); diff != "" {
				t.Errorf("loaded (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.left, left(rep, root)); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
			for _, l := range rep.Left {
				if l.Line != 1 || l.From == "" {
					t.Errorf("not traced to its line: %+v", l)
				}
			}
		})
	}
}

func TestImportsWithoutEndAreGivenUp(t *testing.T) {
	all := ""
	files := map[string]string{}
	for _, n := range strings.Split("abcdefghij", "") {
		all += "@" + n + ".md "
	}
	for _, n := range strings.Split("abcdefghij", "") {
		files["p/"+n+".md"] = all
	}
	files["p/GEMINI.md"] = all
	rep := start(t, session(lay(t, files), "p", nil))
	if len(rep.Loaded) != maxImports+1 || len(rep.Problems) != 1 {
		t.Errorf("%d files, %d problems; want %d files and one problem", len(rep.Loaded), len(rep.Problems), maxImports+1)
	}
}

func TestTrust(t *testing.T) {
	rules := func(s string) map[string]string { return map[string]string{"h/.gemini/trustedFolders.json": s} }
	for _, tc := range []struct {
		name     string
		files    map[string]string
		env      map[string]string
		trusted  bool
		line     int // where the refusal comes from
		problems int
	}{
		{name: "nobody has decided"},
		{name: "a variable", env: map[string]string{envTrust: "true"}, trusted: true},
		{name: "a variable against a rule", files: rules(`{"$R/p": "TRUST_FOLDER"}`), env: map[string]string{envTrust: "false"}},
		{name: "another value of the variable is none", files: rules(`{"$R/p": "TRUST_FOLDER"}`), env: map[string]string{envTrust: "0"}, trusted: true},
		{name: "restricted mode", env: map[string]string{envTrust: "true", envRestricted: "true"}},
		{name: "trust switched off for all", files: map[string]string{"h/.gemini/settings.json": `{"security": {"folderTrust": {"enabled": false}}}`}, trusted: true},
		{name: "but not by the project itself", files: map[string]string{"p/.gemini/settings.json": `{"security": {"folderTrust": {"enabled": false}}}`}},
		{name: "the machine switches it on again", files: map[string]string{
			"h/.gemini/settings.json":          `{"security": {"folderTrust": {"enabled": false}}}`,
			"sys/etc/gemini-cli/settings.json": `{"security": {"folderTrust": {"enabled": true}}}`,
		}},
		{name: "a rule for the folder", files: rules(`{"$R/p": "TRUST_FOLDER"} // yes`), trusted: true},
		{name: "a rule for one above", files: rules(`{"$R": "TRUST_FOLDER"}`), trusted: true},
		{name: "a rule for the folder beside", files: rules(`{"$R/other": "TRUST_PARENT"}`), trusted: true},
		{name: "a rule for a folder of a like name", files: rules(`{"$R/pp": "TRUST_FOLDER"}`)},
		{name: "the longer rule wins", files: rules("{\"$R\": \"TRUST_FOLDER\",\n\"$R/p\": \"DO_NOT_TRUST\"}"), line: 2},
		{name: "longer by its own letters", files: rules(`{"$R/longer": "TRUST_PARENT", "$R/p": "DO_NOT_TRUST"}`), trusted: true},
		{name: "a rule through a link", files: map[string]string{"l": "->p", "h/.gemini/trustedFolders.json": `{"$R/l": "TRUST_FOLDER"}`}, trusted: true},
		{name: "rules elsewhere", files: map[string]string{"tf.json": `{"$R/p": "TRUST_FOLDER"}`}, env: map[string]string{envTrustFile: "$R/tf.json"}, trusted: true},
		{name: "an unknown level", files: rules(`{"$R/p": "YES"}`), problems: 1},
		{name: "rules that are no JSON", files: rules(`{`), problems: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string]string{"p/GEMINI.md": "P", "h/.gemini/GEMINI.md": "U", "h/.gemini/tmp/p/memory/MEMORY.md": "M"}
			maps.Copy(files, tc.files)
			root := lay(t, files)
			env := map[string]string{envTrust: ""}
			maps.Copy(env, tc.env)
			s := session(root, "p", env)
			s.Reads = []string{filepath.Join(root, "p/GEMINI.md")}
			rep := start(t, s)
			want := []string{"user h/.gemini/GEMINI.md: U", "memory h/.gemini/tmp/p/memory/MEMORY.md: M"}
			var wantLeft []string
			if tc.trusted {
				want = append(want, "project p/GEMINI.md: P")
			} else {
				wantLeft = []string{"off p/GEMINI.md"}
			}
			if diff := cmp.Diff(want, list(rep.Loaded, root)); diff != "" || len(rep.After) > 0 {
				t.Errorf("loaded (-want +got):\n%s\nafter reads %v", diff, rep.After)
			}
			if diff := cmp.Diff(wantLeft, left(rep, root)); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
			if tc.line > 0 && rep.Left[0].Line != tc.line {
				t.Errorf("line %d, want %d", rep.Left[0].Line, tc.line)
			}
			if len(rep.Problems) != tc.problems {
				t.Errorf("problems: %+v, want %d", rep.Problems, tc.problems)
			}
		})
	}
}

func TestSettingsComeFromTheStrongestLayer(t *testing.T) {
	names := func(n string) string { return `{"context": {"fileName": "` + n + `"}}` }
	user, project, machine, defaults := "h/.gemini/settings.json", "p/.gemini/settings.json", "sys/etc/gemini-cli/settings.json", "sys/etc/gemini-cli/system-defaults.json"
	for _, tc := range []struct {
		name     string
		files    map[string]string
		env      map[string]string
		cwd      string
		want     string
		problems []int // their lines
	}{
		{name: "none", want: "G"},
		{name: "the machine's defaults", files: map[string]string{defaults: names("D.md")}, want: "D G"},
		{name: "the user's beat them", files: map[string]string{defaults: names("D.md"), user: names("U.md")}, want: "G U"},
		{name: "the project's beat those", files: map[string]string{user: names("U.md"), project: names("P.md") + " // x"}, want: "G P"},
		{name: "the machine's beat all", files: map[string]string{user: names("U.md"), project: names("P.md"), machine: names("S.md")}, want: "G S"},
		{name: "the machine's, elsewhere", files: map[string]string{"s/x.json": names("S.md"), "s/system-defaults.json": names("D.md")}, env: map[string]string{envSystem: "$R/s/x.json"}, want: "G S"},
		{name: "the defaults, elsewhere", files: map[string]string{"s/y.json": names("D.md")}, env: map[string]string{envDefaults: "$R/s/y.json"}, want: "D G"},
		{name: "a subfolder does not have those of the project", files: map[string]string{project: names("P.md"), "p/a/GEMINI.md": "GA", "p/a/P.md": "PA"}, cwd: "p/a", want: "GA"},
		{name: "the home folder has none of its own twice", files: map[string]string{user: names("U.md"), "h/GEMINI.md": "G", "h/U.md": "U"}, cwd: "h", want: "G U"},
		{name: "a word in the object's place hides the weaker ones", files: map[string]string{user: names("U.md"), project: `{"context": "x"}`}, want: "G"},
		{name: "no JSON", files: map[string]string{user: "{\n\"a\": 1,\n}"}, want: "G", problems: []int{3}},
		{name: "no object", files: map[string]string{user: "[]"}, want: "G", problems: []int{1}},
		{name: "no JSON in the project", files: map[string]string{project: "{"}, want: "G", problems: []int{1}},
		{name: "no JSON in a project that is not trusted", files: map[string]string{project: "{", "h/.gemini/trustedFolders.json": `{"$R/p": "DO_NOT_TRUST"}`}, env: map[string]string{envTrust: ""}, problems: []int{1}},
		{name: "a name that is a number", files: map[string]string{user: "{\"context\": {\n\"fileName\": 5}}"}, want: "G", problems: []int{2}},
		{name: "a number among the names", files: map[string]string{user: `{"context": {"fileName": ["U.md", 5]}}`}, want: "G U", problems: []int{1}},
		{name: "null", files: map[string]string{user: `{"context": {"fileName": null, "memoryBoundaryMarkers": null}}`}, want: "G"},
		{name: "markers that are no list", files: map[string]string{user: `{"context": {"memoryBoundaryMarkers": ".git"}}`}, want: "G", problems: []int{1}},
		{name: "folders that are no list", files: map[string]string{user: `{"context": {"includeDirectories": "q"}}`}, want: "G", problems: []int{1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string]string{"p/GEMINI.md": "G", "p/D.md": "D", "p/U.md": "U", "p/P.md": "P", "p/S.md": "S"}
			maps.Copy(files, tc.files)
			root := lay(t, files)
			if tc.cwd == "" {
				tc.cwd = "p"
			}
			rep := start(t, session(root, tc.cwd, tc.env))
			var got []string
			for _, f := range rep.Loaded {
				got = append(got, f.Text)
			}
			if strings.Join(got, " ") != tc.want {
				t.Errorf("loaded %q, want %q", got, tc.want)
			}
			var lines []int
			for _, p := range rep.Problems {
				lines = append(lines, p.Line)
			}
			if diff := cmp.Diff(tc.problems, lines); diff != "" {
				t.Errorf("lines of problems (-want +got):\n%s\n%+v", diff, rep.Problems)
			}
		})
	}
}

func TestTheProjectsMemory(t *testing.T) {
	const dot = "h/.gemini/"
	for _, tc := range []struct {
		name     string
		files    map[string]string
		cwd      string
		dir      string // below tmp/
		want     []string
		left     []string
		problems int
	}{
		{name: "nothing yet", dir: "p"},
		{name: "a name nobody has claimed", files: map[string]string{dot + "tmp/p/memory/MEMORY.md": "M"}, dir: "p", want: []string{"tmp/p/memory/MEMORY.md: M"}},
		{name: "the registry", files: map[string]string{dot + "projects.json": `{"projects": {"$R/p": "zz"}}`, dot + "tmp/zz/memory/MEMORY.md": "M"}, dir: "zz", want: []string{"tmp/zz/memory/MEMORY.md: M"}},
		{name: "a registry that spells the folder otherwise", files: map[string]string{dot + "projects.json": `{"projects": {"$R/p/": "zz"}}`, dot + "tmp/zz/memory/MEMORY.md": "M"}, dir: "p"},
		{name: "a name that is marked as another's", files: map[string]string{dot + "projects.json": `{"projects": {"$R/p": "zz"}}`, dot + "tmp/zz/.project_root": "$R/q", dot + "tmp/zz/memory/MEMORY.md": "M"}, dir: "p"},
		{name: "a mark without a registry", files: map[string]string{dot + "tmp/abc/.project_root": "$R/p\n", dot + "tmp/abc/memory/MEMORY.md": "M"}, dir: "abc", want: []string{"tmp/abc/memory/MEMORY.md: M"}},
		{name: "a name that the registry gives another", files: map[string]string{dot + "projects.json": `{"projects": {"/x/p": "p"}}`}, dir: "p-1"},
		{name: "a name that is another's in the history", files: map[string]string{dot + "history/p/.project_root": "/x/p"}, dir: "p-1"},
		{name: "a name made of one with other letters", cwd: "My_Proj. 2é", files: map[string]string{"My_Proj. 2é/x": ""}, dir: "my-proj-2"},
		{name: "a name without any", cwd: "éé", files: map[string]string{"éé/x": ""}, dir: "project"},
		{name: "a subfolder is a project of its own", cwd: "p/a", files: map[string]string{"p/.git/x": "", "p/a/x": "", dot + "projects.json": `{"projects": {"$R/p": "zz"}}`}, dir: "a"},
		{name: "a registry with a wrong name", files: map[string]string{dot + "projects.json": `{"projects": {"$R/p": "zz", "/x": "BAD_"}}`}, dir: "p", problems: 1},
		{name: "a registry that is no JSON", files: map[string]string{dot + "projects.json": `{`}, dir: "p", problems: 1},
		{
			name: "imports stay in the folder", files: map[string]string{dot + "tmp/p/memory/MEMORY.md": "M @n.md @../x.md", dot + "tmp/p/memory/n.md": "N"}, dir: "p",
			want: []string{"tmp/p/memory/MEMORY.md: M <!-- Imported from: n.md -->\n<!-- End of import from: n.md --> <!-- Import failed: ../x.md - Path traversal attempt -->", "tmp/p/memory/n.md: N"},
			left: []string{"import-external tmp/p/x.md"},
		},
		{name: "the older name where there is no index", files: map[string]string{dot + "tmp/p/memory/GEMINI.md": "OLD"}, dir: "p", want: []string{"tmp/p/memory/GEMINI.md: OLD"}},
		{
			name: "notes and lines that do not meet", files: map[string]string{dot + "tmp/p/memory/MEMORY.md": "- [a](a.md): x\n- see b.md\n- [gone](gone.md)\n", dot + "tmp/p/memory/a.md": "A", dot + "tmp/p/memory/b.md": "B", dot + "tmp/p/memory/c.md": "C"}, dir: "p",
			want: []string{"tmp/p/memory/MEMORY.md: - [a](a.md): x\n- see b.md\n- [gone](gone.md)"}, left: []string{"not-indexed tmp/p/memory/c.md", "dangling tmp/p/memory/gone.md"},
		},
		{name: "a blank index", files: map[string]string{dot + "tmp/p/memory/MEMORY.md": "\n"}, dir: "p", left: []string{"empty tmp/p/memory/MEMORY.md"}},
		{name: "a folder in the index's place", files: map[string]string{dot + "tmp/p/memory/MEMORY.md": "/"}, dir: "p", left: []string{"not-a-file tmp/p/memory/MEMORY.md"}},
		{name: "a file in the folder's place", files: map[string]string{dot + "tmp/p/memory": "x"}, dir: "p", problems: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := lay(t, tc.files)
			if tc.cwd == "" {
				tc.cwd = "p"
			}
			rep := start(t, session(root, tc.cwd, nil))
			if want := filepath.Join(root, dot, "tmp", tc.dir, "memory"); rep.Mem.Dir != want || !rep.Mem.On || rep.Mem.Where.By == "" {
				t.Errorf("memory %+v, want %s", rep.Mem, want)
			}
			base := filepath.Join(root, dot)
			var got []string
			for _, f := range rep.Loaded {
				if f.Scope != startup.Memory {
					t.Errorf("%s has the scope %s", f.Path, f.Scope)
				}
				got = append(got, short(f.Path, base)+": "+f.Text)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("loaded (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.left, left(rep, base)); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
			if len(rep.Problems) != tc.problems {
				t.Errorf("problems: %+v, want %d", rep.Problems, tc.problems)
			}
		})
	}
}

func TestReadsAddWhatLiesOnTheWay(t *testing.T) {
	root := lay(t, map[string]string{
		"p/.git/x": "", "p/GEMINI.md": "ROOT", "p/A/GEMINI.md": "A @i.md", "p/A/i.md": "I", "p/A/t/GEMINI.md": "T", "p/A/t/f.go": "x", "p/A/f.go": "x",
		"p/b/GEMINI.md": "B", "p/node_modules/k/GEMINI.md": "K", "p/node_modules/k/f.js": "x", "q/GEMINI.md": "Q", "q/f.go": "x",
	})
	s := session(root, "p", nil)
	for _, path := range []string{"p/A/t/f.go", "p/A/f.go", "p/b", "p/node_modules/k/f.js", "q/f.go", "p/A/t/nope.go"} {
		s.Reads = append(s.Reads, filepath.Join(root, path))
	}
	rep := start(t, s)
	want := []string{"project p/A/GEMINI.md: A <!-- Imported from: i.md -->\n<!-- End of import from: i.md -->", "project p/A/i.md: I", "project p/A/t/GEMINI.md: T", "project p/b/GEMINI.md: B"}
	if diff := cmp.Diff(want, list(rep.After, root)); diff != "" {
		t.Errorf("after the reads (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"project p/GEMINI.md: ROOT"}, list(rep.Loaded, root)); diff != "" {
		t.Errorf("at start (-want +got):\n%s", diff)
	}
	if len(rep.Notices) != 3 || len(rep.Problems) != 0 {
		t.Errorf("remarks %+v, problems %+v; want one remark for each read that the client refuses", rep.Notices, rep.Problems)
	}
}

func TestFolders(t *testing.T) {
	root := lay(t, map[string]string{"h/.gemini/projects.json": `{"projects": {"$R/p": "zz"}}`, "g/.gemini/GEMINI.md": "OTHER", "p/rel/.gemini/GEMINI.md": "REL"})
	s := session(root, "p", nil)
	for kind, want := range map[host.Kind]string{host.MemoryFolder: "h/.gemini/tmp/zz/memory", host.TranscriptsFolder: "h/.gemini/tmp/zz/chats", host.ConfigFolder: "h/.gemini"} {
		if got, err := (Host{}).Folder(s, kind); err != nil || got != filepath.Join(root, want) {
			t.Errorf("%s: %s, %v", kind, got, err)
		}
	}
	if _, err := (Host{}).Folder(s, "x"); err == nil {
		t.Error("an unknown kind of folder has a path")
	}
	s.Store = filepath.Join(root, "store")
	if got, err := (Host{}).Folder(s, host.MemoryFolder); err != nil || got != s.Store {
		t.Errorf("with a store of its own: %s, %v", got, err)
	}
	for home, want := range map[string]string{"$R/g": "OTHER", "rel": "REL"} {
		rep := start(t, session(root, "p", map[string]string{envHome: home}))
		if len(rep.Loaded) != 1 || rep.Loaded[0].Text != want {
			t.Errorf("%s=%s: %+v, want %s", envHome, home, rep.Loaded, want)
		}
	}
	if s := session(root, "p", nil); !(Host{}).Present(s) {
		t.Error("the configuration folder is there")
	}
	if s := session(root, "p", map[string]string{envHome: "$R/nope"}); (Host{}).Present(s) {
		t.Error("the configuration folder is not there")
	}
	s = session(root, "p", nil)
	s.Env.Home = ""
	if _, err := (Host{}).Startup(s); err == nil || !strings.Contains(err.Error(), "HOME") || (Host{}).Present(s) {
		t.Errorf("without a home folder: %v", err)
	}
	if _, err := (Host{}).Startup(session(root, "nowhere", nil)); err == nil || !strings.Contains(err.Error(), "start folder") {
		t.Errorf("without a start folder: %v", err)
	}
}

func TestEveryFileIsMeasured(t *testing.T) {
	root := lay(t, map[string]string{"p/GEMINI.md": "€\n@a.md", "p/a.md": "->b.md", "p/b.md": "x"})
	rep := start(t, session(root, "p", nil))
	if len(rep.Loaded) != 2 {
		t.Fatalf("%+v", rep.Loaded)
	}
	g, a := rep.Loaded[0], rep.Loaded[1]
	if g.Bytes != 9 || g.Lines != 3 || g.Chars != len("e\n<!-- Imported from: a.md -->\n<!-- End of import from: a.md -->") || g.Tokens == 0 || g.Modified.IsZero() {
		t.Errorf("%+v", g)
	}
	if a.ImportedBy != g.Path || a.ImportLine != 2 || a.RealPath != filepath.Join(root, "p/b.md") || a.Bytes != 1 || a.Chars != 1 {
		t.Errorf("%+v", a)
	}
}

func TestFlagsOfAnotherAgentAreRemarkedOn(t *testing.T) {
	root := lay(t, map[string]string{"q/GEMINI.md": "Q", "experimental": ""})
	s := session(root, "p", nil)
	s.Flags = host.Flags{SafeMode: true, AddDirs: []string{"../q", "nope"}}
	rep := start(t, s)
	if diff := cmp.Diff([]string{"project q/GEMINI.md: Q"}, list(rep.Loaded, root)); diff != "" || len(rep.Notices) != 1 || len(rep.Problems) != 1 {
		t.Errorf("(-want +got):\n%s\nremarks %+v, problems %+v", diff, rep.Notices, rep.Problems)
	}
	s.Agent = "reviewer"
	if _, err := (Host{}).Startup(s); err == nil {
		t.Error("a subagent's own memory was found")
	}
}

func TestAutoMemoryIsRemarkedOnWithItsLine(t *testing.T) {
	root := lay(t, map[string]string{"h/.gemini/settings.json": "{\n\"experimental\": {\"autoMemory\": true}}"})
	rep := start(t, session(root, "p", nil))
	if len(rep.Notices) != 1 || rep.Notices[0].Line != 2 || rep.Mem.Switch.By != "default" {
		t.Errorf("%+v, %+v", rep.Notices, rep.Mem)
	}
}

func TestALookLeavesNoTrace(t *testing.T) {
	root := lay(t, map[string]string{"p/GEMINI.md": "P"})
	before := tree(t, root)
	start(t, session(root, "p", nil))
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func tree(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		out = append(out, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAFileThatTheSystemRefuses(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nothing is refused here")
	}
	root := lay(t, map[string]string{"h/.gemini/GEMINI.md": "U", "p/GEMINI.md": "P"})
	if err := os.Chmod(filepath.Join(root, "p/GEMINI.md"), 0); err != nil {
		t.Fatal(err)
	}
	rep := start(t, session(root, "p", nil))
	if diff := cmp.Diff([]string{"user h/.gemini/GEMINI.md: U"}, list(rep.Loaded, root)); diff != "" || len(rep.Problems) != 1 {
		t.Errorf("(-want +got):\n%s\n%+v", diff, rep.Problems)
	}
	if diff := cmp.Diff([]string{"unreadable p/GEMINI.md"}, left(rep, root)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}
