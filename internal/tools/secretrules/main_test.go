package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatAnExpressionBeginsWith(t *testing.T) {
	t.Parallel()
	tests := []struct {
		re      string
		begins  []string
		solid   int // characters at the start without white space
		longest int
	}{
		{`ghp_[0-9a-zA-Z]{36}`, []string{"ghp_"}, 40, 40},
		{`(?:sk|rk)_(?:live|test)_[a-z]{10,99}`, []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, 18, 107},
		{`xox[ar]-(?:\d-)?\w{8}`, []string{"xoxa-", "xoxr-"}, 13, 15},
		{`(?i)Okta`, []string{"okta"}, 4, 4},
		{`linked[_-]?in`, []string{"linked-in", "linked_in", "linkedin"}, 8, 9},
		{`[a-z]{14}\.atlasv1`, []string{""}, 22, 22},
		{`Bearer\s+[a-z]{8,}`, []string{"bearer"}, 6, 2 * maxReach},
	}
	for _, tt := range tests {
		t.Run(tt.re, func(t *testing.T) {
			t.Parallel()
			tree, err := syntax.Parse(tt.re, syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			begins, _ := prefixes(tree, 24)
			slices.Sort(begins)
			slices.Sort(tt.begins)
			if diff := cmp.Diff(tt.begins, begins); diff != "" {
				t.Errorf("prefixes (-want +got):\n%s", diff)
			}
			if got, _ := solid(tree); got != tt.solid {
				t.Errorf("solid = %d, want %d", got, tt.solid)
			}
			if got := longest(tree); got < tt.longest || tt.longest < maxReach && got != tt.longest {
				t.Errorf("longest = %d, want %d", got, tt.longest)
			}
		})
	}
}

func TestNamedRulesAreCutAtTheSign(t *testing.T) {
	t.Parallel()
	l, err := rule{ID: "x", Description: "Detected an Acme key, risking all.", Regex: pre + `(?:acme|a-c)` + sep + `([a-z]{9})` + end}.line(change{})
	if err != nil {
		t.Fatal(err)
	}
	want := "x\tnamed\t0\t0\t\t0\t14\t0\ta-c acme\tan Acme key\t(?i)([a-z]{9})" + proseEnd + "\t\t"
	if diff := cmp.Diff(want, l.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheDataFileIsWhatThisProgramWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := run(dir); errors.Is(err, os.ErrNotExist) {
		t.Skip(module, "is not in the module cache")
	} else if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rules.txt", "rules.LICENSE"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../../../scan/secrets", name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.ReplaceAll(string(got), "\r\n", "\n") != string(want) {
			t.Errorf("%s: go generate changes it", name)
		}
	}
}
