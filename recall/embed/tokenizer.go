package embed

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokenizer takes a text apart as the tokenizer.json of Hugging Face says, of two
// kinds: WordPiece (BERT and what comes from it) and Unigram (SentencePiece, most
// models of many languages). What a model gives to no token is left out, as
// model2vec does.
type tokenizer struct {
	vocab  map[string]int
	unk    int // -1: none
	lower  bool
	plain  bool   // accents go
	prefix string // of a piece within a word

	scores  []float64 // of Unigram, by token; nil: WordPiece
	longest int       // bytes of its longest token
	least   float64   // below its lowest score: of a character that has no token
}

// The head of tokenizer.json, as far as it is read.
type tokenizerFile struct {
	Normalizer struct {
		Type        string `json:"type"`
		Lowercase   *bool  `json:"lowercase"`
		StripAccent *bool  `json:"strip_accents"`
		Normalizers []struct {
			Type string `json:"type"`
		} `json:"normalizers"`
	} `json:"normalizer"`
	Model struct {
		Type   string          `json:"type"`
		Vocab  json.RawMessage `json:"vocab"`
		Unk    string          `json:"unk_token"`
		UnkID  *int            `json:"unk_id"`
		Prefix *string         `json:"continuing_subword_prefix"`
	} `json:"model"`
}

func readTokenizer(text []byte) (*tokenizer, error) {
	var f tokenizerFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	t := &tokenizer{unk: -1, prefix: "##"}
	n := f.Normalizer
	t.lower = n.Type == "Lowercase" || n.Type == "BertNormalizer" && (n.Lowercase == nil || *n.Lowercase)
	t.plain = n.Type == "BertNormalizer" && (n.StripAccent == nil && t.lower || n.StripAccent != nil && *n.StripAccent)
	for _, inner := range n.Normalizers {
		t.lower = t.lower || inner.Type == "Lowercase"
		t.plain = t.plain || inner.Type == "StripAccents"
	}
	if f.Model.Prefix != nil {
		t.prefix = *f.Model.Prefix
	}
	var err error
	switch f.Model.Type {
	case "WordPiece":
		if err = json.Unmarshal(f.Model.Vocab, &t.vocab); err == nil {
			if id, ok := t.vocab[f.Model.Unk]; ok {
				t.unk = id
			}
		}
	case "Unigram":
		if f.Model.UnkID != nil {
			t.unk = *f.Model.UnkID
		}
		err = t.unigram(f.Model.Vocab)
	default:
		return nil, fmt.Errorf("tokenizer.json: a tokenizer of the kind %.20q is not known; WordPiece and Unigram are", f.Model.Type)
	}
	if err != nil || len(t.vocab) == 0 {
		return nil, fmt.Errorf("tokenizer.json has no vocabulary")
	}
	for _, id := range t.vocab {
		if id < 0 || id > maxVocab {
			return nil, fmt.Errorf("tokenizer.json: a token has the number %d", id)
		}
	}
	return t, nil
}

func (t *tokenizer) unigram(raw json.RawMessage) error {
	var list [][2]any
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	t.vocab = make(map[string]int, len(list))
	for i, pair := range list {
		piece, ok := pair[0].(string)
		score, ok2 := pair[1].(float64)
		if !ok || !ok2 {
			return fmt.Errorf("token %d is none", i)
		}
		if _, had := t.vocab[piece]; !had {
			t.vocab[piece] = i
		}
		t.scores = append(t.scores, score)
		t.longest = max(t.longest, len(piece))
		t.least = min(t.least, score)
	}
	const below, maxPiece = 10, 256 // the first by SentencePiece; the second bounds the time a text takes
	t.least -= below
	t.longest = min(t.longest, maxPiece)
	return nil
}

// tokens are the numbers of a text's tokens, in order.
func (t *tokenizer) tokens(text string) []int {
	if t.scores != nil {
		return t.pieces(text)
	}
	var out []int
	for _, w := range t.words(text) {
		out = append(out, t.wordPieces(w)...)
	}
	return out
}

// words takes a text apart as BERT does: at blanks, each sign and each character
// of a script without blanks by itself.
func (t *tokenizer) words(text string) []string {
	text = t.normal(text)
	var out []string
	start := -1
	end := func(at int) {
		if start >= 0 {
			out = append(out, text[start:at])
			start = -1
		}
	}
	for i, r := range text {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError:
			end(i)
		case isSign(r) || unicode.Is(unicode.Han, r):
			end(i)
			out = append(out, string(r))
		case start < 0:
			start = i
		}
	}
	end(len(text))
	return out
}

// isSign reports whether BERT takes a character for punctuation: all of ASCII that
// is neither letter nor digit, and what Unicode calls so.
func isSign(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && !('0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z')
	}
	return unicode.IsPunct(r)
}

func (t *tokenizer) normal(text string) string {
	if t.lower {
		text = strings.ToLower(text)
	}
	if t.plain {
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(text))
	}
	return text
}

// maxWord is the characters of a word past which WordPiece does not look at it.
const maxWord = 100

// wordPieces takes the longest token that a word begins with, and again of the
// rest. A word that can't be made of tokens is none.
func (t *tokenizer) wordPieces(word string) []int {
	if utf8.RuneCountInString(word) > maxWord {
		return nil
	}
	var out []int
	for start := 0; start < len(word); {
		prefix := ""
		if start > 0 {
			prefix = t.prefix
		}
		end, id, ok := len(word), 0, false
		for end > start {
			if id, ok = t.vocab[prefix+word[start:end]]; ok {
				break
			}
			_, size := utf8.DecodeLastRuneInString(word[start:end])
			end -= size
		}
		if !ok || id == t.unk {
			return nil
		}
		out = append(out, id)
		start = end
	}
	return out
}

// blank is how SentencePiece writes a blank; one stands before a text.
const blank = "▁"

// pieces are the tokens that are likeliest together, found from left to right.
func (t *tokenizer) pieces(text string) []int {
	text = strings.Join(strings.Fields(norm.NFKC.String(t.normal(text))), blank)
	if text == "" {
		return nil
	}
	text = blank + text
	type step struct {
		score float64
		from  int
		token int // -1: a character without one
	}
	best := make([]step, len(text)+1)
	for i := range best {
		best[i].score = math.Inf(-1)
	}
	best[0].score = 0
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		known := false
		for end := at + size; end <= len(text) && end-at <= t.longest; {
			if id, ok := t.vocab[text[at:end]]; ok && id != t.unk {
				known = known || end == at+size
				if s := best[at].score + t.scores[id]; s > best[end].score {
					best[end] = step{s, at, id}
				}
			}
			_, next := utf8.DecodeRuneInString(text[end:])
			if next == 0 {
				break
			}
			end += next
		}
		if s := best[at].score + t.least; !known && s > best[at+size].score {
			best[at+size] = step{s, at, -1}
		}
		at += size
	}
	var out []int
	for at := len(text); at > 0; at = best[at].from {
		if best[at].token >= 0 {
			out = append(out, best[at].token)
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}
