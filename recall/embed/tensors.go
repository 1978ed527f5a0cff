package embed

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// tensors is a model2vec model: a matrix with a vector for each token, in the
// safetensors format (a length, a head in JSON, then the numbers), and its
// tokenizer. By the format of model2vec 0.3 to 0.7: "embeddings" is the matrix;
// "mapping", where there is one, leads from a token to its row, and "weights" has
// what each token counts. A StaticEmbedding of sentence-transformers has the matrix
// as "embedding.weight".
type tensors struct {
	path, id string
	tok      *tokenizer
	start    int64 // of the numbers in the file
	matrix   tensor
	weights  []float64 // by token; nil: all count the same
	mapping  []int     // by token; nil: each its own
}

// tensor is what the head of the file says of one.
type tensor struct {
	Type   string   `json:"dtype"`
	Shape  []int64  `json:"shape"`
	Offset [2]int64 `json:"data_offsets"`
}

const (
	maxHead      = 16 << 20 // bytes of the head
	maxTokenizer = 64 << 20 // bytes of tokenizer.json
	maxTokens    = 512      // of a text, as model2vec has it
	maxVocab     = 4 << 20
)

func openTensors(path string) (Model, error) {
	m, err := readTensors(path)
	if err != nil {
		return nil, fmt.Errorf("%w: opening %s: %w", ErrModel, path, err)
	}
	return m, nil
}

func readTensors(path string) (*tensors, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	tokPath := filepath.Join(filepath.Dir(path), "tokenizer.json")
	tokInfo, err := os.Stat(tokPath)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || !tokInfo.Mode().IsRegular() || tokInfo.Size() > maxTokenizer {
		return nil, fmt.Errorf("it and tokenizer.json beside it have to be files, of a size that can be")
	}
	m := &tensors{path: path, id: "tensors " + stamp(path, info) + " " + stamp(tokPath, tokInfo)}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := m.head(f, info.Size()); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(tokPath)
	if err != nil {
		return nil, err
	}
	if m.tok, err = readTokenizer(text); err != nil {
		return nil, err
	}
	return m, nil
}

// head reads what stands where, and the small tensors.
func (m *tensors) head(f io.ReaderAt, size int64) error {
	var b [8]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return fmt.Errorf("it is no safetensors file")
	}
	length := binary.LittleEndian.Uint64(b[:])
	if length > maxHead || int64(length)+8 > size {
		return fmt.Errorf("it is no safetensors file")
	}
	text := make([]byte, length)
	if _, err := f.ReadAt(text, 8); err != nil {
		return err
	}
	m.start = 8 + int64(length)
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return fmt.Errorf("its head is no JSON: %w", err)
	}
	all := map[string]tensor{}
	for name, r := range raw {
		var t tensor
		if name == "__metadata__" {
			continue
		}
		if err := json.Unmarshal(r, &t); err != nil {
			return fmt.Errorf("its head says nothing clear of %q", name)
		}
		if err := t.check(size - m.start); err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		all[name] = t
	}
	return m.choose(f, all)
}

func (m *tensors) choose(f io.ReaderAt, all map[string]tensor) error {
	found := false
	for _, name := range []string{"embeddings", "embedding.weight", "0.embedding.weight"} {
		if t, ok := all[name]; ok && len(t.Shape) == 2 && !found {
			m.matrix, found = t, true
		}
	}
	if !found || m.matrix.Shape[1] > maxDim {
		return fmt.Errorf("it has no matrix of embeddings: a model2vec file has one")
	}
	var err error
	if t, ok := all["weights"]; ok && len(t.Shape) == 1 {
		if m.weights, err = m.numbers(f, t, 0, t.Shape[0]); err != nil {
			return err
		}
	}
	if t, ok := all["mapping"]; ok && len(t.Shape) == 1 {
		rows, err := m.numbers(f, t, 0, t.Shape[0])
		if err != nil {
			return err
		}
		for _, r := range rows {
			m.mapping = append(m.mapping, int(r))
		}
	}
	return nil
}

