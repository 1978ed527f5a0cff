package main

import (
	"fmt"
	"path/filepath"
)

func importFaults() map[string][]variant {
	return map[string][]variant{
		"import-missing":     missingImports(),
		"import-punctuation": punctuatedImports(),
		"import-external":    externalImports(),
		"import-depth":       deepImports(),
		"import-kind":        importKinds(),
	}
}

const house = "Ask in the channel before a release.\n"

func missingImports() []variant {
	simple := func(name, line, gone, there string) variant {
		return v(name, func(w *world) label {
			w.plain()
			w.tracked[there] = house
			w.say(fmt.Sprintf(line, w.pick(gone, there)))
			return at(w.claudePath(), fmt.Sprintf(line, gone))
		})
	}
	return []variant{
		simple("removed file", "House rules: @%s", "docs/house.md", "docs/house-rules.md"),
		simple("list item", "- @%s", "docs/conventions.md", "docs/house-rules.md"),
		simple("other case", "@%s", "docs/House-Rules.md", "docs/house-rules.md"),
		v("in the home folder", func(w *world) label {
			w.homeFiles[".claude/style.md"] = house
			w.homeFiles[".claude/CLAUDE.md"] = "# Me\n\n@" + w.pick("~/.claude/styles.md", "~/.claude/style.md") + "\n"
			return at(filepath.Join(w.home, ".claude/CLAUDE.md"), "styles.md")
		}),
		v("in a rule", func(w *world) label {
			w.tracked["docs/house-rules.md"] = house
			w.tracked[".claude/rules/house.md"] = "# House\n\n@" + w.pick("../../docs/house.md", "../../docs/house-rules.md") + "\n"
			return at(filepath.Join(w.proj, ".claude/rules/house.md"), "docs/house.md")
		}),
		v("in an imported file", func(w *world) label {
			w.plain()
			w.tracked["docs/agents/index.md"] = "# Index\n\n- @" + w.pick("docs/agents/style.md", "style.md") + "\n"
			w.tracked["docs/agents/style.md"] = house
			w.say("@docs/agents/index.md")
			return at(filepath.Join(w.proj, "docs/agents/index.md"), "docs/agents/style.md")
		}),
	}
}

func punctuatedImports() []variant {
	p := func(name, bad, good string) variant {
		return v(name, func(w *world) label {
			w.plain()
			w.tracked["docs/house-rules.md"] = house
			w.say(w.pick(bad, good))
			return at(w.claudePath(), bad)
		})
	}
	return []variant{
		p("comma", "Read @docs/house-rules.md, then begin.", "Read @docs/house-rules.md then begin."),
		p("colon", "See @docs/house-rules.md: all of it counts.", "See @docs/house-rules.md : all of it counts."),
		p("full stop", "The house rules are in @docs/house-rules.md.", "The house rules are in @docs/house-rules.md"),
		p("semicolon", "- @docs/house-rules.md; for everybody", "- @docs/house-rules.md for everybody"),
		p("parentheses", "There are house rules (@docs/house-rules.md)", "There are house rules @docs/house-rules.md"),
		p("quotes", "House rules: \"@docs/house-rules.md\"", "House rules: @docs/house-rules.md"),
		p("closing parenthesis only", "There are house rules ( @docs/house-rules.md)", "There are house rules ( @docs/house-rules.md )"),
	}
}

func externalImports() []variant {
	approved := map[string]any{"hasTrustDialogAccepted": true, "hasClaudeMdExternalIncludesApproved": true}
	out := func(name string, line func(w *world) string) variant {
		return v(name, func(w *world) label {
			w.plain()
			w.homeFiles["shared/team.md"] = house
			w.say(line(w))
			if !w.faulty {
				w.state[w.proj] = approved
			}
			return at(w.claudePath(), line(w))
		})
	}
	return []variant{
		out("home folder", func(*world) string { return "@~/shared/team.md" }),
		out("absolute", func(w *world) string { return "Team: @" + filepath.Join(w.home, "shared/team.md") }),
		out("upwards", func(w *world) string {
			rel, err := filepath.Rel(w.proj, filepath.Join(w.home, "shared/team.md"))
			if err != nil {
				panic(err) // both are absolute
			}
			return "- @" + rel
		}),
		v("local file", func(w *world) label {
			w.homeFiles["shared/mine.md"] = house
			w.untracked["CLAUDE.local.md"] = "# Mine\n\n@~/shared/mine.md\n"
			if !w.faulty {
				w.state[w.proj] = approved
			}
			return at(filepath.Join(w.proj, "CLAUDE.local.md"), "@~/shared/mine.md")
		}),
		v("started below", func(w *world) label {
			w.plain()
			w.tracked["RULES.md"] = house
			w.say("@RULES.md")
			if w.faulty {
				w.start = filepath.Join(w.proj, filepath.Dir(w.docs()[0]))
			}
			return at(w.claudePath(), "@RULES.md")
		}),
		v("rule", func(w *world) label {
			w.homeFiles["shared/team.md"] = house
			w.tracked[".claude/rules/team.md"] = "# Team\n\n@~/shared/team.md\n"
			if !w.faulty {
				w.state[w.proj] = approved
			}
			return at(filepath.Join(w.proj, ".claude/rules/team.md"), "@~/shared/team.md")
		}),
	}
}

