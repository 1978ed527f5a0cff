package evidence

import (
	"context"
	"strings"
)

// mostCommits is how many names of commits are looked up at once.
const mostCommits = 1000

// Commits counts how many of the commits, each named by 7 to 40 hexadecimal
// digits, are in the repository; 0 where git can't be asked.
func (r *Repo) Commits(ctx context.Context, names []string) int {
	var ask []string
	for _, n := range names {
		if len(n) >= 7 && len(n) <= 40 && strings.Trim(n, "0123456789abcdef") == "" && len(ask) < mostCommits {
			ask = append(ask, n+"^{commit}")
		}
	}
	if r.git == nil || len(ask) == 0 {
		return 0
	}
	there := 0
	err := r.git.run(ctx, strings.Join(ask, "\n")+"\n", lineReader(func(line string) error {
		if strings.Contains(line, " commit ") {
			there++
		}
		return nil
	}), "cat-file", "--batch-check")
	if err != nil {
		return 0
	}
	return there
}
