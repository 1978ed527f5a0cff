package evidence

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mark is what each trap of a hostile repository would make.
const everyKind = "See `src/gone.go`, `src/x.go`, `NoSuchThing`, `GoneThing`, `npm run gone`, branch `feat/gone`, https://gone.acme.dev, and it uses Go 1.2.\n"

func TestAHostileRepositoryRunsNothing(t *testing.T) {
	t.Parallel()
	trap := `trap=$(cd .. && pwd)/trap.sh; printf '#!/bin/sh\necho "$0 $*" >>'"$(cd .. && pwd)"'/MARK\ncat\n' >$trap; chmod +x $trap`
	base := []string{
		trap, `put src/gone.go 'package x\nfunc GoneThing() {}\n'`, `put src/x.go 'package x\n'`, "put c.yaml 'u: https://gone.acme.dev\\n'", `put package.json '{\n"scripts": {\n"gone": "x",\n"a": "b"\n}}\n'`, "put go.mod 'module x\\ngo 1.26\\n'", "commit one",
		"rm src/gone.go", "put c.yaml 'u: 1\\n'", `put package.json '{\n"scripts": {\n"a": "b"\n}}\n'`, "commit two",
	}
	for name, lines := range map[string][]string{
		"by its file system monitor":             {"git config core.fsmonitor $trap"},
		"by its hooks":                           {"mkdir h; for h in post-index-change reference-transaction post-checkout fsmonitor-watchman; do cp $trap h/$h; done; git config core.hooksPath h; cp h/* .git/hooks/"},
		"by diff drivers":                        {"echo '* diff=x filter=x' >.gitattributes", "git config diff.x.command $trap; git config diff.x.textconv $trap; git config diff.external $trap; git config filter.x.clean $trap; git config filter.x.smudge $trap; git config filter.x.process $trap", "touch src/x.go"},
		"by pagers and editors":                  {"git config core.pager $trap; git config pager.log $trap; git config core.editor $trap; git config core.askpass $trap; git config sequence.editor $trap"},
		"by aliases":                             {"for a in log ls-files rev-parse for-each-ref diff-index check-ignore; do git config alias.$a \"!$trap\"; done"},
		"by signatures":                          {"git config log.showSignature true; git config gpg.program $trap; git config gpg.ssh.program $trap; git config gpg.x509.program $trap", "c=$(git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----' | git hash-object -t commit -w --stdin); git reset -q --soft $c"},
		"by remotes":                             {"git config remote.origin.url ext::$trap; git config remote.origin.promisor true; git config remote.origin.partialclonefilter blob:none; git config extensions.partialClone origin; git config core.repositoryformatversion 1; git config protocol.ext.allow always; git config protocol.file.allow always; git config remote.origin.uploadpack $trap; git config core.sshCommand $trap; git config credential.helper \"!$trap\"", "rm -f .git/objects/$(git rev-parse HEAD~1:src/gone.go | sed 's,^..,&/,')"},
		"by a missing object and a local remote": {"git clone -q --bare . ../b.git; git config remote.origin.url $(cd .. && pwd)/b.git; git config remote.origin.promisor true; git config extensions.partialClone origin; git config core.repositoryformatversion 1; git config protocol.file.allow always; git config remote.origin.uploadpack $trap", "rm -f .git/objects/$(git rev-parse HEAD~1:src/gone.go | sed 's,^..,&/,')"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t, append(append([]string{}, base...), lines...)...)
			mark := filepath.Join(dir, "../MARK")
			_ = os.Remove(mark) // the set-up may have sprung it
			r, err := Open(dir, os.Getenv)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Check(t.Context(), []Text{{Body: everyKind}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Fingerprint(t.Context()); err != nil {
				t.Error(err)
			}
			if b, err := os.ReadFile(mark); err == nil {
				t.Errorf("it ran %s", b)
			}
			if got.Refs != 8 {
				t.Errorf("%d refs: %+v", got.Refs, got.ByKind)
			}
			if !strings.Contains(name, "missing object") && !strings.Contains(name, "remotes") {
				gone := 0
				for _, f := range got.Findings {
					if f.State == Gone || f.State == Differs {
						gone++
					}
				}
				if gone != 5 {
					t.Errorf("%d of 5 found: %+v", gone, got.Findings)
				}
			}
		})
	}
}

func TestOddTreesNeitherHangNorPanic(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"pipes":                      {"put src/a.go x", "commit one", "mkfifo src/pipe.go sub.fifo; rm src/a.go; mkfifo src/a.go"},
		"names of odd bytes":         {"put 'we\nird/a\tb.go' x", "put \"$(printf 'b\\377d.go')\" x", "echo x >./-rf", "put ':(top)x' y", "commit one", "rm ./-rf", "commit two"},
		"links that lead out":        {"echo GoneThing >../secret.txt; ln -s ../secret.txt l.txt; ln -s .. up; mkdir d; put d/a.txt x", "commit one", "rm -r d; echo func NoSuchThing >../a.txt; ln -s .. d"},
		"a huge file":                {"put a x", "commit one", "truncate -s 1G big.txt"},
		"a broken object":            {"put src/gone.go 'func GoneThing'", "commit one", "rm src/gone.go", "commit two", "o=.git/objects/$(git rev-parse HEAD~1^{tree} | sed 's,^..,&/,'); chmod u+w $o; echo junk >$o"},
		"a broken HEAD":              {"put a x", "commit one", "echo junk >.git/HEAD"},
		"a broken index":             {"put a x", "commit one", "echo junk >.git/index"},
		"an empty .git":              {"rm -rf .git; mkdir .git; put src/x.go y"},
		"a submodule":                {"git init -q ../m; (cd ../m; git commit -q --allow-empty -m a)", "git -c protocol.file.allow=always submodule add -q ../m lib 2>/dev/null", "commit one"},
		"a pipe for the ignore list": {"put a x", "commit one", "mkfifo .git/info/pipe; rm -f .git/info/exclude"},
		"a core.worktree elsewhere":  {"put a x", "commit one", "git config core.worktree /"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t, lines...)
			r, err := Open(dir, os.Getenv)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			got, err := r.Check(t.Context(), []Text{{Body: everyKind + "`lib/x.go` `src/pipe.go` `d/a.txt` `l.txt`"}})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took > 2*gitPatience {
				t.Errorf("it took %v", took)
			}
			for _, f := range got.Findings {
				if name == "links that lead out" && f.Ref.Kind == Symbol && f.State == Present {
					t.Errorf("read outside: %+v", f)
				}
			}
			if _, err := r.Fingerprint(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put a x", "commit one")
	r, err := Open(dir, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Check(ctx, []Text{{Body: everyKind}}); err == nil {
		t.Error("no error")
	}
	if _, err := r.Fingerprint(ctx); err == nil {
		t.Error("no error of Fingerprint")
	}
}
