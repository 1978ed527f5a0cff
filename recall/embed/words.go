package embed

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode"
)

// wordFile is a text file with a word and its numbers in each line, the common
// words first, as GloVe, word2vec and fastText write them. It may be larger than
// memory, so it is read through for the words of some texts, and only those are
// kept.
type wordFile struct {
	path string
	id   string
	dim  int
}

const (
	maxLine = 1 << 20 // bytes of a line
	maxDim  = 16 << 10
)

func openWords(path string, info os.FileInfo) (Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	defer f.Close()
	m := &wordFile{path: path, id: "words " + stamp(path, info)}
	r := bufio.NewReaderSize(f, maxLine)
	for range 2 { // the first line may be a head
		line, err := r.ReadSlice('\n')
		if err != nil && (err != io.EOF || len(line) == 0) {
			break
		}
		fields := bytes.Fields(line)
		if n, ok := numbersAtEnd(fields); ok && len(fields) > 2 {
			m.dim = n
			return m, nil
		}
		if n, ok := headDim(fields); ok {
			m.dim = n
			continue
		}
		break
	}
	return nil, fmt.Errorf("%w: %s is neither a text file with a word and its numbers in each line nor a .safetensors file", ErrModel, path)
}

// headDim reads the head of word2vec: how many words, how many numbers each.
func headDim(fields [][]byte) (int, bool) {
	if len(fields) != 2 {
		return 0, false
	}
	_, err := strconv.ParseUint(string(fields[0]), 10, 63)
	n, derr := strconv.Atoi(string(fields[1]))
	return n, err == nil && derr == nil && n > 0 && n <= maxDim
}

// numbersAtEnd counts the numbers behind the word.
func numbersAtEnd(fields [][]byte) (int, bool) {
	n := 0
	for n < len(fields)-1 {
		if _, err := strconv.ParseFloat(string(fields[len(fields)-1-n]), 32); err != nil {
			break
		}
		n++
	}
	return n, n > 0 && n <= maxDim
}

func (m *wordFile) ID() string { return m.id }

// A wordVector is a word of the file.
type wordVector struct {
	weight float64
	exact  bool // it stands there in small letters, as it was looked for
	of     []float32
}

// Embed reads the file through once.
func (m *wordFile) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	lists := make([][]string, len(texts))
	need := map[string]*wordVector{}
	for i, t := range texts {
		lists[i] = wordsOf(t)
		for _, w := range lists[i] {
			need[w] = nil
		}
	}
	if err := m.read(ctx, need); err != nil {
		return nil, fmt.Errorf("reading %s: %w", m.path, err)
	}
	out := make([][]float32, len(texts))
	for i, list := range lists {
		s := newMean(m.dim)
		for _, w := range list {
			if v := need[w]; v != nil {
				s.add(v.of, v.weight)
			}
		}
		out[i] = s.vector()
	}
	return out, nil
}

// wordsOf are the words of a text in small letters. An apostrophe within a word
// belongs to it.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) && r != '\''
	})
}

// read fills in the words that the file has.
func (m *wordFile) read(ctx context.Context, need map[string]*wordVector) error {
	f, err := os.Open(m.path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, maxLine)
	for n := 0; ; n++ {
		if n%10_000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("line %d is longer than %d bytes", n+1, maxLine)
		}
		if len(line) > 0 {
			m.take(line, n, need)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// take reads one line, if its word is needed. A line that is otherwise made says
// nothing.
func (m *wordFile) take(line []byte, place int, need map[string]*wordVector) {
	end := bytes.IndexAny(line, " \t")
	if end <= 0 {
		return
	}
	word := string(line[:end])
	had, wanted := need[word]
	exact := wanted
	if !wanted {
		word = strings.ToLower(word)
		if had, wanted = need[word]; !wanted {
			return
		}
	}
	if had != nil && (had.exact || !exact) {
		return // the first of several counts: it is the commonest
	}
	fields := bytes.Fields(line[end:])
	if len(fields) != m.dim {
		return
	}
	v := &wordVector{weight: math.Log(float64(place) + 2), exact: exact, of: make([]float32, m.dim)}
	for i, f := range fields {
		x, err := strconv.ParseFloat(string(f), 32)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		v.of[i] = float32(x)
	}
	need[word] = v
}

// A mean adds weighted vectors up.
type mean struct {
	sum []float64
	any bool
}

func newMean(dim int) *mean { return &mean{sum: make([]float64, dim)} }

func (s *mean) add(v []float32, weight float64) {
	s.any = true
	for i, x := range v {
		s.sum[i] += weight * float64(x)
	}
}

// vector is the mean at length 1, nil where nothing was added or it is nothing but
// zeros.
func (s *mean) vector() []float32 {
	length := 0.0
	for _, x := range s.sum {
		length += x * x
	}
	length = math.Sqrt(length)
	if !s.any || !(length > 0) || math.IsInf(length, 0) {
		return nil
	}
	out := make([]float32, len(s.sum))
	for i, x := range s.sum {
		out[i] = float32(x / length)
	}
	return out
}
