package evidence

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestCommitsCountsThoseThatTheRepositoryHas(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put a x", "commit one", "put a y", "commit two", "git tag -a v1 -m v1")
	out, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD", "HEAD~1", "HEAD^{tree}", "v1").Output()
	if err != nil {
		t.Fatal(err)
	}
	id := strings.Fields(string(out))
	r, err := Open(dir, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		names []string
		want  int
	}{
		{"whole and short names", []string{id[0], id[1][:7]}, 2},
		{"a tree is no commit", []string{id[2]}, 0},
		{"a tag stands for its commit", []string{id[3]}, 1},
		{"names that the repository has not", []string{strings.Repeat("0", 40), "abcdef0123"}, 0},
		{"names that are no hexadecimal digits of that length", []string{"HEAD", "v1", id[0][:6], id[0] + "0", strings.ToUpper("abcdefg"), "-h", id[0] + "\nHEAD", ""}, 0},
		{"one that is there among others", []string{"HEAD", id[0], "0000000"}, 1},
		{"no names", nil, 0},
	} {
		if got := r.Commits(t.Context(), tc.names); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := r.Commits(ended, id[:1]); got != 0 {
		t.Errorf("%d commits with an ended context", got)
	}
	bare, err := Open(t.TempDir(), os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	if got := bare.Commits(t.Context(), id[:1]); got != 0 {
		t.Errorf("%d commits outside git", got)
	}
}

func TestNeverIsSaidOnlyOfThisRepository(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put src/screens/a.ts x", "put docs/b.md y", "commit one")
	for text, want := range map[string]State{
		"See `src/screens/zzz.ts`.":                                      Never,
		"See `src/other/zzz.ts`, which our service and this repo share.": Never,
		"The list in `docs/zzz.md` was agreed with the vendor.":          Never,
		"The numbers in `src/zzz.ts` are from the bank.":                 Never,
		"See `src/screens/Login.kt`.":                                    Unknown, // no file ends so
		"See `lib/zzz.ts`.":                                              Unknown, // no such folder
		"In the mobile repo it is `src/screens/zzz.ts`.":                 Unknown,
		"The iOS app has it in `src/screens/zzz.ts`.":                    Unknown,
		"The app lives in its own repository, with `src/zzz.ts`.":        Unknown,
		"It belongs to upstream. Look at `src/zzz.ts` there.":            Unknown,
		"Their list is `src/zzz.ts`.":                                    Unknown,
		"The vendor's client reads `src/zzz.ts`.":                        Unknown,
		"See acme-corp/mobile for `src/zzz.ts`.":                         Unknown,
		"On my machine `src/zzz.ts` holds it.":                           Unknown,
		"Екран входу — в іншому репозиторії, `src/zzz.ts`.":              Unknown,
		"Look at `src/zzz.ts`; nothing of it is here.":                   Unknown,
		"The tokens go to `src/zzz.ts` (generated, git-ignored).":        Unknown,
		"`src/zzz.ts` is згенерований файл.":                             Unknown,
	} {
		got := verdicts(t, dir, text)
		if len(got) == 0 || !strings.HasSuffix(got[0], ": "+string(want)) {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
	}
}

func TestCheckOfReleasesHostsAndPinnedVersions(t *testing.T) {
	t.Parallel()
	mod := "put go.mod 'module x\\n\\ngo 1.26\\n\\nrequire (\\n\\tgithub.com/go-chi/chi/v5 v5.2.1\\n)\\n'"
	for _, tc := range []struct {
		name  string
		lines []string
		text  string
		want  string
	}{
		{"a tag whose release is in the history is gone", []string{"put a x", "commit 'Release v0.9.0-beta'", "put a y", "commit two", "git tag v1.0"}, "The tag `v0.9.0-beta` is certified.", "branch v0.9.0-beta: gone"},
		{"a clone without tags tells nothing of one", []string{"put a x", "commit 'Release v0.9.0'"}, "The tag `v0.9.0` is certified.", "branch v0.9.0: unknown"},
		{"a dependency's release is none of the repository", []string{"put a x", "commit 'Bump chi to v0.9.0'", "git tag v1.0"}, "The tag `v0.9.0` is certified.", "branch v0.9.0: unknown"},
		{"a host without a domain above it", []string{"put mkdocs.yml 'site_url: https://x-docs.internal/a\\n'", "commit one", "put mkdocs.yml 'site_url: https://docs.x.internal/a\\n'", "commit two"}, "The search on `x-docs.internal` is slow.", "host x-docs.internal: differs docs.x.internal"},
		{"a host that the sentence gives to another project", []string{"put .env.example 'H=errors-old.acme.internal\\n'", "commit one", "put .env.example 'H=sentry.acme.internal\\n'", "commit two"}, "Errors land on errors-old.acme.internal under a separate project.", "host errors-old.acme.internal: differs sentry.acme.internal"},
		{"an edition of Rust", []string{"put Cargo.toml '[package]\\nedition = \"2021\"\\n'", "commit one"}, "We are on edition 2018.", "version edition 2018: differs 2021"},
		{"the edition that is declared", []string{"put Cargo.toml '[package]\\nedition = \"2021\"\\n'", "commit one"}, "We are on edition 2021.", ""},
		{"a version with a reason of another place", []string{"put Cargo.toml '[package]\\nrust-version = \"1.82\"\\n'", "commit one"}, "The floor is Rust 1.65, the one in the image of customer Halden.", "version Rust 1.65: differs 1.82"},
		{"a version of another place", []string{"put Cargo.toml '[package]\\nrust-version = \"1.82\"\\n'", "commit one"}, "Customer Halden is on Rust 1.65.", ""},
		{"a dependency that is held", []string{mod, "commit one"}, "chi is held at v5.0.8: the next one differs.", "version chi is held at v5.0.8: differs v5.2.1"},
		{"a dependency that is held where it says", []string{mod, "commit one"}, "chi is held at v5.2.1.", ""},
		{"a thing that no file declares", []string{mod, "commit one"}, "parser is held at v5.0.8.", "version parser is held at v5.0.8: unknown"},
		{"a requirement", []string{"put requirements.txt 'numpy==2.1.3\\n'", "commit one"}, "numpy sits at 1.24.4.", "version numpy sits at 1.24.4: differs ==2.1.3"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(verdicts(t, repository(t, tc.lines...), tc.text), ", "); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestNewFilesCountWhereTheTrackedOnesAreNotEnough(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put src/a.go 'package a\\nfunc Known() {}\\n'", "commit one",
		"put src/deep/new.go 'package a\\nfunc Fresh() {}\\n'", "put web/package.json '{\"scripts\":{\"lint\":\"x\"}}'", "put .nvmrc 20", "put old.go 'func Known() {}'")
	if got := verdicts(t, dir, "`src/a.go` has `Known`; `deep/new.go` has `Fresh`. Run `npm run lint`. It runs on Node 20."); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestFilesBehindALinkAreNotRead(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put d/a.go 'package a'", "put e/f/b.go 'package b'", "commit one", "mkdir ../out ../out/f; echo 'func OutsideThing() {}' | tee ../out/a.go >../out/f/b.go; rm -r d e; ln -s ../out d; ln -s ../out e")
	got := verdicts(t, dir, "`d/a.go` and `e/f/b.go` hold `OutsideThing`.")
	if !slices.Contains(got, "symbol OutsideThing: unknown") {
		t.Errorf("read outside: %q", got)
	}
}

func TestRecordsOfAnySizeAreSplit(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	var want []string
	for i := range 20_000 {
		rec := fmt.Sprint("name", i)
		if i%7000 == 3 {
			in.WriteString(strings.Repeat("x", 70<<10+i) + "\x00") // too long: left out
		}
		in.WriteString(rec + "\x00")
		want = append(want, rec)
	}
	var got []string
	if err := eachShared(bufio.NewReaderSize(strings.NewReader(in.String()), 16), func(s string) error { got = append(got, s); return nil }); err != nil || !slices.Equal(got, want) {
		t.Errorf("%d of %d records, %v", len(got), len(want), err)
	}
}

func TestAnyOfIsAnyContains(t *testing.T) {
	t.Parallel()
	many := []string{" no longer ", " used to ", " e.g", " todo ", " removed ", " there's no ", " іншому ", "ab", "x"}
	for _, s := range []string{"", " ", " it was removed ", " used  to ", " e.g x", " there's no x ", "в іншому місці", " в іншому місці ", "cab", "box", " todo", " todo "} {
		want := slices.ContainsFunc(many, func(p string) bool { return strings.Contains(s, p) })
		if got := anyOf(s, many...); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestNamesThatBeginAlikeAreFound(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"a.go", "src/A.Test.go", ".env.example", ".env", "x/.Hidden", "ÄÖ.go", "src/äö.txt", "dir/", "..x", "."} {
		for _, q := range []string{strings.ToUpper(p), "deep/er/" + strings.TrimLeft(p, "/")} {
			if stem(p) == stem(q) && stemHash(p) != stemHash(q) {
				t.Errorf("%q and %q: one stem %q, two hashes", p, q, stem(p))
			}
		}
	}
	if stemHash("a/b.go") == stemHash("a/c.go") {
		t.Error("two stems, one hash")
	}
}
