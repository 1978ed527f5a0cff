package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/recall"
)

// A conversation is one corpus: its turns, and questions whose answers stand in
// known turns.
type conversation struct {
	name      string
	dev       bool // used for choosing what the engine does; the others only tell how well that went
	docs      []recall.Doc
	questions []question
}

// A question has the IDs of the turns (or sessions) that answer it.
type question struct {
	id, kind, text string
	gold           []string
	corrected      []string // gold by the audit, where it differs
}

// errNoData is the error for a set that is not there.
type errNoData struct{ path string }

func (e errNoData) Error() string { return e.path + " is not there" }

type locomoTurn struct {
	Speaker string `json:"speaker"`
	ID      string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

type locomoSample struct {
	Name         string                     `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	QA           []struct {
		Question string   `json:"question"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

// locomo reads the LoCoMo set: each turn a document, questions of the categories
// 1 to 4 that have evidence in the conversation.
func locomo(data string) ([]conversation, error) {
	path := filepath.Join(data, "locomo", "locomo.json")
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	var samples []locomoSample
	if err := json.Unmarshal(text, &samples); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	corrected, err := audit(filepath.Join(data, "locomo", "audit-errors.json"))
	if err != nil {
		return nil, err
	}
	names := [...]string{1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
	var all []conversation
	for i, s := range samples {
		c := conversation{name: s.Name, dev: i%3 != 2}
		known := map[string]bool{}
		if c.docs, err = locomoTurns(s); err != nil {
			return nil, fmt.Errorf("reading %s, %s: %w", path, s.Name, err)
		}
		for _, d := range c.docs {
			known[d.ID] = true
		}
		for j, qa := range s.QA {
			if qa.Category < 1 || qa.Category > 4 {
				continue
			}
			q := question{id: fmt.Sprintf("locomo_%d_qa%d", i, j), kind: names[qa.Category], text: qa.Question}
			q.gold = evidence(qa.Evidence, known)
			if fixed, ok := corrected[q.id]; ok {
				q.corrected = evidence(fixed, known)
			}
			if len(q.gold) > 0 {
				c.questions = append(c.questions, q)
			}
		}
		all = append(all, c)
	}
	return all, nil
}

func locomoTurns(s locomoSample) ([]recall.Doc, error) {
	var docs []recall.Doc
	for n := 1; ; n++ {
		name := "session_" + strconv.Itoa(n)
		raw, ok := s.Conversation[name]
		if !ok {
			break
		}
		var turns []locomoTurn
		if err := json.Unmarshal(raw, &turns); err != nil {
			return nil, err
		}
		var said string
		if err := json.Unmarshal(s.Conversation[name+"_date_time"], &said); err != nil {
			return nil, err
		}
		when, err := time.Parse("3:04 pm on 2 January, 2006", said)
		if err != nil {
			return nil, err
		}
		for i, t := range turns {
			body := t.Text
			if t.Caption != "" {
				body += "\n[shares " + t.Caption + "]"
			}
			docs = append(docs, recall.Doc{ID: t.ID, Kind: recall.Turn, Type: t.Speaker, Body: body, When: when, Group: name, Seq: i})
		}
	}
	return docs, nil
}

// evidence returns the turns that are named, of which some stand in one string
// and some are of no turn.
func evidence(given []string, known map[string]bool) []string {
	var ids []string
	for _, e := range given {
		for _, id := range strings.FieldsFunc(e, func(r rune) bool { return r == ';' || r == ',' || r == ' ' }) {
			if known[id] && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func audit(path string) (map[string][]string, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	var errors []struct {
		ID      string   `json:"question_id"`
		Correct []string `json:"correct_evidence"`
	}
	if err := json.Unmarshal(text, &errors); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	corrected := map[string][]string{}
	for _, e := range errors {
		corrected[e.ID] = e.Correct
	}
	return corrected, nil
}

// sessions returns the conversation with each session as one document, and the
// sessions of each answer as gold.
func (c conversation) sessions() conversation {
	out := conversation{name: c.name, dev: c.dev}
	of := map[string]string{}
	at := map[string]int{}
	for _, d := range c.docs {
		of[d.ID] = d.Group
		i, ok := at[d.Group]
		if !ok {
			i = len(out.docs)
			at[d.Group] = i
			out.docs = append(out.docs, recall.Doc{ID: d.Group, Kind: recall.Turn, When: d.When})
		}
		out.docs[i].Body += d.Type + ": " + d.Body + "\n"
	}
	for _, q := range c.questions {
		s := question{id: q.id, kind: q.kind, text: q.text}
		for _, g := range q.gold {
			if !slices.Contains(s.gold, of[g]) {
				s.gold = append(s.gold, of[g])
			}
		}
		out.questions = append(out.questions, s)
	}
	return out
}

type beamMessage struct {
	Role    string `json:"role"`
	ID      int    `json:"id"`
	Anchor  string `json:"time_anchor"`
	Content string `json:"content"`
}

// beam reads the BEAM set: each message of both roles a document, questions that
// name the messages they come from.
func beam(data string) ([]conversation, error) {
	paths, err := filepath.Glob(filepath.Join(data, "beam-100k", "*.chat.json.gz"))
	if err != nil || len(paths) == 0 {
		return nil, errNoData{filepath.Join(data, "beam-100k")}
	}
	numbered := map[int]string{}
	var numbers []int
	for _, p := range paths {
		n, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(p), ".chat.json.gz"))
		if err != nil {
			return nil, fmt.Errorf("%s is not named by a number", p)
		}
		numbered[n] = p
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	var all []conversation
	for _, n := range numbers {
		c := conversation{name: "beam-" + strconv.Itoa(n), dev: n%2 == 1}
		if c.docs, err = beamMessages(numbered[n]); err != nil {
			return nil, err
		}
		if c.questions, err = beamQuestions(strings.Replace(numbered[n], ".chat.", ".probing_questions.", 1), len(c.docs)); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func beamMessages(path string) ([]recall.Doc, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	var batches []struct {
		Turns [][]beamMessage `json:"turns"`
	}
	if err := json.Unmarshal(text, &batches); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	var docs []recall.Doc
	var when time.Time
	for i, b := range batches {
		for _, turn := range b.Turns {
			for _, m := range turn {
				if t, err := time.Parse("January-2-2006", m.Anchor); err == nil {
					when = t
				}
				docs = append(docs, recall.Doc{
					ID: strconv.Itoa(m.ID), Kind: recall.Turn, Type: m.Role, Body: m.Content, When: when,
					Group: "batch " + strconv.Itoa(i), Seq: len(docs),
				})
			}
		}
	}
	return docs, nil
}

func beamQuestions(path string, messages int) ([]question, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	// The order of the abilities is that of the file, so a map would not do.
	var kinds map[string][]struct {
		Question string          `json:"question"`
		Sources  json.RawMessage `json:"source_chat_ids"`
	}
	if err := json.Unmarshal(text, &kinds); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	var names []string
	for k := range kinds {
		names = append(names, k)
	}
	slices.Sort(names)
	number := regexp.MustCompile(`\d+`)
	var questions []question
	for _, kind := range names {
		for i, q := range kinds[kind] {
			one := question{id: kind + strconv.Itoa(i), kind: kind, text: q.Question}
			// Lists, lists in lists, lists by name: the numbers in them are messages.
			// The names have none.
			for _, id := range number.FindAllString(string(q.Sources), -1) {
				if n, err := strconv.Atoi(id); err == nil && n < messages && !slices.Contains(one.gold, id) {
					one.gold = append(one.gold, id)
				}
			}
			if len(one.gold) > 0 {
				questions = append(questions, one)
			}
		}
	}
	return questions, nil
}

// read reads a file, through gzip where it is named so.
func read(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, errNoData{path}
	}
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return text, err
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	if text, err = io.ReadAll(z); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return text, nil
}
