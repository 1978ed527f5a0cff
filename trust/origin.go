// Package trust decides which notes a session may load: by where their text came
// from, not by what it says. Origins are set by code and stand in the store's
// journal; what a note says about itself counts for nothing. Text made from other
// text has the lowest origin of what went into it, however often it is rewritten,
// until a person approves just those bytes.
package trust

// Origin is where a text came from.
type Origin string

// The origins, from the most trusted down.
const (
	Human    Origin = "human"     // typed into a command or an editor that Dormouse opened
	UserTurn Origin = "user-turn" // the person's own words, found in a session
	Agent    Origin = "agent"     // written by the agent in a session
	Tool     Origin = "tool"      // out of a tool's result
	Web      Origin = "web"       // out of a web page
	Import   Origin = "import"    // out of another memory system's dump
	Sync     Origin = "sync"      // from another machine or person
	Outside  Origin = "outside"   // nobody knows: another program, an editor
)

// rank orders origins; the higher, the more trusted. What is no origin has the
// lowest.
func (o Origin) rank() int {
	for i, known := range []Origin{Outside, Sync, Import, Web, Tool, Agent, UserTurn, Human} {
		if o == known {
			return i
		}
	}
	return -1
}

// AtLeast reports whether o is trusted as much as p, or more.
func (o Origin) AtLeast(p Origin) bool { return o.rank() >= p.rank() }

// Lowest is the least trusted of several origins, Outside of none.
func Lowest(origins ...Origin) Origin {
	if len(origins) == 0 {
		return Outside
	}
	low := origins[0]
	for _, o := range origins[1:] {
		if o.rank() < low.rank() {
			low = o
		}
	}
	if low.rank() < 0 {
		return Outside
	}
	return low
}
