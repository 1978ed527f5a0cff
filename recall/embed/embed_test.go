package embed

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

const glove = "the 0.1 0.1 0.1\ncat 1 0 0\nkitten 0.9 0.1 0\nDatabase 0 1 0\nпорт 0 0 1\nbroken 1 2\n"

func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func near(t *testing.T, m Model, question string, texts ...string) []float64 {
	t.Helper()
	got, kept, err := (&Ranker{Model: m}).Near(t.Context(), question, texts)
	if err != nil || kept != nil {
		t.Fatal(err, kept)
	}
	return got
}

func TestWordVectorsTellWhichTextIsNear(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"GloVe":                           glove,
		"word2vec, with a head":           "6 3\n" + glove,
		"tabs, and no newline at the end": strings.TrimSpace(strings.ReplaceAll(glove, " ", "\t")),
		"Windows line ends":               strings.ReplaceAll(glove, "\n", "\r\n"),
	} {
		m, err := Open(file(t, "words.txt", text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := near(t, m, "A kitten!", "the cat", "the database", "nothing known")
		if !(got[0] > 0.9) || !(got[1] < 0.3) || !math.IsNaN(got[2]) {
			t.Errorf("%s: %v", name, got)
		}
		if got := near(t, m, "ПОРТ", "порт"); !(got[0] > 0.99) {
			t.Errorf("%s: a word in capitals is another word: %v", name, got)
		}
	}
}

// The parts of a model2vec folder.
type folder struct {
	kind    string // of the numbers
	rows    [][]float32
	weights []float32
	mapping []int64
	vocab   any
	model   string
}

func (f folder) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	var data []byte
	le := binary.LittleEndian
	head := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	add := func(name, kind string, shape []int, b []byte) {
		head[name] = map[string]any{"dtype": kind, "shape": shape, "data_offsets": []int{len(data), len(data) + len(b)}}
		data = append(data, b...)
	}
	var b []byte
	for _, row := range f.rows {
		for _, x := range row {
			switch f.kind {
			case "F32":
				b = le.AppendUint32(b, math.Float32bits(x))
			case "F16":
				b = le.AppendUint16(b, map[float32]uint16{0: 0, 1: 0x3c00, -1: 0xbc00, 0.5: 0x3800}[x])
			case "I8":
				b = append(b, byte(int8(x*100)))
			}
		}
	}
	add("embeddings", f.kind, []int{len(f.rows), len(f.rows[0])}, b)
	if f.weights != nil {
		b = nil
		for _, x := range f.weights {
			b = le.AppendUint32(b, math.Float32bits(x))
		}
		add("weights", "F32", []int{len(f.weights)}, b)
	}
	if f.mapping != nil {
		b = nil
		for _, x := range f.mapping {
			b = le.AppendUint64(b, uint64(x))
		}
		add("mapping", "I64", []int{len(f.mapping)}, b)
	}
	text, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	whole := append(le.AppendUint64(nil, uint64(len(text))), text...)
	tok, err := json.Marshal(map[string]any{
		"normalizer": map[string]any{"type": "BertNormalizer", "lowercase": true, "strip_accents": nil},
		"model":      map[string]any{"type": f.model, "vocab": f.vocab, "unk_token": "[UNK]", "unk_id": 0, "continuing_subword_prefix": "##"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"model.safetensors": append(whole, data...), "tokenizer.json": tok} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func pieces() map[string]int {
	return map[string]int{"[UNK]": 0, "kit": 1, "##ten": 2, "cat": 3, "data": 4, "##base": 5}
}

func rows() [][]float32 { return [][]float32{{1, 1}, {1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}} }

func TestModel2vecFoldersAreRead(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]folder{
		"numbers of 32 bits": {kind: "F32", rows: rows()},
		"numbers of 16 bits": {kind: "F16", rows: rows()},
		"small whole ones":   {kind: "I8", rows: rows()},
		"weights":            {kind: "F32", rows: rows(), weights: []float32{1, 2, 2, 1, 3, 3}},
		"rows shared":        {kind: "F32", rows: [][]float32{{1, 0}, {0, 1}}, mapping: []int64{0, 0, 0, 0, 1, 1}},
	} {
		f.vocab, f.model = pieces(), "WordPiece"
		dir := f.write(t)
		for _, path := range []string{dir, filepath.Join(dir, "model.safetensors")} {
			m, err := Open(path)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got := near(t, m, "Kitten", "a cat.", "the DATABASE", "xyz")
			if !(got[0] > 0.99) || !(math.Abs(got[1]) < 0.01) || !math.IsNaN(got[2]) {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
}

func TestTokensAreThoseOfTheModel(t *testing.T) {
	t.Parallel()
	word, err := readTokenizer([]byte(`{"normalizer":{"type":"BertNormalizer","lowercase":true},"model":{"type":"WordPiece","unk_token":"[UNK]",
		"vocab":{"[UNK]":0,"don":1,"'":2,"t":3,"cafe":4,"run":5,"##ning":6,"世":7,"界":8,"c":9,"+":10}}}`))
	if err != nil {
		t.Fatal(err)
	}
	uni, err := readTokenizer([]byte(`{"normalizer":{"type":"Sequence","normalizers":[{"type":"Lowercase"}]},"model":{"type":"Unigram","unk_id":0,
		"vocab":[["<unk>",0],["▁",-3],["▁порт",-2],["▁бази",-2],["▁по",-1.5],["рт",-1.5],["и",-4],["база",-4]]}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tok  *tokenizer
		text string
		want []int
	}{
		{word, "Don't", []int{1, 2, 3}},
		{word, "CAFÉ running", []int{4, 5, 6}},
		{word, "runner", nil}, // no piece for its end
		{word, "世界", []int{7, 8}},
		{word, "c++", []int{9, 10, 10}},
		{word, strings.Repeat("run", 40), nil}, // too long for a word
		{word, "", nil},
		{uni, "Порт  бази", []int{2, 3}},
		{uni, "портж", []int{2}}, // a character without a token is left out
		{uni, " ", nil},
	} {
		if got := tt.tok.tokens(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
	}
}

func TestWhatIsNoModelIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	good := folder{kind: "F32", rows: rows(), vocab: pieces(), model: "WordPiece"}
	noTokenizer := good.write(t)
	if err := os.Remove(filepath.Join(noTokenizer, "tokenizer.json")); err != nil {
		t.Fatal(err)
	}
	bpe := good
	bpe.model = "BPE"
	cutOff := good.write(t)
	info, err := os.Stat(filepath.Join(cutOff, "model.safetensors"))
	if err == nil {
		err = os.Truncate(filepath.Join(cutOff, info.Name()), info.Size()-4)
	}
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "none"):                "no such file",
		file(t, "notes.txt", "just some prose\nand more"): "neither a text file",
		file(t, "empty.txt", ""):                          "neither a text file",
		file(t, "x.safetensors", "short"):                 "no such file",
		noTokenizer:                                       "tokenizer.json",
		bpe.write(t):                                      `kind "BPE"`,
		cutOff:                                            "within the file",
	} {
		if _, err := Open(path); !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func TestMeaningMovesWhatWordsLeaveClose(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, tt := range []struct {
		name   string
		near   []float64
		weight float64
		want   []int
	}{
		{"no weight", []float64{0, 1}, 0, []int{0, 1}},
		{"the same order", []float64{0.9, 0.5, 0.1}, 1, []int{0, 1, 2}},
		{"another order, as heavy: the middle is the same", []float64{0.1, 0.9, 0.5}, 1, []int{1, 0, 2}},
		{"nothing known of any", []float64{nan, nan}, 1, []int{0, 1}},
		{"nothing known of the first", []float64{nan, 0.5}, 1, []int{1, 0}},
		{"none", nil, 1, nil},
	} {
		if got, _ := Fuse(tt.near, tt.weight); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestFusingKeepsEachTextOnceAndScoresFall(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		near := rapid.SliceOfN(rapid.Float64Range(-1, 1), 0, 60).Draw(t, "near")
		order, scores := Fuse(near, rapid.Float64Range(0, 10).Draw(t, "weight"))
		sorted := slices.Sorted(slices.Values(order))
		for i, n := range sorted {
			if i != n {
				t.Fatalf("%v is no order of %d", order, len(near))
			}
		}
		if !slices.IsSortedFunc(scores, func(a, b float64) int { return -compare(a, b) }) {
			t.Fatalf("scores %v", scores)
		}
		if n := len(scores); n > 0 && scores[n-1] < WordScore(n) {
			t.Fatalf("the last has %v, less than the one behind by words alone", scores[n-1])
		}
	})
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// counted is a model that counts what it is asked.
type counted struct {
	mu    sync.Mutex
	id    string
	asked []string
	err   error
	dim   int
}

func (c *counted) ID() string { return c.id }

func (c *counted) Embed(_ context.Context, texts []string) ([][]float32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	c.asked = append(c.asked, texts...)
	var out [][]float32
	for _, t := range texts {
		if t == "" {
			out = append(out, nil)
			continue
		}
		v := make([]float32, max(c.dim, 2))
		v[0], v[1] = float32(len(t)), 1
		out = append(out, v)
	}
	return out, nil
}

func TestAVectorIsMadeOnceForATextAndAModel(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "vectors")
	ask := func(c *counted, texts ...string) int {
		t.Helper()
		before := len(c.asked)
		if _, kept, err := (&Ranker{Model: c, Dir: dir}).Near(t.Context(), "q", texts); err != nil || kept != nil {
			t.Fatal(err, kept)
		}
		return len(c.asked) - before
	}
	m := &counted{id: "one"}
	for _, step := range []struct {
		name  string
		model *counted
		texts []string
		made  int
	}{
		{"at first all", m, []string{"aa", "bbb", ""}, 4},
		{"again none", m, []string{"bbb", "", "aa"}, 0},
		{"what changed", m, []string{"aa", "bbbb"}, 1},
		{"the same text twice", m, []string{"cc", "cc"}, 1},
		{"another model knows none of them", &counted{id: "two"}, []string{"aa"}, 2},
		{"and leaves those of the first", m, []string{"aa", "bbbb", "cc"}, 0},
	} {
		if made := ask(step.model, step.texts...); made != step.made {
			t.Errorf("%s: %d vectors made, want %d", step.name, made, step.made)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 { // two models and the lock
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", e.Name(), info.Mode(), err)
		}
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > 0 {
			b[len(b)/2] ^= 1
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if made := ask(m, "aa"); made != 2 {
		t.Errorf("of a damaged file %d vectors were not made anew", 2-made)
	}
	if made := ask(m, "aa"); made != 0 {
		t.Errorf("a damaged file was not mended: %d made", made)
	}
}

func TestSeveralAtOnceLoseNothingButTime(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "vectors")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			m := &counted{id: "one"}
			for n := range 20 {
				text := strings.Repeat("x", i*20+n+1)
				got, kept, err := (&Ranker{Model: m, Dir: dir}).Near(t.Context(), "qq", []string{text})
				want := cosine([]float32{2, 1}, []float32{float32(len(text)), 1})
				if err != nil || kept != nil || math.Abs(got[0]-want) > 1e-6 {
					t.Errorf("%d: %v, want %v (%v, %v)", len(text), got, want, err, kept)
				}
			}
		})
	}
	wg.Wait()
	m := &counted{id: "one"}
	if k := (&Ranker{Model: m, Dir: dir}).load(); len(k.order) == 0 {
		t.Error("nothing was kept")
	}
}

func TestTheOldestVectorsGo(t *testing.T) {
	t.Parallel()
	k := &kept{of: map[key][]float32{}}
	made := map[key][]float32{}
	var used []key
	for i := range maxKept {
		var one key
		binary.LittleEndian.PutUint32(one[:], uint32(i))
		k.order, k.of[one] = append(k.order, one), []float32{1, 2}
	}
	for i := range 3 {
		var one key
		binary.LittleEndian.PutUint32(one[:], uint32(maxKept+i))
		made[one], used = []float32{3, 4}, append(used, one)
	}
	used = append(used, k.order[0]) // an old one that is used
	now := k.with(made, used)
	if len(now.order) != maxKept || now.of[k.order[0]] == nil || now.of[k.order[1]] != nil || now.of[used[0]] == nil {
		t.Errorf("%d kept, the used one: %v, the oldest: %v", len(now.order), now.of[k.order[0]], now.of[k.order[1]])
	}
	b, ok := now.bytes("m")
	again, read := readKept(b, "m")
	if !ok || !read || !slices.Equal(again.order, now.order) || !slices.Equal(again.of[used[0]], []float32{3, 4}) {
		t.Error("what was written is read otherwise")
	}
}

func TestAnAnswerThatIsNoneIsNotKept(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func([]string) [][]float32{
		"too few":       func([]string) [][]float32 { return nil },
		"two lengths":   func(texts []string) [][]float32 { return [][]float32{{1}, {1, 2}}[:len(texts)] },
		"no numbers":    func(texts []string) [][]float32 { return [][]float32{{float32(math.NaN())}, {1}}[:len(texts)] },
		"without bound": func(texts []string) [][]float32 { return [][]float32{{float32(math.Inf(1))}, {1}}[:len(texts)] },
	} {
		dir := filepath.Join(t.TempDir(), "vectors")
		s := Server{Name: name, Ask: func(_ context.Context, texts []string) ([][]float32, error) { return ask(texts), nil }}
		if _, _, err := (&Ranker{Model: s, Dir: dir}).Near(t.Context(), "q", []string{"a"}); !errors.Is(err, ErrModel) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: a folder was made", name)
		}
	}
}

func TestALongTextIsCutBeforeItIsSent(t *testing.T) {
	t.Parallel()
	m := &counted{id: "one"}
	if _, _, err := (&Ranker{Model: m}).Near(t.Context(), "q", []string{strings.Repeat("ж", maxText)}); err != nil {
		t.Fatal(err)
	}
	for _, text := range m.asked {
		if len(text) > maxText {
			t.Errorf("%d bytes", len(text))
		}
	}
}

func FuzzModels(f *testing.F) {
	dir := folder{kind: "F32", rows: rows(), vocab: pieces(), model: "WordPiece", weights: make([]float32, 6), mapping: make([]int64, 6)}.write(f)
	tensors, _ := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	tok, _ := os.ReadFile(filepath.Join(dir, "tokenizer.json"))
	f.Add(tensors, tok, "kitten data")
	f.Add([]byte(glove), []byte(`{"model":{"type":"Unigram","vocab":[["▁a",-1],["b",-2]]}}`), "ab c")
	f.Fuzz(func(t *testing.T, a, b []byte, text string) {
		dir := t.TempDir()
		for name, content := range map[string][]byte{"model.safetensors": a, "tokenizer.json": b, "words.txt": a} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, path := range []string{dir, filepath.Join(dir, "words.txt")} {
			m, err := Open(path)
			if err != nil {
				continue
			}
			got, _, err := (&Ranker{Model: m, Dir: filepath.Join(dir, "kept")}).Near(t.Context(), text, []string{text, "kitten"})
			if err == nil && len(got) != 2 {
				t.Fatalf("%v", got)
			}
		}
	})
}

func FuzzKeptVectors(f *testing.F) {
	k := &kept{dim: 1, order: []key{{1}, {2}}, of: map[key][]float32{{1}: {0.5}, {2}: nil}}
	b, _ := k.bytes("m")
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if k, ok := readKept(b, "m"); ok && len(k.of) > len(b) {
			t.Fatal("more than there is")
		}
	})
}
