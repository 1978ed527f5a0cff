package draft

import (
	"strings"

	"dormouse/claim"
	"dormouse/claim/token"
)

// rule finds what tells an agent how to work.
func (r *reading) rule(i int) {
	w, next := r.at(i), r.at(i+1)
	s := r.words[i]
	switch w {
	case "never", "always", "dont", "завжди", "ніколи", "никогда", "всегда":
		if i > 0 && !s.begins && r.describes(i) {
			r.add(Feedback, 0.5, i, i+2)
			return
		}
		// "doesn't support" and "we don't" tell a fact, "don't use" forbids.
		if s.begins || i < 2 || w != "dont" && !r.has("we", "ми") {
			if !(w == "dont" && i > 0 && (r.at(i-1) == "we" || r.at(i-1) == "they" || r.at(i-1) == "i")) {
				r.add(Feedback, 3, i, i+1)
			}
		}
		return
	case "do":
		if next == "not" && (s.begins || i == 0) {
			r.add(Feedback, 3, i, i+2)
		}
		return
	case "не":
		if s.begins && imperativeUk(next) || imperativeUk(next) {
			r.add(Feedback, 3, i, i+2)
		}
		return
	case "please", "будь", "must", "should", "shouldnt", "mustnt", "треба", "слід", "потрібно", "варто", "мусиш", "повинен", "повинні", "надо", "нужно":
		r.add(Feedback, 1.8, i, i+1)
	case "instead", "rather", "замість", "вместо":
		r.add(Feedback, 1, i, i+2)
	case "you", "your", "youre", "ти", "тобі":
		r.add(Feedback, 1, i, i+1)
	case "no", "жодних", "ніяких", "без":
		if i == 0 && next != "one" {
			r.add(Feedback, 2, i, i+2)
		}
	case "have", "has", "need":
		if next == "to" && i > 0 {
			r.add(Feedback, 1.2, i, i+2)
		}
	case "me", "мене", "мені":
		if i > 0 {
			r.add(Feedback, 0.8, i-1, i+1)
		}
	case "now":
		if i >= 2 && r.at(i-1) == "from" || r.at(i+1) == "on" && r.at(i-1) == "from" {
			r.add(Feedback, 2, i-1, i+2)
		}
	case "right":
		if next == "call" || next == "choice" || next == "approach" || r.at(i-1) == "was" {
			r.add(Feedback, 1.5, i, i+2)
		}
	case "less", "fewer", "more", "менше", "більше":
		if i == 0 {
			r.add(Feedback, 1.5, i, i+2)
		}
	case "nothing", "nobody", "ніщо", "ніхто":
		if i == 0 && r.has("without", "unless", "until", "без", "доки") {
			r.add(Feedback, 2, i, i+2)
		}
	case "time", "разу":
		if before := r.at(i - 1); before == "next" || before == "наступного" {
			r.add(Feedback, 2, i-1, i+1)
		}
	case "future", "надалі", "відтепер":
		r.add(Feedback, 1.5, i, i+1)
	case "only", "тільки", "лише":
		if i == 0 {
			r.add(Feedback, 1, i, i+2)
		}
	}
	r.imperative(i)
}

// describes reports whether the never or always at i tells how something is, not
// how it has to be: it never calls back, was never sent, is always open.
func (r *reading) describes(i int) bool {
	switch r.at(i - 1) {
	case "must", "should", "to", "and", "but", "або", "і":
		return false
	case "is", "are", "was", "were", "has", "have", "had":
		return true
	}
	next := r.at(i + 1)
	return strings.HasSuffix(next, "s") && !strings.HasSuffix(next, "ss") || strings.HasSuffix(next, "ed")
}

// imperative finds a verb in the imperative: in English at the start of the
// sentence, behind a comma or a word like please; in Ukrainian by its form.
func (r *reading) imperative(i int) {
	s, w := r.words[i], r.at(i)
	if imperativeUk(w) {
		r.add(Feedback, 2.5, i, i+2)
		return
	}
	before := r.at(i - 1)
	starts := i == 0 || s.begins || before == "please" || before == "always" || before == "only" || before == "just" || before == "instead" || before == "then"
	if !starts || i > 0 && s.begins && !r.conditional() && !r.ruled() {
		return // a comma is in front of nouns as well
	}
	switch verbKind(w) {
	case 2:
		r.add(Feedback, 2.5, i, i+2)
	case 1: // a noun as well: what follows tells
		if takesObject(r.at(i + 1)) {
			r.add(Feedback, 2.5, i, i+2)
		}
	}
}

