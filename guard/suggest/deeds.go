package suggest

import (
	"regexp"
	"strings"
)

// Commands that stand for a deed.
const (
	forcePush = "git push (-f|--force|+*)"
	noVerify  = "git commit (-n|--no-verify)"
)

// deedRules are the rules for one verb and what it is about.
func (s sentence) deedRules(w want, earlier string) []string {
	command := func(list ...string) []string {
		for i := range list {
			list[i] = w.verb + " command " + list[i]
		}
		return list
	}
	if w.at < 0 {
		return command(installers()...)
	}
	rest := s[w.at+1:]
	d := deedOf(s[w.at])
	if len(rest) > 0 && rest[0].code && s[w.at].is(" before any every a each ") {
		d = runsIt // "ask before any `git push`"
	}
	switch d {
	case edits, readsIt:
		return s.pathRules(w, d, earlier)
	case runsIt:
		if tool := rest.tool(0); tool != "" {
			return []string{w.verb + " tool " + tool}
		}
		return command(rest.commands(s[w.at].is(" run running execute executing ") || s[w.at].begins("запуск виконуй"))...)
	case makes:
		for _, t := range rest[:min(3, len(rest))] {
			switch {
			case t.low == "force" || t.low == "force-push":
				return command(forcePush)
			case t.low == "rebase":
				return command("git rebase")
			}
		}
	case forcePushes:
		return command(forcePush)
	case pushes:
		return s.pushRules(w, command)
	case rebases:
		return command("git rebase")
	case amends:
		return command("git commit --amend")
	case commits:
		if s.isBare(w.at) && !rest.changesTo() && !rest.toBranch() {
			return command("git commit")
		}
	case merges:
		if s.isBare(w.at) || len(rest) > 0 && rest[0].is(" pull prs pr branches branch ") {
			return command("git merge")
		}
	case stashes:
		return command("git stash")
	case deploys:
		return command(deployers()...)
	case publishes:
		return command("(npm|pnpm|yarn|bun|cargo|poetry|uv) publish")
	case installs:
		if rest.isThings() {
			return command(installers()...)
		}
	case deletes:
		if rest.firstPath(0) != "" {
			return s.pathRules(w, edits, earlier)
		}
		if len(rest) > 1 && rest[0].is(" any ") {
			rest = rest[1:]
		}
		if len(rest) > 0 && (rest[0].is(" files file anything ") || rest[0].begins("файл")) {
			return command("rm")
		}
	case skipsHooks:
		if rest.names(0, "hook") {
			return command(noVerify)
		}
	case noDeed:
	}
	return nil
}

// deployers name the programs: "* deploy" would be grep deploy as well.
func deployers() []string {
	return []string{"(make|just|task|rake|fly|vercel|netlify|firebase|serverless|wrangler|cdk|kamal) deploy", "(npm|pnpm|yarn|bun) ** (deploy|deploy:*)", "deploy*"}
}

func installers() []string {
	return []string{"(npm|pnpm|yarn|bun) (add|i|install) *", "(pip|pip3|uv|poetry|cargo|go) (add|get|install) *"}
}

// pathRules are for files that are not to be changed or read.
func (s sentence) pathRules(w want, d deed, earlier string) []string {
	kind := " edit "
	if d == readsIt {
		kind = " read "
	}
	paths := s.paths(w.at + 1)
	if len(paths) == 0 && earlier != "" {
		// "them" of the sentence before, or nothing at all: "`dist/`: do not touch".
		bare := w.at+1 == len(s) || s[w.at+1].is(" manually directly вручну ")
		for i := w.at + 1; i < len(s); i++ {
			bare = bare || s[i].is(pronouns)
		}
		if bare {
			paths = []string{earlier}
		}
	}
	var out []string
	for _, p := range paths {
		out = append(out, w.verb+kind+p)
	}
	return out
}

