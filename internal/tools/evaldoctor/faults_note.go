package main

import (
	"os"
	"path/filepath"
	"strings"
)

// asFolder puts a folder with a file in the place of a file.
func asFolder(path string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return put(filepath.Join(path, "part.md"), []byte("# Part\n"))
}

func folderFaults() map[string][]variant {
	stray := func(name, file, text string) variant {
		return v(name, func(w *world) label {
			path := filepath.Join(w.memory(), file)
			if w.faulty {
				w.overwrite(path, []byte(text))
			}
			return label{path: path}
		})
	}
	return map[string][]variant{
		"not-a-note": {
			stray("text file", "notes.txt", "call Rui about the labels\n"),
			stray("data", "export.json", "{\"labels\": 3}\n"),
			stray("picture", "hall.png", "\x89PNG\r\n\x1a\n\x00"),
			stray("backup", "labels.md.bak", "The labels are 60 mm wide.\n"),
			stray("script in a folder", "devices/count.py", "print(3)\n"),
			stray("other extension", "labels.markdown", "The labels are 60 mm wide.\n"),
		},
		"note-hidden":     hiddenNotes(),
		"note-unreadable": unreadableNotes(),
	}
}

const scanner = "The scanner in the north hall reads codes from 40 cm away.\n"

// hiddenNotes have no colon in the description and no tab: the client reads both
// (measured on 2.1.332).
func hiddenNotes() []variant {
	front := func(name, bad, good string) variant {
		return v(name, func(w *world) label {
			n := w.remark(scanner)
			n.description = "Distance of the scanner"
			n.raw = []byte("---\n" + w.pick(bad, good) + "\n" + scanner)
			return label{path: w.note(n)}
		})
	}
	good := "name: scanner\ndescription: Distance of the scanner\nmetadata:\n  node_type: memory\n  type: project\n---\n"
	return []variant{
		front("front matter that never ends", strings.TrimSuffix(good, "---\n"), good),
		front("description cut at a number sign", strings.Replace(good, "Distance of", "Distance # of", 1), good),
		front("continuation without indent", strings.Replace(good, "of the scanner", "of the\nscanner in the hall", 1), good),
		front("open quote", strings.Replace(good, "Distance of", "\"Distance of", 1), good),
		front("open bracket", strings.Replace(good, "type: project", "type: [project", 1), good),
	}
}

func unreadableNotes() []variant {
	damaged := func(name string, text []byte) variant {
		return v(name, func(w *world) label {
			n := w.remark(scanner)
			if w.faulty {
				n.raw = text
			}
			return label{path: w.note(n)}
		}).or("note-hidden")
	}
	return []variant{
		v("no right to read", func(w *world) label {
			n := w.remark(scanner)
			if w.faulty {
				w.chmod(w.note(n), 0)
			}
			return label{path: w.note(n)}
		}),
		v("a link to nothing", func(w *world) label {
			n := w.remark(scanner)
			if w.faulty {
				w.link("scanner-old.md", w.note(n))
			}
			return label{path: w.note(n)}
		}),
		damaged("UTF-16", utf16LE("---\nname: scanner\ndescription: Distance\n---\n\n"+scanner)),
		damaged("code page 1251", []byte("---\nname: scanner\ndescription: \xd1\xea\xe0\xed\xe5\xf0\n---\n\n\xd1\xea\xe0\xed\xe5\xf0 \xf7\xe8\xf2\xe0\xba \xea\xee\xe4\xe8 \xe7 40 \xf1\xec.\n")),
		damaged("binary", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x57\x28\xcf\x2f\xca\x49\x01\x00")),
		v("a link to itself", func(w *world) label {
			n := w.remark(scanner)
			if w.faulty {
				w.link(n.file, w.note(n))
			}
			return label{path: w.note(n)}
		}),
	}
}

func noteFaults() map[string][]variant {
	link := func(name, bad, good string) variant {
		return v(name, func(w *world) label {
			w.addNote("project", "scanner-distance", "Distance at which the scanner reads", scanner)
			n := w.remark("The label printer stands beside it, " + w.pick(bad, good) + " says how far.")
			return at(w.note(n), bad)
		})
	}
	return map[string][]variant{
		"dead-link": {
			link("Markdown link", "[the scanner](scanner-range.md)", "[the scanner](scanner-distance.md)"),
			link("wiki link", "[[scanner-range]]", "[[scanner-distance]]"),
			link("in a folder", "[the scanner](devices/scanner-distance.md)", "[the scanner](scanner-distance.md)"),
			link("other case", "[the scanner](Scanner-Distance.md)", "[the scanner](scanner-distance.md)"),
			link("wiki link with a title", "[[scanner-range|the scanner]]", "[[scanner-distance|the scanner]]"),
			link("heading of no note", "[the scanner](scanner-range.md#north)", "[the scanner](scanner-distance.md)"),
		},
	}
}
