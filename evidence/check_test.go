package evidence

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// repository makes one from shell lines and returns its folder. "commit NAME"
// commits all there is, a day after the one before.
func repository(t testing.TB, lines ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	script := `n=0
commit() { n=$((n+1)); d="2026-01-$(printf %02d $n)T12:00:00Z"; git add -A; GIT_AUTHOR_DATE=$d GIT_COMMITTER_DATE=$d git commit -q --allow-empty -m "$1"; }
put() { mkdir -p "$(dirname "$1")"; printf "$2" >"$1"; }
git init -q -b main r; cd r
` + strings.Join(lines, "\n")
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "HOME="+root, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@a", "GIT_MERGE_AUTOEDIT=no")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(root, "r")
}

// gitIn runs a shell line in a repository.
func gitIn(dir, line string) ([]byte, error) {
	cmd := exec.Command("sh", "-ec", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@a")
	return cmd.CombinedOutput()
}

// verdicts checks one text and shows the findings as "kind text: state now".
func verdicts(t testing.TB, dir, text string) []string {
	t.Helper()
	r, err := Open(dir, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Check(t.Context(), []Text{{Name: "n.md", Body: text}})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range got.Findings {
		s := fmt.Sprintf("%s %s: %s", f.Ref.Kind, f.Ref.Text, f.State)
		if f.Now != "" {
			s += " " + f.Now
		}
		out = append(out, s)
		if f.Why == "" {
			t.Errorf("%s: without a reason", s)
		}
		if f.State == Gone || f.State == Moved {
			if f.Stamp != "" && !strings.Contains(f.Why, f.Stamp) {
				t.Errorf("%s: %q does not name %s", s, f.Why, f.Stamp)
			}
		}
	}
	return out
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		lines []string
		from  string
		text  string
		want  []string
	}{
		{"a path that is there is no finding", []string{"put src/a.go 'package a'", "commit one"}, "", "See `src/a.go` and src/a.go:12.", nil},
		{"the end of a path is enough", []string{"put src/auth/login.go x", "commit one"}, "", "See `auth/login.go`, `login.go`, `Auth/Login.go` and `src/auth/`.", nil},
		{"a removed path is gone", []string{"put src/a.go 'package a'", "put b.go 'package b'", "commit one", "rm src/a.go", "commit two"}, "", "See `src/a.go`.", []string{"path src/a.go: gone"}},
		{"a removed path is gone when a text names its end", []string{"put src/auth/a.go 'package a'", "put b.go x", "commit one", "rm src/auth/a.go", "commit two"}, "", "See `auth/a.go` and `a.go`.", []string{"path auth/a.go: gone", "path a.go: gone"}},
		{"a renamed path has moved", []string{"put src/a.go 'package a\\nfunc A() {}\\n'", "commit one", "mkdir lib && mv src/a.go lib/b.go", "commit two"}, "", "See `src/a.go`.", []string{"path src/a.go: moved lib/b.go"}},
		{"a chain of renames is followed", []string{"put a.go 'package a\\nfunc A() {}\\n'", "commit one", "mv a.go b.go", "commit two", "mv b.go c.go", "commit three"}, "", "See `a.go`.", []string{"path a.go: moved c.go"}},
		{"a renamed path that was removed later is gone", []string{"put a.go 'package a\\nfunc A() {}\\n'", "put x y", "commit one", "mv a.go b.go", "commit two", "rm b.go", "commit three"}, "", "See `a.go`.", []string{"path a.go: gone"}},
		{"a path that came back is there", []string{"put a.go 'package a'", "put b x", "commit one", "rm a.go", "commit two", "put a.go 'package a'", "commit three"}, "", "See `a.go`.", nil},
		{"a renamed folder has moved", []string{"put src/auth/a.go 'package a\\nfunc A() {}\\n'", "put src/auth/b.go 'package a\\nvar b = 12345\\n'", "commit one", "mv src/auth src/session", "commit two"}, "", "Sessions are in `src/auth/` and src/auth/b.go.", []string{"path src/auth/: moved src/session/", "path src/auth/b.go: moved src/session/b.go"}},
		{"a removed folder is gone", []string{"put src/auth/a.go x", "put b y", "commit one", "rm -r src", "commit two"}, "", "Look at `src/auth/`.", []string{"path src/auth/: gone"}},
		{"a path of another branch is elsewhere", []string{"put a x", "commit one", "git checkout -q -b dev", "put src/new.go 'package n'", "commit two", "git checkout -q main"}, "", "See `src/new.go`.", []string{"path src/new.go: elsewhere"}},
		{"a path that never was is never", []string{"put src/a.go x", "commit one"}, "", "See `src/zzz.go`.", []string{"path src/zzz.go: never"}},
		{"a path of another repository is unknown", []string{"put src/a.go x", "commit one"}, "", "See `infra/main.tf`.", []string{"path infra/main.tf: unknown"}},
		{"an ignored path is unknown", []string{"put .gitignore '*.local.json\\n'", "put src/a.go x", "commit one"}, "", "See `src/dev.local.json`.", []string{"path src/dev.local.json: unknown"}},
		{"an ignored path on the disk is there", []string{"put .gitignore '*.local.json\\n'", "put src/a.go x", "commit one", "put src/dev.local.json 1"}, "", "See `src/dev.local.json`.", nil},
		{"a new file that is not committed is there", []string{"put a x", "commit one", "put src/new.go x"}, "", "See `src/new.go`.", nil},
		{"a file deleted in the working tree is gone", []string{"put src/a.go x", "put b y", "commit one", "rm src/a.go"}, "", "See `src/a.go`.", []string{"path src/a.go: gone"}},
		{"a staged rename has moved", []string{"put src/a.go 'package a\\nfunc A() {}\\n'", "commit one", "git mv src/a.go src/b.go"}, "", "See `src/a.go`.", []string{"path src/a.go: moved src/b.go"}},
		{"a repository without commits has no past", []string{"put src/a.go x"}, "", "See `src/a.go` and `src/b.go`.", []string{"path src/b.go: unknown"}},
		{"a detached HEAD has the history up to it", []string{"put src/a.go x", "put b y", "commit one", "rm src/a.go", "commit two", "git checkout -q --detach"}, "", "See `src/a.go`.", []string{"path src/a.go: gone"}},
		{"a subfolder sees its own and the whole repository's paths", []string{"put web/src/a.ts x", "put docs/b.md y", "put web/src/c.ts z1", "commit one", "rm web/src/c.ts", "commit two"}, "web", "See `src/a.ts`, `docs/b.md` and `src/c.ts`.", []string{"path src/c.ts: gone"}},
		{"a linked worktree is a checkout of its own", []string{"put src/a.go x", "put b y", "commit one", "git worktree add -q ../wt -b side", "cd ../wt", "git rm -q src/a.go", "git commit -qm two"}, "../wt", "See `src/a.go`.", []string{"path src/a.go: gone"}},
		{"a removal in a merge is found", []string{"put src/a.go x", "put b y", "commit one", "git checkout -q -b dev", "put c 1", "commit two", "git checkout -q main", "put d 1", "commit three", "git merge -q --no-commit dev", "git rm -qf src/a.go", "git commit -qm merged"}, "", "See `src/a.go`.", []string{"path src/a.go: gone"}},

		{"a symbol that is there is no finding", []string{"put a.go 'package a\\nfunc ParseIndex() {}\\n'", "commit one"}, "", "`ParseIndex` and `a.ParseIndex()`", nil},
		{"a removed function is gone", []string{"put a.go 'package a\\nfunc ParseIndex() {}\\n'", "commit one", "put a.go 'package a\\n'", "commit two"}, "", "Use `ParseIndex`.", []string{"symbol ParseIndex: gone"}},
		{"a removed function is gone though a change log keeps its name", []string{"put a.go 'package a\\nfunc ParseIndex() {}\\n'", "put CHANGELOG.md 'added ParseIndex\\n'", "commit one", "put a.go 'package a\\n'", "commit two"}, "", "Use `ParseIndex`.", []string{"symbol ParseIndex: gone"}},
		{"a symbol that only a document has is there", []string{"put README.md 'set MAX_RETRIES\\n'", "commit one"}, "", "Set `MAX_RETRIES`.", nil},
		{"a removed method is gone", []string{"put a.ts 'class Store {\\n  async openAll(x: string) {\\n  }\\n}\\n'", "commit one", "put a.ts 'class Store {\\n}\\n'", "commit two"}, "", "Call `Store.openAll()`.", []string{"symbol Store.openAll: gone"}},
		{"a library's symbol that is used no more is unknown", []string{"put a.ts 'import { useState } from \"react\"\\nconst x = useState(1)\\n'", "commit one", "put a.ts 'const x = 1\\n'", "commit two"}, "", "We use `useState`.", []string{"symbol useState: unknown"}},
		{"a symbol of another branch is elsewhere", []string{"put a.go 'package a\\n'", "commit one", "git checkout -q -b dev", "put a.go 'package a\\nfunc NewThing() {}\\n'", "commit two", "git checkout -q main"}, "", "Use `NewThing`.", []string{"symbol NewThing: elsewhere"}},
		{"a removed file takes its symbols along", []string{"put a.py 'def load_index():\\n    pass\\n'", "put b x", "commit one", "rm a.py", "commit two"}, "", "Use `load_index()`.", []string{"symbol load_index: gone"}},
		{"a removed setting is gone", []string{"put .env.example 'MAX_RETRIES=3\\nOTHER=1\\n'", "commit one", "put .env.example 'OTHER=1\\n'", "commit two"}, "", "Set `MAX_RETRIES`.", []string{"symbol MAX_RETRIES: gone"}},

		{"a script that is there is no finding", []string{`put package.json '{"scripts":{"lint":"eslint ."}}'`, "commit one"}, "", "Run `npm run lint`.", nil},
		{"a removed script is gone", []string{`put package.json '{\n "scripts": {\n  "lint": "eslint .",\n  "test": "jest"\n }\n}\n'`, "commit one", `put package.json '{\n "scripts": {\n  "test": "jest"\n }\n}\n'`, "commit two"}, "", "Run `npm run lint`, then `npm test`.", []string{"command npm run lint: gone"}},
		{"a script that never was is unknown", []string{`put package.json '{"scripts":{"lint":"eslint ."}}'`, "commit one"}, "", "Run `npm run zzz`.", []string{"command npm run zzz: unknown"}},
		{"a removed target is gone", []string{`put Makefile 'deploy: build\n\tx\nbuild:\n\ty\n'`, "commit one", `put Makefile 'build:\n\ty\n'`, "commit two"}, "", "Run `make deploy` or run make build.", []string{"command make deploy: gone"}},
		{"a removed recipe is gone", []string{`put justfile 'deploy env:\n  x\nbuild:\n  y\n'`, "commit one", `put justfile 'build:\n  y\n'`, "commit two"}, "", "```sh\n$ just deploy prod\njust build\n```", []string{"command just deploy: gone"}},
		{"a removed task is gone", []string{`put Taskfile.yml 'tasks:\n  gen:\n    cmds: [a]\n  lint:\n    cmds: [a]\n'`, "commit one", `put Taskfile.yml 'tasks:\n  lint:\n    cmds: [a]\n'`, "commit two"}, "", "`task gen` and `task lint`", []string{"command task gen: gone"}},
		{"a removed main package is gone", []string{"put cmd/x/main.go 'package main'", "put cmd/y/main.go 'package main; func main() {}'", "commit one", "rm -r cmd/x", "commit two"}, "", "`go run ./cmd/x --all` and `go test ./cmd/y/...`", []string{"command go run ./cmd/x: gone"}},
		{"a removed binary is gone", []string{`put Cargo.toml '[[bin]]\nname = "gen"\n'`, "put src/x.rs y", "commit one", `put Cargo.toml '[package]\n'`, "commit two"}, "", "`cargo run --bin gen`", []string{"command cargo run --bin gen: gone"}},

		{"a branch that is there is no finding", []string{"put a x", "commit one", "git branch feat/x"}, "", "Work is on branch `feat/x`, and the main branch.", nil},
		{"a merged and deleted branch is gone", []string{"put a x", "commit one", "git checkout -q -b feat/x", "put b y", "commit two", "git checkout -q main", "git merge -q --no-ff feat/x", "git branch -q -D feat/x", "rm .git/logs/HEAD"}, "", "Work is on branch `feat/x`.", []string{"branch feat/x: gone"}},
		{"a deleted branch that the checkout was on is gone", []string{"put a x", "commit one", "git checkout -q -b release-2", "git checkout -q main", "git branch -q -D release-2"}, "", "The release-2 branch has it.", []string{"branch release-2: gone"}},
		{"a renamed branch has moved", []string{"put a x", "commit one", "git branch -m main trunk"}, "", "The main branch is `main`; check the branch `main`.", []string{"branch main: moved trunk", "branch main: moved trunk", "branch main: moved trunk"}},
		{"a branch that nothing tells of is unknown", []string{"put a x", "commit one"}, "", "See branch `feat/zzz`.", []string{"branch feat/zzz: unknown"}},
		{"a tag that is there is no finding", []string{"put a x", "commit one", "git tag v1.2"}, "", "Released as tag `v1.2`.", nil},

		{"a host that changed differs", []string{"put config.yaml 'url: https://staging.acme.dev/api\\n'", "commit one", "put config.yaml 'url: https://stage.acme.cloud/api\\n'", "commit two"}, "", "Staging is https://staging.acme.dev/login.", []string{"host staging.acme.dev: differs stage.acme.cloud"}},
		{"a host that went is gone", []string{"put config.yaml 'a: 1\\nurl: https://staging.acme.dev/api\\n'", "commit one", "put config.yaml 'a: 1\\n'", "commit two"}, "", "Staging is `staging.acme.dev`.", []string{"host staging.acme.dev: gone"}},
		{"a host that the repository never had is unknown", []string{"put a x", "commit one"}, "", "The board is https://board.acme.dev/x and https://github.com/x/y.", []string{"host board.acme.dev: unknown"}},

		{"another version of Go differs", []string{"put go.mod 'module x\\n\\ngo 1.26.0\\n'", "commit one"}, "", "The project uses Go 1.21.", []string{"version Go 1.21: differs 1.26.0"}},
		{"the same version at another precision is no finding", []string{"put go.mod 'module x\\n\\ngo 1.26.3\\n'", "commit one"}, "", "The project uses Go 1.26, and the service runs on Go 1.26.3.", nil},
		{"a version within a range is no finding", []string{`put package.json '{"dependencies":{"react":"^18.2.0"},"engines":{"node":">=18"}}'`, "commit one"}, "", "We use React 18 and run on Node 20.", nil},
		{"a version out of the range differs", []string{`put package.json '{"dependencies":{"react":"^18.2.0"},"engines":{"node":">=18"}}'`, "commit one"}, "", "We use React 17. It requires node >= 16.", []string{"version React 17: differs ^18.2.0", "version node >= 16: differs >=18"}},
		{"a minimum holds for a newer version", []string{"put .nvmrc 'v20.1.0\\n'", "commit one"}, "", "It requires node >= 16.", nil},
		{"an image's version counts", []string{"put docker-compose.yml 'services:\\n  db:\\n    image: postgres:16-alpine\\n'", "commit one"}, "", "It uses Postgres 14 as database.", []string{"version Postgres 14: differs 16"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t, tc.lines...)
			got := verdicts(t, filepath.Join(dir, tc.from), tc.text)
			if strings.Join(got, "\n") != strings.Join(tc.want, "\n") {
				t.Errorf("%q\ngot  %q\nwant %q", tc.text, got, tc.want)
			}
		})
	}
}

