// Package memorytool carries out the memory tool memory_20250818 of Anthropic's API for
// Go programs: a model asks to view, create, str_replace, insert, delete and rename
// files below /memories, and the program that called it does so. The official SDKs
// bring that along in Python and TypeScript; in Go they have the types alone.
//
// What the model is told is what Anthropic's documentation of the tool says, word for
// word, as of 2026-09; where that leaves something open, it is said at the place. Where
// the memories are is a Folder: a directory (Dir), Dormouse's notes (Notes), or a memory
// store on a server (package apifolder).
package memorytool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"
)

// Type and Name are those of the tool in a request.
const (
	Type = "memory_20250818"
	Name = "memory"
)

// Root is the folder that the model sees.
const Root = "/memories"

// Declaration is the tool as it stands in a request's tools.
func Declaration() json.RawMessage {
	return json.RawMessage(`{"type":"` + Type + `","name":"` + Name + `"}`)
}

// File is a file of a folder.
type File struct {
	Path string // relative, with slashes
	Size int64  // bytes
	Dir  bool   // an empty directory; others are known by what lies in them
}

// ErrChanged is that a file is not what it was read as.
var ErrChanged = errors.New("it was changed meanwhile")

// Refused is an error whose text is for the model: it can do something about it.
type Refused struct{ Text string }

// Error is the text.
func (r *Refused) Error() string { return r.Text }

// Folder is where memories are. Paths are relative, with slashes, and were checked: no
// segment is empty, "." or "..". Errors wrap fs.ErrNotExist and fs.ErrExist where they
// mean that.
type Folder interface {
	List(ctx context.Context) ([]File, error)
	Read(ctx context.Context, path string) (string, error)
	// Create makes a file and the folders above it; one that is there is fs.ErrExist.
	Create(ctx context.Context, path, text string) error
	// Write replaces a file that still holds before; else the error wraps ErrChanged.
	Write(ctx context.Context, path, before, after string) error
	Remove(ctx context.Context, path string) error     // a file, or a folder with all in it
	Rename(ctx context.Context, from, to string) error // likewise
}

// Tool answers a model's calls.
type Tool struct{ Folder Folder }

// Answer is what a call comes to.
type Answer struct {
	Text   string // for the model
	Failed bool   // is_error of the tool result
	// Err is what went wrong besides what the model asked for: a full disk, a server
	// that is away. The model is told only that it failed.
	Err error
}

// command is what a model sends.
type command struct {
	Command string  `json:"command"`
	Path    *string `json:"path"`
	Range   []int   `json:"view_range"`
	Text    *string `json:"file_text"`
	Old     *string `json:"old_str"`
	New     *string `json:"new_str"`
	Line    *int    `json:"insert_line"`
	Insert  *string `json:"insert_text"`
	From    *string `json:"old_path"`
	To      *string `json:"new_path"`
}

// Call carries out the input of one call of the tool.
func (t *Tool) Call(ctx context.Context, input json.RawMessage) Answer {
	var c command
	if err := json.Unmarshal(input, &c); err != nil {
		return said(refuse("Error: The input is not what the memory tool takes: %s", reason(err)))
	}
	text, err := t.do(ctx, &c)
	if err != nil {
		return said(err)
	}
	return Answer{Text: text}
}

// reason is why an input can't be read, without Go's words for it.
func reason(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Field != "" {
		return fmt.Sprintf("`%s` may not be a %s", e.Field, e.Value)
	}
	return "it is not a JSON object"
}

func said(err error) Answer {
	if r, ok := errors.AsType[*Refused](err); ok {
		return Answer{Text: r.Text, Failed: true}
	}
	return Answer{Text: "Error: The memory could not be reached. Nothing is known about what was asked for.", Failed: true, Err: err}
}

