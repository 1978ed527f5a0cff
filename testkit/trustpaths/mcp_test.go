package trustpaths

import (
	"strings"
	"testing"

	"dormouse/trust"
)

// TestTheToolsTellWhatIsHarmless shows that the table would see what a tool tells:
// a text that asks for nothing comes through.
func TestTheToolsTellWhatIsHarmless(t *testing.T) {
	t.Parallel()
	const text = "The mail service is written in Elixir by the platform group."
	n := 0
	for _, path := range tools() {
		if !strings.HasPrefix(path.Name, "an agent finds") && !strings.HasPrefix(path.Name, "an agent reads") && !strings.HasPrefix(path.Name, "an agent asks for the standing") &&
			path.Name != "an agent remembers what another program wrote already" && path.Name != "an agent remembers it by the server" {
			continue
		}
		n++
		t.Run(path.Name, func(t *testing.T) {
			t.Parallel()
			p, err := New(t.TempDir(), trust.Policy{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Store.Close() //nolint:errcheck // only read from here on
			err = path.Do(p, text)
			if told := p.told + p.Index(); err != nil || !Reaches(told, text) {
				t.Errorf("%v: told %q", err, told)
			}
		})
	}
	const want = 5
	if n != want {
		t.Errorf("%d paths, want %d", n, want)
	}
}
