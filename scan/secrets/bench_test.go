package secrets

import (
	"strings"
	"testing"
)

// plain is a note without a word that any rule looks at twice; prose is one with
// the words that notes about programs have.
const (
	plain = "The deploy of the web app runs from the main branch at noon. It builds the image, waits for the smoke tests and moves the traffic in three steps.\nWhen a step fails the old image stays. Logs are in the usual place, and the on-call engineer gets a page after ten minutes.\n\n"
	prose = "The API server reads its token from the environment; the key takeaway: never log passwords or access tokens.\nAuth runs in middleware/auth.go, credentials come from Vault (kv/app), see https://wiki.internal/auth#tokens.\nSet GITHUB_TOKEN and DB_PASSWORD=$DB_PASSWORD before `make test`; commit 3f9d2c1b7a8e4f5061728394a5b6c7d8e9f01234 has the fix.\n\n"
)

func sized(part string, size int) string {
	return strings.Repeat(part, size/len(part)+1)[:size]
}

func benchFind(b *testing.B, text string) {
	f := New()
	f.Find(text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		f.Find(text)
	}
}

func BenchmarkFind4KiBPlain(b *testing.B) { benchFind(b, sized(plain, 4<<10)) }
func BenchmarkFind4KiBProse(b *testing.B) { benchFind(b, sized(prose, 4<<10)) }
func BenchmarkFind1MiBPlain(b *testing.B) { benchFind(b, sized(plain, 1<<20)) }
func BenchmarkFind1MiBProse(b *testing.B) { benchFind(b, sized(prose, 1<<20)) }

func benchFirst(b *testing.B, text string) {
	b.ReportAllocs()
	for b.Loop() {
		New().Find(text)
	}
}

func BenchmarkFirstUse4KiBPlain(b *testing.B) { benchFirst(b, sized(plain, 4<<10)) }
func BenchmarkFirstUse4KiBProse(b *testing.B) { benchFirst(b, sized(prose, 4<<10)) }

func BenchmarkRedactEveryShape(b *testing.B) {
	var text strings.Builder
	for _, sh := range shapes(1) {
		text.WriteString("note " + sh.before + sh.secret + sh.after + "\n\n")
	}
	f := New()
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		f.Redact(text.String())
	}
}
