package recall

// Signals are what moves a document beside the words that it holds. Search uses
// all of them; to leave some out is for measuring what each is worth, as
// make eval-recall does.
type Signals uint32

// The signals.
const (
	SignalClose   Signals = 1 << iota // words that follow each other in the question stand close
	SignalSpeaker                     // it was said by the one whom the question is about
	SignalDate                        // it is of the days that the question names
	SignalNear                        // the turns beside it hold the words
	SignalSession                     // the session as a whole is on the matter
	SignalSpell                       // words that no document holds are looked for in other spellings
	SignalExpand                      // sessions: words that the best turns share
	SignalWhether                     // asked whether something is so: both sides of it
)

// SignalNames are the signals by name, in the order of a table.
func SignalNames() (names []string, signals []Signals) {
	return []string{"words close", "speaker", "date", "turns beside", "session", "spelling", "expansion", "whether"},
		[]Signals{SignalClose, SignalSpeaker, SignalDate, SignalNear, SignalSession, SignalSpell, SignalExpand, SignalWhether}
}

// uses reports whether a signal takes part.
func (s *search) uses(one Signals) bool { return s.query.Without&one == 0 }
