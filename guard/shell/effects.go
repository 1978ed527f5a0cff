package shell

import (
	"slices"
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
	unless []string // not with one of these: it only looks, or writes elsewhere
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
	dry := []string{"-n", "--dry-run"}
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
	case "rsync":
		return []effect{{write: last, valued: "efBTM", tree: []string{"--delete"}, unless: dry}}
	case "scp", "ditto":
		return []effect{{write: last, valued: "eiPF"}}
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
		const valued = "CfbTXIgKN"
		making := []string{"-c", "--create"}
		return []effect{
			{target: []string{"-C", "--directory", "-d"}, valued: valued, unless: append(making, "-t", "--list")},
			{need: making, target: []string{"-f", "--file"}},
		}
	case "patch":
		return []effect{{write: first, valued: "pdioBr", unless: dry[1:]}}
	case "zip", "7z":
		return []effect{{write: first}}
	case "git":
		return gitEffects()
	}
	return formatters(name)
}

func gitEffects() []effect {
	always := []string{""}
	dry := []string{"-n", "--dry-run"}
	return []effect{
		{sub: "rm", write: all, tree: []string{"-r"}, unless: append(dry, "--cached")},
		{sub: "mv", write: all, tree: always, unless: dry},
		{sub: "mv", write: last, unless: dry},
		{sub: "checkout", write: all, valued: "bB", tree: always},
		{sub: "restore", write: all, valued: "s", tree: always, unless: []string{"-S", "--staged"}}, // the index only
		{sub: "restore", write: all, valued: "s", tree: always, need: []string{"-W", "--worktree"}},
		{sub: "clean", write: all, tree: always, some: true, valued: "e", unless: dry},
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
	case "black", "isort", "rustfmt":
		return []effect{{write: all, tree: always, some: true, unless: []string{"--check", "--check-only", "--diff"}}}
	case "autopep8":
		return []effect{{write: all, need: []string{"-i", "--in-place"}, tree: always, some: true}}
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
	onlyLooks := sub == "apply" && looksOnly(args, effect{unless: []string{"--check", "--stat", "--numstat", "--summary"}}) && !hasOption(args, "--apply") ||
		name == "patch" && looksOnly(args, effect{unless: []string{"--dry-run"}})
	if !onlyLooks && (name == "apply_patch" || name == "patch" || sub == "apply" || sub == "am") {
		for _, file := range PatchFiles(in.text + "\n" + joined(args)) {
			r.touch(dirs, Word{Text: file}, true, by)
		}
	}
	if (name == "tar" || name == "bsdtar") && len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") {
		args = slices.Clone(args)
		args[0].Text = "-" + args[0].Text // tar czf is tar -czf
	}
	for _, e := range effectsOf(name) {
		if e.sub == sub && (e.need == nil || hasOption(args, e.need...)) && !looksOnly(args, e) {
			r.effect(dirs, e, name, args, by)
		}
	}
	if !namesOnly(name) || sub == "show" || sub == "diff" || sub == "grep" || sub == "blame" || sub == "hash-object" {
		if copies(name) && len(args) > 1 && !hasOption(args, "-t", "--target-directory") {
			args = args[:len(args)-1] // the last one is written, and not read
		}
		r.reads(dirs, readable(name, sub, args), by)
	}
}

func copies(name string) bool { return name == "cp" || name == "mv" || name == "install" }

func (r *reader) effect(dirs []string, e effect, name string, args []Word, by string) {
	files := operands(args, e.valued)
	into := optionValue(args, e.target...)
	for _, t := range into {
		r.touch(dirs, t, true, by)
	}
	if len(into) > 0 && e.write == last { // all are put there: cp -t folder a b
		for _, from := range files {
			r.touch(dirs, Word{Text: into[0].Text + "/" + fileName(from.Text), Glob: into[0].Glob || from.Glob}, true, by)
		}
		return
	}
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
		if (name == "rsync" || name == "scp") && isRemote(to.Text) {
			return
		}
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

// isRemote tells a place on another machine, host:path, from a file here.
func isRemote(p string) bool {
	host, _, ok := strings.Cut(p, ":")
	return ok && len(host) > 1 && !strings.Contains(host, "/")
}

// looksOnly tells that options keep a program from doing what it is known for. In
// doubt it does it: short options count only before one that takes a value, and
// none where something is switched off again (--no-dry-run).
func looksOnly(args []Word, e effect) bool {
	found := false
	for i := 0; i < len(args) && args[i].Text != "--"; i++ {
		t := args[i].Text
		if strings.HasPrefix(t, "--no-") || !args[i].Known() {
			return false
		}
		for _, o := range e.unless {
			short := len(o) == 2 && len(t) > 1 && t[0] == '-' && t[1] != '-'
			if short {
				t, _, _ = strings.Cut(t, "=")
				if n := strings.IndexAny(t[1:], e.valued); e.valued != "" && n >= 0 {
					t = t[:n+1]
				}
			}
			found = found || t == o || short && len(t) > 2 && letters(t[1:], o[1])
		}
		if takesNext(args[i].Text, e.valued) {
			i++
		}
	}
	return found
}

// readable are the words that may name a file that is read: without patterns that
// are looked for, and names that are passed over.
func readable(name, sub string, args []Word) []Word {
	var out []Word
	pattern := searches(name) || sub == "grep"
	pattern = pattern && !hasOption(args, "-e", "-f", "--regexp", "--file", "--files", "--patterns")
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		option, _, value := strings.Cut(t, "=")
		switch {
		case passesOver(name, option):
			if !value {
				i++
			}
		case pattern && t != "--" && (t == "-" || !strings.HasPrefix(t, "-")):
			pattern = false // the first operand
		default:
			out = append(out, args[i])
		}
	}
	return out
}

// searches are programs whose first operand is what is looked for, not a file.
func searches(name string) bool {
	switch name {
	case "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack":
		return true
	}
	return false
}

// passesOver tells an option that names what is left out.
func passesOver(program, option string) bool {
	switch option {
	case "--exclude", "--exclude-dir", "--ignore-dir", "--ignore-pattern":
		return true
	case "-x":
		return program == "zip" || program == "diff"
	}
	return false
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
