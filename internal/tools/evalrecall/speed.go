package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // what the speed is compared with

	"dormouse/internal/tools/evalkit"
	"dormouse/recall"
)

// A world is generated text: words by Zipf's law, as in real text few of them
// very common and most rare.
type world struct {
	docs  []recall.Doc
	bytes int
	holds map[string]int // in how many documents a word stands
}

func newWorld(n int, seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, 1))
	const vocabulary = 50_000
	vowels, consonants := "aeiou", "bcdfghjklmnprstvz"
	known := map[string]bool{}
	var list []string
	for len(list) < vocabulary {
		var w strings.Builder
		for range 2 + r.IntN(3) {
			w.WriteByte(consonants[r.IntN(len(consonants))])
			w.WriteByte(vowels[r.IntN(len(vowels))])
		}
		w.WriteByte("kmnrt"[r.IntN(5)]) // an ending that no stemmer takes off
		if !known[w.String()] {
			known[w.String()] = true
			list = append(list, w.String())
		}
	}
	// The word of rank k is drawn about as often as 1/(k+2.7).
	total := 0.0
	sums := make([]float64, vocabulary)
	for k := range sums {
		total += 1 / (float64(k) + 2.7)
		sums[k] = total
	}
	w := &world{holds: map[string]int{}}
	for i := range n {
		count := 20 + r.IntN(80)
		drawn := make([]string, count)
		seen := map[string]bool{}
		for j := range drawn {
			k, _ := slices.BinarySearch(sums, r.Float64()*total)
			drawn[j] = list[min(k, vocabulary-1)]
			if !seen[drawn[j]] {
				seen[drawn[j]] = true
				w.holds[drawn[j]]++
			}
		}
		d := recall.Doc{ID: strconv.Itoa(i), Kind: recall.Note, Title: strings.Join(drawn[:4], " "), Body: strings.Join(drawn[4:], " ")}
		w.bytes += len(d.Title) + len(d.Body)
		w.docs = append(w.docs, d)
	}
	return w
}

// words returns n words that stand in about this share of the documents.
func (w *world) words(share float64, n int) []string {
	var all []string
	for word := range w.holds {
		all = append(all, word)
	}
	far := func(word string) float64 {
		return math.Abs(math.Log(float64(w.holds[word]) / (share * float64(len(w.docs)))))
	}
	slices.SortFunc(all, func(x, y string) int {
		if fx, fy := far(x), far(y); fx != fy {
			if fx < fy {
				return -1
			}
			return 1
		}
		return strings.Compare(x, y)
	})
	return all[:min(n, len(all))]
}

// A task is a kind of question in the table.
type task struct {
	name      string
	questions []string
}

func (w *world) tasks() []task {
	rare, middling, common := w.words(0.0002, 10), w.words(0.01, 10), w.words(0.3, 10)
	mixed := make([]string, len(rare))
	for i := range mixed {
		mixed[i] = strings.Join([]string{rare[i], middling[i], middling[(i+1)%10], common[i], common[(i+1)%10]}, " ")
	}
	three := make([]string, len(common))
	for i := range three {
		three[i] = strings.Join([]string{common[i], common[(i+1)%10], common[(i+2)%10]}, " ")
	}
	return []task{{"rare (0.02 % of documents)", rare}, {"middling (1 %)", middling}, {"very common (30 %)", common}, {"three very common", three}, {"five mixed", mixed}}
}

// runSpeed compares searches in this process with SQLite FTS5 on the same text,
// and with grep on files.
func runSpeed(w io.Writer) error {
	n, err := evalkit.Number("N", 100_000)
	if err != nil {
		return err
	}
	seed, err := evalkit.Number("SEED", 1)
	if err != nil {
		return err
	}
	made := newWorld(int(n), seed)
	mega := float64(made.bytes) / 1e6
	fmt.Fprintf(w, "%d documents, %.1f MB of text, seed %d; times are medians, one goroutine\n", n, mega, seed)

	// The best of three: other programs on the machine only ever take time.
	var parts []recall.Part
	var x *recall.Index
	build, load, cpu := time.Hour, time.Hour, time.Hour
	for range 3 {
		start, used := time.Now(), cpuTime()
		parts = index(made.docs)
		build, cpu = min(build, time.Since(start)), min(cpu, cpuTime()-used)
		start = time.Now()
		if x, err = recall.Load(parts[0].Index.Bytes()); err != nil {
			return err
		}
		load = min(load, time.Since(start))
	}
	fmt.Fprintf(w, "recall: index built at %.1f MB/s by the clock, %.1f MB/s of processor time (collector included), %.1f MB, loaded in %.2f ms\n",
		mega/build.Seconds(), mega/max(cpu.Seconds(), 1e-9), float64(len(x.Bytes()))/1e6, load.Seconds()*1e3)

	db, took, err := fts(made)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	fmt.Fprintf(w, "FTS5:   index built at %.1f MB/s\n", mega/took.Seconds())
	folder, err := os.MkdirTemp("", "evalrecall")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := writeFiles(folder, made); err != nil {
		return err
	}
	other, err := os.MkdirTemp("", "evalrecall")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(other) }()
	peer, why := openEngram(context.Background(), made, other)
	fmt.Fprintf(w, "engram: %s\n", why)
	ratios, err := compareSpeed(w, made.tasks(), []recall.Part{{Index: x}}, db, whole{folder, peer})
	if err != nil {
		return err
	}
	ratios["build_mb_s"], ratios["build_mb_cpu_s"] = mega/build.Seconds(), mega/max(cpu.Seconds(), 1e-9)
	last, err := json.Marshal(ratios)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n", last)
	return nil
}

