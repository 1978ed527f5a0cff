package shell

import (
	"strings"
)

// which of a command's operands something holds for.
type which uint8

const (
	none  which = iota
	all         // each
	last        // the last, where files go to; with the names of the others in it
	first       // the first alone
)

// effect is what a program does to the files that it is given.
type effect struct {
	sub    string   // the word after the program's own options ("rm" of git rm)
	need   []string // only with one of these options
	valued string   // letters of the options whose value is the next word
	write  which
	tree   []string // options with which all below a folder is meant; "" for always
	some   bool     // below a folder: some files only
	target []string // options whose value is a file or folder that is written
}

// Effects of programs, by name. Who is not here only reads what it is given. Options
// are those of GNU coreutils 9, git 2.47 and curl 8; BSD's are mostly the same.
func effectsOf(name string) []effect {
	always := []string{""}
	recursive := []string{"-r", "-R", "--recursive"}
	switch name {
	case "rm":
		return []effect{{write: all, tree: recursive}}
	case "rmdir", "unlink", "shred", "truncate", "touch", "mkdir", "mkfifo", "mknod", "tee", "sponge", "ed", "ex", "vi", "vim", "nvim", "nano", "emacs", "code", "trash":
		return []effect{{write: all, valued: "smrtd"}}
	case "chmod", "chown", "chgrp", "chattr", "setfacl":
		return []effect{{write: all, tree: recursive}}
	case "mv":
		return []effect{{write: all, tree: always, target: []string{"-t", "--target-directory"}}, {write: last}}
	case "cp", "install", "ln", "link":
		return []effect{{write: last, valued: "tSmog", target: []string{"-t", "--target-directory"}}}
	case "rsync", "scp", "ditto":
		return []effect{{write: last, valued: "eiPF", tree: []string{"--delete"}}}
	case "sed", "gsed":
		return []effect{{write: all, valued: "ef", need: []string{"-i", "--in-place"}}}
	case "perl", "ruby":
		return []effect{{write: all, valued: "eE", need: []string{"-i"}}}
	case "awk", "gawk":
		return []effect{{write: all, valued: "fvi", need: []string{"-i"}}}
	case "sort", "gcc", "cc", "go", "curl", "openssl", "pandoc", "protoc", "yq", "jq":
		return []effect{{target: []string{"-o", "--output", "-out"}}, {write: all, need: []string{"-i", "--in-place", "--inplace"}}}
	case "wget":
		return []effect{{target: []string{"-O", "--output-document", "-o"}}}
	case "tar", "bsdtar", "unzip":
		return []effect{{target: []string{"-C", "--directory", "-d"}}, {write: first, need: []string{"-c", "--create"}, valued: "C", target: []string{"-f", "--file"}}}
	case "patch":
		return []effect{{write: first, valued: "pdioBr"}}
	case "zip", "7z":
		return []effect{{write: first}}
	case "git":
		return gitEffects()
	}
	return formatters(name)
}

func gitEffects() []effect {
	always := []string{""}
	return []effect{
		{sub: "rm", write: all, tree: []string{"-r"}},
		{sub: "mv", write: all, tree: always},
		{sub: "mv", write: last},
		{sub: "checkout", write: all, valued: "bB", tree: always},
		{sub: "restore", write: all, valued: "s", tree: always},
		{sub: "clean", write: all, tree: always, some: true, valued: "e"},
	}
}

// formatters rewrite the files they are given, those of their own language.
func formatters(name string) []effect {
	always := []string{""}
	switch name {
	case "gofmt", "goimports", "gofumpt", "prettier":
		return []effect{{write: all, need: []string{"-w", "--write"}, tree: always, some: true}}
	case "eslint", "stylelint", "biome", "standard", "rubocop":
		return []effect{{write: all, need: []string{"--fix", "--write", "-a", "-A"}, tree: always, some: true}}
	case "black", "isort", "autopep8", "rustfmt":
		return []effect{{write: all, tree: always, some: true}}
	case "clang-format":
		return []effect{{write: all, need: []string{"-i"}}}
	}
	return nil
}

// namesOnly are programs whose operands are no files that they read.
func namesOnly(name string) bool {
	switch name {
	case "echo", "printf", "cd", "pushd", "ls", "mkdir", "touch", "rm", "rmdir", "unlink", "test", "[", "stat", "chmod", "chown", "chgrp",
		"basename", "dirname", "realpath", "readlink", "which", "type", "command", "export", "alias", "kill", "pkill", "true", "false", ":",
		"git", "find", "fd", "tree", "du", "df", "exit", "return", "sleep", "set", "ssh":
		return true
	}
	return isShell(name)
}

