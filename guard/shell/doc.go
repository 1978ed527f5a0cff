// Package shell tells which commands a shell text would run and which files they
// would touch, as far as that can be told without running anything.
//
// The text is parsed as bash does it (mvdan.cc/sh) and then followed: variables,
// functions and aliases that the text itself sets, folders it changes to, and the
// texts it hands to other shells (sh -c, eval, xargs, a here-document). What
// depends on the outside (the environment, the output of a program) is a [Hole].
// Where a text has several ways through it, all of them are looked at, so the
// answer errs on the side of saying too much.
//
// The package is pure: no file is looked at. It does not hang on any input: size,
// nesting and the number of steps are bounded, and [Result.Cut] says when a bound
// was met.
package shell

// Hole stands in a word for a part that can't be told. No shell word can hold it.
const Hole = '\x00'

// Bounds of one reading.
const (
	// MaxText is how many bytes of text are parsed, with all that is found inside.
	MaxText = 1 << 20
	// maxNesting is how deep a text may be nested, see nesting. The parser needs
	// about 4 KB of stack for each level (mvdan.cc/sh 3.14.1, measured).
	maxNesting = 3000
	maxDepth   = 24   // texts within texts, functions within functions
	maxSteps   = 4000 // statements and calls
	maxWays    = 16   // ways to read one command
	maxWords   = 4096 // words of one command
	maxBytes   = 64 << 10
)

// Word is a word of a command, after the shell took quotes and variables out.
type Word struct {
	Text string
	Glob bool // it has an unquoted * ? or [, which the shell replaces by names of files
	Many bool // it may be any number of words, also none
	Tree bool // it stands for things below the folder Text
	Some bool // with Tree: only for those that some filter picks
}

// Known tells whether all of the word can be told.
func (w Word) Known() bool {
	if w.Many {
		return false
	}
	for i := range len(w.Text) {
		if w.Text[i] == Hole {
			return false
		}
	}
	return true
}

// Command is one command that would be run.
type Command struct {
	Words []Word // the name first
}

// Access is a file that a command would read or change.
type Access struct {
	// Path is absolute and clean; it begins with a Hole where the folder that it
	// is relative to can't be told.
	Path  string
	Write bool // changed, made, moved or deleted; else read
	Glob  bool // Path has * ? or [ in it that stand for names
	Tree  bool // all that is below Path as well
	Some  bool // some of what is below Path: which, is not known
	By    string
}

// Result is what a text would do.
type Result struct {
	Commands []Command
	Files    []Access
	// Unknown are the parts that hide what is run, in words: a program whose name
	// can't be told, a script that comes out of a pipe.
	Unknown []string
	// Code are texts handed to programs that are no shells (python -c): what they
	// do is not known.
	Code []string
	// Err says why the text can't be parsed; what stood before the error is not in
	// the result either.
	Err error
	// Cut tells that a bound was met: there may be more than what was found.
	Cut bool
}

// Place is where a text would be run.
type Place struct {
	Dir     string // absolute, with slashes; "" when not known
	Home    string // absolute, with slashes; "" when not known
	Project string // what git rev-parse --show-toplevel prints; "" when not known
}
