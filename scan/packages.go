package scan

import "strings"

// popular are packages that squatters imitate: long enough that one letter off
// is no other word.
const popular = `lodash express axios react-dom typescript webpack eslint prettier chalk commander moment
mongoose dotenv underscore jquery nodemon socket.io puppeteer playwright cross-env rimraf
electron fastify body-parser jsonwebtoken nodemailer sequelize prisma tailwindcss
requests numpy pandas django flask pillow pytest urllib3 cryptography scikit-learn tensorflow matplotlib
sqlalchemy beautifulsoup4 setuptools selenium fastapi pydantic boto3 colorama python-dateutil
serde tokio clap reqwest rails devise nokogiri sidekiq`

// packages reports an install of something that is one slip away from a popular
// name.
func (r *run) packages(s *sentence) {
	cmd, verb := r.own.pkgCmd, r.own.pkgVerb
	if !s.all.meets(&cmd) || !s.all.meets(&verb) {
		return
	}
	at := -1
	for i := range s.tokens {
		t := &s.tokens[i]
		switch {
		case t.is(afterBreak) && (t.start < 2 || r.view.text[t.start-2:t.start] != ", "):
			at = -1 // another clause: the bundle; CI fails
		case i > 0 && t.bits.meets(&verb) && s.tokens[i-1].bits.meets(&cmd):
			at = i
		case at < 0 || i-at > 12 || t.start == 0:
		case misspelt(packageName(r.view.text, t.start)) && !t.is(negated):
			r.addView("instruction/package-name", t.start, t.end)
		}
	}
}

// packageName returns the whole word at i, up to its version.
func packageName(text string, i int) string {
	if i > 0 && text[i-1] != ' ' {
		return ""
	}
	end := i
	for end < len(text) && end-i < 64 && !delimiter(text[end]) && text[end] != '@' && text[end] != '=' && text[end] != '\'' {
		end++
	}
	return strings.TrimRight(text[i:end], ".:!?")
}

func misspelt(name string) bool {
	if len(name) < 5 || len(name) > 24 {
		return false
	}
	near := false
	for p := range strings.FieldsSeq(popular) {
		if p == name {
			return false
		}
		near = near || oneSlip(p, name)
	}
	return near && !strings.HasSuffix(name, "-js")
}

// oneSlip reports that a and b differ by one letter changed, added or left out,
// or by two neighbours swapped.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	if a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
