package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const priced = "anthropic:claude-sonnet-5-5"

func withKey() func(string) string { return env("ANTHROPIC_API_KEY", "k") }

func small(text string) Request {
	r := ask(text)
	r.MaxTokens = 100
	return r
}

func day(n int) func() time.Time {
	return func() time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC) }
}

func TestABudgetOfTokensStopsBeforeTheCallThatCouldPassIt(t *testing.T) {
	t.Parallel()
	e := &scripted{then: says("ok", 20, 10)}
	m := Limit(open(t, e, Config{}), Budget{Tokens: 200}, nil)
	n := 0
	for ; n < 50; n++ {
		if _, err := m.Generate(t.Context(), small("x")); err != nil {
			if !errors.Is(err, ErrBudget) {
				t.Fatal(err)
			}
			break
		}
	}
	// Each call is guessed at about 120 and costs 30: 3 go before 90 + 120 > 200.
	if n != 3 || len(e.asked) != 3 {
		t.Errorf("%d calls went through, %d were asked", n, len(e.asked))
	}
}

func TestRetriesAndRepairsAreBookedOneByOne(t *testing.T) {
	t.Parallel()
	e := &scripted{then: fails(Failure{Err: ErrServer, Again: true, Unsure: true})}
	m := Limit(open(t, e, Config{Tries: 10}), Budget{Tokens: 300}, nil)
	_, err := m.Generate(t.Context(), small("x"))
	if !errors.Is(err, ErrBudget) || len(e.asked) != 2 {
		t.Errorf("%v after %d tries whose cost nobody knows, want 2", err, len(e.asked))
	}
	// What was surely not answered costs nothing.
	e = &scripted{then: fails(Failure{Err: ErrLimit, Again: true})}
	m = Limit(open(t, e, Config{Tries: 10}), Budget{Tokens: 300}, nil)
	if _, err := m.Generate(t.Context(), small("x")); !errors.Is(err, ErrLimit) || len(e.asked) != 10 {
		t.Errorf("%v after %d tries", err, len(e.asked))
	}
}

func TestABudgetOfMoneyNeedsAPrice(t *testing.T) {
	t.Parallel()
	e := &scripted{then: says("ok", 1000, 100)}
	unknown := open(t, e, Config{})
	if _, err := Limit(unknown, Budget{Dollars: 1}, nil).Generate(t.Context(), ask("x")); !errors.Is(err, ErrBudget) || Priced(unknown) {
		t.Errorf("without a price: %v", err)
	}
	own := open(t, e, Config{Price: &Price{In: 1000, Out: 1000}})
	m := Limit(own, Budget{Dollars: 2}, nil)
	res, err := m.Generate(t.Context(), small("x"))
	if err != nil || res.Usage.Dollars != 1.1 || !Priced(m) {
		t.Fatalf("%+v %v", res, err)
	}
	if _, err := m.Generate(t.Context(), small(strings.Repeat("word ", 600))); !errors.Is(err, ErrBudget) {
		t.Errorf("$1.10 and then a dollar more of $2: %v", err)
	}
	listed := open(t, e, Config{Spec: priced, Getenv: withKey()})
	if res, err := Limit(listed, Budget{Dollars: 1}, nil).Generate(t.Context(), ask("x")); err != nil || res.Usage.Dollars != 0.003 {
		t.Errorf("by the list: %+v %v", res, err)
	}
}

