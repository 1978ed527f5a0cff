// Command secretrules turns the rule set of gitleaks into the data file that
// package scan/secrets embeds, and copies its licence beside it. It is run by
// hand, when the pinned version below changes; a build never needs it:
//
//	cd "$(mktemp -d)" && go mod init x && go mod download github.com/zricethezav/gitleaks/v8@v8.30.1
//	go generate dormouse/scan/secrets
//
// gitleaks runs each expression over the whole of a text. Here a rule is tried
// only where one of its keywords stands, so each expression is cut to begin with
// its keyword: a kind of rule for each way to do that, see format.go. What was
// dropped or changed is in changes.go, each with its reason, and is written to
// the head of the data file.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

const module = "github.com/zricethezav/gitleaks/v8@v8.30.1"

func main() {
	dir := flag.String("o", ".", "the folder that gets rules.txt and rules.LICENSE")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "secretrules:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOMODCACHE: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(out)), filepath.FromSlash(module))
	text, err := os.ReadFile(filepath.Join(source, "config", "gitleaks.toml"))
	if err != nil {
		return fmt.Errorf("is the module downloaded? see the package comment: %w", err)
	}
	licence, err := os.ReadFile(filepath.Join(source, "LICENSE"))
	if err != nil {
		return err
	}
	var c config
	if err := toml.Unmarshal(text, &c); err != nil {
		return err
	}
	data, err := c.data()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "rules.txt"), []byte(data), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "rules.LICENSE"), licence, 0o644)
}

// config is what is used of gitleaks.toml. Paths and commits are not: a note
// has neither.
type config struct {
	Allowlist allowlist `toml:"allowlist"`
	Rules     []rule    `toml:"rules"`
}

type allowlist struct {
	Condition   string   `toml:"condition"`
	RegexTarget string   `toml:"regexTarget"`
	Regexes     []string `toml:"regexes"`
	StopWords   []string `toml:"stopwords"`
}

type rule struct {
	ID          string      `toml:"id"`
	Description string      `toml:"description"`
	Regex       string      `toml:"regex"`
	Entropy     float64     `toml:"entropy"`
	SecretGroup int         `toml:"secretGroup"`
	Allowlists  []allowlist `toml:"allowlists"`
}
