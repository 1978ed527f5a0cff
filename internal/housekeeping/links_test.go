package housekeeping

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A ban is a module or package that the binary must not link, and why. Start-up
// figures are per process on a slow two-core machine.
type ban struct{ path, why string }

func bans() []ban {
	return []ban{
		{"github.com/alecthomas/chroma", "its lexers and styles cost 23 to 34 ms at every start"},
		{"charm.land/glamour", "links chroma"},
		{"github.com/charmbracelet/glamour", "links chroma"},
		{"github.com/yuin/goldmark/extension", "compiles its regular expressions at start: 264 KB, 2 ms"},
		{"github.com/santhosh-tekuri/jsonschema", "compiles its meta-schemas at start: 10 ms"},
		{"github.com/mark3labs/mcp-go", "links santhosh-tekuri/jsonschema"},
		{"github.com/openai/openai-go", "makes the binary 20 MB larger"},
		{"go.opentelemetry.io", "nothing here sends telemetry"},
		{"charm.land/lipgloss", "v2.1.1 links mattn/go-runewidth"},
		{"github.com/charmbracelet/lipgloss", "links mattn/go-runewidth"},
		{"github.com/mattn/go-runewidth", "v0.0.27 builds its tables at start: 20 to 40 ms"},
		{"net/http", "no command needs a network yet; it costs 4 MB"},
		{"database/sql", "no command needs a database yet"},
	}
}

// linkedBans returns one line for each banned package that main links.
func linkedBans(g graph, main string) []string {
	var lines []string
	for _, b := range bans() {
		for _, path := range slices.Sorted(maps.Keys(g)) {
			// A major version is part of the path: chroma/v2 lies within chroma.
			if !within(path, b.path) {
				continue
			}
			if way := g.chain(main, path); way != nil {
				lines = append(lines, fmt.Sprintf("%s is linked (%s): %s", b.path, b.why, strings.Join(way, " -> ")))
				break
			}
		}
	}
	return lines
}

func TestTheBinaryDoesNotLinkWhatIsSlowToStart(t *testing.T) {
	t.Parallel()
	for _, goos := range systems() {
		t.Run(goos, func(t *testing.T) {
			t.Parallel()
			for _, line := range linkedBans(list(t, goos, "./cmd/dormouse"), module+"/cmd/dormouse") {
				t.Error(line)
			}
		})
	}
}

func TestBannedLinksAreFoundWithTheWayToThem(t *testing.T) {
	t.Parallel()
	g := sketch(t, `m: m/a
m/a: charm.land/glamour/v2 net/http/internal
charm.land/glamour/v2:
net/http/internal:
net/httpx:
database/sql:`)
	want := []string{
		"charm.land/glamour is linked (links chroma): m -> m/a -> charm.land/glamour/v2",
		"net/http is linked (no command needs a network yet; it costs 4 MB): m -> m/a -> net/http/internal",
	}
	if diff := cmp.Diff(want, linkedBans(g, "m")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