func TestADayIsCountedOverRunsAndTheNextIsNew(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	e := &scripted{then: says("ok", 100, 50)}
	run := func(n int) error {
		b := Budget{TokensPerDay: 500, Now: day(n)}
		_, err := Limit(open(t, e, Config{}), b, OpenLedger(dir)).Generate(t.Context(), small("x"))
		return err
	}
	for i := range 3 {
		if err := run(1); err != nil {
			t.Fatalf("run %d: %v", i, err)
		}
	}
	if err := run(1); !errors.Is(err, ErrBudget) {
		t.Errorf("after 450 of 500: %v", err)
	}
	if err := run(2); err != nil {
		t.Errorf("the next day: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, ledgerName))
	if err != nil || !regexp.MustCompile(`^[\s{}:,"0-9.-]*("tokens"|"dollars"|[\s{}:,"0-9.-])*$`).Match(text) {
		t.Errorf("the ledger holds more than dates and numbers: %s %v", text, err)
	}
	for _, name := range []string{ledgerName, ledgerLock} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}

func TestALedgerThatIsDamagedRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", "null", `[]`, `{"2026-11-01":{"tokens":-5}}`, `{"today":{"tokens":1}}`, `{"2026-11-01":{"tokens":1e99}}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ledgerName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := OpenLedger(dir).Add(t.Context(), "2026-11-01", Spent{Tokens: 1}, Spent{}); !errors.Is(err, ErrBudget) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Limit(open(t, &scripted{}, Config{}), Budget{TokensPerDay: 1}, nil).Generate(t.Context(), ask("x")); !errors.Is(err, ErrBudget) {
		t.Errorf("a day's limit without a ledger: %v", err)
	}
}

func TestALedgerForgetsOldDays(t *testing.T) {
	t.Parallel()
	l := OpenLedger(t.TempDir())
	for i := range ledgerDays + 5 {
		d := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		if err := l.Add(t.Context(), d, Spent{Tokens: 1}, Spent{}); err != nil {
			t.Fatal(err)
		}
	}
	_, days, err := readLedger(filepath.Join(l.(fileLedger).folder, ledgerName))
	if _, old := days["2026-01-01"]; err != nil || len(days) != ledgerDays || old {
		t.Errorf("%d days, %v", len(days), err)
	}
}

func TestACancelledCallStaysBooked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	e := &scripted{then: func() (*Response, error) { cancel(); return nil, context.Canceled }}
	m := Limit(open(t, e, Config{}), Budget{Now: day(3)}, OpenLedger(dir))
	if _, err := m.Generate(ctx, small("x")); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	_, days, err := readLedger(filepath.Join(dir, ledgerName))
	if err != nil || days["2026-11-03"].Tokens < 100 {
		t.Errorf("%v %v, want the estimate", days, err)
	}
}

// foreign is a Model of somebody else.
type foreign struct{ Model }

func TestAnotherModelIsLimitedToo(t *testing.T) {
	t.Parallel()
	e := &scripted{then: says("ok", 20, 10)}
	m := Limit(foreign{open(t, e, Config{Spec: priced, Getenv: withKey()})}, Budget{Tokens: 200, Dollars: 1}, nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range 20 {
		wg.Go(func() {
			if _, err := m.Generate(t.Context(), small("x")); err == nil {
				mu.Lock()
				done++
				mu.Unlock()
			} else if !errors.Is(err, ErrBudget) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if done == 0 || done > 3 || len(e.asked) != done {
		t.Errorf("%d calls went through", done)
	}
}

// child books until it is refused, in a process of its own.
const childVariable = "DORMOUSE_TEST_LEDGER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		n := 0
		for n < 1000 && OpenLedger(dir).Add(context.Background(), "2026-11-30", Spent{Tokens: 7}, Spent{Tokens: 500}) == nil {
			n++
		}
		fmt.Fprint(os.Stdout, n)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestProcessesAtOnceDoNotPassADaysLimitTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	counts := make([]int, 4)
	for i := range counts {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), childVariable+"="+dir)
			out, err := cmd.Output()
			if _, serr := fmt.Sscan(string(out), &counts[i]); err != nil || serr != nil {
				t.Errorf("child: %v %v %q", err, serr, out)
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range counts {
		sum += n
	}
	if sum != 500/7 {
		t.Errorf("%v bookings of 7, together %d, want %d", counts, sum, 500/7)
	}
}
