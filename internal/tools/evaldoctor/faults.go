package main

import (
	"os"
	"path/filepath"
	"strings"
)

// A variant makes one kind of fault, if the world is the faulty one, and what
// stands around it in both.
type variant struct {
	name string
	kind string // the only kind of project that it fits; empty: any
	also string // a rule that would be as right
	make func(w *world) label
}

func v(name string, f func(w *world) label) variant { return variant{name: name, make: f} }

// or names a rule that would be as right.
func (v variant) or(rule string) variant {
	v.also = rule
	return v
}

// faults are the variants of each rule.
func faults() map[string][]variant {
	all := map[string][]variant{}
	for _, part := range []map[string][]variant{
		switchFaults(), fileFaults(), importFaults(), ruleFaults(), indexFaults(), folderFaults(),
		noteFaults(), storeFaults(), sharedFaults(), staleFaults(), sayingFaults(), timeFaults(), factFaults(), safetyFaults(), plantedFaults(),
	} {
		for rule, variants := range part {
			all[rule] = append(all[rule], variants...)
		}
	}
	return all
}

// pick is the first where the world has the fault, else the second.
func (w *world) pick(bad, good string) string {
	if w.faulty {
		return bad
	}
	return good
}

func (w *world) later(f func() error) { w.after = append(w.after, f) }

// link makes a symbolic link once everything else is there.
func (w *world) link(target, path string) {
	w.later(func() error {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		return os.Symlink(target, path)
	})
}

func (w *world) chmod(path string, mode os.FileMode) {
	w.modes = append(w.modes, func() error { return os.Chmod(path, mode) })
}

// overwrite replaces a file once everything else is there.
func (w *world) overwrite(path string, text []byte) {
	w.later(func() error { return put(path, text) })
}

// moveOwn puts the project's own instructions elsewhere.
func (w *world) moveOwn(to string) {
	text := w.tracked[w.claudeAt]
	delete(w.tracked, w.claudeAt)
	w.claudeAt = to
	if to == "CLAUDE.local.md" {
		w.untracked[to] = text
		return
	}
	w.tracked[to] = text
}

// plain takes out of the instructions what could meet with the fault.
func (w *world) plain() {
	w.tracked[w.claudeAt] = w.names.fill(w.kind.claude[0])
	delete(w.tracked, "AGENTS.md")
	delete(w.untracked, "CLAUDE.local.md")
	w.moveOwn("CLAUDE.md")
}

// remark adds a note about the project, in words that no other note has.
func (w *world) remark(body string) *noteFile {
	return w.addNote("project", "background-"+string(rune('a'+len(w.notes)%26)), "Background from the last planning round", body+"\n")
}