func (s sentence) pushRules(w want, command func(...string) []string) []string {
	rest := s[w.at+1:]
	if w.at > 0 && s[w.at-1].is(" force forced ") {
		return command(forcePush)
	}
	if len(rest) > 0 && rest[0].is(" --force -f ") {
		return command(forcePush)
	}
	for i, t := range rest[:min(maxObject, len(rest))] {
		if i > 0 && rest[i-1].is(toBranch) && (t.is(branches) || t.code && isBranch(t.text)) {
			return command("git push ** (" + t.low + "|*:" + t.low + ")")
		}
	}
	if s.isBare(w.at) {
		return command("git push")
	}
	return nil
}

// maxObject is how many words stand between push and its branch at most.
const maxObject = 6

func isBranch(s string) bool {
	return s != "" && !strings.ContainsAny(s, " ()|*:#\"'\\;&<>$")
}

// isBare tells whether nothing is named that the verb is about.
func (s sentence) isBare(verb int) bool {
	return verb+1 == len(s) || s[verb].end || s[verb+1].is(bareStops)
}

// toBranch is "commit directly to main": which branch one is on, no command says.
func (s sentence) toBranch() bool {
	for i, t := range s {
		if i > 0 && s[i-1].is(" to on у в до ") && (t.is(branches) || t.code) {
			return true
		}
	}
	return false
}

// changesTo is "commit changes to …", which is about files.
func (s sentence) changesTo() bool {
	return len(s) > 1 && s[0].is(" changes ") && s[1].is(" to in ")
}

// isThings tells whether what is added is a dependency, and not one of its words in
// another name.
func (s sentence) isThings() bool {
	for i, t := range s {
		switch {
		case t.is(" new any more other extra third-party external a an ") || t.begins("нов"):
			continue
		case t.begins(thingsUk):
			return true
		case t.is(things):
			return i+1 == len(s) || t.end || s[i+1].is(stops) || s[i+1].is(bareStops)
		}
		return false
	}
	return false
}

// commands are those that a sentence names: in backticks, or by the name of a
// program. run tells that the verb was run, whose object can only be a command.
func (s sentence) commands(run bool) []string {
	var out []string
	add := func(c string) {
		if c != "" {
			out = append(out, c)
		}
	}
	for i := 0; i < len(s); i++ {
		switch t := s[i]; {
		case t.code && t.low == "--no-verify":
			add(noVerify)
		case t.code && strings.HasPrefix(t.text, "-"):
		case t.is(" without ") && i+1 < len(s) && s[i+1].code:
			return nil // what is forbidden is to leave an option out
		case t.code && (run && looksRun(t.text) || isProgram(t.text)):
			add(canonical(t.text))
		case t.code, t.is(" unless without instead before after but to for and "), i > 3 && len(out) == 0:
			return out
		case strings.Contains(programs, " "+t.low+" "):
			words := []string{t.low}
			for i+1 < len(s) && !s[i].end && !s[i+1].is(stops) && !s[i+1].isUkrainian() && !s[i+1].code {
				i++
				words = append(words, s[i].low)
			}
			if last := words[len(words)-1]; last == "command" || last == "commands" {
				continue // "any destructive git command" names none
			}
			add(canonical(strings.Join(words, " ")))
		}
	}
	return out
}

func isProgram(text string) bool {
	name, _, _ := strings.Cut(text, " ")
	return name != "" && strings.Contains(programs, " "+name+" ")
}

// looksRun tells whether text in backticks can be a command that is run.
func looksRun(text string) bool {
	name, _, _ := strings.Cut(text, " ")
	ok, err := regexp.MatchString(`^[a-z./][\w./-]*$`, name)
	return err == nil && ok
}

// canonical is a command as a pattern; "" for one that is no single command.
func canonical(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case strings.ContainsAny(text, "\"'`\\;&<>$|()#"):
		return ""
	case text == "git push --force" || text == "git push -f":
		return forcePush
	case text == "git commit --no-verify" || text == "git commit -n":
		return noVerify
	}
	return text
}
