package guard

import "testing"

func TestWhatATextWritesAndRunsIsFollowed(t *testing.T) {
	t.Parallel()
	rules := rulesOf(t, "deny command git push (-f|--force)\ndeny command yarn install\nask unknown\n")
	for _, tc := range []struct {
		name, text string
		want       Action
	}{
		{"a script by a redirection", "echo 'git push -f' > x.sh; sh x.sh", Deny},
		{"a script by a here-document, made runnable", "cat > scripts/x.sh <<'E'\n#!/usr/bin/env bash\ngit push \"$@\"\nE\nchmod +x scripts/x.sh && ./scripts/x.sh -f", Deny},
		{"a script by tee", "tee x.sh <<'E' && bash x.sh\ngit push -f\nE", Deny},
		{"a script in two parts", "echo git push >x; echo ' -f' >>x; tr -d '\\n' <x", NoOpinion},
		{"lines put behind", "echo ls >x; echo git push -f >>x; . ./x", Deny},
		{"by another name for the same file", "echo git push -f > /p/x; cd sub && sh ../x", Deny},
		{"on standard input", "echo git push -f > x; bash < x", Deny},
		{"by cat", "echo git push -f > x; cat x | sh", Deny},
		{"a block of commands", "{ echo ls; echo git push -f; } > x && sh x", Deny},
		{"a script that runs itself ends", "echo './x; git push -f' > x; ./x", Deny},
		{"one that is written again", "echo git push -f > x; echo ls > x; sh x", NoOpinion},
		{"one that is written and not run", "cat > x.sh <<'E'\ngit push -f\nE", NoOpinion},
		{"one that another program wrote over", "echo git push -f > x; date > x; sh x", NoOpinion},
		{"what goes to standard error", "echo git push -f 2> x; sh x", NoOpinion},
		{"a script in another language could be about it", "cat > x.py <<'E'\nos.system('git push')\nE\npython3 x.py", Ask},
		{"and so by its own name", "printf '#!/usr/bin/python3\\nos.system(\"git push\")' > x; ./x", Ask},
		{"an alias of git that was set", "git config --global alias.p 'push -f' && git p", Deny},
		{"an alias with its own words", "git -c alias.p=push p -f", Deny},
		{"an alias that runs a shell", "git config alias.p '!git push'; git p -f", Deny},
		{"an alias that is not used", "git config alias.p 'push -f'", NoOpinion},
		{"behind a loop over arguments that are not known", "for f do $f & done; git push -f", Deny},
		{"behind a loop over nothing", "for f in; do $f; done; git push -f", Deny},
		{"by corepack", "corepack yarn install", Deny},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if v := decided(rules, tc.text); v.Action != tc.want {
				t.Errorf("%s\nis %s (%s), want %s", tc.text, v.Action, v.Reason, tc.want)
			}
		})
	}
}

func TestALookIsNoChange(t *testing.T) {
	t.Parallel()
	rules := rulesOf(t, "deny edit migrations/**\ndeny edit dist/\ndeny read .env\ndeny read secrets/\n")
	for _, tc := range []struct {
		text string
		want Action
	}{
		{"git restore --staged migrations/1.sql", NoOpinion},
		{"git restore -S migrations/1.sql", NoOpinion},
		{"git restore migrations/1.sql", Deny},
		{"git restore -SW migrations/1.sql", Deny},
		{"git restore --staged --worktree migrations/1.sql", Deny},
		{"git rm --cached migrations/1.sql", NoOpinion},
		{"git rm -rn migrations", NoOpinion},
		{"git rm -n --no-dry-run migrations/1.sql", Deny},
		{"git rm -- -n migrations/1.sql", Deny},
		{"git mv -n migrations/1.sql x", NoOpinion},
		{"git mv migrations/1.sql x", Deny},
		{"git clean -nd migrations", NoOpinion},
		{"git clean -fd migrations", Deny},
		{"git clean -fen migrations", Deny}, // -e n
		{"git clean -f -e -n migrations", Deny},
		{"git apply --check <<'E'\n--- a/migrations/1.sql\n+++ b/migrations/1.sql\nE", NoOpinion},
		{"git apply --stat --apply <<'E'\n--- a/migrations/1.sql\n+++ b/migrations/1.sql\nE", Deny},
		{"patch --dry-run <<'E'\n--- a/migrations/1.sql\n+++ b/migrations/1.sql\nE", NoOpinion},
		{"rsync -an x/ migrations/", NoOpinion},
		{"rsync -a --dry-run x/ migrations/", NoOpinion},
		{"rsync -a x/ migrations/", Deny},
		{"rsync -a -e -n x/ migrations/", Deny},
		{"rsync -n $X migrations/", Deny},
		{"rsync -a dist/ host:/w", NoOpinion},
		{"rsync -a ./a:b dist/", Deny},
		{"black --check migrations", NoOpinion},
		{"black migrations", Deny},
		{"autopep8 migrations/a.py", NoOpinion},
		{"autopep8 -i migrations/a.py", Deny},
		{"cp -t /tmp migrations/1.sql", NoOpinion},
		{"cp -t migrations x.sql", Deny},
		{"cp --target-directory=migrations x.sql", Deny},
		{"mv -t /tmp migrations/1.sql", Deny},
		{"tar -C dist -czf /tmp/x.tgz .", NoOpinion},
		{"tar czf /tmp/x.tgz -C dist .", NoOpinion},
		{"tar -tf x.tar -C dist", NoOpinion},
		{"tar xf x.tar -C dist", Deny},
		{"tar -xf x.tar -Cdist", Deny},
		{"tar czf dist/x.tgz src", Deny},
		{"tar -cf dist/x.tar src", Deny},
		{"grep .env .gitignore", NoOpinion},
		{"grep -c .env .gitignore", NoOpinion},
		{"grep KEY .env", Deny},
		{"grep -e KEY .env", Deny},
		{"grep -ieKEY .env", Deny},
		{"grep -A 3 KEY .env", Deny},
		{"git grep KEY .env", Deny},
		{"rg --regexp KEY .env", Deny},
		{"grep -rn x --exclude=.env src", NoOpinion},
		{"grep -rn x src --exclude-dir secrets", NoOpinion},
		{"grep -rn x --include=.env .", Deny},
		{"tar czf /tmp/x.tgz --exclude=.env src", NoOpinion},
		{"rsync -a --exclude .env src/ /tmp/x", NoOpinion},
		{"zip -r x.zip src -x .env", NoOpinion},
		{"zip -r x.zip .env", Deny},
	} {
		if v := decided(rules, tc.text); v.Action != tc.want {
			t.Errorf("%s\nis %s (%s), want %s", tc.text, v.Action, v.Reason, tc.want)
		}
	}
}
