package markdown_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"dormouse/instructions"
)

// TestHostileTextsCostTheirLength runs texts that make regular expressions and
// nested containers quadratic: 512 KiB of each, or with HOSTILE set 4 MiB, the
// most that a file may have. There the worst took 3 seconds for both functions.
func TestHostileTextsCostTheirLength(t *testing.T) {
	parts := map[string]string{
		"stars":                          "*",
		"stars and underscores":          "**_",
		"trailing spaces":                "   \n   ",
		"openers of emphasis":            "*a ",
		"underscores":                    "_a ",
		"both kinds of delimiters":       "*a _b ",
		"strong openers":                 "**a ",
		"closers":                        "a* ",
		"emphasis that could go on":      "*a*b",
		"brackets":                       "[",
		"closed brackets":                "[a]",
		"links that never close":         "[a](b",
		"links with quotes":              "[a](\"",
		"links with escaped quotes":      "[a](\"\\\"",
		"images":                         "![a](b ",
		"parentheses":                    "[a]((",
		"comments that never close":      "<!-- ",
		"tags that never close":          "<a b=\"",
		"tags with attributes":           "<a b c ",
		"instructions":                   "<?",
		"character data":                 "<![CDATA[",
		"backticks of all lengths":       "` `` ``` ",
		"backslashes":                    "\\",
		"escapes":                        "\\*",
		"autolinks":                      "<a:",
		"list markers in one line":       "- ",
		"quote marks in one line":        "> ",
		"numbers in one line":            "1. ",
		"list items":                     "- a\n",
		"items that get deeper":          "- a\n  ",
		"lazy lines":                     "> a\nb\n",
		"lazy lines in lists":            "> - a\nb\n",
		"quotes in lists":                "- > a\n",
		"short lines":                    "a\n",
		"item with short lines":          "  a\n",
		"lines that look like headings":  "a\n=x\n",
		"definitions":                    "[a]: b\n",
		"definitions with titles":        "[a]: b \"\n",
		"references":                     "[a][a ",
		"fences":                         "```\n",
		"fences in lists":                "- ```\n",
		"script tags":                    "<script>\n",
		"blocks of html":                 "<div>\n\n",
		"comments":                       "<!-- a -->\n",
		"tabs in a list":                 "-\t\t",
		"carriage returns":               "a\r",
		"spaces":                         " ",
		"spaces before a line feed":      "a     \n",
		"at signs":                       "@",
		"imports":                        "@a ",
		"imports with escapes":           "@a\\ ",
		"bytes that are not UTF-8":       "\xff\xc0",
		"indented lines after lazy ones": "- a\n      b\n c\n",
	}
	size := 128 << 10
	if testing.Short() {
		size >>= 3
	}
	if os.Getenv("HOSTILE") != "" {
		size = 4 << 20
	}
	for name, part := range parts {
		t.Run(name, func(t *testing.T) {
			for _, head := range []string{"", "- ", "> ", "[r]: /u\n\n"} {
				text := head + strings.Repeat(part, size/len(part)) + " @x"
				start := time.Now()
				instructions.ScanImports(text)
				instructions.StripComments(text)
				if d := time.Since(start); d > hang {
					t.Errorf("%q took %v for %d bytes", head, d, len(text))
				} else if d > time.Second {
					t.Logf("%q took %v", head, d)
				}
			}
		})
	}
}

// hang is what no input may take, on however busy a machine: the sizes here
// are such that a quadratic would take far longer.
const hang = 2 * time.Minute
