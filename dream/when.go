package dream

import "time"

// A Moment is when something was said, and by what that is known.
type Moment struct {
	At time.Time
	By string // one of the By constants
}

// By what the age of a note is known.
const (
	ByRecord  = "recorded"
	ByJournal = "journal"
	ByGit     = "git"
	BySession = "session"
	// ByFile is the time of the file, which a copy or a clone makes anew: it orders
	// notes where nothing better does, and no day is worked out from it.
	ByFile = "file time"
)

// clockSkew is by how much the clocks and the time zones of two machines differ.
const clockSkew = 24 * time.Hour

// When is the first of some moments that can be: it is known, and not later than now.
// One that is ahead by no more than clocks differ counts as now. Where now is zero
// every moment can be. Without any the answer is a zero moment.
//
// A date in the future is somebody's mistake, or made to win against whatever is said
// later; so it counts for nothing.
func When(now time.Time, moments ...Moment) Moment {
	for _, m := range moments {
		switch {
		case m.At.IsZero():
		case now.IsZero(), !m.At.After(now):
			return m
		case !m.At.After(now.Add(clockSkew)):
			return Moment{now, m.By}
		}
	}
	return Moment{}
}
