package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// many adds notes about customers, no two about the same, with descriptions of
// about so many characters.
func (w *world) many(n, length int) {
	customers := []string{"Halden", "Nordlys", "Brno Glass", "Castor", "Delphin", "Elbrus Foods", "Ferrum", "Gdynia Port", "Hortus", "Iskra", "Jade", "Kobza", "Lumen", "Morava", "Nadir", "Odra", "Prykarpattia", "Quarz", "Rhone", "Sula"}
	facts := []string{
		"wants invoices as one PDF a month", "sends its stock list at night over SFTP", "has a firewall that drops idle connections",
		"reads the audit log through its own viewer", "keeps test data of its own in the sandbox", "asked for labels in two languages",
		"counts working days by the calendar of its region", "prints receipts on rolls of 80 mm", "imports prices from a spreadsheet with merged cells",
		"shares one login between its two shops", "calls support in the evening only", "needs the old export until its warehouse moves",
	}
	for i := range n {
		c, f := customers[i%len(customers)], facts[(i/len(customers))%len(facts)]
		d := fmt.Sprintf("%s %s", c, f)
		for j := 0; len(d) < length; j++ {
			d += fmt.Sprintf(", see %s of contract %d", []string{"annex", "page", "clause", "letter"}[j%4], 1000+i*7+j)
		}
		w.addNote("project", fmt.Sprintf("customer-%s-%d", strings.ToLower(strings.Fields(c)[0]), i), d, upper(c)+" "+f+".\n")
	}
}

// firstCut is the line of an index, without front matter or comments, at which the
// client stops: 200 lines and 25,000 UTF-16 units, measured on 2.1.332.
func firstCut(text string) int {
	units := 0
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		units += len(utf16.Encode([]rune(line)))
		if i >= 200 || units > 25000 {
			return i + 1
		}
		units++ // the line break
	}
	return 0
}

func (w *world) cut() label { return label{path: w.indexPath(), line: firstCut(w.indexText())} }

// prose is a line that belongs to no note, so many characters long.
func prose(words string, units int) string {
	return string([]rune(strings.Repeat(words+" ", units/len([]rune(words))+1))[:units])
}

func indexFaults() map[string][]variant {
	size := func(name string, n, length, less, short int) variant {
		return v(name, func(w *world) label {
			w.headings = false
			if w.faulty {
				w.many(n, length)
			} else {
				w.many(less, short)
			}
			return w.cut()
		})
	}
	near := func(name string, lines, length, less, short int) variant {
		return v(name, func(w *world) label {
			w.headings = false
			if !w.faulty {
				w.many(less, short)
				return label{path: w.indexPath()}
			}
			// As many as fit: the names of the project have lengths of their own.
			base := w.notes
			for n := lines - len(base) - 2; ; n-- {
				w.notes = base[:len(base):len(base)]
				w.many(n, length)
				if len(utf16.Encode([]rune(w.indexText()))) < 24900 {
					return label{path: w.indexPath()}
				}
			}
		})
	}
	return map[string][]variant{
		"index-cut": {
			size("lines", 230, 0, 90, 0),
			size("size", 150, 185, 60, 100),
			size("lines and size", 240, 130, 70, 80),
			v("inside one line", func(w *world) label {
				w.headings = false
				if w.faulty {
					w.indexTail = "\n" + prose("the customers of the second region and what was promised to each of them;", 26000) + "\n"
				}
				return w.cut()
			}),
			v("Cyrillic", func(w *world) label {
				w.headings = false
				for i := range map[bool]int{true: 180, false: 50}[w.faulty] {
					d := fmt.Sprintf("Домовленість %d з мережею магазинів про повернення товару, строки оплати, мову чеків і те, хто відповідає за перевірку", 300+i*3)
					w.addNote("project", fmt.Sprintf("угода-%d", i), d, fmt.Sprintf("За угодою %d чек друкується мовою покупця.\n", 300+i*3))
				}
				return w.cut()
			}),
			v("blank lines count", func(w *world) label {
				w.headings = false
				if w.faulty {
					w.many(105, 0)
					text := strings.ReplaceAll(w.indexText(), "\n- ", "\n\n- ")
					w.index = &text
				}
				return w.cut()
			}),
		},
		"index-near-limit": {
			near("lines", 190, 0, 80, 0),
			near("one line left", 199, 0, 90, 0),
			near("size", 150, 124, 60, 100),
			near("size, few lines", 100, 280, 40, 120),
			v("one long line", func(w *world) label {
				w.headings = false
				if w.faulty {
					w.indexTail = "\n" + prose("the customers of the second region and what was promised to each of them;", 24600-len([]rune(w.indexText()))) + "\n"
				}
				return label{path: w.indexPath()}
			}),
		},
		"index-blank":      blankIndexes(),
		"index-unreadable": unreadableIndexes(),
		"index-dangling":   danglingLines(),
		"index-escapes":    escapingLines(),
		"index-twice":      doubleLines(),
		"note-not-indexed": unlistedNotes(),
	}
}

func blankIndexes() []variant {
	blank := func(name, text string) variant {
		return v(name, func(w *world) label {
			if w.faulty {
				w.index = &text
			}
			return label{path: w.indexPath()}
		})
	}
	return []variant{
		blank("no bytes", ""), blank("white space", "\n  \n\t\n"), blank("comment only", "<!--\n- [Old](old.md)\n-->\n"),
		blank("front matter only", "---\nname: index\n---\n"), blank("byte order mark", "\ufeff\n"),
	}
}