// deepImports are chains of which the last file lies five levels down.
func deepImports() []variant {
	chain := func(name, first, dir string, local bool) variant {
		return v(name, func(w *world) label {
			w.plain()
			n := 4
			if w.faulty {
				n = 5
			}
			from := "@" + dir + "part1.md"
			switch {
			case first == "CLAUDE.md":
				w.say(from)
			case local:
				w.untracked[first] = "# Mine\n\n" + from + "\n"
			default:
				w.tracked[first] = "# House\n\n" + from + "\n"
			}
			base := filepath.Join(filepath.Dir(first), dir)
			topics := []string{"Names are in full words.", "Reviews quote the line.", "Dates are in UTC.", "Labels have a text.", "Retries are bounded."}
			for i := 1; i <= n; i++ {
				text := topics[i-1] + "\n"
				if i < n {
					text += fmt.Sprintf("\n@part%d.md\n", i+1)
				}
				w.tracked[filepath.Join(base, fmt.Sprintf("part%d.md", i))] = text
			}
			return at(filepath.Join(w.proj, base, "part4.md"), "@part5.md")
		})
	}
	return []variant{
		chain("from CLAUDE.md", "CLAUDE.md", "docs/agents/", false),
		chain("from a rule", ".claude/rules/house.md", "../../docs/agents/", false),
		chain("from the local file", "CLAUDE.local.md", "docs/agents/", true),
		chain("from .claude", ".claude/CLAUDE.md", "parts/", false),
		v("two branches, one too deep", func(w *world) label {
			w.plain()
			w.say("@docs/agents/a.md", "@docs/agents/b.md")
			w.tracked["docs/agents/a.md"] = "Names are in full words.\n\n@part2.md\n"
			w.tracked["docs/agents/b.md"] = "Tables have a title.\n"
			w.tracked["docs/agents/part2.md"] = "Reviews quote the line. @part3.md\n"
			w.tracked["docs/agents/part3.md"] = "Dates are in UTC.\n- @part4.md\n"
			w.tracked["docs/agents/part4.md"] = "Labels have a text.\n" + w.pick("\n> @part5.md\n", "")
			w.tracked["docs/agents/part5.md"] = "Retries are bounded.\n"
			return at(filepath.Join(w.proj, "docs/agents/part4.md"), "@part5.md")
		}),
	}
}

func importKinds() []variant {
	k := func(name, file, bytes string) variant {
		return v(name, func(w *world) label {
			w.plain()
			w.tracked[file] = bytes
			w.tracked["docs/overview.md"] = house
			w.say("The parts: @" + w.pick(file, "docs/overview.md"))
			return at(w.claudePath(), "@"+file)
		})
	}
	return []variant{
		k("png", "docs/overview.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
		k("jpg", "docs/overview.jpg", "\xff\xd8\xff\xe0\x00\x10JFIF"),
		k("webp", "docs/overview.webp", "RIFF\x00\x00\x00\x00WEBPVP8 "),
		k("gif", "docs/overview.gif", "GIF89a\x01\x00\x01\x00"),
		v("folder", func(w *world) label {
			w.plain()
			w.tracked["docs/overview.md"] = house
			w.say("The parts: @" + w.pick("docs/", "docs/overview.md"))
			return at(w.claudePath(), "The parts: @docs/")
		}),
		k("pdf", "docs/overview.pdf", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"),
		k("archive", "docs/overview.zip", "PK\x03\x04\x14\x00\x00\x00"),
		k("long form of the Markdown extension", "docs/overview.markdown", house), // measured on 2.1.332, as is .mdx
		k("mdx", "docs/overview.mdx", house),
	}
}

func ruleFaults() map[string][]variant {
	rule := func(name, bad, good string) variant {
		return v(name, func(w *world) label {
			w.tracked[".claude/rules/numbers.md"] = "---\n" + w.pick(bad, good) + "\n---\n\nNumbers that leave the system have a unit in their name.\n"
			return label{path: filepath.Join(w.proj, ".claude/rules/numbers.md")}
		})
	}
	return map[string][]variant{
		"rule-broken": {
			rule("open bracket", "paths: [docs/**", "paths: [\"docs/**\"]"),
			rule("open quote", "paths: \"docs/**", "paths: \"docs/**\"").or("rule-never-matches"),
			rule("list that never ends, over lines", "paths:\n  - \"docs/**\"\n  - [\"*.md\"", "paths:\n  - \"docs/**\"\n  - \"*.md\""),
			rule("two values on one line", "description: Numbers: units\n  and: [names", "paths: \"docs/**\""),
			v("front matter that never ends", func(w *world) label {
				w.tracked[".claude/rules/numbers.md"] = "---\npaths: \"docs/**\"\n" + w.pick("", "---\n") + "\nNumbers that leave the system have a unit in their name.\n"
				return label{path: filepath.Join(w.proj, ".claude/rules/numbers.md")}
			}),
		},
		"rule-never-matches": {
			rule("removed folder", "paths:\n  - \"legacy/**\"", "paths:\n  - \"docs/**\""),
			rule("language that is not used", "paths: \"**/*.rb\"", "paths: \"**/*.md\""),
			rule("none of several", "paths: \"lib/**/*.ex, config/*.exs\"", "paths: \"lib/**/*.ex, docs/*.md\""),
			rule("above the project", "paths:\n  - \"../docs/**\"", "paths:\n  - \"docs/**\"").or("rule-broken"),
			rule("braces of no file", "paths: \"**/*.{vue,svelte}\"", "paths: \"**/*.{vue,md}\""),
			rule("backslashes", "paths:\n  - 'docs\\*.md'", "paths:\n  - 'docs/*.md'"),
		},
		"rule-unknown-key": {
			rule("globs", "globs: \"docs/**\"", "paths: \"docs/**\""),
			rule("path", "path: \"docs/**\"", "paths: \"docs/**\""),
			rule("applyTo", "applyTo: \"docs/**\"", "paths: \"docs/**\""),
			rule("alwaysApply with globs", "globs: docs/**\nalwaysApply: false", "paths: docs/**"),
			rule("capital", "Paths:\n  - \"docs/**\"", "paths:\n  - \"docs/**\""),
		},
	}
}
