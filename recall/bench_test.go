package recall

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchDocs makes documents of some 60 words, drawn from 20,000 as text draws them.
func benchDocs(n int) (docs []Doc, size int) {
	r := rand.New(rand.NewPCG(1, 1))
	zipf := rand.NewZipf(r, 1.1, 3, 19_999)
	docs = make([]Doc, n)
	for i := range docs {
		w := make([]string, 60)
		for j := range w {
			k := zipf.Uint64()
			w[j] = fmt.Sprintf("%c%c%cor%ck", 'a'+k%26, 'a'+k/26%26, 'a'+k/676%26, 'a'+k%7)
		}
		docs[i] = Doc{ID: fmt.Sprint(i), Kind: Note, Title: w[0] + " " + w[1], Body: strings.Join(w[2:], " ")}
		size += len(docs[i].Title) + len(docs[i].Body)
	}
	return docs, size
}

func BenchmarkIndexingText(b *testing.B) {
	docs, size := benchDocs(20_000)
	b.SetBytes(int64(size))
	for b.Loop() {
		builder := NewBuilder()
		for _, d := range docs {
			builder.Add(d)
		}
		builder.Index()
	}
}

// The whole of what a hook does: load a mapped file and answer once.
func BenchmarkLoadingAndSearching10000Notes(b *testing.B) {
	docs, _ := benchDocs(10_000)
	builder := NewBuilder()
	for _, d := range docs {
		builder.Add(d)
	}
	file := builder.Index().Bytes()
	query := Query{Text: docs[77].Body[:70]}
	b.ReportAllocs()
	for b.Loop() {
		x, err := Load(file)
		if err != nil {
			b.Fatal(err)
		}
		if len(Search(query, []Part{{Index: x}})) == 0 {
			b.Fatal("found nothing")
		}
	}
}

func BenchmarkSearchingARareWordIn100000Notes(b *testing.B) {
	docs, _ := benchDocs(100_000)
	builder := NewBuilder()
	for i, d := range docs {
		if i%5000 == 0 {
			d.Body += " quokka"
		}
		builder.Add(d)
	}
	parts := []Part{{Index: builder.Index()}}
	b.ReportAllocs()
	for b.Loop() {
		if len(Search(Query{Text: "quokka"}, parts)) != 10 {
			b.Fatal("not ten hits")
		}
	}
}

func BenchmarkSearching100000Turns(b *testing.B) {
	docs, _ := benchDocs(100_000)
	builder := NewBuilder()
	for i, d := range docs {
		d.Kind, d.Type, d.Group, d.Seq = Turn, [...]string{"user", "assistant"}[i%2], fmt.Sprint(i/50), i
		builder.Add(d)
	}
	parts := []Part{{Index: builder.Index()}}
	for _, q := range []struct{ name, text string }{{"rare", "zzzorak yzaorbk"}, {"common", docs[1].Body[:60]}} {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				Search(Query{Text: q.text}, parts)
			}
		})
	}
}

func BenchmarkChecksum(b *testing.B) {
	file := make([]byte, 8<<20)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		checksum(file)
	}
}
