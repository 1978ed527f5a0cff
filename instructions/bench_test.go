package instructions_test

import (
	"strings"
	"testing"

	"dormouse/instructions"
)

// A file of 10 KB as people write them.
var typical = strings.Repeat("# Build\n\nRun `make test` before every commit, see @docs/testing.md and\n**never** push to `main`. [Guide](docs/guide.md \"the guide\").\n\n- Use tabs, not spaces (`gofmt`)\n- Ask *me@example.com* when _unsure_\n  - nested <b>item</b>\n\n```go\nfunc main() { println(\"@x\") }\n```\n\n> Note: quoted text\nthat goes on lazily\n\n<!-- remember: ask -->\n\n", 25)

func BenchmarkScanImports(b *testing.B) {
	b.SetBytes(int64(len(typical)))
	for b.Loop() {
		instructions.ScanImports(typical)
	}
}

func BenchmarkStripComments(b *testing.B) {
	b.SetBytes(int64(len(typical)))
	for b.Loop() {
		instructions.StripComments(typical)
	}
}
