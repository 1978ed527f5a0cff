package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/recall"
)

func TestFiguresAreCountedAsTheyAreCalled(t *testing.T) {
	t.Parallel()
	var f figures
	f.add([]string{"x", "a", "y", "z", "w", "v", "b"}, []string{"a", "b"}) // a second, b seventh
	f.add([]string{"a"}, []string{"a"})
	f.add(nil, []string{"a"})
	f.add(append(make([]string, 10), "a"), []string{"a"}) // eleventh is too late
	want := figures{n: 4, hit1: 1, hit5: 2, hit10: 2, all10: 2, recall10: 2}
	ideal := 1 + 1/math.Log2(3)
	ndcg := (1/math.Log2(3)+1/math.Log2(8))/ideal + 1
	if math.Abs(f.ndcg10-ndcg) > 1e-12 {
		t.Errorf("NDCG sums to %v, want %v", f.ndcg10, ndcg)
	}
	if f.ndcg10 = 0; f != want {
		t.Errorf("got %+v, want %+v", f, want)
	}
}

func TestTheOfficialGainCountsTheSecondPlaceLikeTheFirst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		ranked, gold string
		want         float64
	}{
		{"a b c", "a", 1}, {"b a c", "a", 1}, {"c b a", "a", 1 / math.Log2(3)}, {"c b", "a", 0}, {"a c b", "a b", (1 + 1/math.Log2(3)) / 2},
	} {
		if got := officialNDCG(strings.Fields(tt.ranked), strings.Fields(tt.gold), 10); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s for %s: %v, want %v", tt.ranked, tt.gold, got, tt.want)
		}
	}
}

func TestALongMemEvalFileIsScored(t *testing.T) {
	t.Parallel()
	const entry = `{"question_id": "q1", "question_type": "single-session-user", "question": "Which boat did I buy?", "question_date": "2023/05/30 (Tue) 23:40",
	 "haystack_session_ids": ["s1", "answer_1", "answer_2"], "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 02:21", "2023/05/22 (Mon) 02:21"],
	 "haystack_sessions": [
	  [{"role": "user", "content": "How do I bake bread?"}, {"role": "assistant", "content": "Buy a boat."}],
	  [{"role": "user", "content": "I bought a boat, a sloop.", "has_answer": true}, {"role": "assistant", "content": "Nice.", "has_answer": false}],
	  [{"role": "user", "content": "Hello.", "has_answer": false}]]}`
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "l.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var out strings.Builder
	err := runLongMemEval(&out, write("["+entry+","+strings.Replace(entry, `"q1"`, `"q2_abs"`, 1)+"]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 questions left out", "all: recall                                      1  100.0 100.0 1.000", "single-session-user: plain BM25"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	for _, bad := range []string{"", "{}", "[{]", "[" + entry} {
		if err := runLongMemEval(&out, write(bad)); err == nil {
			t.Errorf("%.20q is scored", bad)
		}
	}
}

func TestEvidenceIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"D8:6": true, "D9:17": true}
	got := strings.Join(evidence([]string{"D8:6; D9:17", "D8:6", "D:1:2", ""}, known), " ")
	if got != "D8:6 D9:17" {
		t.Errorf("got %q", got)
	}
}

func TestTheSetsReachTheirFloors(t *testing.T) {
	t.Parallel()
	data := filepath.Join("..", "..", "..", "..", "shared", "data")
	lo, err := locomo(data)
	be, err2 := beam(data)
	var missing errNoData
	if errors.As(errors.Join(err, err2), &missing) {
		t.Skipf("skip: %v", missing)
	}
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	turns, sessions, messages := evaluate(lo, turnSearcher(0)).ours["all"], evaluate(sessionsOf(lo), groupSearcher(lo, 0)).ours["all"], evaluate(be, turnSearcher(0)).ours
	for _, floor := range []struct {
		name string
		got  float64
		want float64
	}{
		{"LoCoMo, turn hit@5", percent(float64(turns.hit5), turns.n), 66},
		{"LoCoMo, session hit@5", percent(float64(sessions.hit5), sessions.n), 93},
		{"BEAM, hit@10", percent(float64(messages["all"].hit10), messages["all"].n), 70},
		{"BEAM, contradiction, all of them @10", percent(float64(messages["contradiction_resolution"].all10), messages["contradiction_resolution"].n), 75},
		{"BEAM, knowledge update, all of them @10", percent(float64(messages["knowledge_update"].all10), messages["knowledge_update"].n), 75},
	} {
		if floor.got < floor.want {
			t.Errorf("%s: %.1f, floor %.0f", floor.name, floor.got, floor.want)
		}
	}
}

func TestTheGeneratedWorldHasRareAndCommonWords(t *testing.T) {
	t.Parallel()
	w := newWorld(2000, 1)
	again := newWorld(2000, 1)
	if w.docs[7].Body != again.docs[7].Body {
		t.Error("one seed makes two worlds")
	}
	for _, share := range []float64{0.001, 0.01, 0.3} {
		word := w.words(share, 1)[0]
		if got := float64(w.holds[word]) / 2000; got < share/2 || got > share*2 {
			t.Errorf("%s stands in %v of the documents, wanted %v", word, got, share)
		}
	}
}

func TestAnEmbedderIsMeasuredByEachWeight(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(path, []byte("boat 1 0\nsloop 1 0\nbread 0 1\nbake 0 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := embedder(path)
	if err != nil {
		t.Fatal(err)
	}
	docs := []recall.Doc{
		{ID: "1", Body: "A question of bread that we bake at home"},
		{ID: "2", Body: "The sloop, at home"},
	}
	set := []conversation{{name: "c", dev: true, docs: docs, questions: []question{{text: "a boat question of home", gold: []string{"2"}}}}}
	var out strings.Builder
	if err := meantTable(&out, m, set); err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for _, line := range strings.Split(out.String(), "\n") {
		if f := strings.Fields(line); len(f) > 4 {
			lines[f[0]+f[2]] = f[4] // hit@1
		}
	}
	if lines["dev:0"] != "0.0" || lines["dev:3"] != "100.0" {
		t.Errorf("hit@1 %v\n%s", lines, out.String())
	}
}

func TestAMistypedQuestionDiffersInTwoLetters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"Where is Caroline?": "Where is Caroilne?", "": "", "aa": "aa"} {
		if got := mistype(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestEngramTakesPartOnlyWhereItIs(t *testing.T) {
	made := newWorld(20, 1)
	t.Setenv("ENGRAM", "")
	t.Setenv("PATH", t.TempDir())
	if e, why := openEngram(t.Context(), made, t.TempDir()); e != nil || !strings.Contains(why, "not at hand") {
		t.Errorf("%v, %s", e, why)
	}
	t.Setenv("ENGRAM", filepath.Join(t.TempDir(), "none"))
	dir := t.TempDir()
	if e, why := openEngram(t.Context(), made, dir); e != nil || !strings.Contains(why, "its import failed") {
		t.Errorf("%v, %s", e, why)
	}
	text, err := os.ReadFile(filepath.Join(dir, "engram.json"))
	if err != nil || strings.Count(string(text), `"session_id":"s"`) != len(made.docs) {
		t.Errorf("%v, %.200s", err, text)
	}
}