func TestCheckTellsWhichCommitRemovedAPath(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put src/old/auth.go 'package auth'", "put b x", "commit one", "rm src/old/auth.go", "commit 'drop the old auth'", "put c y", "commit three")
	r, err := Open(dir, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Check(t.Context(), []Text{{}, {Body: "x\n\nLogin is in `src/old/auth.go`."}})
	if err != nil || len(got.Findings) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	f := got.Findings[0]
	if f.Text != 1 || f.Ref.Line != 3 || f.Ref.Column != 14 || !strings.HasPrefix(f.Why, "removed in "+f.Stamp+" (2026-01-02): drop the old auth") {
		t.Errorf("%+v", f)
	}
}

func TestCheckOfAShallowCloneClaimsNothing(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put src/a.go x", "put src/b.go y", "commit one", "rm src/a.go", "commit two", "put c 1", "commit three", "cd ..", "git clone -q --depth 1 file://$PWD/r s")
	for _, f := range verdicts(t, filepath.Join(dir, "../s"), "See `src/a.go`, `src/zzz.go` and `NoSuchThing`.") {
		if !strings.HasSuffix(f, ": unknown") {
			t.Error(f)
		}
	}
}

func TestCheckWithoutGitLooksAtTheTreeOnly(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put src/a.go 'func ParseIndex() {}'", "put b y", "commit one", "rm src/a.go", "put src/c.go 'func Other() {}'", "commit two")
	text := "See `src/a.go`, `src/c.go`, `ParseIndex` and branch `x-1`."
	want := "path src/a.go: unknown, symbol ParseIndex: unknown, branch x-1: unknown"
	r, err := Open(dir, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Check(t.Context(), []Text{{Body: text}})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range got.Findings {
		out = append(out, fmt.Sprintf("%s %s: %s", f.Ref.Kind, f.Ref.Text, f.State))
		if !strings.Contains(f.Why, "git is not on PATH") {
			t.Errorf("%q", f.Why)
		}
	}
	if s := strings.Join(out, ", "); s != want {
		t.Errorf("with no git: %s", s)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	if s := strings.Join(verdicts(t, dir, text), ", "); s != want {
		t.Errorf("outside git: %s", s)
	}
}

func TestFilesDatesAndCommits(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put n/a.md x", "put n/b.md y", "commit one", "put n/b.md z", "commit two", "put n/c.md new", "rm n/a.md", "put .gitignore '/out\\n'", "put out 1")
	r, err := Open(dir, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.Files(t.Context())
	if err != nil || strings.Join(files, " ") != "n/a.md n/b.md .gitignore n/c.md" {
		t.Errorf("%q, %v", files, err)
	}
	dates, err := r.Dates(t.Context(), filepath.Join(dir, "n"))
	if err != nil || len(dates) != 2 || dates["a.md"].Format(time.DateOnly) != "2026-01-01" || dates["b.md"].Format(time.DateOnly) != "2026-01-02" {
		t.Errorf("%v, %v", dates, err)
	}
	head, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Commits(t.Context(), []string{string(head[:10]), "0000000000", "--help", "HEAD"}); n != 1 {
		t.Errorf("%d commits", n)
	}
}

func TestFingerprintChangesWithWhatACheckLooksAt(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put src/a.go x", "put b y", "commit one")
	r, err := Open(dir, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	shown := func() string {
		s, err := r.Fingerprint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	last := shown()
	if again := shown(); again != last {
		t.Fatal("two looks at the same give two fingerprints")
	}
	for _, change := range []string{"echo more >>src/a.go", "echo new >src/n.go", "git branch x", "git checkout -q -b y", "git commit -q --allow-empty -m e", "rm b"} {
		if out, err := gitIn(dir, change); err != nil {
			t.Fatalf("%s: %v\n%s", change, err, out)
		}
		if now := shown(); now == last {
			t.Errorf("%s: the fingerprint stays", change)
		} else {
			last = now
		}
	}
}
