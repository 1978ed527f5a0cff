// Command record runs cases on the real client and writes down what it sent.
//
//	record -client PROGRAM [-out FOLDER] CASES.json...
//
// Each file holds one case or a list of them, in the form of
// host/claude/testdata; "want" need not be there. With -out each case is
// written to FOLDER/NAME.json with what the client sent as its "want"; without,
// the answers are printed.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dormouse/host/claude"
	"dormouse/testkit"
)

// maxCase is the size in bytes past which a case is not written: a test can
// make such a file itself.
const maxCase = 120_000

func main() {
	client := flag.String("client", "", "the client's `program`")
	out := flag.String("out", "", "`folder` to write cases to")
	flag.Parse()
	failed := false
	for _, file := range flag.Args() {
		cases, err := readCases(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		for _, c := range cases {
			if err := record(*client, *out, c); err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", c.Name, err)
				failed = true
			}
		}
	}
	if failed {
		os.Exit(1)
	}
}

func readCases(file string) ([]*testkit.Case, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []*testkit.Case
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		err = json.Unmarshal(b, &list)
	} else {
		c := &testkit.Case{}
		err = json.Unmarshal(b, c)
		list = []*testkit.Case{c}
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	return list, nil
}

func record(client, out string, c *testkit.Case) error {
	root, err := os.MkdirTemp("", "record")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root) //nolint:errcheck // in the temporary folder
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return err
	}
	l, err := c.Lay(root, claude.FolderName)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	obs, err := testkit.RunClaude(ctx, client, l)
	if err != nil {
		return err
	}
	names := placeholders(root)
	for _, list := range [][]testkit.Loaded{obs.Loaded, obs.AfterReads} {
		for i := range list {
			list[i].Path, list[i].Text, list[i].Warning = names(list[i].Path), names(list[i].Text), ""
		}
	}
	if obs.Agent != nil {
		obs.Agent.Dir, obs.Agent.Index = names(obs.Agent.Dir), names(obs.Agent.Index)
	}
	c.Client, c.Want = claude.Client, &obs.Want
	text, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return err
	}
	if out == "" {
		_, err = fmt.Printf("%s\n", text)
		return err
	}
	if len(text) > maxCase {
		return fmt.Errorf("%d bytes: too large to keep", len(text))
	}
	return os.WriteFile(filepath.Join(out, c.Name+".json"), append(text, '\n'), 0o644)
}

// placeholders replaces the names of this run's folders by @slug(DIR) and the
// root by $ROOT.
func placeholders(root string) func(string) string {
	slugs := map[string]string{}
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			rel, _ := filepath.Rel(root, path)
			if name := claude.FolderName(path); slugs[name] == "" {
				slugs[name] = rel
			}
		}
		return nil
	})
	top := claude.FolderName(root)
	return func(s string) string {
		for strings.Contains(s, top) {
			from := strings.Index(s, top)
			end := from + len(top)
			for end < len(s) && (s[end] == '-' || s[end] >= '0' && s[end] <= '9' || s[end] >= 'a' && s[end] <= 'z' || s[end] >= 'A' && s[end] <= 'Z') {
				end++
			}
			rel, ok := slugs[s[from:end]]
			if !ok {
				break
			}
			s = s[:from] + "@slug(" + rel + ")" + s[end:]
		}
		return strings.ReplaceAll(s, root, "$ROOT")
	}
}
