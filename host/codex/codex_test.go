package codex

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

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
	for _, dir := range []string{"h/.codex", "p"} {
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

func session(root, cwd string, env map[string]string) host.Session {
	get := func(k string) string { return strings.ReplaceAll(env[k], "$R", root) }
	return host.Session{
		Cwd: filepath.Join(root, cwd),
		Env: host.Env{
			Home: filepath.Join(root, "h"), OS: "linux", Root: filepath.Join(root, "sys"), Getenv: get,
			Lookup: func(k string) (string, bool) { _, ok := env[k]; return get(k), ok },
		},
	}
}

func start(t *testing.T, root, cwd string) *startup.Report {
	t.Helper()
	rep, err := Host{}.Startup(session(root, cwd, nil))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// loaded lists what loads as "scope path: text", paths below root.
func loaded(rep *startup.Report, root string) []string {
	var out []string
	for _, f := range rep.Loaded {
		out = append(out, string(f.Scope)+" "+short(f.Path, root)+": "+f.Text)
	}
	return out
}

// left lists what does not load as "reason path", with the place that decided.
func left(rep *startup.Report, root string) []string {
	var out []string
	for _, l := range rep.Left {
		if l.Reason != startup.NotOff || l.Scope != startup.Memory {
			out = append(out, string(l.Reason)+" "+short(l.Path, root))
		}
	}
	return out
}

func short(path, root string) string {
	return filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
}

const off = `[projects."$R/p"]` + "\n" + `trust_level = "untrusted"` + "\n"

const on = `[projects."$R/p"]` + "\n" + `trust_level = "trusted"` + "\n"

// Every row was run on Codex 0.171.0; what loads is what it sent to the model.
func TestWhatLoadsIsWhatTheClientSends(t *testing.T) {
	for _, tc := range []struct {
		name     string
		files    map[string]string
		cwd      string
		want     []string
		left     []string
		problems int
	}{
		{
			name:  "the user's file is trimmed, the project's is not",
			files: map[string]string{"h/.codex/AGENTS.md": "  USER \n\n", "p/AGENTS.md": "  PROJ \n\n"},
			want:  []string{"user h/.codex/AGENTS.md: USER", "project p/AGENTS.md:   PROJ \n\n"},
		}, {
			name:  "the user's override takes the place of AGENTS.md",
			files: map[string]string{"h/.codex/AGENTS.md": "U", "h/.codex/AGENTS.override.md": "O"},
			want:  []string{"user h/.codex/AGENTS.override.md: O"}, left: []string{"shadowed h/.codex/AGENTS.md"},
		}, {
			name:  "a blank override of the user does not",
			files: map[string]string{"h/.codex/AGENTS.md": "U", "h/.codex/AGENTS.override.md": " \n"},
			want:  []string{"user h/.codex/AGENTS.md: U"}, left: []string{"empty h/.codex/AGENTS.override.md"},
		}, {
			name:  "a folder in the override's place does not",
			files: map[string]string{"h/.codex/AGENTS.md": "U", "h/.codex/AGENTS.override.md": "/"},
			want:  []string{"user h/.codex/AGENTS.md: U"}, left: []string{"not-a-file h/.codex/AGENTS.override.md"},
		}, {
			name:  "a BOM and bytes that are no text stay visible",
			files: map[string]string{"h/.codex/AGENTS.md": "\ufeffUS\xff\xe2\x82ER", "p/AGENTS.md": "\ufeffPR\xff\xe2\x82OJ"},
			want:  []string{"user h/.codex/AGENTS.md: \ufeffUS\ufffd\ufffdER", "project p/AGENTS.md: \ufeffPR\ufffd\ufffdOJ"},
		}, {
			name:  "from the root of the repository down to the start folder",
			files: map[string]string{"AGENTS.md": "ABOVE", "p/.git/x": "", "p/AGENTS.md": "ROOT", "p/a/AGENTS.md": "A", "p/a/b/AGENTS.md": "B", "p/a/b/c/AGENTS.md": "C"},
			cwd:   "p/a/b", want: []string{"project p/AGENTS.md: ROOT", "project p/a/AGENTS.md: A", "project p/a/b/AGENTS.md: B"},
		}, {
			name:  "without a repository only the start folder",
			files: map[string]string{"p/AGENTS.md": "ROOT", "p/a/AGENTS.md": "A"}, cwd: "p/a", want: []string{"project p/a/AGENTS.md: A"},
		}, {
			name:  "a repository in a repository ends the way up, even a broken one",
			files: map[string]string{"p/.git/x": "", "p/AGENTS.md": "ROOT", "p/a/.git": "gitdir: nowhere", "p/a/AGENTS.md": "A"},
			cwd:   "p/a", want: []string{"project p/a/AGENTS.md: A"},
		}, {
			name:  "a .git that links to nothing does not",
			files: map[string]string{"p/.git/x": "", "p/AGENTS.md": "ROOT", "p/a/.git": "->nowhere", "p/a/AGENTS.md": "A"},
			cwd:   "p/a", want: []string{"project p/AGENTS.md: ROOT", "project p/a/AGENTS.md: A"},
		}, {
			name:  "links in the start folder are resolved first",
			files: map[string]string{"r/.git/x": "", "r/AGENTS.md": "ROOT", "r/a/AGENTS.md": "A", "l": "->r/a"},
			cwd:   "l", want: []string{"project r/AGENTS.md: ROOT", "project r/a/AGENTS.md: A"},
		}, {
			name:  "a project's override takes the place of AGENTS.md",
			files: map[string]string{"p/AGENTS.md": "P", "p/AGENTS.override.md": "O"},
			want:  []string{"local p/AGENTS.override.md: O"}, left: []string{"shadowed p/AGENTS.md"},
		}, {
			name:  "so does a blank one",
			files: map[string]string{"p/AGENTS.md": "P", "p/AGENTS.override.md": " \n"},
			left:  []string{"shadowed p/AGENTS.md", "empty p/AGENTS.override.md"},
		}, {
			name:  "a folder or a dead link in its place does not",
			files: map[string]string{"p/.git/x": "", "p/AGENTS.md": "P", "p/AGENTS.override.md": "/", "p/a/AGENTS.md": "A", "p/a/AGENTS.override.md": "->nope"},
			cwd:   "p/a", want: []string{"project p/AGENTS.md: P", "project p/a/AGENTS.md: A"}, left: []string{"not-a-file p/AGENTS.override.md"}, problems: 1,
		}, {
			name:  "a link that turns in a circle loses the whole project",
			files: map[string]string{"p/.git/x": "", "p/AGENTS.md": "P", "p/a/AGENTS.md": "A", "p/a/AGENTS.override.md": "->AGENTS.override.md", "h/.codex/AGENTS.md": "U"},
			cwd:   "p/a", want: []string{"user h/.codex/AGENTS.md: U"},
			left:     []string{"unreadable p/a/AGENTS.override.md", "unreadable p/AGENTS.md", "unreadable p/a/AGENTS.md"},
			problems: 1,
		}, {
			name:  "but not one behind the file that loads",
			files: map[string]string{"h/.codex/config.toml": `project_doc_fallback_filenames = ["X.md", "Y.md"]`, "p/AGENTS.md": "P", "p/X.md": "->X.md", "p/Y.md": "->nope"},
			want:  []string{"project p/AGENTS.md: P"},
		}, {
			name:  "a file that is a link loads",
			files: map[string]string{"p/AGENTS.md": "->../x.md", "x.md": "LINKED"}, want: []string{"project p/AGENTS.md: LINKED"},
		}, {
			name:  "no other spelling of the name",
			files: map[string]string{"p/agents.md": "P"}, left: []string{"wrong-case p/agents.md"},
		}, {
			name:  "a blank file between is passed over",
			files: map[string]string{"p/.git/x": "", "p/AGENTS.md": "ROOT", "p/a/AGENTS.md": "\n\n", "p/a/b/AGENTS.md": "B"},
			cwd:   "p/a/b", want: []string{"project p/AGENTS.md: ROOT", "project p/a/b/AGENTS.md: B"}, left: []string{"empty p/a/AGENTS.md"},
		}, {
			name:  "started in its own folder the user's file loads twice",
			files: map[string]string{"h/.codex/AGENTS.md": "U"}, cwd: "h/.codex",
			want: []string{"user h/.codex/AGENTS.md: U", "project h/.codex/AGENTS.md: U"},
		}, {
			name:  "a fallback name counts where the others are missing, in the order of the list",
			files: map[string]string{"h/.codex/config.toml": `project_doc_fallback_filenames = ["X.md", "CLAUDE.md"]`, "p/.git/x": "", "p/CLAUDE.md": "CL", "p/X.md": "X", "p/a/AGENTS.md": "A", "p/a/CLAUDE.md": "ACL"},
			cwd:   "p/a", want: []string{"project p/X.md: X", "project p/a/AGENTS.md: A"}, left: []string{"shadowed p/CLAUDE.md", "shadowed p/a/CLAUDE.md"},
		}, {
			name:  "fallback names are trimmed, and paths are none",
			files: map[string]string{"h/.codex/config.toml": `project_doc_fallback_filenames = ["d/X.md", "../U.md", "", "./C.md", "b\\C.md", " C.md "]`, "p/d/X.md": "X", "U.md": "U", "p/C.md": "C"},
			want:  []string{"project p/C.md: C"},
		}, {
			name:  "other markers of the root",
			files: map[string]string{"h/.codex/config.toml": `project_root_markers = [".hg"]`, "p/.hg/x": "", "p/AGENTS.md": "ROOT", "p/a/.git/x": "", "p/a/AGENTS.md": "A"},
			cwd:   "p/a", want: []string{"project p/AGENTS.md: ROOT", "project p/a/AGENTS.md: A"},
		}, {
			name:  "the nearest of several markers ends the way",
			files: map[string]string{"h/.codex/config.toml": `project_root_markers = [".hg", ".git"]`, "p/.hg/x": "", "p/AGENTS.md": "ROOT", "p/a/.git/x": "", "p/a/AGENTS.md": "A"},
			cwd:   "p/a", want: []string{"project p/a/AGENTS.md: A"},
		}, {
			name:  "no markers, no way up",
			files: map[string]string{"h/.codex/config.toml": `project_root_markers = []`, "p/.git/x": "", "p/AGENTS.md": "ROOT", "p/a/AGENTS.md": "A"},
			cwd:   "p/a", want: []string{"project p/a/AGENTS.md: A"},
		}, {
			name:  "an untrusted project loads nothing of its own",
			files: map[string]string{"h/.codex/config.toml": off, "h/.codex/AGENTS.md": "U", "p/.git/x": "", "p/AGENTS.md": "P", "p/a/AGENTS.override.md": "A", "p/a/AGENTS.md": "A"},
			cwd:   "p/a", want: []string{"user h/.codex/AGENTS.md: U"}, left: []string{"off p/AGENTS.md", "shadowed p/a/AGENTS.md", "off p/a/AGENTS.override.md"},
		}, {
			name:  "trust in the start folder beats distrust in its repository",
			files: map[string]string{"h/.codex/config.toml": off + "[projects.\"$R/p/a\"]\ntrust_level = \"trusted\"\n", "p/.git/x": "", "p/AGENTS.md": "P", "p/a/AGENTS.md": "A"},
			cwd:   "p/a", want: []string{"project p/AGENTS.md: P", "project p/a/AGENTS.md: A"},
		}, {
			name:  "distrust of a folder above that is not the repository changes nothing",
			files: map[string]string{"h/.codex/config.toml": off, "p/AGENTS.md": "P", "p/a/AGENTS.md": "A"}, cwd: "p/a", want: []string{"project p/a/AGENTS.md: A"},
		}, {
			name: "a worktree shares the trust of its main checkout",
			files: map[string]string{
				"h/.codex/config.toml": off, "p/.git/HEAD": "", "p/.git/worktrees/w/gitdir": "$R/w/.git\n", "p/.git/worktrees/w/commondir": "../..\n",
				"w/.git": "gitdir: $R/p/.git/worktrees/w\n", "w/AGENTS.md": "W",
			},
			cwd: "w", left: []string{"off w/AGENTS.md"},
		}, {
			name:  "the root of a submodule has no say about its subfolders",
			files: map[string]string{"h/.codex/config.toml": off, "p/.git": "gitdir: ../m/.git/modules/p\n", "m/.git/modules/p/HEAD": "", "p/a/AGENTS.md": "A"},
			cwd:   "p/a", want: []string{"project p/a/AGENTS.md: A"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := lay(t, tc.files)
			if tc.cwd == "" {
				tc.cwd = "p"
			}
			rep := start(t, root, tc.cwd)
			if diff := cmp.Diff(tc.want, loaded(rep, root)); diff != "" {
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

func TestTheBudgetIsCutByBytesFromTheRootDown(t *testing.T) {
	long := strings.Repeat("R", docMaxBytes-4)
	for _, tc := range []struct {
		name    string
		config  string
		root, a string // AGENTS.md of the repository and of the start folder
		want    []string
		left    []string
		cut     *startup.Cut // of the last file that loads
	}{
		{name: "exactly full", root: long + "EEEE", a: "A", want: []string{long + "EEEE"}, left: []string{"budget p/a/AGENTS.md"}},
		{
			name: "one byte left", root: long + "EEE", a: "AB", want: []string{long + "EEE", "A"}, left: []string{"budget p/a/AGENTS.md"},
			cut: &startup.Cut{By: "size", TotalLines: 1, WithinLine: 1},
		},
		{
			name: "one byte over", root: long + "EEEEF", a: "A", want: []string{long + "EEEE"}, left: []string{"budget p/AGENTS.md", "budget p/a/AGENTS.md"},
			cut: &startup.Cut{By: "size", TotalLines: 1, WithinLine: 1},
		},
		{
			name: "at the end of a line", config: "project_doc_max_bytes = 4", root: "one\ntwo\nsix\n", want: []string{"one\n"}, left: []string{"budget p/AGENTS.md"},
			cut: &startup.Cut{By: "size", TotalLines: 3, CutLines: 2, FirstCutLine: 2},
		},
		{
			name: "before the end of a line", config: "project_doc_max_bytes = 7", root: "one\ntwo\nsix\n", want: []string{"one\ntwo"}, left: []string{"budget p/AGENTS.md"},
			cut: &startup.Cut{By: "size", TotalLines: 3, CutLines: 1, WithinLine: 2},
		},
		{
			name: "inside a character", config: "project_doc_max_bytes = 4", root: "ab€cd", want: []string{"ab\ufffd"}, left: []string{"budget p/AGENTS.md"},
			cut: &startup.Cut{By: "size", TotalLines: 1, WithinLine: 1},
		},
		{
			name: "behind a character", config: "project_doc_max_bytes = 5", root: "ab€cd", want: []string{"ab€"}, left: []string{"budget p/AGENTS.md"},
			cut: &startup.Cut{By: "size", TotalLines: 1, WithinLine: 1},
		},
		{name: "white space alone costs nothing", config: "project_doc_max_bytes = 5", root: "     x", a: "ABCDE", want: []string{"ABCDE"}, left: []string{"empty p/AGENTS.md"}},
		{name: "nothing at all", config: "project_doc_max_bytes = 0", root: "R", a: "A", left: []string{"off p/AGENTS.md", "off p/a/AGENTS.md"}},
		{
			name: "hexadecimal", config: "project_doc_max_bytes = 0x2", root: "ABC", want: []string{"AB"}, left: []string{"budget p/AGENTS.md"},
			cut: &startup.Cut{By: "size", TotalLines: 1, WithinLine: 1},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string]string{"h/.codex/config.toml": tc.config, "h/.codex/AGENTS.md": strings.Repeat("U", 2*docMaxBytes), "p/.git/x": "", "p/a/x": "", "p/AGENTS.md": tc.root}
			if tc.a != "" {
				files["p/a/AGENTS.md"] = tc.a
			}
			root := lay(t, files)
			rep := start(t, root, "p/a")
			if len(rep.Loaded) == 0 || rep.Loaded[0].Chars != 2*docMaxBytes || rep.Loaded[0].Cut != nil {
				t.Fatal("the user's file counts for nothing in the budget, and must load whole")
			}
			var got []string
			for _, f := range rep.Loaded[1:] {
				got = append(got, f.Text)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("loaded (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.left, left(rep, root)); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.cut, rep.Loaded[len(rep.Loaded)-1].Cut); diff != "" {
				t.Errorf("cut (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSettingsComeFromTheStrongestTrustedLayer(t *testing.T) {
	const doc = "ABCDEFGH"
	max := func(n string) string { return "project_doc_max_bytes = " + n + "\n" }
	for _, tc := range []struct {
		name     string
		files    map[string]string
		cwd      string
		want     string
		problems []int // their lines
	}{
		{name: "nothing set", want: doc},
		{name: "the machine's", files: map[string]string{"sys/etc/codex/config.toml": max("3")}, want: "ABC"},
		{name: "the user's beats it", files: map[string]string{"sys/etc/codex/config.toml": max("3"), "h/.codex/config.toml": max("4")}, want: "ABCD"},
		{name: "the managed one beats all", files: map[string]string{"sys/etc/codex/managed_config.toml": max("3"), "h/.codex/config.toml": max("4") + on, "p/.codex/config.toml": max("5")}, want: "ABC"},
		{name: "a project's where nobody decided", files: map[string]string{"p/.codex/config.toml": max("3")}, want: doc},
		{name: "a trusted project's", files: map[string]string{"p/.codex/config.toml": max("3"), "h/.codex/config.toml": max("5") + on}, want: "ABC"},
		{name: "the nearer of two", files: map[string]string{"p/.codex/config.toml": max("3"), "p/a/.codex/config.toml": max("4"), "h/.codex/config.toml": on}, cwd: "p/a", want: "ABCD"},
		{name: "only the trusted of two", files: map[string]string{
			"p/.codex/config.toml": max("3"), "p/a/.codex/config.toml": max("4"), "p/a/b/x": "",
			"h/.codex/config.toml": on + "[projects.\"$R/p/a\"]\ntrust_level = \"untrusted\"\n",
		}, cwd: "p/a/b", want: "ABC"},
		{name: "a project cannot trust its own subfolders", files: map[string]string{
			"p/.codex/config.toml": max("3") + "[projects.\"$R/p/a\"]\ntrust_level = \"trusted\"\n", "p/a/.codex/config.toml": max("4"), "p/a/b/x": "",
			"h/.codex/config.toml": on + "[projects.\"$R/p/a\"]\ntrust_level = \"untrusted\"\n",
		}, cwd: "p/a/b", want: "ABC"},
		{name: "a project has no say in its markers", files: map[string]string{"p/.codex/config.toml": "project_root_markers = []", "p/a/x": "", "h/.codex/config.toml": on}, cwd: "p/a", want: doc},
		{name: "a broken file of the user", files: map[string]string{"h/.codex/config.toml": "\n" + max("3") + "x ="}, want: doc, problems: []int{3}},
		{name: "a broken file of a trusted project", files: map[string]string{"p/.codex/config.toml": "x =", "h/.codex/config.toml": on}, want: doc, problems: []int{1}},
		{name: "a broken file that nobody reads", files: map[string]string{"p/.codex/config.toml": "x ="}, want: doc},
		{name: "a negative budget", files: map[string]string{"h/.codex/config.toml": max("-1")}, want: doc, problems: []int{1}},
		{name: "a budget in quotes", files: map[string]string{"h/.codex/config.toml": "\n" + max(`"5"`)}, want: doc, problems: []int{2}},
		{name: "names that are no list", files: map[string]string{"h/.codex/config.toml": `project_doc_fallback_filenames = "X.md"`}, want: doc, problems: []int{1}},
		{name: "markers that are no strings", files: map[string]string{"h/.codex/config.toml": `project_root_markers = [1]`}, want: doc, problems: []int{1}},
		{name: "an unknown level of trust", files: map[string]string{"h/.codex/config.toml": strings.ReplaceAll(on, `"trusted"`, `"maybe"`), "p/.codex/config.toml": max("3")}, want: doc, problems: []int{2}},
		{name: "a profile of the old kind", files: map[string]string{"h/.codex/config.toml": `profile = "x"`}, want: doc, problems: []int{1}},
		{name: "a BOM and CR before line ends", files: map[string]string{"h/.codex/config.toml": "\ufeffmodel = 'm'\r\n" + "project_doc_max_bytes = 3\r\n"}, want: "ABC"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string]string{"p/.git/x": "", "p/AGENTS.md": doc}
			for k, v := range tc.files {
				files[k] = v
			}
			root := lay(t, files)
			if tc.cwd == "" {
				tc.cwd = "p"
			}
			rep := start(t, root, tc.cwd)
			if len(rep.Loaded) != 1 || rep.Loaded[0].Text != tc.want {
				t.Errorf("loaded %q, want %q", loaded(rep, root), tc.want)
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

func TestMemory(t *testing.T) {
	const feature = "[features]\nmemories = true\n"
	summary := func(config string) map[string]string {
		return map[string]string{
			"h/.codex/config.toml": config, "h/.codex/memories/memory_summary.md": "\n v1\nSUM\n\n", "h/.codex/memories/MEMORY.md": "BOOK",
			"h/.codex/memories/rollout_summaries/a.md": "x",
		}
	}
	and := func(m map[string]string, more ...string) map[string]string {
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	long := strings.Repeat("a", summaryBytes/2)
	for _, tc := range []struct {
		name     string
		files    map[string]string
		by       string // "switch value line"
		want     string
		cut      *startup.Cut
		problems int
	}{
		{name: "off by default", files: summary(""), by: "default off 0"},
		{name: "the feature", files: summary("\n" + feature), by: "features.memories true 3", want: "v1\nSUM"},
		{name: "as a dotted key", files: summary("features.memories = true"), by: "features.memories true 1", want: "v1\nSUM"},
		{name: "in an inline table", files: summary("features = {memories = true}"), by: "features.memories true 1", want: "v1\nSUM"},
		{name: "by its older name", files: summary("[features]\nmemory_tool = true\n"), by: "features.memory_tool true 2", want: "v1\nSUM"},
		{name: "the older name wins", files: summary("[features]\nmemory_tool = false\nmemories = true\n"), by: "features.memory_tool false 2"},
		{name: "use_memories", files: summary(feature + "[memories]\nuse_memories = false\n"), by: "memories.use_memories false 4"},
		{name: "generate_memories has no part in it", files: summary(feature + "[memories]\ngenerate_memories = false\n"), by: "features.memories true 2", want: "v1\nSUM"},
		{name: "a trusted project switches it off", files: and(summary(feature+on), "p/.git/x", "", "p/.codex/config.toml", "[features]\nmemories = false"), by: "features.memories false 2"},
		{name: "and on", files: and(summary(on), "p/.git/x", "", "p/.codex/config.toml", "[features]\nmemories = true"), by: "features.memories true 2", want: "v1\nSUM"},
		{name: "the machine pins it on", files: and(summary("features.memories = false"), "sys/etc/codex/requirements.toml", "[features]\nmemories = true"), by: "features.memories true 2", want: "v1\nSUM"},
		{name: "the machine pins it off", files: and(summary(feature), "sys/etc/codex/requirements.toml", "[features]\nmemories = false"), by: "features.memories false 2"},
		{name: "a value of a wrong kind", files: summary("[features]\nmemories = \"x\"\n"), by: "default off 0", problems: 1},
		{name: "an untrusted project has it too", files: and(summary(feature+off), "p/.git/x", ""), by: "features.memories true 2", want: "v1\nSUM"},
		{name: "a blank summary", files: and(summary(feature), "h/.codex/memories/memory_summary.md", " \n"), by: "features.memories true 2"},
		{name: "a summary that is a link", files: and(summary(feature), "h/.codex/memories/memory_summary.md", "->../../x.md", "h/x.md", "L"), by: "features.memories true 2", problems: 1},
		{name: "a summary that is not UTF-8", files: and(summary(feature), "h/.codex/memories/memory_summary.md", "a\xff"), by: "features.memories true 2", problems: 1},
		{name: "a memory folder that is a link", files: map[string]string{"h/.codex/config.toml": feature, "h/.codex/memories": "->../mm", "h/mm/memory_summary.md": "L"}, by: "features.memories true 2", want: "L"},
		{name: "a memory folder that is a file", files: map[string]string{"h/.codex/config.toml": feature, "h/.codex/memories": "x"}, by: "features.memories true 2", problems: 1},
		{name: "a summary at the limit", files: and(summary(feature), "h/.codex/memories/memory_summary.md", long+long), by: "features.memories true 2", want: long + long},
		{
			name: "one byte over loses its middle", files: and(summary(feature), "h/.codex/memories/memory_summary.md", long+"X"+long), by: "features.memories true 2",
			want: long + "…1 tokens truncated…" + long, cut: &startup.Cut{By: "size", TotalLines: 1, CutLines: 1, FirstCutLine: 1},
		},
		{
			name: "no character is split", files: and(summary(feature), "h/.codex/memories/memory_summary.md", strings.Repeat("é", 6000)+"END"), by: "features.memories true 2",
			want: strings.Repeat("é", 2500) + "…501 tokens truncated…" + strings.Repeat("é", 2498) + "END", cut: &startup.Cut{By: "size", TotalLines: 1, CutLines: 1, FirstCutLine: 1},
		},
		{
			name: "whole lines are lost", files: and(summary(feature), "h/.codex/memories/memory_summary.md", strings.Repeat("line 0000\n", 1100)), by: "features.memories true 2",
			want: strings.Repeat("line 0000\n", 500) + "…250 tokens truncated…" + "\n" + strings.TrimSpace(strings.Repeat("line 0000\n", 500)),
			cut:  &startup.Cut{By: "size", TotalLines: 1100, CutLines: 100, FirstCutLine: 501},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := lay(t, tc.files)
			rep := start(t, root, "p")
			d := rep.Mem.Switch
			if by := strings.Join([]string{d.By, d.Value, itoa(d.Line)}, " "); by != tc.by {
				t.Errorf("switch %q, want %q", by, tc.by)
			}
			if on := strings.Contains(tc.by, " true "); rep.Mem.On != on || rep.Mem.Exists && !on {
				t.Errorf("on %v, exists %v; want on %v, and a folder not looked at when off", rep.Mem.On, rep.Mem.Exists, on)
			}
			got := ""
			if len(rep.Loaded) > 0 {
				got = rep.Loaded[0].Text
				if diff := cmp.Diff(tc.cut, rep.Loaded[0].Cut); diff != "" {
					t.Errorf("cut (-want +got):\n%s", diff)
				}
			}
			if got != tc.want {
				t.Errorf("loaded %.80q, want %.80q", got, tc.want)
			}
			if len(rep.Problems) != tc.problems {
				t.Errorf("problems: %+v, want %d", rep.Problems, tc.problems)
			}
		})
	}
}

func itoa(n int) string { return string(rune('0' + n)) }

func TestTheMemorySummaryComesBeforeTheInstructions(t *testing.T) {
	root := lay(t, map[string]string{
		"h/.codex/config.toml": "features.memories = true", "h/.codex/AGENTS.md": "U", "p/AGENTS.md": "P",
		"h/.codex/memories/memory_summary.md": "S", "h/.codex/memories/MEMORY.md": "B", "h/.codex/memories/rollout_summaries/a.md": "x",
	})
	rep := start(t, root, "p")
	want := []string{"memory h/.codex/memories/memory_summary.md: S", "user h/.codex/AGENTS.md: U", "project p/AGENTS.md: P"}
	if diff := cmp.Diff(want, loaded(rep, root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if rep.Mem.Notes != 2 || !rep.Mem.Exists {
		t.Errorf("memory %+v, want 2 notes in a folder that exists", rep.Mem)
	}
	for _, f := range rep.Loaded {
		if f.Bytes != 1 || f.Lines != 1 || f.Chars != 1 || f.Tokens != 1 || f.Why == "" || f.Modified.IsZero() {
			t.Errorf("not measured: %+v", f)
		}
	}
}

func TestHomeFolder(t *testing.T) {
	root := lay(t, map[string]string{"ch/AGENTS.md": "CH", "l": "->ch", "file": "x", "p/rel/AGENTS.md": "REL", "h/.codex/AGENTS.md": "H"})
	for _, tc := range []struct{ name, env, want, err string }{
		{"not set", "", "h/.codex", ""},
		{"absolute", "$R/ch", "ch", ""},
		{"through a link", "$R/l", "ch", ""},
		{"relative to the start folder", "rel", "p/rel", ""},
		{"not there", "$R/nope", "", "CODEX_HOME is " + root + "/nope, which is no folder"},
		{"a file", "$R/file", "", "which is no folder"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := session(root, "p", map[string]string{"CODEX_HOME": tc.env})
			got, err := Host{}.Folder(s, host.ConfigFolder)
			_, serr := Host{}.Startup(s)
			if tc.err != "" {
				if err == nil || serr == nil || !strings.Contains(err.Error(), tc.err) || (Host{}).Present(s) {
					t.Errorf("errors %v and %v, want %q", err, serr, tc.err)
				}
				return
			}
			if err != nil || serr != nil || got != filepath.Join(root, tc.want) || !(Host{}).Present(s) {
				t.Errorf("%s, %v, %v; want %s", got, err, serr, tc.want)
			}
		})
	}
	s := session(root, "p", nil)
	s.Env.Home = ""
	if _, err := (Host{}).Startup(s); err == nil || !strings.Contains(err.Error(), "HOME") {
		t.Errorf("without a home folder: %v", err)
	}
	s = session(root, "nowhere", nil)
	if _, err := (Host{}).Startup(s); err == nil || !strings.Contains(err.Error(), "start folder") {
		t.Errorf("without a start folder: %v", err)
	}
}

func TestFolders(t *testing.T) {
	root := lay(t, nil)
	s := session(root, "p", nil)
	for kind, want := range map[host.Kind]string{host.MemoryFolder: "h/.codex/memories", host.TranscriptsFolder: "h/.codex/sessions", host.ConfigFolder: "h/.codex"} {
		if got, err := (Host{}).Folder(s, kind); err != nil || got != filepath.Join(root, want) {
			t.Errorf("%s: %s, %v", kind, got, err)
		}
	}
	s.Store = filepath.Join(root, "other")
	if got, err := (Host{}).Folder(s, host.MemoryFolder); err != nil || got != s.Store {
		t.Errorf("with a store of its own: %s, %v", got, err)
	}
	if _, err := (Host{}).Folder(s, "x"); err == nil {
		t.Error("an unknown kind of folder has a path")
	}
}

func TestALookLeavesNoTrace(t *testing.T) {
	root := lay(t, map[string]string{"h/.codex/config.toml": "features.memories = true", "p/AGENTS.md": "P"})
	before := tree(t, root)
	start(t, root, "p")
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

func TestAFileThatTheSystemRefusesLosesTheProjectButNotTheUsersFile(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nothing is refused here")
	}
	root := lay(t, map[string]string{"h/.codex/AGENTS.md": "U", "p/.git/x": "", "p/AGENTS.md": "P", "p/a/AGENTS.md": "A", "p/a/b/AGENTS.md": "B"})
	if err := os.Chmod(filepath.Join(root, "p/a/AGENTS.md"), 0); err != nil {
		t.Fatal(err)
	}
	rep := start(t, root, "p/a/b")
	if diff := cmp.Diff([]string{"user h/.codex/AGENTS.md: U"}, loaded(rep, root)); diff != "" {
		t.Errorf("loaded (-want +got):\n%s", diff)
	}
	want := []string{"unreadable p/a/AGENTS.md", "unreadable p/AGENTS.md", "unreadable p/a/b/AGENTS.md"}
	if diff := cmp.Diff(want, left(rep, root)); diff != "" || len(rep.Problems) != 1 {
		t.Errorf("left (-want +got):\n%s\n%+v", diff, rep.Problems)
	}
}

func TestFlagsOfAnotherAgentAreRemarkedOn(t *testing.T) {
	root := lay(t, nil)
	s := session(root, "p", nil)
	s.Flags = host.Flags{Bare: true, AddDirs: []string{"x"}}
	rep, err := Host{}.Startup(s)
	if err != nil || len(rep.Notices) != 2 {
		t.Errorf("%v, %+v; want one remark for each flag", err, rep)
	}
	s.Agent = "reviewer"
	if _, err := (Host{}).Startup(s); err == nil {
		t.Error("a subagent's own memory was found")
	}
}

func FuzzCutMiddle(f *testing.F) {
	f.Add(strings.Repeat("a", summaryBytes+1))
	f.Add("x" + strings.Repeat("€", summaryBytes/3) + "y")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		got, cut := cutMiddle(text)
		if cut == nil {
			if got != text || len(text) > summaryBytes {
				t.Fatalf("%d bytes are not cut", len(text))
			}
			return
		}
		head, tail, ok := strings.Cut(got, "…")
		_, tail, ok2 := strings.Cut(tail, " tokens truncated…")
		if strings.Contains(text, "…") {
			t.Skip("the marker cannot be told from the text")
		}
		const half = summaryBytes / 2
		if !ok || !ok2 || !utf8.ValidString(got) || !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) ||
			len(head) > half || len(head) < half-utf8.UTFMax+1 || len(tail) > half || len(tail) < half-utf8.UTFMax+1 {
			t.Fatalf("cut to %d and %d bytes of %d", len(head), len(tail), len(text))
		}
		if cut.FirstCutLine < 1 || cut.CutLines < 1 || cut.FirstCutLine+cut.CutLines-1 > cut.TotalLines {
			t.Fatalf("%+v", cut)
		}
	})
}
