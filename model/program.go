package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// maxOutput in bytes of what a server or program may answer.
const maxOutput = 8 << 20

// endTime is how long a program that was killed has to let go of its pipes.
const endTime = 2 * time.Second

var errTooMuch = errors.New("the program prints too much")

// room is a temporary folder with an empty one in it to work in, and beside that
// the system prompt: on a command line everybody could read it.
type room struct{ folder, work, system string }

func makeRoom(system string) (*room, error) {
	folder, err := os.MkdirTemp("", "dormouse-model-")
	if err != nil {
		return nil, &Failure{Err: ErrServer, Text: "no temporary folder could be made"}
	}
	r := &room{folder: folder, work: filepath.Join(folder, "work")}
	err = os.Mkdir(r.work, 0o700)
	if err == nil && system != "" {
		r.system = filepath.Join(folder, "system.txt")
		err = os.WriteFile(r.system, []byte(system), 0o600)
	}
	if err != nil {
		r.remove()
		return nil, &Failure{Err: ErrServer, Text: "the temporary folder can't be written"}
	}
	return r, nil
}

func (r *room) remove() { _ = os.RemoveAll(r.folder) } // the system clears its own folder in the end

// program is a process to run.
type program struct {
	path  string
	args  []string
	env   []string
	dir   string // "": a new empty one
	stdin []byte
}

// run starts a program in a process group of its own and returns what it printed.
// The group is killed on cancel, and when the program prints more than maxOutput;
// what it leaves behind is killed too. Standard error is dropped: it may hold
// anything. The error is the context's, errTooMuch, or an *exec.ExitError, with
// what was printed.
func run(ctx context.Context, p program) ([]byte, error) {
	if p.dir == "" {
		r, err := makeRoom("")
		if err != nil {
			return nil, err
		}
		defer r.remove()
		p.dir = r.work
	}
	pctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(pctx, p.path, p.args...)
	cmd.Dir, cmd.Env = p.dir, append(p.env, "PWD="+p.dir)
	cmd.Stdin = bytes.NewReader(p.stdin)
	out := &capped{stop: func() { cancel(errTooMuch) }}
	cmd.Stdout = out
	cmd.WaitDelay = endTime
	ownGroup(cmd)
	err := cmd.Run()
	killGroup(cmd)
	switch {
	case errors.Is(context.Cause(pctx), errTooMuch):
		return nil, errTooMuch
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return out.text.Bytes(), err
}

// capped keeps no more than maxOutput and stops the program that prints more.
type capped struct {
	text bytes.Buffer
	stop func()
}

func (c *capped) Write(p []byte) (int, error) {
	if c.text.Len()+len(p) > maxOutput {
		c.stop()
		return 0, errTooMuch
	}
	return c.text.Write(p)
}

// lookPath finds a program in the PATH of getenv, "" when it is not there. Only
// absolute folders count: what lies where we happen to stand is not asked.
func lookPath(name string, getenv func(string) string) string {
	names := []string{name}
	if runtime.GOOS == "windows" {
		names = []string{name + ".exe", name + ".cmd", name + ".bat"}
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		for _, n := range names {
			path := filepath.Join(dir, n)
			if info, err := os.Stat(path); filepath.IsAbs(path) && err == nil && info.Mode().IsRegular() && executable(info) {
				return path
			}
		}
	}
	return ""
}

func executable(info os.FileInfo) bool {
	return runtime.GOOS == "windows" || info.Mode()&0o111 != 0
}

// environment is what a program is given: what any program needs, and the named
// variables. Nothing else of ours reaches it.
func environment(getenv func(string) string, names []string) []string {
	var env []string
	for _, name := range append([]string{
		"HOME", "PATH", "USER", "LOGNAME", "LANG", "LC_ALL", "TMPDIR", "TZ",
		"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
		"SYSTEMROOT", "SystemDrive", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "COMSPEC", "PATHEXT",
	}, names...) {
		if v := getenv(name); v != "" && !strings.ContainsRune(v, 0) {
			env = append(env, name+"="+v)
		}
	}
	// A hook that Dormouse has in the program must not start another Dormouse with
	// a model.
	return append(env, "DORMOUSE_ENGINE=1")
}

// programFailure says why a program gave no answer.
func programFailure(name string, err error) error {
	var exit *exec.ExitError
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, errTooMuch):
		return &Failure{Err: ErrAnswer, Text: fmt.Sprintf("%s printed more than %d MiB", name, maxOutput>>20), Unsure: true}
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &exit):
		return &Failure{Err: ErrServer, Text: fmt.Sprintf("%s ended with status %d and no answer; run it once by hand to see why", name, exit.ExitCode()), Unsure: true}
	}
	return &Failure{Err: ErrServer, Text: name + " could not be run"}
}