// effects notes the files that a command reads and changes.
func (r *reader) effects(st *state, name string, words []Word, in input) {
	dirs, args, by := st.dirs, words[1:], r.short(joined(words))
	sub := ""
	if name == "git" {
		dirs, sub, args = r.gitCommand(st, args)
	}
	if name == "find" && hasOption(args, "-delete") {
		roots, picks := findRoots(args)
		for _, root := range roots {
			root.Tree, root.Some = true, picks
			r.touch(dirs, root, true, by)
		}
	}
	if name == "dd" {
		for _, a := range args {
			if file, ok := strings.CutPrefix(a.Text, "of="); ok {
				r.touch(dirs, Word{Text: file}, true, by)
			}
			if file, ok := strings.CutPrefix(a.Text, "if="); ok {
				r.touch(dirs, Word{Text: file}, false, by)
			}
		}
	}
	if name == "apply_patch" || name == "patch" || sub == "apply" || sub == "am" {
		for _, file := range PatchFiles(in.text + "\n" + joined(args)) {
			r.touch(dirs, Word{Text: file}, true, by)
		}
	}
	for _, e := range effectsOf(name) {
		if e.sub == sub && (e.need == nil || hasOption(args, e.need...)) {
			r.effect(dirs, e, args, by)
		}
	}
	if !namesOnly(name) || sub == "show" || sub == "diff" || sub == "grep" || sub == "blame" || sub == "hash-object" {
		if copies(name) && len(args) > 1 && !hasOption(args, "-t", "--target-directory") {
			args = args[:len(args)-1] // the last one is written, and not read
		}
		r.reads(dirs, args, by)
	}
}

func copies(name string) bool { return name == "cp" || name == "mv" || name == "install" }

func (r *reader) effect(dirs []string, e effect, args []Word, by string) {
	for _, t := range optionValue(args, e.target...) {
		r.touch(dirs, t, true, by)
	}
	files := operands(args, e.valued)
	if e.sub == "clean" && len(files) == 0 {
		files = []Word{{Text: "."}}
	}
	tree := len(e.tree) > 0 && (e.tree[0] == "" || hasOption(args, e.tree...))
	switch {
	case len(files) == 0 || e.write == none:
		return
	case e.write == first:
		files = files[:1]
	case e.write == last:
		to := files[len(files)-1]
		for _, from := range files[:len(files)-1] {
			if from.Known() { // into a folder: under its own name
				r.touch(dirs, Word{Text: to.Text + "/" + fileName(from.Text), Glob: to.Glob || from.Glob}, true, by)
			}
		}
		files = []Word{to}
	}
	for _, f := range files {
		f.Some = tree && e.some || f.Tree && f.Some
		f.Tree = f.Tree || tree
		r.touch(dirs, f, true, by)
	}
}

func fileName(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// reads notes every word that could name a file: what a program does with its
// words is not known, but it may read them.
func (r *reader) reads(dirs []string, args []Word, by string) {
	for _, a := range args {
		t := a.Text
		if len(t) > 1 && t[0] == '-' {
			_, value, ok := strings.Cut(t, "=")
			if !ok {
				continue
			}
			t = value
		}
		a.Text = strings.TrimPrefix(t, "@")
		r.touch(dirs, a, false, by)
		if _, file, ok := strings.Cut(a.Text, ":"); ok { // HEAD:path, host:path
			r.touch(dirs, Word{Text: file}, false, by)
		}
		if _, file, ok := strings.Cut(a.Text, "=@"); ok {
			r.touch(dirs, Word{Text: file}, false, by)
		}
	}
}

// gitCommand takes git's own options off.
func (r *reader) gitCommand(st *state, args []Word) (dirs []string, sub string, rest []Word) {
	dirs = st.dirs
	for i := 0; i < len(args); i++ {
		switch t := args[i].Text; {
		case (t == "-C" || t == "--work-tree") && i+1 < len(args):
			i++
			dirs = resolve(dirs, r.place.Home, args[i].Text)
		case strings.HasPrefix(t, "--work-tree="):
			dirs = resolve(dirs, r.place.Home, t[len("--work-tree="):])
		case t == "-c" || t == "--git-dir" || t == "--namespace" || t == "--exec-path":
			i++
		case len(t) > 1 && t[0] == '-':
		default:
			return dirs, t, args[i+1:]
		}
	}
	return dirs, "", nil
}

// touch notes one file.
func (r *reader) touch(dirs []string, w Word, write bool, by string) {
	if len(w.Text) > maxPath || len(r.res.Files) >= maxSteps {
		r.res.Cut = r.res.Cut || len(r.res.Files) >= maxSteps
		return
	}
	for _, p := range resolve(dirs, r.place.Home, w.Text) {
		r.res.Files = append(r.res.Files, Access{Path: p, Write: write, Glob: w.Glob, Tree: w.Tree, Some: w.Some, By: by})
	}
}

// maxPath is how long a path can be, in bytes, on the systems there are.
const maxPath = 4096

// PatchFiles are the files that a patch changes, as its head lines name them: those of
// git and diff, and of Codex's apply_patch.
func PatchFiles(patch string) []string {
	var out []string
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		for _, head := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ", "+++ ", "--- ", "rename to ", "rename from "} {
			file, ok := strings.CutPrefix(line, head)
			if !ok || file == "/dev/null" || file == "" {
				continue
			}
			file, _, _ = strings.Cut(file, "\t")
			if head == "+++ " || head == "--- " {
				if rest, ok := strings.CutPrefix(file, "a/"); ok {
					file = rest
				} else if rest, ok := strings.CutPrefix(file, "b/"); ok {
					file = rest
				}
			}
			out = append(out, file)
		}
	}
	return out
}
