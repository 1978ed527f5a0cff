package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"dormouse/dream"
	"dormouse/dream/shelf"
	"dormouse/internal/term"
)

// runDreamAuto dreams if it is time. That it is not, or that another dream runs, is
// no error.
func runDreamAuto(ctx context.Context, o *dreamOptions) error {
	conf, err := o.config()
	if err != nil {
		return err
	}
	if off, err := o.isOff(); off || err != nil {
		return o.notNow(err, "", "memory is off")
	}
	k, rep, err := o.openDreams(conf.dream.apply)
	if err != nil {
		return err
	}
	defer k.close()
	o.apply = conf.dream.apply
	w := o.dreaming(k, rep)
	if why := w.notYet(conf.dream); why != "" {
		return o.notNow(nil, k.st.Dir(), why)
	}
	unlock, err := k.shelf.Lock()
	if errors.Is(err, shelf.ErrBusy) {
		return o.notNow(nil, k.st.Dir(), shelf.ErrBusy.Error())
	}
	if err != nil {
		return err
	}
	defer unlock()
	if why := w.notYet(conf.dream); why != "" { // one may have ended meanwhile
		return o.notNow(nil, k.st.Dir(), why)
	}
	if w.files, err = w.unread(nil); err != nil {
		return err
	}
	if w.left = max(0, len(w.files)-dream.MaxSessions); w.left > 0 {
		w.files = w.behindTurnedDown(w.files)[:dream.MaxSessions]
		w.out.Said = append(w.out.Said, fmt.Sprintf("%s left for the next dream", count(w.left, "session")))
	}
	return w.print(w.run(ctx))
}

// isOff reports whether memory is off here, and no folder was named.
func (o *dreamOptions) isOff() (bool, error) {
	if o.store != "" {
		return false, nil
	}
	s, err := o.session()
	if err != nil {
		return false, err
	}
	_, rep, err := o.look(s)
	return err == nil && !rep.Mem.On, err
}

// notYet tells why it is not time for a dream; "" if it is.
func (w *dreaming) notYet(conf dreamConfig) string {
	ran, now := w.k.shelf.LastRan(), w.o.io.Now()
	last := ran.At
	// One from the future tells of a clock that was wrong, and not of a dream.
	if age := now.Sub(last); !last.IsZero() && age >= 0 && age < conf.every {
		return fmt.Sprintf("the last dream is %s old, and they are %s apart", roughly(age), roughly(conf.every))
	}
	if last.After(now) {
		last = time.Time{}
	}
	fresh := w.newer(last) + ran.Left
	if fresh < conf.sessions {
		return fmt.Sprintf("%s newer than the last dream, and a dream waits for %d", count(fresh, "session"), conf.sessions)
	}
	return ""
}

// behindTurnedDown puts the sessions behind the others of which a dream was discarded
// by a person: it would only be dreamt again, and those that are left would never be.
func (w *dreaming) behindTurnedDown(files []string) []string {
	turned := map[string]bool{}
	dreams, _ := w.k.shelf.List() // what a damaged one has read can't be told
	for i := range dreams {
		if d := &dreams[i]; d.Status == shelf.Discarded && d.Why == "" {
			for _, s := range d.Sessions {
				if info, err := os.Stat(s.File); err == nil && info.Size() == s.Size && info.ModTime().Equal(s.Modified) {
					turned[s.File] = true
				}
			}
		}
	}
	var first, last []string
	for _, f := range files {
		if turned[f] {
			last = append(last, f)
		} else {
			first = append(first, f)
		}
	}
	return append(first, last...)
}

// newer counts the project's sessions that were written after a moment.
func (w *dreaming) newer(than time.Time) int {
	e := &extractOptions{common: w.o.common, all: true, dry: true}
	files, _, err := e.sessions(w.k.s, nil, than, &doneSessions{})
	if err != nil {
		return 0
	}
	return len(files)
}

// notNow says in one line that nothing was done.
func (o *dreamOptions) notNow(err error, dir, why string) error {
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(o.out, dreamReport{
			Store: dir, Reason: why, Sessions: []sessionReport{}, Files: []fileMark{}, Conflicts: []shelf.Conflict{},
			Refused: []string{}, Said: []string{}, Problems: []jsonProblem{},
		})
	}
	o.people().Line("dream: nothing was done: %s", term.Safe(why))
	return nil
}

// roughly is a span in the largest unit that fits.
func roughly(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 2*day:
		return fmt.Sprintf("%d days", d/day)
	case d >= time.Hour:
		return count(int(d/time.Hour), "hour")
	}
	return count(int(d/time.Minute), "minute")
}
