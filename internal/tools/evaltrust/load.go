package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// load reads the sets below data.
func load(data string) ([]set, error) {
	dir := filepath.Join(data, "injection")
	sets, err := own(filepath.Join(dir, "own.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, read := range []func(string) ([]set, error){notInject, bipia, pigValid} {
		more, err := read(dir)
		if err != nil {
			return nil, err
		}
		sets = append(sets, more...)
	}
	notes, err := markdown(filepath.Join(data, "notes"))
	return append(sets, notes), err
}

// masked are categories whose poison has nothing in its words to find; the goal
// for the rest is higher.
func masked(category string) bool {
	return category == "policy_masked" || category == "laundering"
}

// own splits the project's own set in its halves: odd ids are for development.
func own(file string) ([]set, error) {
	names := []string{"own poison dev", "own poison dev, not masked", "own benign dev", "own poison test", "own poison test, not masked", "own benign test"}
	sets := make([]set, len(names))
	for i, name := range names {
		sets[i] = set{name: name, poison: strings.Contains(name, "poison")}
	}
	err := lines(file, func(line []byte) error {
		var item struct{ ID, Text, Label, Category string }
		if err := json.Unmarshal(line, &item); err != nil {
			return err
		}
		n, err := strconv.Atoi(strings.TrimLeftFunc(item.ID, unicode.IsLetter))
		if err != nil {
			return err
		}
		at := 0
		if n%2 == 0 {
			at = 3
		}
		if item.Label != "poison" {
			sets[at+2].texts = append(sets[at+2].texts, item.Text)
			return nil
		}
		sets[at].texts = append(sets[at].texts, item.Text)
		if !masked(item.Category) {
			sets[at+1].texts = append(sets[at+1].texts, item.Text)
		}
		return nil
	})
	return sets, err
}

func lines(file string, each func([]byte) error) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	in := bufio.NewScanner(bytes.NewReader(b))
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		if err := each(in.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return in.Err()
}

func decode(file string, v any) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

type prompt struct {
	Prompt string
	Label  int
}

func notInject(dir string) ([]set, error) {
	var items []prompt
	err := decode(filepath.Join(dir, "injecguard-NotInject_one.json"), &items)
	s := set{name: "NotInject (one word)"}
	for _, it := range items {
		s.texts = append(s.texts, it.Prompt)
	}
	return []set{s}, err
}

// pigValid is InjecGuard's validation set: its poison are prompts against chat
// bots, mostly without anything that they reach for.
func pigValid(dir string) ([]set, error) {
	var items []prompt
	err := decode(filepath.Join(dir, "injecguard-valid.json"), &items)
	sets := []set{{name: "InjecGuard valid, benign"}, {name: "InjecGuard valid, chat attacks", poison: true}}
	for _, it := range items {
		sets[it.Label].texts = append(sets[it.Label].texts, it.Prompt)
	}
	return sets, err
}

// bipia gives the e-mails as carriers, and the attacks alone.
func bipia(dir string) ([]set, error) {
	mail := set{name: "BIPIA e-mail carriers"}
	err := lines(filepath.Join(dir, "bipia-email-train.jsonl"), func(line []byte) error {
		var item struct{ Context string }
		err := json.Unmarshal(line, &item)
		mail.texts = append(mail.texts, item.Context)
		return err
	})
	sets := []set{mail}
	for _, name := range []string{"code", "text"} {
		var attacks map[string][]string
		if e := decode(filepath.Join(dir, "bipia-"+name+"_attack_train.json"), &attacks); e != nil && err == nil {
			err = e
		}
		s := set{name: "BIPIA " + name + " attacks", poison: true}
		for _, list := range attacks {
			s.texts = append(s.texts, list...)
		}
		slices.Sort(s.texts)
		sets = append(sets, s)
	}
	return sets, err
}

// markdown reads the real notes.
func markdown(dir string) (set, error) {
	s := set{name: "real notes"}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		b, err := os.ReadFile(path)
		s.texts = append(s.texts, string(b))
		return err
	})
	return s, err
}