// check holds a tensor against the file.
func (t *tensor) check(size int64) error {
	n := int64(1)
	for _, d := range t.Shape {
		if d < 0 || d > maxVocab || n > math.MaxInt64/maxVocab/8 {
			return fmt.Errorf("a size that can't be")
		}
		n *= d
	}
	width := widthOf(t.Type)
	if width == 0 {
		return fmt.Errorf("numbers of the type %.20q are not known", t.Type)
	}
	if t.Offset[0] < 0 || t.Offset[1] > size || t.Offset[1]-t.Offset[0] != n*width {
		return fmt.Errorf("it does not lie within the file")
	}
	return nil
}

// widthOf is the bytes of a number of a safetensors type, 0 for one that is not
// read.
func widthOf(kind string) int64 {
	switch kind {
	case "F64", "I64":
		return 8
	case "F32", "I32":
		return 4
	case "F16", "BF16":
		return 2
	case "I8", "U8":
		return 1
	}
	return 0
}

// numbers reads n numbers of a tensor.
func (m *tensors) numbers(f io.ReaderAt, t tensor, from, n int64) ([]float64, error) {
	width := widthOf(t.Type)
	b := make([]byte, n*width)
	if _, err := f.ReadAt(b, m.start+t.Offset[0]+from*width); err != nil {
		return nil, err
	}
	out := make([]float64, n)
	le := binary.LittleEndian
	for i := range out {
		p := b[int64(i)*width:]
		switch t.Type {
		case "F64":
			out[i] = math.Float64frombits(le.Uint64(p))
		case "I64":
			out[i] = float64(int64(le.Uint64(p)))
		case "F32":
			out[i] = float64(math.Float32frombits(le.Uint32(p)))
		case "I32":
			out[i] = float64(int32(le.Uint32(p)))
		case "F16":
			out[i] = half(le.Uint16(p))
		case "BF16":
			out[i] = float64(math.Float32frombits(uint32(le.Uint16(p)) << 16))
		case "I8":
			out[i] = float64(int8(p[0]))
		case "U8":
			out[i] = float64(p[0])
		}
	}
	return out, nil
}

// half is a number of 16 bits: one of sign, five of exponent, ten of fraction.
func half(h uint16) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction > 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

func (m *tensors) ID() string { return m.id }

// Embed reads the rows of the tokens, each once.
func (m *tensors) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	f, err := os.Open(m.path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	defer f.Close()
	rows := map[int][]float32{}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tokens := m.tok.tokens(t)
		s := newMean(int(m.matrix.Shape[1]))
		for _, token := range tokens[:min(len(tokens), maxTokens)] {
			row, weight, ok := m.place(token)
			if !ok {
				continue
			}
			if rows[row] == nil {
				if rows[row], err = m.row(f, row); err != nil {
					return nil, fmt.Errorf("reading %s: %w", m.path, err)
				}
			}
			s.add(rows[row], weight)
		}
		out[i] = s.vector()
	}
	return out, nil
}

// place is the row of a token and what it counts.
func (m *tensors) place(token int) (row int, weight float64, ok bool) {
	row, weight = token, 1
	if m.mapping != nil {
		if token >= len(m.mapping) {
			return 0, 0, false
		}
		row = m.mapping[token]
	}
	if m.weights != nil {
		if token >= len(m.weights) {
			return 0, 0, false
		}
		weight = m.weights[token]
	}
	return row, weight, row >= 0 && int64(row) < m.matrix.Shape[0] && !math.IsNaN(weight) && !math.IsInf(weight, 0)
}

func (m *tensors) row(f io.ReaderAt, row int) ([]float32, error) {
	dim := m.matrix.Shape[1]
	numbers, err := m.numbers(f, m.matrix, int64(row)*dim, dim)
	if err != nil {
		return nil, err
	}
	out := make([]float32, dim)
	for i, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return make([]float32, dim), nil // says nothing
		}
		out[i] = float32(x)
	}
	return out, nil
}
