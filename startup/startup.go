// Package startup is the vocabulary of one question: what does a session that
// starts here load, in which order, what does it cost, and what stays out, why.
//
// It knows no host and touches no file: a host package (host/claude, …) walks
// the disk by its own client's rules and fills a [Report]; the commands print it.
package startup

import "time"

// Scope tells whose text a file is.
type Scope string

// The scopes, from broad to narrow.
const (
	Managed Scope = "managed"
	User    Scope = "user"
	Project Scope = "project"
	Local   Scope = "local"
	Memory  Scope = "memory"
)

// Reason is the stable identifier of the rule that decided about a file.
type Reason string

// Why a file loads.
const (
	ByManaged        Reason = "managed"         // the machine's policy file
	ByUser           Reason = "user"            // the user's own file
	ByWalkUp         Reason = "walk-up"         // in the start folder or one above it
	ByAddDir         Reason = "add-dir"         // in a folder added on the command line
	ByRule           Reason = "rule"            // a rule file that always loads
	ByImport         Reason = "import"          // named by a line of another file
	ByFallback       Reason = "fallback"        // the other name that is read when the first finds nothing
	ByIndex          Reason = "index"           // the memory index
	ByGeneratedIndex Reason = "generated-index" // made by the client from the notes
	ByNested         Reason = "nested"          // below the start folder, after a read there
	ByRuleMatch      Reason = "rule-match"      // a rule whose paths match a read
)

// Why a file, a line or an import does not load.
const (
	NotCut            Reason = "cut"                // an index line past the limit
	NotIndexed        Reason = "not-indexed"        // a note without an index line
	NotDangling       Reason = "dangling"           // an index line that names no note
	NotImportMissing  Reason = "import-missing"     // finds no file
	NotImportPunct    Reason = "import-punctuation" // finds no file, but would without its last character
	NotImportExternal Reason = "import-external"    // leads outside and is not approved
	NotImportDepth    Reason = "import-depth"       // too many levels down
	NotImportKind     Reason = "import-kind"        // not a kind of file the client imports
	NotImportText     Reason = "import-not-parsed"  // an @word that is no import where it stands
	NotRuleWaiting    Reason = "rule-waiting"       // loads when a matching file is read
	NotRuleBroken     Reason = "rule-broken"        // its frontmatter cannot be read
	NotLinkOutside    Reason = "link-outside"       // a link that leads out of the start folder
	NotExcluded       Reason = "excluded"           // by a setting
	NotEmpty          Reason = "empty"              // nothing is left to load
	NotDuplicate      Reason = "duplicate"          // the same file loads already
	NotShadowed       Reason = "shadowed"           // another file takes its place
	NotWrongCase      Reason = "wrong-case"         // the client reads another spelling only
	NotOff            Reason = "off"                // a switch keeps it out
	NotTooLarge       Reason = "too-large"          // over the client's size limit
	NotAFile          Reason = "not-a-file"         // a folder, pipe, device or socket
	NotUnreadable     Reason = "unreadable"         // the system refused
	NotBudget         Reason = "budget"             // past the host's total size budget
)

// Report is what one session start loads and leaves out.
type Report struct {
	Host   string      `json:"host"`           // host package name: "claude"
	Client string      `json:"client"`         // client and version its rules were measured on
	Cwd    string      `json:"cwd"`            // start folder, links resolved
	Root   string      `json:"root,omitempty"` // repository root, or "" outside one
	Loaded []File      `json:"loaded"`
	After  []File      `json:"after_reads"`
	Ages   []Age       `json:"ages"`
	Left   []Left      `json:"not_loaded"`
	Mem    MemoryState `json:"memory"`
	// Problems are inputs that could not be read as they stand; each makes the
	// command exit 1, and the rest of the report still holds.
	Problems []Problem `json:"problems"`
	// Notices are remarks that change nothing, such as a value that is ignored.
	Notices []Problem `json:"notices,omitempty"`
}

// File is one file that reaches the model.
type File struct {
	Path  string `json:"path"` // absolute, as the client names it
	Scope Scope  `json:"scope,omitempty"`
	Text  string `json:"text"` // what reaches the model, without wrapper or warning
	Cut   *Cut   `json:"cut,omitempty"`

	Reason     Reason    `json:"reason"`
	Why        string    `json:"why"`                   // the same in words
	ImportedBy string    `json:"imported_by,omitempty"` // for imports: the file …
	ImportLine int       `json:"import_line,omitempty"` // … and its line, 1-based
	RealPath   string    `json:"real_path,omitempty"`   // when Path goes through a link
	Bytes      int64     `json:"bytes"`                 // size on disk
	Lines      int       `json:"lines"`                 // lines of Text
	Chars      int       `json:"chars"`                 // UTF-16 units of Text
	Tokens     int       `json:"tokens"`                // estimate, see [Tokens]
	Modified   time.Time `json:"modified,omitzero"`
}

