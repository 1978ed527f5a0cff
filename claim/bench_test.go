package claim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// notes makes notes of three to five sentences on matters of a software project,
// the same at every run, and a text of instructions.
func notes(n int) []Source {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(s string) string { f := strings.Fields(s); return f[r.IntN(len(f))] }
	sentence := func() string {
		switch r.IntN(5) {
		case 0:
			return fmt.Sprintf("The %s %s listens on port %d.", pick(benchThings), pick("service worker server daemon"), 1000+r.IntN(9000))
		case 1:
			return fmt.Sprintf("Use %s for the %s %s.", pick("pnpm npm jest vitest postgres mysql redis kafka docker helm"), pick(benchThings), pick("package module job table"))
		case 2:
			return fmt.Sprintf("Never %s the %s %s without asking %s first.", pick("deploy restart delete merge rename"), pick(benchThings), pick("branch table queue bucket"), pick("Marta Jonas Olena Ivan"))
		}
		return fmt.Sprintf("The %s %s of the %s %s %s %s the %s %s%d.",
			pick("daily central remote nested cached signed legacy public internal async binary global"), pick("parser cluster invoice ledger scheduler cursor session layout palette cookie router worker replica"),
			pick(benchThings), pick("module service screen table job queue bucket page report batch"),
			pick("reads drops rounds retries rejects stores compresses merges splits rotates counts"), pick("after before without under beside"),
			pick("nightly weekly manual first empty broken"), pick("run sync backup login upload release region shard"), r.IntN(900))
	}
	out := make([]Source, n)
	for i := range out {
		var b strings.Builder
		for range 3 + r.IntN(3) {
			b.WriteString(sentence())
			b.WriteByte("\n "[r.IntN(2)])
		}
		out[i] = Source{Name: fmt.Sprintf("note-%05d.md", i), Text: b.String()}
	}
	var b strings.Builder
	for range 300 {
		b.WriteString("- " + sentence() + "\n")
	}
	return append(out, Source{Name: "CLAUDE.md", Text: b.String(), Fixed: true})
}

const benchThings = "billing search mobile admin export import audit video chat map tax stock order cart login email push feed photo price coupon refund shipping webhook sitemap"

func BenchmarkAcrossTenThousandNotes(b *testing.B) {
	sources := notes(10000)
	b.ReportAllocs()
	for b.Loop() {
		Across(sources)
	}
}

func BenchmarkAcrossAHundredNotes(b *testing.B) {
	sources := notes(100)
	b.ReportAllocs()
	for b.Loop() {
		Across(sources)
	}
}

func BenchmarkCompare(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Compare("The API listens on port 8080 by default", "Port of the API server: 9090")
	}
}

func BenchmarkAcrossCopies(b *testing.B) {
	one := notes(1)[0].Text
	sources := make([]Source, 10000)
	for i := range sources {
		sources[i] = Source{Name: fmt.Sprint(i), Text: one}
	}
	for b.Loop() {
		Across(sources)
	}
}

func BenchmarkAcrossOneWord(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	sources := make([]Source, 10000)
	for i := range sources {
		var s strings.Builder
		for range 40 {
			s.WriteString([]string{"alpha ", "beta ", "gamma ", "delta ", "omega. ", "kappa ", "sigma. "}[r.IntN(7)])
		}
		sources[i] = Source{Name: fmt.Sprint(i), Text: s.String()}
	}
	for b.Loop() {
		Across(sources)
	}
}
