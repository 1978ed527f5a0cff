package api

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the file is looked at from outside

	"dormouse/testkit/pgtest"
)

// kills is how often servers are killed, and seed says when: N and SEED from the
// environment (make test-api).
func kills(t *testing.T, usual int) (n int, r *rand.Rand) {
	t.Helper()
	number := func(name string, usual int) int {
		s := os.Getenv(name)
		if s == "" {
			return usual
		}
		v, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s=%q is no number", name, s)
		}
		return v
	}
	seed := number("SEED", 1)
	n = number("N", usual)
	t.Logf("N=%d SEED=%d", n, seed)
	return n, rand.New(rand.NewPCG(uint64(seed), 0)) //nolint:gosec // to be repeatable, not to be secret
}

// ledger is what was acknowledged: what has to be there whatever dies.
type ledger struct {
	mu    sync.Mutex
	notes map[string]*entry // by path
	acks  int
	more  chan struct{} // has one for each acknowledgement, as far as somebody waits
}

// entry is a memory: how many writes to it were sent and acknowledged. Its content
// tells which the last was.
type entry struct {
	id          string
	sent, acked int
}

func newLedger() *ledger { return &ledger{notes: map[string]*entry{}, more: make(chan struct{}, 1)} }

func (l *ledger) sending(path string) (n int, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.notes[path]
	if e == nil {
		e = &entry{}
		l.notes[path] = e
	}
	e.sent++
	return e.sent, e.id
}

func (l *ledger) acknowledged(path, id string, n int) {
	l.mu.Lock()
	e := l.notes[path]
	e.id, e.acked = id, n
	l.acks++
	l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
}

// wait waits until n more writes were acknowledged.
func (l *ledger) wait(t *testing.T, n int) {
	t.Helper()
	l.mu.Lock()
	until := l.acks + n
	l.mu.Unlock()
	late := time.After(time.Minute)
	for {
		l.mu.Lock()
		done := l.acks >= until
		l.mu.Unlock()
		if done {
			return
		}
		select {
		case <-l.more:
		case <-late:
			t.Fatal("for a minute nothing more was acknowledged")
		}
	}
}

// write writes memories, one after the other and each three times, until stop closes
// or gone says that nobody is left to ask.
func (l *ledger) write(c func() caller, store, name string, stop <-chan struct{}) {
	for i := 0; ; i++ {
		path := fmt.Sprintf("/%s/%d.md", name, i) // a name that folders take as well
		for range 3 {
			select {
			case <-stop:
				return
			default:
			}
			n, id := l.sending(path)
			body := object{"path": path, "content": content(path, n)}
			at := store + "/memories"
			if id != "" {
				at, body = at+"/"+id, object{"content": content(path, n)}
			}
			a, err := c().try("POST", at, body)
			if err != nil || a.status != http.StatusOK {
				break // whether it was done is not known: the next memory
			}
			l.acknowledged(path, a.text("id"), n)
		}
	}
}

func content(path string, n int) string { return fmt.Sprintf("%s write %d", path, n) }

// check wants every acknowledged write, at most what was sent, and no version twice.
func (l *ledger) check(t *testing.T, c caller, store string) {
	t.Helper()
	there := map[string]string{}
	for page := ""; ; {
		a := c.get(store + "/memories?view=full" + page)
		for _, m := range a.list() {
			there[m.text("path")] = m.text("content")
		}
		next, more := a.body["next_page"].(string)
		if !more {
			break
		}
		page = "&page=" + next
	}
	versions := map[string]int{}
	for _, path := range c.walk(store+"/memory_versions?limit=100", "path") {
		versions[path]++
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for path, e := range l.notes {
		if e.acked == 0 && there[path] == "" {
			continue // it was never said to be there
		}
		fits := 0
		for n := max(e.acked, 1); n <= e.sent; n++ {
			if there[path] == content(path, n) {
				fits = n
			}
		}
		if fits == 0 {
			t.Errorf("%s is %q: %d writes were acknowledged, %d sent", path, there[path], e.acked, e.sent)
		}
		if versions[path] != fits {
			t.Errorf("%s has %d versions for %d writes", path, versions[path], fits)
		}
	}
	t.Logf("%d acknowledged writes of %d memories are there", l.acks, len(l.notes))
}

// The SQLite file of a server that is killed while it writes is whole, and has all
// that was acknowledged.
func TestKillingTheServerLosesNothing(t *testing.T) {
	t.Parallel()
	n, r := kills(t, 3)
	database := sqlite(t)
	s := start(t, database)
	key, l := s.key, newLedger()
	store := caller{t: t, url: s.url, key: key, beta: betaMemory}.store("S")
	for round := range n {
		stop, c := make(chan struct{}), caller{t: t, url: s.url, key: key, beta: betaMemory}
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() { l.write(func() caller { return c }, store, fmt.Sprintf("%d-%d", round, w), stop) })
		}
		l.wait(t, 20+r.IntN(100))
		s.kill()
		close(stop)
		wg.Wait()
		d, err := sql.Open("sqlite", database)
		if err != nil {
			t.Fatal(err)
		}
		var said string
		if err := d.QueryRow("PRAGMA integrity_check").Scan(&said); err != nil || said != "ok" {
			t.Errorf("integrity_check: %q %v", said, err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		s = launch(t, database)
		l.check(t, caller{t: t, url: s.url, key: key, beta: betaMemory}, store)
	}
}

// Two servers on one PostgreSQL: whichever is killed or stands still, and when the
// database itself goes down, all that was acknowledged is there, once.
func TestTwoServersLoseNothing(t *testing.T) {
	t.Parallel()
	n, r := kills(t, 3)
	pg := pgtest.Start(t, pgtest.Options{})
	database := pg.Database(t)
	var mu sync.Mutex
	servers := []*server{start(t, database), nil}
	servers[1] = launch(t, database)
	key, l := servers[0].key, newLedger()
	store := caller{t: t, url: servers[0].url, key: key, beta: betaMemory}.store("S")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() { // two ask each server, so that two go on when one stands still
			l.write(func() caller {
				mu.Lock()
				defer mu.Unlock()
				return caller{t: t, url: servers[w%2].url, key: key, beta: betaMemory}
			}, store, fmt.Sprint(w), stop)
		})
	}
	for round := range n {
		l.wait(t, 20+r.IntN(100))
		i := r.IntN(2)
		switch round % 3 {
		case 0:
			servers[i].kill()
			l.wait(t, 20) // the other one goes on
			s := launch(t, database)
			mu.Lock()
			servers[i] = s
			mu.Unlock()
		case 1:
			if err := pg.Restart("immediate"); err != nil {
				t.Fatal(err)
			}
		case 2:
			if err := pause(servers[i].cmd.Process); err != nil {
				t.Fatal(err)
			}
			l.wait(t, 20) // the other one goes on
			if err := resume(servers[i].cmd.Process); err != nil {
				t.Fatal(err)
			}
		}
		l.wait(t, 20)
	}
	close(stop)
	wg.Wait()
	for _, s := range servers {
		l.check(t, caller{t: t, url: s.url, key: key, beta: betaMemory}, store)
	}
}
