package draft

import (
	"strings"
	"testing"
)

func BenchmarkSameAmongAThousandNotes(b *testing.B) {
	known := filler(1000, 1000)
	b.ReportAllocs()
	for b.Loop() {
		Same("never run the full test suite locally", known)
	}
}

func BenchmarkGuessOneSentence(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Guess("Never run the full test suite on this laptop, it takes forty minutes.")
	}
}

func BenchmarkSplitAMegabyteOfParagraphs(b *testing.B) {
	text := strings.Repeat("a\n\n", 1<<20/3)
	b.ReportAllocs()
	for b.Loop() {
		Split(text)
	}
}
