package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"dormouse/note"
)

// elsewhere puts a memory folder of its own at a place: the notes of earlier
// sessions of this very project.
func (w *world) elsewhere(dir string) {
	bodies := [][2]string{
		{"label-width", "Labels are 60 mm wide because the second printer jams on anything else."},
		{"hall-network", "The network of the north hall drops packets when the crane moves; see `" + w.kind.order[len(w.kind.order)-1] + "` for the retries."},
		{"price-source", "Prices come from the finance portal on the last day of a month."},
	}
	w.later(func() error {
		index := ""
		for i, b := range bodies {
			text, err := note.New(note.Fields{Name: b[0], Description: "What was found out about " + strings.ReplaceAll(b[0], "-", " "), Type: "project", Session: session(20), Modified: w.now.AddDate(0, 0, -30-i)}, b[1]+"\n")
			if err != nil {
				return err
			}
			if err := put(filepath.Join(dir, b[0]+".md"), text); err != nil {
				return err
			}
			index += "- [" + upper(b[0]) + "](" + b[0] + ".md) — what was found out\n"
		}
		return put(filepath.Join(dir, "MEMORY.md"), []byte(index))
	})
}

// session puts a transcript of a session that was started in a folder.
func (w *world) sessionIn(cwd string, n int, days int) {
	w.later(func() error {
		at, id := w.now.Add(-time.Duration(days)*24*time.Hour), session(n)
		text := turn(cwd, id, "user", "please look at the readme and at the last commit", at) +
			toolUse(cwd, id, "Read", map[string]any{"file_path": filepath.Join(cwd, "README.md")}, w.kind.files["README.md"],
				map[string]any{"type": "text", "file": map[string]any{"filePath": filepath.Join(cwd, "README.md"), "content": w.kind.files["README.md"]}}, at.Add(time.Minute)) +
			turn(cwd, id, "assistant", "The readme matches the code.", at.Add(2*time.Minute))
		return put(filepath.Join(w.projects(), slug(cwd), id+".jsonl"), []byte(text))
	})
}

// was is a project whose sessions ran in another folder before; that one's store
// has notes in the faulty world.
func (w *world) was(old string) label {
	w.sessionIn(old, 20, 40)
	w.sessionIn(old, 21, 33)
	w.state[old] = map[string]any{"lastSessionId": session(21)}
	if w.faulty {
		w.elsewhere(w.storeOf(old))
	}
	return label{path: filepath.Dir(w.storeOf(old))}
}

func storeFaults() map[string][]variant {
	return map[string][]variant{"store-unread": {
		v("moved folder", func(w *world) label {
			return w.was(filepath.Join(w.home, "old-disk", w.names.project))
		}),
		v("renamed folder", func(w *world) label { return w.was(w.proj + "-prototype") }),
		v("store of a linked worktree", func(w *world) label {
			tree := w.proj + "-hotfix"
			w.later(func() error { return w.git(nil, "worktree", "add", "-q", "-b", "hotfix-labels", tree) })
			w.sessionIn(tree, 20, 12)
			if w.faulty {
				w.elsewhere(w.storeOf(tree))
			}
			return label{path: filepath.Dir(w.storeOf(tree))}
		}),
		v("store of a worktree that is gone", func(w *world) label {
			return w.was(filepath.Join(w.proj, ".worktrees", "hotfix"))
		}),
		v("spelling by a link", func(w *world) label {
			short := filepath.Join(w.home, "p")
			w.link(w.proj, short)
			w.sessionIn(short, 20, 12) // a client that did not resolve links
			if w.faulty {
				w.elsewhere(w.storeOf(short))
			}
			return label{path: filepath.Dir(w.storeOf(short))}
		}),
		v("store of a start folder below", func(w *world) label {
			sub := filepath.Join(w.proj, "docs")
			w.sessionIn(sub, 20, 12)
			if w.faulty {
				w.elsewhere(w.storeOf(sub))
			}
			return label{path: filepath.Dir(w.storeOf(sub))}
		}),
		v("memory folder in the tree", func(w *world) label {
			if w.faulty {
				w.elsewhere(filepath.Join(w.proj, "memory"))
			}
			return label{path: filepath.Join(w.proj, "memory")}
		}),
		v("memory folder below .claude", func(w *world) label {
			if w.faulty {
				w.elsewhere(filepath.Join(w.proj, ".claude", "memory"))
			}
			return label{path: filepath.Join(w.proj, ".claude", "memory")}
		}),
		v("memory folder in the tree, committed", func(w *world) label {
			if w.faulty {
				w.tracked["memory/MEMORY.md"] = "- [Labels](labels.md) — width of the labels\n"
				w.tracked["memory/labels.md"] = "---\nname: labels\ndescription: width of the labels\nmetadata:\n  node_type: memory\n  type: project\n---\n\nLabels are 60 mm wide.\n"
			}
			return label{path: filepath.Join(w.proj, "memory")}
		}).or("repo-memory"),
		v("folder set in the settings, notes in the usual one", func(w *world) label {
			w.store = filepath.Join(w.home, "notes", w.names.project)
			w.userSettings = "{\n  \"autoMemoryDirectory\": \"~/notes/" + w.names.project + "\"\n}\n"
			w.others = nil // one folder for all projects is another fault
			if w.faulty {
				w.elsewhere(w.storeOf(w.proj))
			}
			return label{path: filepath.Dir(w.storeOf(w.proj))}
		}),
	}}
}

func sharedFaults() map[string][]variant {
	twin := func(name string, other func(w *world) string) variant {
		return v(name, func(w *world) label {
			path := other(w)
			if !w.faulty {
				path += "-other"
			}
			w.foreign(path)
			return label{path: filepath.Dir(w.memory())}.or(label{path: path}, label{path: w.proj})
		})
	}
	return map[string][]variant{"store-shared": {
		twin("a-b and a/b", func(w *world) string {
			return strings.Replace(w.proj, w.names.project, strings.Replace(w.names.project, "-", "/", 1), 1)
		}),
		twin("a-b and a_b", func(w *world) string {
			return strings.Replace(w.proj, w.names.project, strings.Replace(w.names.project, "-", "_", 1), 1)
		}),
		twin("a-b and a.b", func(w *world) string {
			return strings.Replace(w.proj, w.names.project, strings.Replace(w.names.project, "-", ".", 1), 1)
		}),
		twin("a-b and a b", func(w *world) string {
			return strings.Replace(w.proj, w.names.project, strings.Replace(w.names.project, "-", " ", 1), 1)
		}),
		twin("Cyrillic names of one length", func(w *world) string {
			dir := filepath.Dir(w.proj)
			w.proj = filepath.Join(dir, "проект")
			return filepath.Join(dir, "привет")
		}),
	}}
}

// foreign makes another repository, with sessions of its own.
func (w *world) foreign(path string) {
	w.later(func() error {
		for _, d := range []string{"objects", "refs/heads"} {
			if err := os.MkdirAll(filepath.Join(path, ".git", d), 0o755); err != nil {
				return err
			}
		}
		if err := put(filepath.Join(path, ".git/config"), []byte("[core]\n\tbare = false\n")); err != nil {
			return err
		}
		if err := put(filepath.Join(path, "README.md"), []byte("# Another project\n")); err != nil {
			return err
		}
		return put(filepath.Join(path, ".git/HEAD"), []byte("ref: refs/heads/main\n"))
	})
	w.sessionIn(path, 30, 8)
	w.state[path] = map[string]any{"lastSessionId": session(30)}
}
