// Package doctor says what is wrong with the memory of a project: why the agent
// forgets, what rots, what is not safe. Each finding has the place, the evidence
// and, where one is safe, a fix.
package doctor

import "time"

// Severity is how bad a finding is.
type Severity string

// The severities, as SARIF has them.
const (
	Error   Severity = "error"   // something that somebody wrote does not reach the agent, or is not safe
	Warning Severity = "warning" // it will, or the agent is told something wrong
	Info    Severity = "info"    // worth a look
)

// AtLeast reports whether s is as bad as t, or worse.
func (s Severity) AtLeast(t Severity) bool { return s.rank() >= t.rank() }

func (s Severity) rank() int {
	switch s {
	case Error:
		return 3
	case Warning:
		return 2
	case Info:
		return 1
	}
	return 0
}

// Group is the part of the check-up that a rule belongs to.
type Group string

// The groups, in the order in which a person would go through them.
const (
	Forgetting Group = "forgetting"
	Rot        Group = "rot"
	Safety     Group = "safety"
)

// Place is a place in a file.
type Place struct {
	Path   string `json:"path"`             // absolute
	Line   int    `json:"line,omitempty"`   // 1-based; 0: the file as a whole
	Column int    `json:"column,omitempty"` // 1-based, in runes
	Text   string `json:"text,omitempty"`   // what stands there, clipped; never a secret
}

// Related is another place that belongs to a finding.
type Related struct {
	Place
	Role string `json:"role"` // what it is to the finding: "says otherwise", "imports it"
}

// Finding is one thing that is wrong.
type Finding struct {
	ID       string    `json:"id"` // stable over runs: 12 hexadecimal digits of rule, place and evidence
	Rule     string    `json:"rule"`
	Group    Group     `json:"group"`
	Severity Severity  `json:"severity"`
	Message  string    `json:"message"` // one sentence for a person
	Place    Place     `json:"place"`
	Related  []Related `json:"related,omitempty"`
	Evidence []string  `json:"evidence,omitempty"` // one fact each
	Fix      *Fix      `json:"fix,omitempty"`
}

// Fix is what would mend a finding.
type Fix struct {
	Title string `json:"title"` // in the imperative: "put a line for it into MEMORY.md"
	// Safe fixes lose nothing, change nothing that a session is told but for the
	// fault, and can be undone; --fix applies them. Others are applied by ID only.
	Safe bool `json:"safe"`
	// Command is what a person can run; "" where --fix=ID is the only way.
	Command string `json:"command,omitempty"`
	Applies bool   `json:"applies"` // --fix can do it
	plan    Plan
}

// Age is how old a note is, and by what.
type Age struct {
	Path string    `json:"path"`
	Days int       `json:"days"` // whole days
	By   string    `json:"by"`   // "recorded", "git" or "file time"
	At   time.Time `json:"at"`
}

// Weight is how many tokens a file that loads costs.
type Weight struct {
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
}

// Suppressed is a finding that the person's configuration passes over.
type Suppressed struct {
	Finding
	Reason string `json:"reason"`
}

// Checked is what was looked at: a clean bill says how much it rests on.
type Checked struct {
	Rules        int `json:"rules"`
	Instructions int `json:"instructions"` // files that load, or would
	Imports      int `json:"imports"`
	Notes        int `json:"notes"`
	IndexLines   int `json:"index_lines"`
	Statements   int `json:"statements"` // compared with each other
	References   int `json:"references"` // looked up in the repository
	Stores       int `json:"stores"`     // memory folders of this machine looked at
}

// Report is what a check-up finds.
type Report struct {
	Host       string       `json:"host"`
	Project    string       `json:"project"` // start folder
	Root       string       `json:"root,omitempty"`
	Store      string       `json:"store,omitempty"`
	Findings   []Finding    `json:"findings"` // the worst first
	Suppressed []Suppressed `json:"suppressed"`
	Checked    Checked      `json:"checked"`
	Ages       []Age        `json:"ages"`              // the oldest first, a few
	Tokens     []Weight     `json:"tokens"`            // what loads, the heaviest first
	Skipped    []string     `json:"skipped,omitempty"` // what was not checked, and why, a sentence each
}
