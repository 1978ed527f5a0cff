package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

func TestASecretIsReadAsItIs(t *testing.T) {
	for _, tc := range []struct {
		name, in, want string
		code           int
	}{
		{"a line", "hunter2\n", "hunter2", 0},
		{"a line of Windows", "hunter2\r\n", "hunter2", 0},
		{"no line break", "hunter2", "hunter2", 0},
		{"blanks and inner breaks belong to it", " hun\nter2 \n\n", " hun\nter2 \n", 0},
		{"four bytes", "абв", "абв", 0},
		{"three bytes", "abc", "", exitUsage},
		{"three bytes among blanks", "  abc  \n", "", exitUsage},
		{"blanks", "        ", "", exitUsage},
		{"nothing", "", "", exitUsage},
		{"more than a note holds", strings.Repeat("x", 1<<20+1), "", exitFound},
	} {
		t.Run(tc.name, func(t *testing.T) {
			streams := &IO{In: strings.NewReader(tc.in)}
			secrets, _, err := (&purgeOptions{common: &common{io: streams}}).secrets()
			if got := string(bytes.Join(secrets, nil)); err == nil && got != tc.want || (err != nil) != (tc.code != 0) {
				t.Errorf("%q, %v", secrets, err)
			}
			l := notesIn(t, "a.md", "A\n")
			if code, out, stderr := runFed(l, tc.in, "purge"); code != tc.code {
				t.Errorf("exit %d, want %d\n%s%s", code, tc.code, out, stderr)
			}
		})
	}
}

func TestNoTraceOfAPurgedSecretIsLeftOrPrinted(t *testing.T) {
	secret := "ghp" + "_" + strings.Repeat("aB3", 12)
	l := notesIn(t, "a.md", "token "+secret+"\n", "b.md", "---\nname: b\ndescription: "+secret+"\n---\n\nB\n", "MEMORY.md", "- [a](a.md) — "+secret+"\n- [b](b.md) — B\n")
	printed := ""
	for _, tc := range [][]string{{"--", "edit", "a", "--from", "-"}, {"", "forget", "b"}, {"---\n- name\n---\n" + secret, "edit", "a", "--from", "-"}} {
		_, out, stderr := runFed(l, strings.Replace(tc[0], "--", "also "+secret+"\n", 1), tc[1:]...)
		printed += out + stderr
	}
	code, out, stderr := runFed(l, secret+"\n", "purge")
	if code != exitFine || !strings.Contains(out, "purged from") {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	if strings.Contains(out+stderr, secret) {
		t.Errorf("it is printed:\n%s%s", out, stderr)
	}
	if found, err := exec.Command("grep", "-rl", secret, l.Root).CombinedOutput(); err == nil {
		t.Errorf("it is left in\n%s", found)
	}
}
