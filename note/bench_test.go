package note

import (
	"strings"
	"testing"
)

// typical is a note of 2 KB in the form that the client writes.
func typical() []byte {
	head := "---\nname: release-process\ndescription: \"Releases go out from main only; the tag is made by CI, never by hand\"\nmetadata:\n  node_type: memory\n  type: project\n  originSessionId: b474aa28-e8a2-41b1-b311-2d63f03a792c\n  modified: 2026-11-30T18:05:28.839Z\n---\n\n"
	body := "Tags are made by CI, see [the workflow](release.md) and [[ci-secrets]].\n\n**Why:** a tag by hand in `v1.2` broke the changelog.\n\n"
	return []byte((head + strings.Repeat(body, 20))[:2048])
}

func BenchmarkParse(b *testing.B) {
	text := typical()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(text)
	}
}

func BenchmarkSet(b *testing.B) {
	n := Parse(typical())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := n.Set("description", "Fix #12: now"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLinks(b *testing.B) {
	n := Parse(typical())
	b.ReportAllocs()
	for b.Loop() {
		if len(n.Links()) == 0 {
			b.Fatal("no links")
		}
	}
}

func BenchmarkInsert(b *testing.B) {
	x := ReadIndex([]byte(strings.Repeat("- [Title](file.md) — a hook of some length\n", 140)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.Insert(Line{File: "new.md", Title: "New", Hook: "hook"}); err != nil {
			b.Fatal(err)
		}
	}
}
