package extract

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/transcript"
)

const (
	// fixWithin is how many calls after it failed a command has to succeed for
	// what ran in between to count as the fix.
	fixWithin = 15
	// repeatIn is in how many sessions a command has to have run.
	repeatIn = 3
	// maxCommand is how long a command line may be to be worth a note, in bytes.
	maxCommand = 160
	// maxCommands of all sessions are counted.
	maxCommands = 5000
)

// commandMemory is what is known of commands over sessions.
type commandMemory struct {
	ran   map[string]int // sessions in which it succeeded
	fixes map[string]int // "failed\x00fix": sessions
}

func newCommandMemory() commandMemory {
	return commandMemory{ran: map[string]int{}, fixes: map[string]int{}}
}

// calls is the commands of a session.
type calls struct {
	open map[string]string // calls without a result yet, by id
	n    int
	log  []run
	ok   map[string]runAt // that succeeded, by what they are
	seen map[string]bool  // fixes
}

type run struct {
	command string
	failed  bool
	n       int
}

type runAt struct {
	command, session string
	line             int
	time             time.Time
}

// maxOpen calls are waited for.
const maxOpen = 256

func (r *Reader) call(t *transcript.Turn, b *transcript.Block) {
	c := &r.now.calls
	c.n++
	if b.ID == "" || len(b.Input) == 0 || len(c.open) >= maxOpen {
		return
	}
	var in struct {
		Command json.RawMessage `json:"command"`
		Cmd     json.RawMessage `json:"cmd"`
	}
	if json.Unmarshal(b.Input, &in) != nil {
		return
	}
	line := commandLine(in.Command)
	if line == "" {
		line = commandLine(in.Cmd)
	}
	if line == "" {
		return
	}
	if c.open == nil {
		c.open = map[string]string{}
	}
	c.open[b.ID] = line
}

// commandLine reads a command of a shell tool: a string, or the words of one of
// which the last is the line.
func commandLine(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		var words []string
		if json.Unmarshal(raw, &words) != nil || len(words) == 0 {
			return ""
		}
		s = strings.Join(words, " ")
		if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
			s = words[2]
		}
	}
	s = strings.TrimSpace(s)
	if cd, rest, ok := strings.Cut(s, "&&"); ok && strings.HasPrefix(cd, "cd ") {
		s = strings.TrimSpace(rest)
	}
	if len(s) > maxCommand || strings.ContainsAny(s, "\n\r\x00") {
		return ""
	}
	return s
}

func (r *Reader) result(t *transcript.Turn, b *transcript.Block) {
	c := &r.now.calls
	line, ok := c.open[b.ID]
	if !ok {
		return
	}
	delete(c.open, b.ID)
	if !telling(line) || t.Sidechain {
		return
	}
	now := run{command: line, failed: b.Failed, n: c.n}
	if !b.Failed {
		r.fixed(t, now)
		key := commandKey(line)
		if c.ok == nil {
			c.ok = map[string]runAt{}
		}
		if _, seen := c.ok[key]; !seen && len(c.ok) < maxCommands {
			c.ok[key] = runAt{line, t.Session, t.Line, t.Time}
		}
	}
	c.log = append(c.log, now)
	if len(c.log) > fixWithin {
		c.log = c.log[1:]
	}
}

// fixed looks for what made a command succeed that had failed: the last other
// command between the two. An edit between them is how programs are written, and
// nothing to remember.
func (r *Reader) fixed(t *transcript.Turn, now run) {
	c := &r.now.calls
	var fix string
	for i := len(c.log) - 1; i >= 0 && now.n-c.log[i].n <= fixWithin; i-- {
		p := c.log[i]
		switch {
		case p.command == now.command && p.failed:
			if fix != "" {
				r.fix(t, now.command, fix)
			}
			return
		case p.command == now.command:
			return
		case !p.failed && fix == "":
			fix = p.command
		}
	}
}