// verbKind is 2 for a word that in front of a sentence is a verb, 1 for one that
// may be a noun there, 0 for others.
func verbKind(w string) int {
	switch w {
	case "use", "keep", "write", "prefer", "avoid", "ask", "make", "put", "add", "remove", "explain", "ensure", "stop", "remember", "create", "delete",
		"follow", "treat", "assume", "consider", "verify", "confirm", "include", "exclude", "read", "wrap", "reach", "give", "tell", "send",
		"leave", "let", "choose", "pick", "split", "merge", "rebase", "squash", "push", "pull", "sort", "quote", "escape", "validate", "handle",
		"skip", "ignore", "favor", "favour", "rely", "reuse", "extract", "inline", "rename", "move", "replace", "open", "close", "answer", "reply",
		"respond", "speak", "be", "do", "try", "think", "wait", "suggest", "propose", "offer", "mention", "cite", "summarize", "summarise", "update",
		"bump", "pin", "install", "regenerate", "generate", "throw", "return", "raise", "catch", "initialize", "declare", "define", "limit", "never",
		"place", "store", "stick", "start", "begin", "finish", "sign", "tag", "mark", "link", "translate", "mock", "stub", "show", "run":
		return 2
	case "test", "build", "commit", "deploy", "release", "plan", "check", "format", "name", "document", "log", "report", "review", "comment", "cache",
		"lint", "fix", "debug", "branch", "set", "need", "call", "print", "type", "work", "change", "edit", "refactor", "benchmark", "measure", "search", "look", "group", "order", "end", "cover":
		return 1
	}
	return 0
}

// takesObject reports whether a word can follow a verb and hardly a noun.
func takesObject(w string) bool {
	switch w {
	case "the", "a", "an", "your", "my", "our", "each", "every", "all", "any", "only", "with", "before", "after", "for", "it", "them", "new", "both",
		"what", "whether", "that", "this", "these", "in", "at", "up", "errors", "branches", "sql", "code", "first", "early", "often", "one", "things", "public", "no":
		return true
	}
	return false
}

