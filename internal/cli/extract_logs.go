package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/claim"
	"dormouse/extract"
	"dormouse/extract/bymodel"
	"dormouse/host"
	"dormouse/internal/gitroot"
	"dormouse/internal/safefile"
	"dormouse/startup"
	"dormouse/transcript"
)

// sessions are the logs to read, the oldest first, and how many were left out as
// they were read before.
func (o *extractOptions) sessions(s host.Session, args []string, from time.Time, done *doneSessions) (files []string, skipped int, err error) {
	if len(args) > 0 {
		for _, arg := range args {
			file, err := o.logOf(s, arg)
			if err != nil {
				return nil, 0, err
			}
			files = append(files, file)
		}
		return files, 0, nil
	}
	type log struct {
		path string
		mod  time.Time
	}
	var logs []log
	for _, path := range o.logsOf(s) {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		switch {
		case !from.IsZero() && info.ModTime().Before(from):
			continue
		case from.IsZero() && !o.all && done.has(path, info):
			skipped++
			continue
		}
		logs = append(logs, log{path, info.ModTime()})
	}
	slices.SortFunc(logs, func(a, b log) int {
		if c := a.mod.Compare(b.mod); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
	for _, l := range logs {
		files = append(files, l.path)
	}
	return files, skipped, nil
}

// logOf is the file that an argument names: a path, or a session's id.
func (o *extractOptions) logOf(s host.Session, arg string) (string, error) {
	cwd, err := o.io.Getwd()
	if err != nil {
		return "", err
	}
	path := absolute(cwd, o.fromHome(arg))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if !strings.ContainsAny(arg, `/\`) {
		if found := o.transcripts(s)(strings.TrimSuffix(arg, ".jsonl")); len(found) > 0 {
			return found[0], nil
		}
		switch found := o.beginning(s, arg); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return "", fmt.Errorf("%s: %d sessions begin with that: give more of the id, as in %s", arg, len(found), sessionOf(found[0]))
		}
	}
	return "", fmt.Errorf("%s: there is no such file, and no session of this project whose id begins with it; without a name extract reads all that are new", arg)
}

// leastID is how much of a session's id tells it apart, in characters.
const leastID = 4

// beginning are the logs of this project whose session's id begins with a text, as
// other commands print it.
func (o *extractOptions) beginning(s host.Session, id string) []string {
	if len(id) < leastID {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(o.logsOf(s)), func(f string) bool { return !strings.HasPrefix(sessionOf(f), id) })
}

func sessionOf(log string) string { return strings.TrimSuffix(filepath.Base(log), ".jsonl") }

// logsOf are the session logs of this project.
func (o *extractOptions) logsOf(s host.Session) []string {
	h, err := o.theHost()
	if err != nil {
		return nil
	}
	// A host whose logs lie in more than one folder, or have other endings, says so.
	if own, ok := h.(interface {
		SessionLogs(host.Session) ([]string, error)
	}); ok {
		s.Store = ""
		files, _ := own.SessionLogs(s) // without a home there are none
		return files
	}
	return o.transcripts(s)("")
}

// ofThisProject refuses logs of sessions that were started in another project,
// unless the person says where their notes go.
func (o *extractOptions) ofThisProject(s host.Session, rep *startup.Report, args []string) error {
	if o.project != "" || o.store != "" {
		return nil
	}
	own := ""
	if h, err := o.theHost(); err == nil {
		own, _ = h.Folder(s, host.TranscriptsFolder) // "" is no log's folder
	}
	for _, arg := range args {
		file, err := o.logOf(s, arg)
		if err != nil {
			return err
		}
		here := orElse(rep.Root, rep.Cwd)
		started, err := startOf(file)
		if err != nil {
			return err
		}
		if started == "" || filepath.Dir(realPath(file)) == realPath(own) || sameProject(realPath(here), realPath(started)) {
			continue
		}
		return fmt.Errorf("%s: the session was started in %s, and this is %s: nothing was written; its notes go into that project's memory with --project %s, into this one's with --project %s",
			file, started, here, shellPath(s, started), shellPath(s, here))
	}
	return nil
}

// sameProject reports whether two folders are of one project: of one repository,
// worktrees included, or one below the other.
func sameProject(here, there string) bool {
	a, b := gitroot.Find(here), gitroot.Find(there)
	if a != nil && b != nil {
		return a.Main == b.Main
	}
	return a == nil && b == nil && (there == here || strings.HasPrefix(there, here+string(filepath.Separator)))
}

// errStop ends the reading of a log.
var errStop = errors.New("enough")

// startOf is the folder that a session was started in, "" where its log does not
// say. A log in no known format is told when it is read.
func startOf(file string) (cwd string, err error) {
	f, _, err := openLog(file)
	if err != nil {
		return "", err
	}
	defer release(f)
	_, err = transcript.Read(f, nil, func(t *transcript.Turn) error {
		if cwd = t.Cwd; cwd != "" {
			return errStop
		}
		return nil
	})
	if errors.Is(err, errStop) || errors.Is(err, transcript.ErrFormat) {
		err = nil
	}
	return cwd, err
}

// openLog opens a session log. What is no regular file is refused, and never waited
// for.
func openLog(file string) (*os.File, fs.FileInfo, error) {
	if _, _, err := safefile.Head(file, 0); err != nil {
		return nil, nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		release(f)
		return nil, nil, err
	}
	return f, info, nil
}

// read goes through one log.
func (x *extraction) read(file string, reader *extract.Reader, seen *transcript.Seen) (fs.FileInfo, *extract.Found, error) {
	f, info, err := openLog(file)
	if err != nil {
		return nil, nil, err
	}
	defer release(f)
	row, bot := sessionReport{File: file}, (*bymodel.Reader)(nil)
	if x.o.engine.spec != "" {
		bot = bymodel.New()
		x.forBot = append(x.forBot, botSession{bot, file})
	}
	stats, err := transcript.Read(f, seen, func(t *transcript.Turn) error {
		if row.Session == "" {
			row.Session = t.Session
		}
		row.Cwd = orElse(row.Cwd, t.Cwd)
		reader.Turn(t)
		if bot != nil {
			bot.Turn(t)
		}
		return nil
	})
	found := reader.End()
	row.Host, row.Turns, row.Bad, row.Copies = stats.Host, stats.Turns, stats.Bad+stats.TooLong, stats.Duplicates
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	x.report.Sessions = append(x.report.Sessions, row)
	return info, found, reader.Err()
}

// knownTexts are what the instructions of a session here say already.
func knownTexts(rep *startup.Report) []claim.Source {
	var out []claim.Source
	for i := range rep.Loaded {
		if f := &rep.Loaded[i]; f.Scope != startup.Memory {
			out = append(out, claim.Source{Name: f.Path, Text: f.Text, Fixed: true})
		}
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		if b, err := os.ReadFile(filepath.Join(orElse(rep.Root, rep.Cwd), name)); err == nil && len(b) < 1<<20 {
			out = append(out, claim.Source{Name: name, Text: string(b), Fixed: true})
		}
	}
	return out
}