// fts puts the documents into an FTS5 table in memory.
func fts(made *world) (db *sql.DB, took time.Duration, err error) {
	if db, err = sql.Open("sqlite", ":memory:"); err != nil {
		return nil, 0, err
	}
	db.SetMaxOpenConns(1)
	start := time.Now()
	if err := fill(db, made); err != nil {
		_ = db.Close()
		return nil, 0, fmt.Errorf("filling FTS5: %w", err)
	}
	return db, time.Since(start), nil
}

func fill(db *sql.DB, made *world) error {
	ctx := context.Background()
	if _, err := db.ExecContext(ctx, `CREATE VIRTUAL TABLE docs USING fts5(title, body, tokenize='porter')`); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, `INSERT INTO docs(rowid, title, body) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	for i, d := range made.docs {
		if _, err := insert.ExecContext(ctx, i, d.Title, d.Body); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `INSERT INTO docs(docs) VALUES ('optimize')`)
	return err
}

func writeFiles(folder string, made *world) error {
	for i, d := range made.docs {
		dir := filepath.Join(folder, strconv.Itoa(i/1000))
		if i%1000 == 0 {
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, d.ID+".md"), []byte(d.Title+"\n\n"+d.Body+"\n"), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// compareSpeed asks each question of each in turn and prints the medians. Programs
// are asked a few of them.
func compareSpeed(w io.Writer, tasks []task, parts []recall.Part, db *sql.DB, programs whole) (map[string]float64, error) {
	ctx := context.Background()
	query, err := db.PrepareContext(ctx, `SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs) LIMIT 10`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = query.Close() }()
	ratios := map[string]float64{}
	fmt.Fprintf(w, "%-28s %12s %12s %8s %14s %14s\n", "10 best of", "recall", "FTS5", "ratio", "grep -rlwE", "engram search")
	for _, t := range tasks {
		var ours, theirs, grep, peer []time.Duration
		for round := range 5 {
			for i, q := range t.questions {
				start := time.Now()
				hits := recall.Search(recall.Query{Text: q}, parts)
				ours = append(ours, time.Since(start))
				match := strings.ReplaceAll(q, " ", " OR ")
				start = time.Now()
				rows, err := count(ctx, query, match)
				if err != nil {
					return nil, err
				}
				theirs = append(theirs, time.Since(start))
				if len(hits) != rows {
					return nil, fmt.Errorf("%q: %d hits, FTS5 has %d", q, len(hits), rows)
				}
				if round == 0 && i == 0 {
					start = time.Now()
					// Exit code 1 says that nothing was found, which is no failure here.
					_ = exec.CommandContext(ctx, "grep", "-rlwE", strings.ReplaceAll(q, " ", "|"), programs.folder).Run()
					grep = append(grep, time.Since(start))
				}
				if programs.engram != nil && round == 0 && i < 3 {
					took, err := programs.engram.search(ctx, q)
					if err != nil {
						return nil, err
					}
					peer = append(peer, took)
				}
			}
		}
		a, b := median(ours), median(theirs)
		ratios[t.name] = float64(a) / float64(b)
		fmt.Fprintf(w, "%-28s %9.3f ms %9.3f ms %8.3f", t.name, ms(a), ms(b), ratios[t.name])
		cell(w, grep)
		cell(w, peer)
		fmt.Fprintln(w)
	}
	return ratios, nil
}

func count(ctx context.Context, query *sql.Stmt, match string) (n int, err error) {
	rows, err := query.QueryContext(ctx, match)
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return 0, err
		}
		n++
	}
	return n, rows.Err()
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }
