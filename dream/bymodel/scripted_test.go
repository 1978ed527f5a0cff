package bymodel_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"dormouse/dream"
	"dormouse/model"
	"dormouse/model/remote"
	"dormouse/testkit/modelserver"
)

const (
	key        = "sk-ant-very-secret-0123456789"
	tryTimeout = 7777 * time.Second // told from waits by its length
	tries      = 2
)

// clock lets waits pass at once, and the time of a try when the server says that
// it keeps somebody waiting.
type clock struct{ hanging <-chan struct{} }

func (clock) Now() time.Time { return time.Unix(1e9, 0) }

func (c clock) AfterFunc(d time.Duration, f func()) func() bool {
	stopped := make(chan struct{})
	var once sync.Once
	stop := func() bool { once.Do(func() { close(stopped) }); return true }
	if d != tryTimeout {
		go f()
		return stop
	}
	go func() {
		select {
		case <-c.hanging:
			f()
		case <-stopped:
		}
	}()
	return stop
}

// bench is a scripted server and a model of it.
type bench struct {
	*modelserver.Server
	model model.Model
}

// newBench starts a server that speaks a wire form. With patient no try is ever
// over by time.
func newBench(t *testing.T, form modelserver.Form, patient bool, script modelserver.Script) bench {
	t.Helper()
	s, err := modelserver.Start(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	c := clock{s.Hanging()}
	if patient {
		c.hanging = nil
	}
	m, err := model.Open(model.Config{
		Spec: string(form) + ":m@" + s.Base(form), Timeout: tryTimeout, Tries: tries, Clock: c, Remote: remote.New,
		Getenv: func(string) string { return key },
	})
	if err != nil {
		t.Fatal(err)
	}
	return bench{s, m}
}

func answers(steps ...modelserver.Step) modelserver.Script { return modelserver.Steps(steps...) }

type object = map[string]any

// says is an answer with operations.
func says(ops ...object) modelserver.Step {
	if ops == nil {
		ops = []object{}
	}
	return modelserver.Step{JSON: object{"ops": ops}}
}

// pair is a cluster of two statements; the text of the second tells clusters apart.
func pair(second string) dream.Cluster {
	return dream.Cluster{Claims: []dream.Statement{
		{ID: 1, Text: "The cache holds 50 entries.", Day: "2026-03-02", Type: "project"},
		{ID: 2, Text: second, Day: "2026-04-09", Type: "reference"},
	}}
}

func same() object {
	return object{"op": "same", "claims": []int{1, 2}, "keep": 2, "why": "two wordings"}
}

// unsound says what is wrong with the form of operations on a cluster.
func unsound(c dream.Cluster, ops []dream.Op) error {
	if len(ops) > len(c.Claims) {
		return fmt.Errorf("%d operations on %d statements", len(ops), len(c.Claims))
	}
	gone := map[int]bool{}
	for _, op := range ops {
		least, most := 2, 0
		switch op.Op {
		case "same":
			if !slices.Contains(op.Claims, op.Keep) {
				return fmt.Errorf("%+v keeps another statement", op)
			}
			op.Keep = 0
		case "merge":
			most = 4 << 10
		case "keep":
			least = 1
		case "conflict":
		default:
			return fmt.Errorf("there is no operation %q", op.Op)
		}
		if op.Keep != 0 || len(op.Text) > most || (op.Text == "") != (most == 0) || len(op.Why) > 300 || len(op.Claims) < least {
			return fmt.Errorf("%+v has what its kind has not, too much or too little", op)
		}
		if !slices.IsSorted(op.Claims) || len(slices.Compact(slices.Clone(op.Claims))) != len(op.Claims) {
			return fmt.Errorf("%+v names a statement twice", op)
		}
		for _, id := range op.Claims {
			if !slices.ContainsFunc(c.Claims, func(s dream.Statement) bool { return s.ID == id }) {
				return fmt.Errorf("there is no statement %d", id)
			}
			if removes := op.Op == "same" || op.Op == "merge"; removes {
				if gone[id] {
					return fmt.Errorf("statement %d becomes two things", id)
				}
				gone[id] = true
			}
		}
		for _, s := range []string{op.Text, op.Why} {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
				return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
			}) {
				return fmt.Errorf("%q has characters that nobody sees", s)
			}
		}
	}
	return nil
}

// eachForm runs a test for each wire form.
func eachForm(t *testing.T, f func(t *testing.T, form modelserver.Form)) {
	t.Helper()
	for _, form := range modelserver.Forms() {
		t.Run(string(form), func(t *testing.T) {
			t.Parallel()
			f(t, form)
		})
	}
}
