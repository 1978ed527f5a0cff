package evidence

import (
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func shown(text string) string {
	var out []string
	for _, r := range Refs(text) {
		out = append(out, string(r.Kind)+" "+r.Text)
	}
	return strings.Join(out, ", ")
}

func TestRefsFinds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Auth lives in `src/auth/login.go`.":                                              "path src/auth/login.go",
		"Auth lives in src/auth/login.go:42 (see docs/).":                                 "path src/auth/login.go, path docs/",
		"See [the guide](docs/guide.md#setup) and the `Makefile`.":                        "path docs/guide.md, path Makefile",
		"`internal/api/handler.go:168-170` sends it":                                      "path internal/api/handler.go",
		"`tests/test_x.py::TestA::test_b` is slow":                                        "path tests/test_x.py",
		"@docs/setup.md is imported, `@docs/other.md` too":                                "path docs/setup.md, path docs/other.md",
		"Don't edit `gen/api.go` by hand.":                                                "path gen/api.go",
		"Handlers removed from `src/a.go` live in `src/b.go`.":                            "path src/a.go, path src/b.go",
		"We removed `src/a.go`; use `src/b.go`.":                                          "path src/b.go",
		"We renamed `src/a.go` to `src/b.go`.":                                            "path src/b.go",
		"Use `src/b.go` instead of `src/a.go`.":                                           "path src/b.go",
		"`src/a.go` was replaced by `src/b.go`.":                                          "path src/b.go",
		"Auth is in `src/b.go` (formerly `src/a.go`).":                                    "path src/b.go",
		"Auth is in `src/b.go`, not in `src/a.go`.":                                       "path src/b.go",
		"After we removed the cache, `src/c.go` got simpler.":                             "path src/c.go",
		"To add a route, edit `src/routes.ts`.":                                           "path src/routes.ts",
		"CI will run `make lint` on each push.":                                           "command make lint",
		"If you want to see it, run `npm run dev`.":                                       "command npm run dev",
		"Old sessions are removed by `scripts/clean.sh`.":                                 "path scripts/clean.sh",
		"`src\\auth\\x.go` on Windows":                                                    "path src\\auth\\x.go",
		"Call `ParseIndex`, `Store.Open()`, `a::b_c` and `MAX_RETRIES`.":                  "symbol ParseIndex, symbol Store.Open, symbol a::b_c, symbol MAX_RETRIES",
		"Call `load_index(path)` and `Cache<K, V>`.":                                      "symbol load_index",
		"Run `npm run lint -- --fix` && then `pnpm build`.":                               "command npm run lint, command pnpm build",
		"`npm --prefix web run build` and `make -C api test`":                             "command npm --prefix web run build, command make -C api test",
		"Run npm run test:unit before you push.":                                          "command npm run test:unit",
		"```sh\ncd web && npm run build\n# make no\nmake deploy\n```":                     "command npm run build, command make deploy",
		"`go test ./internal/x/...` and `cargo test -p core-lib`":                         "command go test ./internal/x/..., command cargo test -p core-lib",
		"`python -m app.cli sync` or `./scripts/deploy.sh --prod`":                        "command python -m app.cli, path ./scripts/deploy.sh",
		"Work happens on branch `feat/x` and the `release-2` branch.":                     "branch feat/x, branch release-2",
		"Rebase on origin/dev; the main branch is protected.":                             "branch origin/dev, branch main",
		"Released as tag v1.2.":                                                           "branch v1.2",
		"`git checkout release-2`":                                                        "branch release-2",
		"Staging is https://user@staging.acme.dev:8443/x?y=1.":                            "host staging.acme.dev",
		"The metrics host is metrics.prod.acme.dev.":                                      "host metrics.prod.acme.dev",
		"The project uses Go 1.21 and React 17.":                                          "version Go 1.21, version React 17",
		"It requires node >= 16 and Python 3.9+.":                                         "version node >= 16, version Python 3.9+",
		"Stack: Go 1.22, Postgres 14, Redis 7.":                                           "version Go 1.22, version Postgres 14, version Redis 7",
		"Backend: `Go 1.22`":                                                              "version Go 1.22",
		"We are on `react@18.2.0`.":                                                       "version react@18.2.0",
		"The Node version is 18.":                                                         "version Node version is 18",
		"CI runs on Node.js 20 with TypeScript 5.4.":                                      "version Node.js 20, version TypeScript 5.4",
		"> quoted: see `src/a.go`":                                                        "path src/a.go",
		"- item one in `src/a.go`\n  goes on in `src/b.go`\n- `src/c.go`":                 "path src/a.go, path src/b.go, path src/c.go",
		"Never push to `main` without running `make lint`.":                               "command make lint",
		"Never run `make deploy` by hand.":                                                "command make deploy",
		"| file | what |\n|---|---|\n| `src/a.go` | was removed |\n| `src/b.go` | auth |": "path src/a.go, path src/b.go",
	} {
		if got := shown(text); got != want {
			t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestRefsLeavesOutWhatIsNoClaim(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"There is no `src/x.go`.", "Don't create utils/ again.", "Don't create `src/utils.go`.", "The old `src/a.go` did that.", "`src/a.go` no longer exists.",
		"`src/a.go` was removed in March.", "`src/a.go` (removed)", "- `src/a.go` — deleted 2026-01-02", "~~`src/a.go`~~", "`src/a.go` has been moved to the attic.",
		"`src/a.go` and `src/b.go` are gone.", "We will add `src/new.go` next.", "Plan: create `src/new.go`.", "TODO: `src/new.go`", "`src/new.go` does not exist yet.", "`src/new.go` is missing.",
		"The path `src/a.go` is wrong.", "It used to live in `src/a.go`.", "Previously `src/a.go` did it.", "We switched from `make build`.", "No `src/a.go` here.", "`src/a.go` is not there.",
		"Name files by feature, e.g. `src/auth/login.go`.", "Paths such as `src/a.go` work.", "For example `src/a.go`.", "Use `path/to/file.go` here", "`src/<name>/x.go` and `src/*.go` and `src/{a,b}.go`", "`foo.go` and `src/foo/bar.go`",
		"## Removed\n\n- `src/a.go`\n- `src/b.go`", "Removed files:\n\n- `src/a.go`\n- `src/b.go`",
		"Edit /etc/hosts and `/etc/nginx/nginx.conf`.", "It is in `~/.config/x/config.toml`.", "`/api/v1/users` and /api/v1/users return JSON.", "`@scope/pkg` and `golang.org/x/net` and github.com/google/uuid", "`application/json`, text/html", "`--verbose` and `-x`",
		"and/or, w/o, I/O, TCP/IP, client/server, read/write, 2026/01/02, 1/2, true/false", "`node_modules/x/index.js`, dist/app.js, `target/debug/x`, `build/out.js`", "Node.js and Next.js and Vue.js", "`.go` files", "`s/a/b/g` and `^src/.*$`", "https://example.com/src/a.go",
		"`fmt.Println` and `console.log()` and `None`", "http://localhost:8080/x and 127.0.0.1", "https://github.com/x/y and https://docs.python.org/3/", "a@mail.acme.dev",
		"Since Go 1.18 there are generics.", "Added in Go 1.21.", "In Go 1.22 loops changed.", "Go 1.22 changed the loops.", "React 17 introduced it.", "We upgraded from Node 16.", "On my machine Node 16 runs.", "The infra repo uses Node 16.", "3 nodes and python 2 days",
		"a long-lived branch", "each feature branch", "the current branch", "Make a branch", "`git checkout -b x`", "the other branch of the if", "a tag line", "`make sure` it works", "`npm install` and `npm ci` and `yarn add x`", "`go test ./...` and `go build`",
		"```go\nfunc ParseIndex() {}\n// src/a.go\n```", "<!-- see `src/a.go` -->", "In another repo, `src/a.go` holds it.", "branch `feat/x` was merged last week", "Implemented on branch `feat/x`.",
		"[note](other_note.md) and [[other_note]]", "", "`", "```", "``` a", "](", "~~", "`a", "branch", "tag", "origin/",
	} {
		if got := shown(text); got != "" {
			t.Errorf("%q\ngot %s", text, got)
		}
	}
}

func TestRefsTellsPlaces(t *testing.T) {
	t.Parallel()
	text := "é line\n\nsée `src/a.go:12` and\nsrc/b.go"
	got := Refs(text)
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []Ref{{Path, "src/a.go", 3, 6, 15, 23}, {Path, "src/b.go", 4, 1, 32, 40}} {
		if got[i] != want {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
}

// checkRefs fails where refs lie outside of their text or are not in order.
func checkRefs(t interface{ Fatalf(string, ...any) }, text string) {
	last := 0
	for _, r := range Refs(text) {
		if r.Start < last || r.End <= r.Start || r.End > len(text) || text[r.Start:r.End] != r.Text || r.Line != 1+strings.Count(text[:r.Start], "\n") || r.Column < 1 {
			t.Fatalf("%q: %+v", text, r)
		}
		last = r.Start
	}
}

func TestRefsLieWithinTheirText(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"`", "``", "```\n", "\n", "\n\n", " ", "- ", "# ", "| ", "> ", "src/a.go", "a.go:1", "`src/x.go`", "ParseIndex", "`Store.Open()`", "npm run lint", "`make x`", "branch ", "`feat/x`", " branch", "tag v1", "origin/x", "https://a.acme.dev/x", "Go 1.21", "node >= 16", "react@18",
		"(", ")", "[", "](", "]", "<!--", "-->", "~~", "é", "\xff", "\x00", "\x01", "—", "→", ", ", "; ", ". ", "removed ", "no ", "not ", "old ", " was removed", "e.g. ", "don't create ", "will be ", "\\", "/", ".", ":", "@", "*", "{", "go run ./x", "cargo xtask", "v1", ">=", "is ", "version ",
	})
	rapid.Check(t, func(t *rapid.T) {
		checkRefs(t, strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), ""))
	})
}

