package evidence

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"dormouse/internal/gitroot"
)

// Bounds of what git is asked, so that a huge or hostile repository costs a
// known time. Past them the answer is Unknown.
const (
	gitPatience   = 30 * time.Second // of one git process; a net, the counts below decide
	pathCommits   = 50_000           // commits looked through for paths
	diffCommits   = 5_000            // commits whose changes are read
	maxGitBytes   = 256 << 20        // bytes of one answer
	maxStderr     = 4 << 10          // bytes of an error that are kept
	gitShutdown   = time.Second      // between the kill and giving up on the pipes
	maxRefs       = 100_000          // branches and tags
	maxGitEntries = 2_000_000        // files of one listing
)

// gitRepo is how git is run in one repository; nil without git.
type gitRepo struct {
	top     string // the checkout's root
	program string
	env     []string

	head    string // commit at HEAD, "" without one
	shallow bool
	dir     string // of this checkout's own git files
	common  string // of those that all worktrees share
}

// findGit looks for git on PATH. Only absolute folders count, so that a
// repository can't bring its own.
func findGit(getenv func(string) string) string {
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if p, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
			return p
		}
	}
	return ""
}

// openGit finds the repository of a folder. why tells why there is none to ask.
func openGit(root string, getenv func(string) string) (g *gitRepo, why string) {
	found := gitroot.Find(root)
	if found == nil {
		return nil, "the folder is in no git repository"
	}
	if found.Broken != "" {
		return nil, "git can't be asked: " + found.Broken
	}
	program := findGit(getenv)
	if program == "" {
		return nil, "git is not on PATH"
	}
	g = &gitRepo{top: found.Top, program: program}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "SYSTEMROOT"} {
		if v := getenv(name); v != "" {
			g.env = append(g.env, name+"="+v)
		}
	}
	// Nothing of the environment that leads git elsewhere (GIT_DIR and the like)
	// comes through, for the list is built anew. GIT_ALLOW_PROTOCOL is stronger than
	// a repository's own protocol.*.allow: a partial clone can fetch nothing.
	g.env = append(g.env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_REPLACE_OBJECTS=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(found.Top), "GIT_ASKPASS=", "GIT_PAGER=cat", "LC_ALL=C", "LANGUAGE=")
	return g, ""
}

// safeConfig overrides what a repository's own configuration could make git run
// or wait for.
func safeConfig() []string {
	return []string{
		"--no-pager", "--no-optional-locks",
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.excludesFile=" + os.DevNull, "-c", "core.attributesFile=" + os.DevNull,
		"-c", "protocol.allow=never", "-c", "log.showSignature=false", "-c", "gpg.program=false", "-c", "diff.orderFile=" + os.DevNull, "-c", "log.showRoot=false",
		"-c", "mailmap.file=" + os.DevNull, "-c", "core.quotePath=false", "-c", "diff.external=", "-c", "core.sshCommand=false", "-c", "diff.submodule=short",
		"-c", "core.bigFileThreshold=1m", "-c", "diff.suppressBlankEmpty=false", "-c", "credential.helper=", "-c", "core.pager=cat", "-c", "diff.algorithm=myers",
	}
}

// run starts git and gives its output to read, which may stop early. It returns
// an error if git fails, but not for being stopped by read.
func (g *gitRepo) run(ctx context.Context, stdin string, read func(*bufio.Reader) error, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, g.program, append(safeConfig(), args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = g.top, g.env, gitShutdown
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	var stderr capped
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	limited := &io.LimitedReader{R: out, N: maxGitBytes}
	readErr := read(bufio.NewReaderSize(limited, 64<<10))
	if limited.N <= 0 {
		readErr = errCut
	}
	if readErr != nil {
		cancel()
	}
	waitErr := cmd.Wait()
	switch {
	case errors.Is(readErr, errEnough):
		return nil
	case readErr != nil:
		return fmt.Errorf("git %s: %w", args[0], readErr)
	case waitErr != nil:
		if ctx.Err() != nil {
			waitErr = ctx.Err()
		}
		return &gitError{args[0], firstLine(stderr.String()), waitErr}
	}
	return nil
}

var (
	errEnough = errors.New("enough read")   // stops git without being a failure
	errCut    = errors.New("answer is cut") // more than is looked at
)

// gitError is git's own failure.
type gitError struct {
	command, text string
	err           error
}

func (e *gitError) Error() string {
	if e.text == "" {
		return fmt.Sprintf("git %s: %v", e.command, e.err)
	}
	return fmt.Sprintf("git %s: %v: %s", e.command, e.err, e.text)
}

func (e *gitError) Unwrap() error { return e.err }

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.ToValidUTF8(line, "?")
}

