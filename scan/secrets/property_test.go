package secrets

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// texts are made of what the rules look for, in an order nobody writes.
func texts() *rapid.Generator[string] {
	words := []string{
		" ", "\n", "=", ":", ": ", "\"", "'", "`", "@", "/", "-", "--", ".", ",", " is ", "://", "postgres://", "\\n", "[secret: ", " removed]", "[secret: password removed]",
		"key", "token", "secret", "password", "PASS", "api", "Bearer ", "Basic ", "Authorization: ", "curl -u ", "session=", "sig=", "kind: Secret\ndata:\n  a: ", "facebook", "twitter",
		"-----BEGIN ", "PRIVATE KEY-----", "-----END ", "gh" + "p_", "sk" + "-", "AK" + "IA", "eyJ", "A3-", "hunter", "q7Rf2LmZ9x", "dXNlcjpwYXNz", "Tm9uZQ", "Ab1", "ä", "\xff", "\x00", "***", "${X}",
	}
	part := rapid.OneOf(rapid.SampledFrom(words), rapid.StringMatching(`[A-Za-z0-9]{1,40}`), rapid.StringN(0, 4, 8))
	return rapid.Map(rapid.SliceOfN(part, 0, 60), func(p []string) string { return strings.Join(p, "") })
}

// check is what holds for every text.
func check(t interface{ Fatalf(string, ...any) }, f *Finder, text string) {
	last := 0
	for _, h := range f.Find(text) {
		if h.Start < last || h.End <= h.Start || h.End > len(text) {
			t.Fatalf("%v after %d in %q", h, last, text)
		}
		if !strings.HasPrefix(h.Rule, "secret/") || h.Why == "" {
			t.Fatalf("%v", h)
		}
		last = h.End
	}
	redacted, hits := f.Redact(text)
	if left := f.Find(redacted); len(left) > 0 {
		t.Fatalf("Redact of %q leaves %v in %q", text, left, redacted)
	}
	if again, more := f.Redact(redacted); again != redacted || len(more) > 0 {
		t.Fatalf("Redact twice: %q, then %q", redacted, again)
	}
	if want := replaced(text, hits); want != redacted {
		t.Fatalf("the hits %v give %q, the text is %q", hits, want, redacted)
	}
}

func TestFindAndRedactHoldTogether(t *testing.T) {
	t.Parallel()
	f := New()
	rapid.Check(t, func(t *rapid.T) { check(t, f, texts().Draw(t, "text")) })
}

func TestRedactLeavesNothingOfAnyShape(t *testing.T) {
	t.Parallel()
	f := New()
	list := shapes(5)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		var inside []string
		for range rapid.IntRange(1, 4).Draw(t, "n") {
			sh := rapid.SampledFrom(list).Draw(t, "shape")
			b.WriteString("note " + sh.before + sh.secret + sh.after + "\n\n")
			inside = append(inside, sh.secret)
		}
		check(t, f, b.String())
		redacted, _ := f.Redact(b.String())
		for _, s := range inside {
			if strings.Contains(redacted, s) {
				t.Fatalf("still there: %q in %q", s, redacted)
			}
		}
	})
}

func TestMaskNeverShowsMoreThanItMay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[A-Za-z0-9]{0,80}`).Draw(t, "secret")
		shown, _, _ := strings.Cut(Mask(secret), "…")
		if len(shown) > maskShown || len(secret) < maskFrom && shown != "" || !strings.HasPrefix(secret, shown) {
			t.Fatalf("Mask(%q) shows %q", secret, shown)
		}
	})
}

func FuzzFind(f *testing.F) {
	finder := New()
	for _, seed := range []string{
		"password: hunter", "postgres://a:b@c", "-----BEGIN PRIVATE KEY-----\nAAAA", "kind: Secret\ndata:\n  a: b\n", "curl -u a:b \\\n", "the token is ", "Basic dXNlcjpwYXNz", "[secret: password removed]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, finder, text) })
}