func switchFaults() map[string][]variant {
	env := func(value string) string {
		return "{\n  \"env\": {\n    \"CLAUDE_CODE_DISABLE_AUTO_MEMORY\": \"" + value + "\"\n  }\n}\n"
	}
	enabled := func(value string) string { return "{\n  \"autoMemoryEnabled\": " + value + "\n}\n" }
	user := func(w *world) string { return filepath.Join(w.home, ".claude/settings.json") }
	project := func(w *world) string { return filepath.Join(w.proj, ".claude/settings.json") }
	local := func(w *world) string { return filepath.Join(w.proj, ".claude/settings.local.json") }
	return map[string][]variant{
		"memory-off": {
			v("user settings", func(w *world) label {
				w.localSettings = ""
				w.userSettings = w.pick(enabled("false"), enabled("true"))
				return at(user(w), "autoMemoryEnabled")
			}),
			v("project settings", func(w *world) label {
				w.localSettings = ""
				w.projectSettings = w.pick(enabled("false"), enabled("true"))
				return at(project(w), "autoMemoryEnabled")
			}),
			v("local settings over the user's", func(w *world) label {
				w.userSettings = enabled("true")
				w.localSettings = w.pick(enabled("false"), enabled("true"))
				return at(local(w), "autoMemoryEnabled")
			}),
			v("variable in the user's settings", func(w *world) label {
				w.userSettings = w.pick(env("1"), env("0"))
				return at(user(w), "CLAUDE_CODE_DISABLE_AUTO_MEMORY")
			}),
			v("variable in the project's settings", func(w *world) label {
				w.userSettings = ""
				w.projectSettings = w.pick(env("yes"), env("no"))
				return at(project(w), "CLAUDE_CODE_DISABLE_AUTO_MEMORY")
			}),
		},
		"settings-ignored": {
			v("comma behind the last value", func(w *world) label {
				w.userSettings = w.pick("{\n  \"cleanupPeriodDays\": 90,\n}\n", "{\n  \"cleanupPeriodDays\": 90\n}\n")
				return label{path: user(w)}
			}),
			v("comment", func(w *world) label {
				w.projectSettings = w.pick("{\n  // the team's own\n  \"includeCoAuthoredBy\": false\n}\n", "{\n  \"includeCoAuthoredBy\": false\n}\n")
				return label{path: project(w)}
			}),
			v("switch as a string", func(w *world) label {
				w.localSettings = w.pick(enabled("\"false\""), enabled("true"))
				return label{path: local(w)}
			}),
			v("relative folder", func(w *world) label {
				w.userSettings = "{\n  \"autoMemoryDirectory\": \"" + w.pick("notes/memory", w.memory()) + "\"\n}\n"
				return label{path: user(w)}
			}),
			v("unknown value of the variable", func(w *world) label {
				w.userSettings = w.pick(env("maybe"), env("0"))
				return label{path: user(w)}
			}),
			v("cut off", func(w *world) label {
				w.userSettings = w.pick("{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"]\n", "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"]\n  }\n}\n")
				return label{path: user(w)}
			}),
		},
	}
}

func fileFaults() map[string][]variant {
	empty := func(name, file, text string) variant {
		return v(name, func(w *world) label {
			w.plain()
			if file == "CLAUDE.md" && w.faulty {
				w.tracked[file] = text
			} else if w.faulty {
				w.untracked[file] = text
			}
			return label{path: filepath.Join(w.proj, file)}
		})
	}
	spelling := func(name, wrong, right string) variant {
		return v(name, func(w *world) label {
			w.plain()
			if right != "CLAUDE.local.md" {
				w.moveOwn(w.pick(wrong, right))
			} else {
				w.untracked[w.pick(wrong, right)] = "My sandbox account is number 9.\n"
			}
			return label{path: filepath.Join(w.proj, wrong)}
		})
	}
	return map[string][]variant{
		"wrong-case": {
			spelling("lower case", "claude.md", "CLAUDE.md"),
			spelling("capital first", "Claude.md", "CLAUDE.md"),
			spelling("extension", "CLAUDE.MD", "CLAUDE.md"),
			spelling("below .claude", ".claude/claude.md", ".claude/CLAUDE.md"),
			spelling("local", "claude.local.md", "CLAUDE.local.md"),
			spelling("local in capitals", "CLAUDE.LOCAL.md", "CLAUDE.local.md"),
			v("the user's own", func(w *world) label {
				delete(w.homeFiles, ".claude/CLAUDE.md")
				w.homeFiles[".claude/"+w.pick("claude.md", "CLAUDE.md")] = "Answer in the language in which I write.\n"
				return label{path: filepath.Join(w.home, ".claude/claude.md")}
			}),
		},
		"file-empty": {
			empty("no bytes", "CLAUDE.local.md", ""),
			empty("white space", "CLAUDE.local.md", "\n   \n\t\n"),
			empty("comment only", "CLAUDE.md", "<!-- to be written:\nask Maria -->\n"),
			empty("front matter only", ".claude/rules/style.md", "---\npaths: \"**/*.md\"\n---\n"),
			empty("byte order mark", ".claude/rules/api.md", "\ufeff\n"),
			v("the user's own", func(w *world) label {
				w.homeFiles[".claude/CLAUDE.md"] = w.pick("\n\n", "Answer in the language in which I write.\n")
				return label{path: filepath.Join(w.home, ".claude/CLAUDE.md")}
			}),
		},
		"agents-ignored":    agentsFaults(),
		"file-unread":       unreadFaults(),
		"link-outside":      linkFaults(),
		"instructions-long": longFaults(),
	}
}