func (r *Reader) fix(t *transcript.Turn, command, fix string) {
	key := commandKey(command) + "\x00" + commandKey(fix)
	c := &r.now.calls
	if c.seen[key] || r.hides(command) || r.hides(fix) || sinks(command) || sinks(fix) {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[key] = true
	if len(r.commands.fixes) < maxCommands || r.commands.fixes[key] > 0 {
		r.commands.fixes[key]++
	}
	confidence := 0.6
	if r.commands.fixes[key] > 1 {
		confidence = 0.9
	}
	r.add(Candidate{
		Kind: Fix, Type: "project", Text: "When `" + command + "` fails, run `" + fix + "` first: after it the command succeeded.", Confidence: confidence,
		Quote: fix, Why: "the command failed, and succeeded after the other one", Origin: transcript.Tool, Session: t.Session, Line: t.Line, Time: t.Time,
	})
}

// repeated adds the commands that have now run in enough sessions.
func (r *Reader) repeated() {
	for _, key := range slices.Sorted(maps.Keys(r.now.calls.ok)) {
		at := r.now.calls.ok[key]
		if len(r.commands.ran) >= maxCommands && r.commands.ran[key] == 0 {
			continue
		}
		r.commands.ran[key]++
		n := r.commands.ran[key]
		if n != repeatIn || r.hides(at.command) || sinks(at.command) {
			continue
		}
		r.add(Candidate{
			Kind: Command, Type: "project", Text: "A command that is run again and again here: `" + at.command + "`.", Confidence: 0.6 + 0.1*float64(n),
			Quote: at.command, Why: "it succeeded in " + strconv.Itoa(n) + " sessions", Origin: transcript.Tool, Session: at.session, Line: at.line, Time: at.time,
		})
	}
}

func (r *Reader) hides(command string) bool { return len(r.finder.Find(command)) > 0 }

// sinks tells commands that a note must not teach from what an agent did: they
// fetch and run, send away, delete, or rise above the user.
func sinks(command string) bool {
	for _, s := range [...]string{"|", "curl ", "wget ", "sudo ", "eval ", "base64", "nc ", "ssh ", "scp ", "rm ", "chmod ", "://", "$(", "<(", "> ", ">>", ";", "\\x"} {
		if strings.Contains(command, s) {
			return true
		}
	}
	return false
}

// telling tells whether a command is one that a project is worked on with, and not
// one that everybody looks around with.
func telling(command string) bool {
	first := program(command)
	switch first {
	case "make", "just", "task", "npm", "pnpm", "yarn", "bun", "npx", "deno", "go", "cargo", "pytest", "python", "python3", "uv", "poetry", "pip", "tox", "nox", "hatch",
		"docker", "docker-compose", "podman", "bundle", "rails", "rake", "rspec", "mix", "gradle", "gradlew", "mvn", "sbt", "dotnet", "composer", "php", "phpunit", "ruff", "mypy", "eslint",
		"tsc", "vitest", "jest", "playwright", "cmake", "ninja", "bazel", "nix", "rustup", "terraform", "kubectl", "helm", "psql", "alembic", "swift", "xcodebuild", "flutter", "ctest", "meson",
		"zig", "dune", "stack", "cabal", "lein", "golangci-lint", "buf", "sqlc", "pre-commit", "turbo", "nx", "lerna", "rush", "ansible-playbook", "vagrant", "skaffold", "tilt":
		return true
	}
	return strings.HasPrefix(command, "bin/") || strings.HasPrefix(command, "./") || strings.HasPrefix(command, "script")
}

// program is the program of a command line, what is set before it left out.
func program(command string) string {
	for _, w := range strings.Fields(command) {
		if strings.Contains(w, "=") {
			continue
		}
		return w[strings.LastIndexByte(w, '/')+1:]
	}
	return ""
}

// commandKey is a command with what changes from run to run left out: numbers, and
// hashes.
func commandKey(command string) string {
	words := strings.Fields(command)
	for i, w := range words {
		digits := 0
		for j := 0; j < len(w); j++ {
			if w[j] >= '0' && w[j] <= '9' {
				digits++
			}
		}
		if digits > 3 || digits == len(w) {
			words[i] = "…"
		}
	}
	return strings.Join(words, " ")
}