// imperativeUk reports whether a Ukrainian word is in the imperative, by its form
// or, where the form is that of nouns too, by a list.
func imperativeUk(w string) bool {
	switch w {
	case "пиши", "пишіть", "бери", "беріть", "роби", "робіть", "покажи", "кажи", "скажи", "став", "стався", "клади", "веди", "тримай", "бережи",
		"май", "будь-ласка", "додавай", "пропонуй", "зроби", "перевір", "постав", "забудь", "поясни", "назви", "називай", "збережи", "проси", "спитай",
		"питай", "дай", "пали", "пушь", "пуш", "комить", "чекай", "зачекай", "дивись", "шукай", "читай", "лиши", "залиш", "видали", "запусти", "онови", "уточни",
		"використай", "опиши", "створи", "створюй", "подавай", "форматуй", "пиши-но", "пушить", "ходи", "переходь", "став-но", "відкрий", "закрий":
		return true
	case "край", "хай", "нехай", "чай", "рай", "май-же", "випадай", "звичай", "урожай", "зазвичай", "дисплей", "сценарій", "случай", "трамвай":
		return false
	}
	if len(w) < 10 { // five letters
		return false
	}
	for _, e := range []string{"ай", "яй", "уй", "юй", "айте", "яйте", "уйте", "юйте", "айся", "уйся", "айтеся"} {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// place finds what points somewhere else.
func (r *reading) place(i int) {
	s, w, next := r.words[i], r.at(i), r.at(i+1)
	switch {
	case s.kind == token.Code && strings.Contains(w, "://"):
		r.add(Reference, r.linkWeight(), i, i+1)
		return
	case s.kind == token.Code && isHost(w):
		r.add(Reference, 1.8, i, i+1)
		return
	case s.kind == token.Value && strings.Count(w, ".") == 3:
		r.add(Reference, 1.5, i, i+1)
		return
	case s.kind == token.ID && len(w) > 2 && w[0] == '#' && (w[1] < '0' || w[1] > '9'): // a channel
		r.add(Reference, 1.5, i, i+1)
		return
	case s.kind == token.Code && strings.ContainsAny(w, "/\\") && (r.located() || s.begins && s.comma) && !r.ruled():
		r.add(Reference, 1.8, i, i+1)
		return
	case s.kind == token.ID && i < 2, w == "rfc" && i+1 < len(r.words) && r.words[i+1].kind == token.Value:
		r.add(Reference, 1.3, i, i+2)
		return
	}
	if s.title && i >= 2 && (next == "" || i+1 < len(r.words) && r.words[i+1].begins) && inPlace(r.at(i-1)) && isVerb(r.at(i-2)) && !claim.Counts(w) {
		r.add(Reference, 1.2, i-1, i+1)
	}
	switch w {
	case "jira", "linear", "confluence", "notion", "figma", "grafana", "kibana", "sentry", "datadog", "slack", "discord", "trello", "asana", "sharepoint",
		"1password", "pagerduty", "bitbucket", "miro", "looker", "tableau", "zendesk", "youtrack", "gitlab", "telegram":
		r.add(Reference, 1.4, i, i+1)
	case "wiki", "runbook", "runbooks", "dashboard", "dashboards", "docs", "documentation", "postmortems", "drive", "vault", "upstream", "changelog", "spec",
		"документація", "документації", "документацію", "дашборд", "дашборди", "вікі", "макети", "логи", "опис", "довідник":
		if !r.ruled() {
			r.add(Reference, 0.8, i, i+1)
		}
	case "tickets", "diagram", "schedule", "logs", "drawings", "recordings", "archive", "backups", "розклад", "тикети", "схема", "архів":
		if r.located() {
			r.add(Reference, 0.6, i, i+1)
		}
	case "tracked", "pinned", "закріплено", "documented", "described", "listed", "lives", "see", "stored", "located", "found", "describes", "host", "hosted", "server", "bugs",
		"лежить", "лежать", "ведеться", "ведуться", "ведемо", "описано", "дивитися", "дивись", "знаходиться", "сервер", "розділ", "порт", "зберігаються":
		r.add(Reference, 0.7, i, i+1)
	}
}

func inPlace(w string) bool {
	return w == "in" || w == "at" || w == "on" || w == "у" || w == "в" || w == "на"
}

func isVerb(w string) bool {
	switch w {
	case "is", "are", "live", "lives", "kept", "є", "лежить", "лежать":
		return true
	}
	return false
}

// linkWeight is more where the link is nearly all of the sentence, and less where
// the sentence is a rule that only mentions it.
func (r *reading) linkWeight() float64 {
	if r.ruled() {
		return 1
	}
	if len(r.words) <= 7 {
		return 3.5
	}
	return 2.5
}

// located reports whether the sentence says where something is.
func (r *reading) located() bool {
	for i := range r.words {
		switch w, next := r.at(i), r.at(i+1); {
		case (w == "is" || w == "are" || w == "lives" || w == "live") && (next == "at" || next == "in" || next == "under" || next == "on"):
			return true
		case w == "see", w == "лежить", w == "лежать", w == "found", w == "located":
			return true
		}
	}
	return false
}

// conditional reports whether the sentence begins with what leads to an
// instruction: when, if, before, for; yes.
func (r *reading) conditional() bool {
	switch r.at(0) {
	case "when", "whenever", "if", "before", "after", "while", "unless", "once", "for", "in", "on", "until", "yes", "instead", "next", "remember":
		return true
	}
	return false
}

// ruled reports whether a rule for the agent was found so far.
func (r *reading) ruled() bool {
	for _, c := range r.cues {
		if c.typ == Feedback && c.weight >= 2 {
			return true
		}
	}
	return false
}

// isHost reports whether a word is like db.example.com:5432, example.com/x,
// build01.lan; file names are not, for their endings are no domains.
func isHost(w string) bool {
	host, path, slash := strings.Cut(w, "/")
	host, _, port := strings.Cut(host, ":")
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 {
		return false
	}
	switch host[dot+1:] {
	case "com", "org", "net", "io", "dev", "lan", "local", "internal", "app", "ua", "eu", "edu", "gov", "de", "uk", "example", "corp", "cloud", "ai":
		return true
	}
	return port || slash && len(path) > 2 && strings.Count(host, ".") > 1
}

// work finds what tells of people, plans and states.
func (r *reading) work(i int) {
	w := r.at(i)
	switch w {
	case "we", "our", "us", "ми", "наш", "наша", "наше", "наші", "нам":
		r.add(Project, 1.2, i, i+2)
	case "deadline", "goal", "milestone", "launch", "sprint", "quarter", "roadmap", "budget", "customer", "customers", "client", "team", "contract",
		"incident", "outage", "legacy", "freeze", "frozen", "blocked", "decided", "chose", "migrating", "migration", "migrated", "postponed", "moved",
		"moves", "ships", "rewritten", "rewrite", "legal", "law", "audit", "leave", "owns", "until", "currently", "q1", "q2", "q3", "q4", "planned", "hold",
		"дедлайн", "ціль", "мета", "реліз", "релізу", "команда", "клієнт", "клієнти", "бюджет", "аудиту", "аудит", "заблоковано", "заблокований", "вирішили",
		"вирішила", "перенесли", "переходимо", "доки", "поки", "зараз", "кварталу", "квартал", "міграція", "договір", "заморожуємо", "чекаємо", "збірка":
		r.add(Project, 1, i, i+1)
	case "is", "are", "was", "were", "will", "takes", "fails", "has", "had", "runs", "because", "since", "після", "буде", "падає", "триває":
		if i > 0 {
			r.add(Project, 0.4, i, i+1)
		}
	case "can", "cannot", "cant", "support", "release":
		r.add(Project, 0.3, i, i+1)
	}
	if claim.Counts(w) && len(w) > 5 && r.words[i].title || strings.HasSuffix(w, "ємо") || strings.HasSuffix(w, "имо") && len(w) > 8 {
		r.add(Project, 0.7, i, i+1)
	}
}
