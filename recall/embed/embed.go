// Package embed tells how near in meaning texts are to a question, by vectors of
// a model that the person has named: a file of word vectors, a model2vec folder,
// or a server. It is off unless somebody names one, and then it only reorders what
// was found by words.
//
//	m, err := embed.Open("/models/potion-base-8M")
//	r := &embed.Ranker{Model: m, Dir: filepath.Join(state, "recall", "vectors")}
//	near, err := r.Near(ctx, question, texts)
//	order := embed.Fuse(near, embed.Weight)
package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Model makes vectors of texts. A text of which it knows no word has the vector
// nil.
type Model interface {
	// ID names the model and this version of it: vectors of two are not compared.
	ID() string
	// Embed makes a vector for each text, all of one length.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// ErrModel is wrapped by the error for a model that can't be used.
var ErrModel = errors.New("no embedder")

// maxText is how many bytes of a text are read: what it is about is said by then.
const maxText = 8 << 10

// Open opens a model in files: a folder with model.safetensors and tokenizer.json
// (model2vec), such a .safetensors file with tokenizer.json beside it, or a text
// file with a word and its numbers in each line (GloVe, word2vec, fastText). The
// path is absolute. Errors wrap ErrModel.
func Open(path string) (Model, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: opening %s: %w", ErrModel, path, err)
	case info.IsDir():
		return openTensors(filepath.Join(path, "model.safetensors"))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %s is no file", ErrModel, path)
	case strings.HasSuffix(path, ".safetensors"):
		return openTensors(path)
	}
	return openWords(path, info)
}

// stamp names a file as it is now.
func stamp(path string, info os.FileInfo) string {
	return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
}

// Server is a model behind an endpoint.
type Server struct {
	Name string // the endpoint and the model there
	// Ask makes a vector for each text.
	Ask func(ctx context.Context, texts []string) ([][]float32, error)
}

// ID is the name of the endpoint and its model.
func (s Server) ID() string { return s.Name }

// batch is how many texts a server is sent at once.
const batch = 32

// Embed asks the server, some texts at a time.
func (s Server) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for part := range slices.Chunk(texts, batch) {
		vectors, err := s.Ask(ctx, part)
		if err != nil {
			return nil, err
		}
		if len(vectors) != len(part) {
			return nil, fmt.Errorf("%w: %d vectors for %d texts", ErrModel, len(vectors), len(part))
		}
		out = append(out, vectors...)
	}
	return out, nil
}

// Ranker compares texts with a question.
type Ranker struct {
	Model Model
	Dir   string // where vectors are kept, absolute; "": nowhere
	// Weight is what the order by meaning counts beside the order by words, see Fuse.
	Weight float64
}

// Near returns for each text the cosine of its vector and the question's, NaN
// where one of them has none. kept tells why vectors could not be kept, if so; the
// answer stands.
func (r *Ranker) Near(ctx context.Context, question string, texts []string) (near []float64, kept, err error) {
	all := make([]string, 0, len(texts)+1)
	for _, t := range append([]string{question}, texts...) {
		all = append(all, cut(t))
	}
	vectors, kept, err := r.vectors(ctx, all)
	if err != nil {
		return nil, kept, fmt.Errorf("comparing meanings: %w", err)
	}
	near = make([]float64, len(texts))
	for i := range texts {
		near[i] = cosine(vectors[0], vectors[i+1])
	}
	return near, kept, nil
}

// cut keeps the beginning of a text, whole characters of it.
func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "")
}

func cosine(a, b []float32) float64 {
	if len(a) == 0 || len(a) != len(b) {
		return math.NaN()
	}
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(x*y) // NaN where one of them is nothing but zeros
}

// Weight is what meaning counts beside words unless something else is set. Words
// lead: they find most of what is found, and nobody has measured your model here.
const Weight = 0.3

// rankPad is the constant of reciprocal rank fusion, by its authors (Cormack and
// others, 2009): the first places differ little.
const rankPad = 60

// Fuse orders texts that stand in the order of their words by words and meaning
// together, each with the reciprocal of its place. What has no meaning keeps what
// its words are worth. order holds places in the given list; scores those of the
// texts in that new order.
func Fuse(near []float64, weight float64) (order []int, scores []float64) {
	byMeaning := make([]int, 0, len(near))
	for i, n := range near {
		if !math.IsNaN(n) {
			byMeaning = append(byMeaning, i)
		}
	}
	slices.SortStableFunc(byMeaning, func(a, b int) int {
		switch {
		case near[a] > near[b]:
			return -1
		case near[a] < near[b]:
			return 1
		}
		return 0
	})
	score := make([]float64, len(near))
	for i := range near {
		score[i] = WordScore(i)
		order = append(order, i)
	}
	for place, i := range byMeaning {
		score[i] += weight / float64(rankPad+place+1)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return 0
	})
	for _, i := range order {
		scores = append(scores, score[i])
	}
	return order, scores
}

// WordScore is the score of a place, from 0 up, in the order by words alone.
func WordScore(place int) float64 { return 1 / float64(rankPad+place+1) }