const agentsText = "# Agents\n\n- Table tests only\n- Ask in the team's channel before a release\n- The sandbox of the payment provider is shared with Lisbon\n"

func agentsFaults() []variant {
	return []variant{
		v("beside CLAUDE.md", func(w *world) label {
			w.plain()
			w.tracked["AGENTS.md"] = agentsText
			if !w.faulty {
				w.say("@AGENTS.md")
			}
			return label{path: filepath.Join(w.proj, "AGENTS.md")}
		}),
		v("beside .claude/CLAUDE.md", func(w *world) label {
			w.plain()
			w.moveOwn(".claude/CLAUDE.md")
			w.tracked["AGENTS.md"] = agentsText
			if !w.faulty {
				w.say("@../AGENTS.md")
			}
			return label{path: filepath.Join(w.proj, "AGENTS.md")}
		}),
		v("beside a local file", func(w *world) label {
			w.plain()
			delete(w.tracked, "CLAUDE.md")
			w.tracked["AGENTS.md"] = agentsText
			if w.faulty {
				w.untracked["CLAUDE.local.md"] = "My sandbox account is number 9.\n"
			}
			return label{path: filepath.Join(w.proj, "AGENTS.md")}
		}),
		v("in the start folder below", func(w *world) label {
			w.plain()
			w.start = filepath.Join(w.proj, "docs")
			if w.faulty {
				w.tracked["docs/AGENTS.md"] = agentsText
			}
			return label{path: filepath.Join(w.proj, "docs/AGENTS.md")}
		}),
		v("in a code span only", func(w *world) label {
			w.plain()
			w.tracked["AGENTS.md"] = agentsText
			w.say(w.pick("Everything else is in `@AGENTS.md`.", "Everything else is in @AGENTS.md"))
			return label{path: filepath.Join(w.proj, "AGENTS.md")}
		}),
	}
}

func unreadFaults() []variant {
	closed := func(name, file string, local bool) variant {
		return v(name, func(w *world) label {
			w.plain()
			if local {
				w.untracked[file] = "Ask before a release.\n"
			}
			if w.faulty {
				w.chmod(filepath.Join(w.proj, file), 0)
			}
			return label{path: filepath.Join(w.proj, file)}
		})
	}
	return []variant{
		closed("no right to read CLAUDE.md", "CLAUDE.md", false),
		closed("no right to read a rule", ".claude/rules/releases.md", true),
		v("a folder of that name", func(w *world) label {
			w.plain()
			if w.faulty {
				delete(w.tracked, "CLAUDE.md")
				w.untracked["CLAUDE.md/README.md"] = "x\n"
			}
			return label{path: filepath.Join(w.proj, "CLAUDE.md")}
		}),
		v("a link to nothing", func(w *world) label {
			w.plain()
			if w.faulty {
				w.link("docs/CLAUDE-full.md", filepath.Join(w.proj, "CLAUDE.md"))
			}
			return label{path: filepath.Join(w.proj, "CLAUDE.md")}
		}),
		v("no right to read the import", func(w *world) label {
			w.plain()
			w.untracked["docs/house-rules.md"] = "Ask before a release.\n"
			w.say("@docs/house-rules.md")
			if w.faulty {
				w.chmod(filepath.Join(w.proj, "docs/house-rules.md"), 0)
			}
			return label{path: filepath.Join(w.proj, "docs/house-rules.md")}.or(at(w.claudePath(), "@docs/house-rules.md"))
		}),
		v("no right to enter the rules", func(w *world) label {
			w.plain()
			w.untracked[".claude/rules/releases.md"] = "Ask before a release.\n"
			if w.faulty {
				w.chmod(filepath.Join(w.proj, ".claude/rules"), 0)
			}
			return label{path: filepath.Join(w.proj, ".claude/rules")}
		}),
		v("no right to read the user's own", func(w *world) label {
			w.homeFiles[".claude/CLAUDE.md"] = "Answer in the language in which I write.\n"
			if w.faulty {
				w.chmod(filepath.Join(w.home, ".claude/CLAUDE.md"), 0)
			}
			return label{path: filepath.Join(w.home, ".claude/CLAUDE.md")}
		}),
	}
}