func refuse(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

func (t *Tool) do(ctx context.Context, c *command) (string, error) {
	need := map[string][]string{
		"view": {"path"}, "create": {"path", "file_text"}, "str_replace": {"path", "old_str"}, "insert": {"path", "insert_line", "insert_text"},
		"delete": {"path"}, "rename": {"old_path", "new_path"},
	}
	fields, ok := need[c.Command]
	if !ok {
		return "", refuse("Error: Unknown command `%s`. It is one of view, create, str_replace, insert, delete, rename", clip(c.Command))
	}
	has := map[string]bool{
		"path": c.Path != nil, "file_text": c.Text != nil, "old_str": c.Old != nil, "insert_line": c.Line != nil, "insert_text": c.Insert != nil,
		"old_path": c.From != nil, "new_path": c.To != nil,
	}
	for _, f := range fields {
		if !has[f] {
			return "", refuse("Error: Parameter `%s` is required for command: %s", f, c.Command)
		}
	}
	switch c.Command {
	case "view":
		return t.view(ctx, *c.Path, c.Range)
	case "create":
		return t.create(ctx, *c.Path, *c.Text)
	case "str_replace":
		text := ""
		if c.New != nil {
			text = *c.New
		}
		return t.replace(ctx, *c.Path, *c.Old, text)
	case "insert":
		return t.insert(ctx, *c.Path, *c.Line, *c.Insert)
	case "delete":
		return t.remove(ctx, *c.Path)
	}
	return t.rename(ctx, *c.From, *c.To)
}

// clip shortens what a model sent, for a message.
func clip(s string) string {
	const most = 200 // bytes
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// inside is a path of the model's as the folder has it; "" is the root itself. What
// would lead out of the root is refused, also where somebody decodes it later.
func inside(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, Root)
	if !ok || rest != "" && rest[0] != '/' {
		return "", refuse("Path must start with /memories, got: %s", clip(path))
	}
	rest = strings.TrimSuffix(strings.TrimPrefix(rest, "/"), "/")
	if rest == "" {
		return "", nil
	}
	for _, s := range strings.Split(rest, "/") {
		if plain := strings.ToLower(s); s == "" || s == "." || s == ".." || strings.Contains(s, `\`) || strings.Contains(plain, "%2e%2e") || strings.Contains(plain, "%2f") || strings.Contains(plain, "%5c") {
			return "", refuse("Path %s would escape /memories directory", clip(path))
		}
	}
	if !utf8.ValidString(rest) || strings.ContainsFunc(rest, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", refuse("Path %q holds characters that no path has", clip(path))
	}
	return rest, nil
}

func (t *Tool) create(ctx context.Context, path, text string) (string, error) {
	rel, err := inside(path)
	if err != nil {
		return "", err
	}
	if rel == "" {
		return "", refuse("Error: File %s already exists", path)
	}
	switch err := t.Folder.Create(ctx, rel, text); {
	case errors.Is(err, fs.ErrExist):
		return "", refuse("Error: File %s already exists", path)
	case err != nil:
		return "", err
	}
	return "File created successfully at: " + path, nil
}

// read reads a file; text for one that is not there, or is a folder.
func (t *Tool) read(ctx context.Context, path, absent string) (rel, text string, err error) {
	if rel, err = inside(path); err != nil {
		return "", "", err
	}
	if rel == "" {
		return "", "", refuse(absent, path)
	}
	text, err = t.Folder.Read(ctx, rel)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", refuse(absent, path)
	}
	return rel, text, err
}

// again is how often an edit is tried on what somebody else changed meanwhile.
const again = 3

// edit changes a file by what change makes of its text.
func (t *Tool) edit(ctx context.Context, path, absent string, change func(text string) (string, error)) (after string, err error) {
	for range again {
		rel, text, err := t.read(ctx, path, absent)
		if err != nil {
			return "", err
		}
		if after, err = change(text); err != nil {
			return "", err
		}
		err = t.Folder.Write(ctx, rel, text, after)
		switch {
		case err == nil:
			return after, nil
		case errors.Is(err, fs.ErrNotExist):
			return "", refuse(absent, path)
		case !errors.Is(err, ErrChanged):
			return "", err
		}
	}
	return "", refuse("Error: %s is changed by somebody else again and again. View it and try once more", path)
}

const notThere = "Error: The path %s does not exist. Please provide a valid path."

func (t *Tool) replace(ctx context.Context, path, old, text string) (string, error) {
	at := 0
	after, err := t.edit(ctx, path, notThere, func(content string) (string, error) {
		lines, first := occurrences(content, old)
		switch {
		case len(lines) == 0:
			return "", refuse("No replacement was performed, old_str `%s` did not appear verbatim in %s.", old, path)
		case len(lines) > 1:
			return "", refuse("No replacement was performed. Multiple occurrences of old_str `%s` in lines: %s. Please ensure it is unique", old, numbers(lines))
		}
		at = first
		return content[:first] + text + content[first+len(old):], nil
	})
	if err != nil {
		return "", err
	}
	const around = 2 // lines
	lines := splitLines(after)
	first := strings.Count(after[:at], "\n")
	from, to := max(0, first-around), min(len(lines), first+strings.Count(text, "\n")+around+1)
	return "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" + numbered(lines[from:to], from+1), nil
}

// occurrences are the lines in which a text begins in another, each time it does, also
// where two overlap, and where the first is, in bytes. An empty text is nowhere.
func occurrences(content, old string) (lines []int, first int) {
	first = -1
	line := 1 // of content[from]
	for from := 0; old != ""; {
		i := strings.Index(content[from:], old)
		if i < 0 {
			break
		}
		if first < 0 {
			first = from + i
		}
		// Counted on from the hit before: a file may be full of hits.
		line += strings.Count(content[from:from+i], "\n")
		lines = append(lines, line)
		if content[from+i] == '\n' {
			line++
		}
		from += i + 1
	}
	return lines, first
}

func numbers(lines []int) string {
	var out []string
	for _, n := range slices.Compact(slices.Clone(lines)) {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, ", ")
}

func (t *Tool) insert(ctx context.Context, path string, line int, text string) (string, error) {
	_, err := t.edit(ctx, path, "Error: The path %s does not exist", func(content string) (string, error) {
		lines := splitLines(content)
		if line < 0 || line > len(lines) {
			return "", refuse("Error: Invalid `insert_line` parameter: %d. It should be within the range of lines of the file: [0, %d]", line, len(lines))
		}
		at := 0
		for _, l := range lines[:line] {
			at = min(len(content), at+len(l)+1)
		}
		head, tail := content[:at], content[at:]
		if head != "" && !strings.HasSuffix(head, "\n") {
			head += "\n"
		}
		if !strings.HasSuffix(text, "\n") && (tail != "" || strings.HasSuffix(content, "\n")) {
			return head + text + "\n" + tail, nil
		}
		return head + text + tail, nil
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("The file %s has been edited.", path), nil
}

func (t *Tool) remove(ctx context.Context, path string) (string, error) {
	rel, err := inside(path)
	if err != nil {
		return "", err
	}
	if rel == "" {
		return "", refuse("Cannot delete the /memories directory itself")
	}
	switch err := t.Folder.Remove(ctx, rel); {
	case errors.Is(err, fs.ErrNotExist):
		return "", refuse("Error: The path %s does not exist", path)
	case err != nil:
		return "", err
	}
	return "Successfully deleted " + path, nil
}

func (t *Tool) rename(ctx context.Context, from, to string) (string, error) {
	old, err := inside(from)
	if err != nil {
		return "", err
	}
	target, err := inside(to)
	switch {
	case err != nil:
		return "", err
	case old == "":
		return "", refuse("Cannot rename the /memories directory itself")
	case target == "":
		return "", refuse("Error: The destination %s already exists", to)
	case strings.HasPrefix(target, old+"/"):
		return "", refuse("Error: The destination %s lies in %s itself", to, from)
	}
	err = t.Folder.Rename(ctx, old, target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", refuse("Error: The path %s does not exist", from)
	case errors.Is(err, fs.ErrExist):
		return "", refuse("Error: The destination %s already exists", to)
	case err != nil:
		return "", err
	}
	return fmt.Sprintf("Successfully renamed %s to %s", from, to), nil
}