func unreadableIndexes() []variant {
	return []variant{
		v("no right to read", func(w *world) label {
			if w.faulty {
				w.chmod(w.indexPath(), 0)
			}
			return label{path: w.indexPath()}
		}),
		v("UTF-16", func(w *world) label {
			if w.faulty {
				w.overwrite(w.indexPath(), utf16LE(w.indexText()))
			}
			return label{path: w.indexPath()}
		}),
		v("a folder of that name", func(w *world) label {
			if w.faulty {
				w.later(func() error { return asFolder(w.indexPath()) })
			}
			return label{path: w.indexPath()}
		}),
		v("a link to nothing", func(w *world) label {
			if w.faulty {
				w.link("index-of-march.md", w.indexPath())
			}
			return label{path: w.indexPath()}
		}),
		v("binary", func(w *world) label {
			if w.faulty {
				w.overwrite(w.indexPath(), []byte("SQLite format 3\x00\x10\x00\x01\x01\x00\x40\x20\x20\x00\x00\x00\x02"))
			}
			return label{path: w.indexPath()}
		}),
	}
}

func utf16LE(s string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// line adds a line to the index.
func (w *world) line(text string) { w.indexTail += text + "\n" }

func danglingLines() []variant {
	line := func(name, text string) variant {
		return v(name, func(w *world) label {
			if w.faulty {
				w.line(text)
			}
			return at(w.indexPath(), text)
		})
	}
	return []variant{
		v("the note was removed", func(w *world) label {
			n := w.remark("The scanner in the north hall reads codes from 40 cm away.")
			if w.faulty {
				w.notes = w.notes[:len(w.notes)-1]
				w.line(n.indexLine())
			}
			return at(w.indexPath(), n.indexLine())
		}),
		v("other case", func(w *world) label {
			n := w.remark("The scanner in the north hall reads codes from 40 cm away.")
			n.unlisted = true
			w.line("- [Scanner](" + w.pick(strings.ToUpper(n.file[:1])+n.file[1:], n.file) + ") — distance of the scanner")
			return at(w.indexPath(), "distance of the scanner")
		}),
		line("a wiki link", "- [[scanner-distance]] — distance of the scanner"),
		line("in a folder", "- [Scanner](devices/scanner.md) — distance of the scanner"),
		line("other line form", "* [scanner_distance.md](scanner_distance.md): distance of the scanner"),
		line("percent sign", "- [Scanner](scanner%20distance.md) — distance of the scanner"),
		line("Cyrillic", "- [Сканер](сканер-відстань.md) — відстань сканера"),
	}
}

func escapingLines() []variant {
	return []variant{
		v("two folders up", func(w *world) label {
			w.homeFiles[".claude/projects/outside.md"] = "x\n"
			return w.escape("../../outside.md")
		}),
		v("one folder up", func(w *world) label { return w.escape("../notes.md") }),
		v("absolute", func(w *world) label { return w.escape(filepath.Join(w.proj, "README.md")) }),
		v("down and up", func(w *world) label { return w.escape("archive/../../other/notes.md") }),
		v("encoded dots", func(w *world) label { return w.escape("%2e%2e/%2e%2e/outside.md") }),
	}
}

func (w *world) escape(target string) label {
	text := "- [Team notes](" + target + ") — what the team wrote"
	if w.faulty {
		w.line(text)
	}
	return at(w.indexPath(), text)
}

func doubleLines() []variant {
	again := func(name, format string) variant {
		return v(name, func(w *world) label {
			n := w.notes[0]
			file := strings.ReplaceAll(n.file, " ", "%20")
			text := strings.NewReplacer("FILE", file, "STEM", strings.TrimSuffix(n.file, ".md")).Replace(format)
			if w.faulty {
				w.line(text)
			}
			return at(w.indexPath(), text).or(at(w.indexPath(), n.indexLine()), label{path: w.note(n)})
		})
	}
	return []variant{
		v("the same line", func(w *world) label {
			n := w.notes[len(w.notes)-1]
			if w.faulty {
				w.line(n.indexLine())
			}
			return at(w.indexPath(), n.indexLine()).or(label{path: w.indexPath()}, label{path: w.note(n)})
		}),
		again("another title", "- [See here first](FILE) — kept from the spring"),
		again("another form", "* [FILE](./FILE): kept from the spring"),
		again("a wiki link", "- [[STEM]] — kept from the spring"),
		again("under a heading of its own", "\n## Important\n\n- [Important](FILE) — kept from the spring"),
	}
}

func unlistedNotes() []variant {
	unlisted := func(name, slug, rest string) variant {
		return v(name, func(w *world) label {
			n := w.addNote("project", slug, "Distance at which the scanner reads", "The scanner in the north hall reads codes from 40 cm away.\n")
			n.unlisted = w.faulty
			if w.faulty && rest != "" {
				w.line(strings.ReplaceAll(rest, "LINE", n.indexLine()))
			}
			return label{path: w.note(n)}
		})
	}
	return []variant{
		unlisted("no line", "scanner-distance", ""),
		unlisted("in a folder", "devices/scanner-distance", ""),
		unlisted("Cyrillic name", "відстань-сканера", ""),
		unlisted("name with spaces", "scanner distance north", ""),
		unlisted("line in a comment", "scanner-distance", "\n<!--\nLINE\n-->"),
		unlisted("named without a link", "scanner-distance", "- the distance of the scanner was measured in the north hall"),
	}
}