// Cut tells how much of an index did not load. Lines count from 1 in the text
// that the client measures (stripped of frontmatter and comments, trimmed).
type Cut struct {
	By           string `json:"by"` // "lines", "size" or "both": the limits that were passed
	TotalLines   int    `json:"total_lines"`
	CutLines     int    `json:"cut_lines"`
	FirstCutLine int    `json:"first_cut_line,omitempty"`
	WithinLine   int    `json:"within_line,omitempty"` // set instead when the cut falls inside this line
}

// Age is how old a memory note that was read is, by its file time.
type Age struct {
	Path string `json:"path"`
	Days int    `json:"days"` // whole days
	Warn bool   `json:"warn"` // the client states the age to the model
}

// Left is something that does not load.
type Left struct {
	Path   string `json:"path"`
	Scope  Scope  `json:"scope,omitempty"`
	Reason Reason `json:"reason"`
	Why    string `json:"why"`
	From   string `json:"from,omitempty"`  // the file whose line names it, or the settings file that decided
	Line   int    `json:"line,omitempty"`  // 1-based line in From (or in Path for index lines)
	Text   string `json:"text,omitempty"`  // the line or word itself
	Near   string `json:"near,omitempty"`  // an existing file that was probably meant
	Count  int    `json:"count,omitempty"` // how many things the entry stands for, when more than one
}

// Problem is a remark about one input.
type Problem struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
	What string `json:"what"` // the reason, and the way out where there is one
}

// Decision is a setting's value and where it comes from.
type Decision struct {
	Value string `json:"value"`          // as written
	By    string `json:"by"`             // name of the switch, or "default"
	File  string `json:"file,omitempty"` // settings file that holds it …
	Line  int    `json:"line,omitempty"` // … and its line, 1-based
}

// MemoryState is the store that belongs to the session.
type MemoryState struct {
	On     bool     `json:"on"`
	Switch Decision `json:"switch"` // what decided On
	Dir    string   `json:"dir"`    // the store's folder, whether it exists or not
	Where  Decision `json:"where"`  // what decided Dir
	Exists bool     `json:"exists"`
	Index  *Index   `json:"index,omitempty"`
	Notes  int      `json:"notes"`
	Oldest []Note   `json:"oldest,omitempty"`       // a few notes, oldest file time first
	Shared []string `json:"shared_with,omitempty"`  // other folders on this machine with the same store name
	Others []Store  `json:"other_stores,omitempty"` // stores of this project that no session reads
}

// Index is the memory index measured against the client's limits.
type Index struct {
	Path        string `json:"path"`
	Generated   bool   `json:"generated,omitempty"` // there is no index file; the client makes one from the notes
	Lines       int    `json:"lines"`
	LinesLimit  int    `json:"lines_limit"`
	Chars       int    `json:"chars"` // UTF-16 units
	CharsLimit  int    `json:"chars_limit"`
	LoadedLines int    `json:"loaded_lines"`
	LoadedChars int    `json:"loaded_chars"`
}

// Note is one note's age.
type Note struct {
	Path string `json:"path"`
	Days int    `json:"days"` // whole days since its file time
}

// Store is a folder of notes that this session does not read.
type Store struct {
	Dir   string `json:"dir"`
	Notes int    `json:"notes"`
	Why   string `json:"why"`
}

// Tokens sums the estimate over all files that load at start.
func (r *Report) Tokens() int {
	n := 0
	for i := range r.Loaded {
		n += r.Loaded[i].Tokens
	}
	return n
}

// IsCut tells whether part of a file or an index does not load.
func (r *Report) IsCut() bool {
	for i := range r.Loaded {
		if r.Loaded[i].Cut != nil {
			return true
		}
	}
	return false
}

// CutLines returns how many index lines do not load.
func (r *Report) CutLines() int {
	n := 0
	for i := range r.Loaded {
		if c := r.Loaded[i].Cut; c != nil {
			n += c.CutLines
		}
	}
	return n
}