// linkFaults leave CLAUDE.md itself out: as a link that leads outside it loads, as do
// .claude/CLAUDE.md and CLAUDE.local.md (measured on 2.1.332). Rules and imports do not.
func linkFaults() []variant {
	out := func(name, link, target string) variant {
		return v(name, func(w *world) label {
			w.plain()
			for p := range w.tracked {
				if strings.HasPrefix(p, ".claude/") {
					delete(w.tracked, p)
				}
			}
			path := filepath.Join(w.proj, link)
			file := filepath.Join(target, "team.md")
			if strings.HasSuffix(target, ".md") {
				file = target
			}
			w.homeFiles["shared/"+file] = house
			if w.faulty {
				w.link(filepath.Join(w.home, "shared", target), path)
			}
			return label{path: path}
		})
	}
	folder := out("the folder .claude, its rules do not load", ".claude", "dot-claude")
	inner := folder.make
	folder.make = func(w *world) label {
		w.homeFiles["shared/dot-claude/rules/team.md"] = house
		w.projectSettings, w.localSettings = "", ""
		return inner(w)
	}
	imported := v("imported file", func(w *world) label {
		w.plain()
		w.homeFiles["shared/guide.md"] = house
		w.say("@docs/guide.md")
		path := filepath.Join(w.proj, "docs/guide.md")
		if w.faulty {
			w.link(filepath.Join(w.home, "shared/guide.md"), path)
		} else {
			w.untracked["docs/guide.md"] = house
		}
		return label{path: path}.or(at(w.claudePath(), "@docs/guide.md"))
	})
	return []variant{
		out("rule", ".claude/rules/team.md", "team.md"),
		out("folder of rules", ".claude/rules/team", "rules"),
		out("all rules", ".claude/rules", "rules"),
		folder, imported.or("import-external"),
	}
}

// long is a text of instructions of about so many characters, no two lines alike.
func (w *world) long(chars int) string {
	lines := strings.Split(strings.TrimSpace(readText("instructions_long.txt")), "\n")
	areas := []string{"the importer", "billing", "the warehouse", "reports", "the partner portal", "search", "exports", "the mobile gateway", "audits", "the price list", "labels", "returns"}
	var b strings.Builder
	for i := 0; b.Len() < chars; i++ {
		a, c := areas[i%len(areas)], areas[(i/len(areas)+1+i)%len(areas)]
		l := lines[(i*7+i/len(areas))%len(lines)]
		b.WriteString("- In " + a + ", as far as it touches " + c + ": " + strings.ToLower(l[:1]) + l[1:] + ".\n")
	}
	return b.String()
}

func longFaults() []variant {
	return []variant{
		v("CLAUDE.md", func(w *world) label {
			w.plain()
			if w.faulty {
				w.say(w.long(62000))
			}
			return label{path: w.claudePath()}
		}),
		v("an import", func(w *world) label {
			w.plain()
			w.tracked["docs/handbook.md"] = "# Handbook\n\n" + w.long(len(w.pick(strings.Repeat(" ", 70000), "    ")))
			w.say("@docs/handbook.md")
			return label{path: filepath.Join(w.proj, "docs/handbook.md")}.or(label{path: w.claudePath()})
		}),
		v("the user's own", func(w *world) label {
			w.homeFiles[".claude/CLAUDE.md"] = "# Me\n\nAnswer in the language in which I write.\n"
			if w.faulty {
				w.homeFiles[".claude/CLAUDE.md"] += w.long(55000)
			}
			return label{path: filepath.Join(w.home, ".claude/CLAUDE.md")}
		}),
		v("a rule that always loads", func(w *world) label {
			w.tracked[".claude/rules/everything.md"] = "# House rules\n\n" + w.long(len(w.pick(strings.Repeat(" ", 66000), "    ")))
			return label{path: filepath.Join(w.proj, ".claude/rules/everything.md")}
		}),
		v("the local file", func(w *world) label {
			w.untracked["CLAUDE.local.md"] = "My sandbox account is number 9.\n"
			if w.faulty {
				w.untracked["CLAUDE.local.md"] += w.long(80000)
			}
			return label{path: filepath.Join(w.proj, "CLAUDE.local.md")}
		}),
	}
}