func TestHostileTextsTakeLinearTime(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"`", "`a` ", "a", "a/", "branch ", "`x` branch ", "origin/x ", "[[", "](", "~~", ".", "Go 1.2 ", "npm run x ", "- `src/a.go`\n", "run make x ", "`src/a.go` "} {
		text := strings.Repeat(piece, (64<<10)/len(piece))
		checkSome(t, text)
	}
	b := &strings.Builder{}
	for n := 1; b.Len() < 1<<19; n++ {
		b.WriteString(strings.Repeat("`", n) + " ")
	}
	checkSome(t, b.String())
}

// checkSome is checkRefs without its own quadratic count of lines.
func checkSome(t *testing.T, text string) {
	t.Helper()
	for _, r := range Refs(text) {
		if text[r.Start:r.End] != r.Text {
			t.Fatalf("%+v", r)
		}
	}
}

func FuzzRefs(f *testing.F) {
	for _, s := range []string{"see `src/a.go:12`", "branch `x` of origin/y", "Go 1.21 `npm run x`\n```sh\nmake y\n```", "https://a.acme.dev `A::b()`", "no `a.go`, e.g. b.go", "| `a.go` |"} {
		f.Add(s)
	}
	if b, err := os.ReadFile("refs_test.go"); err == nil {
		f.Add(string(b[:min(len(b), 4000)]))
	}
	f.Fuzz(func(t *testing.T, text string) { checkRefs(t, text) })
}
