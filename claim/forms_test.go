package claim

import (
	"strings"
	"testing"
)

// A family is ways to say one thing and ways to say what excludes it, of which
// each pair has to be found. X is what it is said of.
type family struct {
	name, one, other, of string
	least                int // percent
}

func families() []family {
	return []family{
		{
			"do and don't", "Commit X|Always commit X|X are committed|Committing X is allowed|You may commit X|It is fine to commit X|Committing X: yes|We commit X",
			"Never commit X|Don't commit X|X must not be committed|Committing X is forbidden|Committing X is not allowed|No committing X|Avoid committing X|X are never committed|Committing X: no|Stop committing X|Do not ever commit X",
			"generated files|old screenshots", 98,
		},
		{
			"on and off", "Enable X|X is enabled|X: on|Turn X on|Turn on X|X is enabled by default|Keep X on|Activate X",
			"Disable X|X is disabled|X: off|Turn X off|X is off|Switch off X|Never enable X|Deactivate X|X must be off|X stays off", "source maps|debug mode|two-step login|response compression", 98,
		},
		{
			"required and optional", "X are required|X are mandatory|You must write X|Always write X|X are obligatory",
			"X are optional|X are not required|You may write X|You don't have to write X|X are not needed|X may be omitted", "changelog entries|design documents|type hints", 98,
		},
		{
			"in and out of", "Put X into commit messages|Use X in commit messages|Commit messages contain X|Include X in commit messages",
			"Never put X into commit messages|No X in commit messages|Keep X out of commit messages|Commit messages must not contain X|Leave X out of commit messages", "ticket numbers|customer names", 98,
		},
		{"ports", "X listens on port 4000|X port is 4000|Start X on port 4000|Port 4000 is used by X", "X runs on port 4100|X binds to port 4100|The port for X is 4100", "the proxy|redis", 98},
		{"owners", "X is owned by Maria|Maria owns X|Owner of X: Maria|Maria is responsible for X", "Tom maintains X|The owner of X is Tom|Tom is in charge of X|Responsible for X: Tom", "checkout|the payments API", 98},
		{"limits", "X are limited to 5|Maximum X: 5|At most 5 X", "No more than 8 X|Use at most 8 X|X limit: 8", "parallel jobs|open connections", 98},
		{"folders", "X live in test/data|Keep X in test/data|X directory: test/data", "X are stored in api/files|Put X under api/files|The path of X is api/files", "fixtures|proto files", 90},
		{"versions", "We use X 3.9|X version: 3.9|X 3.9 is required", "X is pinned to 3.12|The project runs on X 3.12|Upgrade to X 3.12", "Python|Go|Terraform", 98},
		{"Ukrainian do and don't", "Пиши X|Завжди пиши X|X дозволено|Можна писати X", "Не пиши X|Ніколи не пиши X|X заборонено|X писати не можна|Уникай X", "коментарі|довгі функції", 98},
		{"Ukrainian on and off", "Увімкни X|X увімкнено|Вмикай X", "Вимкни X|X вимкнено|Не вмикай X|X має бути вимкнено", "режим налагодження|стиснення", 98},
		{"Ukrainian owners", "За X відповідає Марія|Власник X — Марія", "Тарас відповідає за X|Відповідальний за X: Тарас", "білінг|пошук", 98},
		{"Ukrainian limits", "Максимум X: 5|Не більше 5 X|Ліміт X — 5", "Щонайбільше 8 X|X має бути не більше 8", "зʼєднань|задач", 98},
		{"Ukrainian package managers", "Ставимо пакети через npm|Менеджер пакетів — npm", "Пакети встановлюй через pnpm|Завжди pnpm|Залежності ставимо через pnpm", "", 98},
	}
}

func TestWhatExcludesOneAnotherIsFoundInWhateverForm(t *testing.T) {
	t.Parallel()
	for _, f := range families() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			n, found := 0, 0
			for _, x := range strings.Split(f.of, "|") {
				for _, one := range strings.Split(f.one, "|") {
					for _, other := range strings.Split(f.other, "|") {
						a, b := strings.ReplaceAll(one, "X", x), strings.ReplaceAll(other, "X", x)
						n++
						if got := Compare(a, b); got.Kind == Conflict {
							found++
						} else {
							t.Logf("%s: %q and %q", got.Kind, a, b)
						}
					}
				}
			}
			if 100*found < f.least*n {
				t.Errorf("found %d of %d", found, n)
			}
		})
	}
}

// What one way says of one thing and the other of another can both hold.
func TestWhatIsSaidOfTwoThingsExcludesNothing(t *testing.T) {
	t.Parallel()
	for _, f := range families() {
		x, y, ok := strings.Cut(f.of, "|")
		if !ok {
			continue
		}
		y, _, _ = strings.Cut(y, "|")
		for _, one := range strings.Split(f.one, "|") {
			for _, other := range strings.Split(f.other, "|") {
				a, b := strings.ReplaceAll(one, "X", x), strings.ReplaceAll(other, "X", y)
				if got := Compare(a, b); got.Kind >= Same {
					t.Errorf("%s: %q and %q (%s)", got.Kind, a, b, got.Why)
				}
			}
		}
	}
}
