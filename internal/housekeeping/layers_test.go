package housekeeping

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A row holds rooms of the same height, from the floor up. A room is a package
// with all below it that have no room of their own. It may import rooms of lower
// rows, never one beside or above it.
type row struct {
	pure  bool // no files, no processes, no network: bytes in, values out
	rooms []string
}

func house() []row {
	return []row{
		{pure: true, rooms: []string{"scan", "frontmatter"}},
		{pure: true, rooms: []string{"instructions", "note"}},
		{pure: true, rooms: []string{"claim", "guard"}},
		{pure: true, rooms: []string{"startup", "draft"}},
		{pure: true, rooms: []string{"recall"}},
		{rooms: []string{"internal/safefile", "internal/jsonedit", "internal/tomledit", "internal/term"}},
		{rooms: []string{"internal/gitroot", "internal/atomicfile"}},
		{rooms: []string{"store", "evidence"}},
		{rooms: []string{"host"}},
		// One host never knows another: the next one is a new package and no
		// change elsewhere.
		{rooms: []string{"host/claude", "host/codex", "host/gemini"}},
		{rooms: []string{"host/all"}},
		{rooms: []string{"transcript", "model", "internal/guardfiles", "internal/install"}},
		{rooms: []string{"trust", "recall/embed"}},
		{rooms: []string{"recall/find", "syncer", "memorytool"}},
		{rooms: []string{"extract"}},
		{rooms: []string{"dream"}},
		{rooms: []string{"doctor"}},
		{rooms: []string{"internal/hook", "internal/mcpserver", "internal/apiserver", "internal/remote", "internal/tui", "internal/web"}},
		{rooms: []string{"internal/cli"}},
		{rooms: []string{"cmd"}},
	}
}

// beside the house stands what only tests and developers use. It may import all
// of it; none of it may import that.
func beside() []string {
	return []string{"testkit", "e2e", "internal/housekeeping", "internal/tools"}
}

// impure are packages that a pure room can't import itself, each with all below
// it but for the parts that only compute.
func impure() (packages, but []string) {
	return []string{"os", "net", "syscall", "io/ioutil", "golang.org/x/sys", "golang.org/x/net"},
		[]string{"net/url", "net/netip"}
}

// room returns the room a package of ours is in and that room's height; height
// is -1 beside the house and ok is false when there is no such room.
func room(path string) (name string, height int, ok bool) {
	path = strings.TrimPrefix(path, module+"/")
	height = -1
	for _, b := range beside() {
		if within(path, b) {
			return b, -1, true
		}
	}
	for h, r := range house() {
		for _, candidate := range r.rooms {
			// host/claude is in the room host/claude, not in the room host.
			if within(path, candidate) && len(candidate) > len(name) {
				name, height, ok = candidate, h, true
			}
		}
	}
	return name, height, ok
}

// misplaced returns one line for each import that breaks the order.
func misplaced(g graph) []string {
	var lines []string
	complain := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, path := range g.ours() {
		from, height, ok := room(path)
		if !ok {
			complain("%s is in no room: put it into a row of house() in layers_test.go", path)
			continue
		}
		if height < 0 {
			continue
		}
		for _, imported := range g[path].Imports {
			if !within(imported, module) {
				if house()[height].pure && isImpure(imported) {
					complain("%s imports %s: this room is pure", path, imported)
				}
				continue
			}
			to, below, ok := room(imported)
			switch {
			case !ok || to == from: // said above; one's own room
			case below < 0:
				complain("%s imports %s: that is for tests and developers", path, imported)
			case below == height:
				complain("%s imports %s: both stand in one row", path, imported)
			case below > height:
				complain("%s imports %s: that stands above it", path, imported)
			}
		}
	}
	return lines
}

func isImpure(path string) bool {
	packages, but := impure()
	lies := func(parent string) bool { return within(path, parent) }
	return slices.ContainsFunc(packages, lies) && !slices.ContainsFunc(but, lies)
}

func TestNoPackageImportsUpwards(t *testing.T) {
	t.Parallel()
	for _, goos := range systems() {
		t.Run(goos, func(t *testing.T) {
			t.Parallel()
			for _, line := range misplaced(list(t, goos, "./...")) {
				t.Error(line)
			}
		})
	}
}

func TestMisplacedImportsAreFound(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, graph, want string }{
		{"a lower room is fine", "dormouse/store: dormouse/note os", ""},
		{"a package in the same room is fine", "dormouse/instructions: dormouse/instructions/globs", ""},
		{"a host may import host", "dormouse/host/claude: dormouse/host", ""},
		{"upwards", "dormouse/store: dormouse/host/claude", "dormouse/store imports dormouse/host/claude: that stands above it"},
		{"host may not import a host", "dormouse/host: dormouse/host/claude", "dormouse/host imports dormouse/host/claude: that stands above it"},
		{"a host beside a host", "dormouse/host/codex/x: dormouse/host/claude", "dormouse/host/codex/x imports dormouse/host/claude: both stand in one row"},
		{"the test kit in the product", "dormouse/internal/cli: dormouse/testkit", "dormouse/internal/cli imports dormouse/testkit: that is for tests and developers"},
		{"the test kit in a tool", "dormouse/internal/tools/x: dormouse/testkit", ""},
		{"a pure room that reads files", "dormouse/note: os", "dormouse/note imports os: this room is pure"},
		{"a pure room that takes an address apart", "dormouse/note: net/url", ""},
		{"a pure room that runs programs", "dormouse/scan: os/exec", "dormouse/scan imports os/exec: this room is pure"},
		{"a new package", "dormouse/attic:", "dormouse/attic is in no room: put it into a row of house() in layers_test.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, strings.Join(misplaced(sketch(t, tt.graph)), "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