// capped keeps the head of what is written to it.
type capped struct{ bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	if room := maxStderr - c.Len(); room > 0 {
		c.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// output returns what git prints, which must be small.
func (g *gitRepo) output(ctx context.Context, stdin string, limit int64, args ...string) (string, error) {
	var b []byte
	err := g.run(ctx, stdin, func(r *bufio.Reader) error {
		var err error
		if b, err = io.ReadAll(io.LimitReader(r, limit)); err != nil {
			return err
		}
		if int64(len(b)) == limit {
			return errCut
		}
		return nil
	}, args...)
	return string(b), err
}

// records calls each for every NUL-ended record of git's output.
func (g *gitRepo) records(ctx context.Context, each func(string) error, args ...string) error {
	return g.run(ctx, "", func(r *bufio.Reader) error { return eachRecord(r, each) }, args...)
}

func eachRecord(r *bufio.Reader, each func(string) error) error {
	for n := 0; ; n++ {
		if n > maxGitEntries {
			return errCut
		}
		rec, err := r.ReadSlice(0)
		if errors.Is(err, bufio.ErrBufferFull) {
			// A name or subject of over 64 KiB: skipped.
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice(0)
			}
			if err == nil {
				continue
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(string(rec[:len(rec)-1])); err != nil {
			return err
		}
	}
}

// eachShared is eachRecord for listings that are kept: the records of one piece of
// the output share their memory.
func eachShared(r *bufio.Reader, each func(string) error) error {
	buf := make([]byte, 64<<10)
	have, long, count := 0, false, 0
	for {
		n, err := r.Read(buf[have:])
		have += n
		end := bytes.LastIndexByte(buf[:have], 0)
		switch {
		case end >= 0:
			for rec := range strings.SplitSeq(string(buf[:end]), "\x00") {
				if long {
					long = false // the rest of a record of over 64 KiB: skipped
					continue
				}
				if count++; count > maxGitEntries {
					return errCut
				}
				if err := each(rec); err != nil {
					return err
				}
			}
			have = copy(buf, buf[end+1:have])
		case have == len(buf):
			have, long = 0, true
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// look asks git for the state of the checkout. It fails where git refuses the
// repository, as that of another owner.
func (g *gitRepo) look(ctx context.Context) error {
	out, err := g.output(ctx, "", 64<<10, "rev-parse", "--is-shallow-repository", "--git-dir", "--git-common-dir")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	if len(lines) < 3 {
		return fmt.Errorf("git rev-parse: %d lines of 3", len(lines))
	}
	g.shallow = lines[0] == "true"
	g.dir, g.common = g.abs(lines[1]), g.abs(lines[2])
	// Without a commit there is no history, which is no failure.
	head, err := g.output(ctx, "", 4<<10, "rev-parse", "--verify", "-q", "HEAD^{commit}")
	if err == nil {
		g.head = strings.TrimSpace(head)
	}
	return ctx.Err()
}

func (g *gitRepo) abs(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(g.top, p)
}

// refusal says in plain words why git did not answer.
func refusal(err error) string {
	if strings.Contains(err.Error(), "dubious ownership") {
		return "the repository belongs to another user, and git does not answer: only its files were looked at"
	}
	return "git did not answer: " + err.Error()
}

// lineReader makes a reader that calls each for every line, cut at 64 KiB.
func lineReader(each func(string) error) func(*bufio.Reader) error {
	return func(r *bufio.Reader) error {
		for {
			b, err := r.ReadSlice('\n')
			long := errors.Is(err, bufio.ErrBufferFull)
			if len(b) > 0 {
				if err := each(strings.TrimRight(string(b), "\r\n")); err != nil {
					return err
				}
			}
			for long {
				_, err = r.ReadSlice('\n')
				long = errors.Is(err, bufio.ErrBufferFull)
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
}
