package secrets

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// find returns the hits as "rule:text".
func find(f *Finder, text string) []string {
	var list []string
	for _, h := range f.Find(text) {
		list = append(list, h.Rule+":"+text[h.Start:h.End])
	}
	return list
}

func TestHits(t *testing.T) {
	t.Parallel()
	github := "gh" + "p_" + "a9K2xQ4mZ7Rf1Lw8Tn3Vb6Yc5Hd0Gj2Ps4Ue"
	key := "q7Rf2" + "LmZ9xKc4Tn8Vb1"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", "The deploy takes four minutes.", nil},
		{"an empty text", "", nil},
		{"the specific rule names what the generic one finds too", "api_key = " + github, []string{"secret/github-pat:" + github}},
		{"two on a line, in order", "a " + github + " b https:/" + "/u:" + key + "@h.x/", []string{"secret/github-pat:" + github, "secret/url-password:" + key}},
		{"the tail of a longer token goes with it", github + "XYZ9", []string{"secret/github-pat:" + github + "XYZ9"}},
		{"a full stop is no part of it", "It is " + github + ".", []string{"secret/github-pat:" + github}},
		{"only the password of a URL", "redis:/" + "/:" + key + "@h:1/0", []string{"secret/url-password:" + key}},
		{"a password with an @", "mysql:/" + "/u:" + key + "@1@host/db", []string{"secret/url-password:" + key + "@1"}},
		{"only the value of a password", "db_password: \"" + key + "\" # old", []string{"secret/password:" + key}},
		{"another case of the keyword", "Db-PassWord=" + key, []string{"secret/password:" + key}},
		{"a quoted password with a space", "pass" + "phrase: \"correct horse battery staple\"", []string{"secret/password:correct horse battery staple"}},
		{"a password that is compared", "if password == \"" + key + "\" {", []string{"secret/password:" + key}},
		{"a password compared with a variable", "if password == password1 {", nil},
		{"the part of a key that was left", "AAAA " + strings.Repeat("aB3d", 16) + "\n" + strings.Repeat("Zx9+", 5) + "\n-----END " + "PRIVATE KEY-----", []string{"secret/private-key:" + strings.Repeat("aB3d", 16) + "\n" + strings.Repeat("Zx9+", 5) + "\n-----END " + "PRIVATE KEY-----"}},
		{"what kubectl prints", "apiVersion: v1\ndata:\n  a: " + key + "\n  b: " + key + "\nkind: Secret\n", []string{"secret/kubernetes-secret:" + key + "\n  b: " + key}},
		{"an email address in a URL", "see https://example.org/a:b@c", nil},
	}
	f := New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, find(f, tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHitsThatOverlapBecomeOneNamedByTheMoreSpecific(t *testing.T) {
	t.Parallel()
	hit := func(rule string, start, end, rank int) found { return found{Hit{rule, start, end, rule}, rank} }
	tests := []struct {
		name string
		in   []found
		want []Hit
	}{
		{"apart", []found{hit("b", 5, 9, 0), hit("a", 0, 4, 3)}, []Hit{{"a", 0, 4, "a"}, {"b", 5, 9, "b"}}},
		{"side by side", []found{hit("a", 0, 4, 0), hit("b", 4, 9, 0)}, []Hit{{"a", 0, 4, "a"}, {"b", 4, 9, "b"}}},
		{"one inside", []found{hit("generic", 0, 9, 3), hit("shape", 2, 5, 0)}, []Hit{{"shape", 0, 9, "shape"}}},
		{"one behind the other", []found{hit("shape", 0, 5, 0), hit("generic", 3, 9, 3)}, []Hit{{"shape", 0, 9, "shape"}}},
		{"the same place", []found{hit("generic", 0, 5, 3), hit("named", 0, 5, 1)}, []Hit{{"named", 0, 5, "named"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, merged(tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMaskShowsFourCharactersAtMost(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, secret, want string }{
		{"a token", "gh" + "p_" + strings.Repeat("x", 36), "ghp_… (40 characters)"},
		{"a short one", "hunter" + "2", "… (short)"},
		{"nothing", "", "… (short)"},
		{"15 characters", "abcdefghijklmno", "… (short)"},
		{"16 characters", "abcdefghijklmnop", "abcd… (16 characters)"},
		{"characters, not bytes", "ääääßßßßääääßßßß", "ääää… (16 characters)"},
		{"what a terminal acts on", "\x1b[2J" + strings.Repeat("x", 12), "?[2J… (16 characters)"},
		{"no UTF-8", strings.Repeat("\xff", 20), "\ufffd\ufffd\ufffd\ufffd… (20 characters)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Mask(tt.secret); got != tt.want {
				t.Errorf("Mask = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRedactTakesTheCredentialAndNothingElse(t *testing.T) {
	t.Parallel()
	key := "q7Rf2" + "LmZ9xKc4Tn8Vb1"
	text := "Use postgres:/" + "/app:" + key + "@db/x\nor password: " + key + "\n"
	want := "Use postgres:/" + "/app:[secret: url-password removed]@db/x\nor password: [secret: password removed]\n"
	got, hits := New().Redact(text)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(hits) != 2 || text[hits[0].Start:hits[0].End] != key || text[hits[1].Start:hits[1].End] != key {
		t.Errorf("hits = %v", hits)
	}
}

func TestWordsAroundACredentialDoNotHideIt(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + "a9K2xQ4mZ7Rf1Lw8Tn3Vb6Yc5Hd0Gj2Ps4Ue"
	got, hits := New().Redact(markBefore + token + markAfter)
	if len(hits) != 1 || strings.Contains(got, token) {
		t.Errorf("Redact = %q", got)
	}
}

// The rules are data: a broken one would only never match.
func TestEveryRuleIsComplete(t *testing.T) {
	t.Parallel()
	f := New()
	f.Find("")
	if n := len(f.rules); n < 230 {
		t.Errorf("%d rules", n)
	}
	name := regexp.MustCompile(`^[a-z0-9-]+$`)
	why := regexp.MustCompile(`^(?:an? |the )\S[^,.]*(?:\.[a-z]|[^.])*$`)
	for _, r := range f.rules {
		if !name.MatchString(r.id) || !why.MatchString(r.why) {
			t.Errorf("%s: %q", r.id, r.why)
		}
		if len(r.keywords) == 0 || r.kind != kindCode && (r.re.get() == nil || r.reach == 0) {
			t.Errorf("%s: no keyword, reach or expression", r.id)
		}
		for _, l := range []*lazy{&r.except.allow, &r.allowLine} {
			if l.text != "" && l.get() == nil {
				t.Errorf("%s: an exception does not compile: %s", r.id, l.text)
			}
		}
		for _, k := range r.keywords {
			if len(k) < 3 || strings.ToLower(k) != k {
				t.Errorf("%s: keyword %q", r.id, k)
			}
		}
		if len(markBefore)+len(r.id) > markName {
			t.Errorf("%s: too long a name for Redact", r.id)
		}
	}
	if f.global.allow.get() == nil || f.global.stop == "" {
		t.Error("no global exceptions")
	}
	for n := range strings.SplitSeq(rulesText, "\n") {
		if n != "" && n[0] != '#' && n[0] != '*' && parseRule(n) == nil {
			t.Errorf("no rule: %q", n)
		}
	}
}

func TestTheIndexFindsEachKeywordAtItsPlace(t *testing.T) {
	t.Parallel()
	var x index
	for i, k := range []string{"key", "keyring", "sk-", "-----begin"} {
		x.add(k, i)
	}
	var got []string
	x.each("KeyRing sk- monkey -----BEGIN k", func(rule, start, end int) {
		got = append(got, fmt.Sprint(rule, ":", start, "-", end))
	})
	want := []string{"1:0-7", "0:0-3", "2:8-11", "0:15-18", "3:19-29"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOneFinderServesSeveralGoroutines(t *testing.T) {
	t.Parallel()
	f := New()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, sh := range shapes(3) {
				if len(f.Find("a "+sh.before+sh.secret+sh.after+" b")) == 0 {
					t.Errorf("missed %s", sh.name)
				}
			}
		})
	}
	wg.Wait()
}

// Texts made to be slow: each keyword again and again, or one window after the
// other. The bound is far over what they take, and far under what a rule that
// looks too far would.
func TestHostileTextsTakeNoLongerThanTheirLength(t *testing.T) {
	const size = 64 << 10
	f := New()
	f.Find("")
	for _, part := range []string{
		"key=", "key=key", "password:", "password is ", "://a:", "://", "eyJ-", "eyJaaaaaaaaaaaaaa.eyJ", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\nAAAA\n", "facebook", "twitter", "twitter=", "kind: secret\n", "kind: secret\ndata:\n  a: b\n", "basic ", "bearer ", "curl -u ", "sig=", "[secret: ", "[secret: password removed]",
		"token=\"", "_mmk", ".atlasv1.", "0q~", "otpauth://", "xapp-1-", "\"password\" ", "secret_key'", "AKIA", "Private-Lines: 1\n", "b3BlbnNzaC1rZXktdjE",
		"pass: " + "a1b2c3 ", "token is " + "a8f3Kd93Lm2Qx7Zp " + "key: ", "http://u:" + "k9" + "z8@h ",
	} {
		text := strings.Repeat(part, size/len(part))
		start := time.Now()
		f.Find(text)
		f.Redact(text)
		if took := time.Since(start); took > 60*time.Second {
			t.Errorf("%d KiB of %q took %v", size>>10, part, took)
		} else if took > 200*time.Millisecond {
			t.Logf("%d KiB of %q took %v", size>>10, part, took)
		}
	}
}

// What stands in the repository is public; the shapes are put together when the
// tests run.
func TestNoFileOfThisPackageHasACredential(t *testing.T) {
	t.Parallel()
	f := New()
	files := 0
	for _, dir := range []string{".", "../../internal/tools/secretrules"} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "rules.txt" {
				return err
			}
			text, err := os.ReadFile(path)
			files++
			for _, h := range f.Find(string(text)) {
				t.Errorf("%s: %s %q", path, h.Rule, text[h.Start:h.End])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 10 {
		t.Errorf("%d files", files)
	}
}
