package doctor

import (
	"embed"
	"strings"
)

// pages hold one explanation a rule. Nothing of them is read or parsed before
// one is asked for.
//
//go:embed explain/*.md
var pages embed.FS

// Explain returns the explanation page of a rule, Markdown of less than 25 lines
// that begins with "# id: title": what the rule means, an example, how to mend
// it, when to leave it, what decides. ok is false where no rule has the id.
func Explain(id string) (page string, ok bool) {
	if id == "" || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return "", false // embed.FS would take a "/" for a folder
	}
	b, err := pages.ReadFile("explain/" + id + ".md")
	return string(b), err == nil
}
