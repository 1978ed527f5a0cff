package claim

// A role is what a word does in a sentence other than name its matter. Words
// with one are not counted as shared words, except for where.
type role uint8

const (
	content role = iota
	article      // determiners: no place in the order of words
	light        // says little
	verb         // an imperative that says little: use, run, prefer
	never        // negates its clause
	not          // negates what follows, up to the next comma
	without      // negates what follows; with another negation both are meant
	undo         // a negation, or with another none: don't forget
	unless       // makes a prohibition a condition: never deploy until
	turn         // but: what follows is said anew
	also         // and: what follows is said anew if it begins with a verb
	whether      // if, because, before: the negation ends
	topic        // for, when: what follows says what it is about, not what it is
	where        // where something holds: CI, local, staging, frontend
	day          // weekday, month, small number as a word: compared as a value
)

// A sense is a role, and for where the group and the place within it; things of
// one group and different places don't meet.
type sense struct {
	role         role
	group, place uint8
}

// roleOf finds the role of a word in lower case without accents and apostrophes.
// A switch, because a map would be built at each start of the program.
func roleOf(w string) sense {
	switch w {
	case "the", "a", "an", "this", "that", "these", "those", "our", "my", "your", "its", "their", "his", "her",
		"all", "any", "every", "each", "full", "whole", "entire", "both", "some", "such",
		"цей", "цій", "цього", "цьому", "цим", "цих", "ця", "це", "ці", "цю", "той", "та", "те", "ті", "усі", "всі", "усе", "все", "весь", "вся", "всю", "усю", "всіх", "усіх",
		"кожен", "кожна", "кожне", "кожну", "кожним", "наш", "наша", "наше", "наші", "мій", "моя", "моє", "мої", "повний", "повна", "повну",
		"этот", "эта", "это", "эти", "каждый", "каждым":
		return sense{role: article}
	case "during", "throughout", "against", "always", "please", "ever", "even", "yes", "yet", "only", "just", "also", "very", "really", "is", "are", "was", "were", "be", "been", "being", "am", "im",
		"do", "does", "did", "done", "has", "have", "had", "will", "would", "should", "must", "shall", "can", "could", "may", "might",
		"need", "needs", "want", "wants", "to", "of", "in", "on", "at", "by", "as", "it", "i", "we", "you", "he", "she", "they", "me", "us",
		"them", "there", "here", "now", "then", "so", "than", "or", "get", "gets", "make", "makes", "making", "let", "lets", "suite", "suites",
		"lives", "live", "located", "happens", "happen", "goes", "go", "keep", "keeps", "into", "onto", "up", "out", "over", "what", "which",
		"who", "how", "new", "user", "like", "work", "works", "user's", "users", "already", "still", "currently", "usually", "mostly",
		"за", "щодо", "через", "так", "навіть", "взагалі", "завжди", "будь", "ласка", "тільки", "лише", "також", "є", "був", "була", "було", "були", "буде", "бути", "має", "мають", "маю",
		"треба", "слід", "потрібно", "варто", "можна", "в", "у", "на", "по", "до", "із", "з", "зі", "від", "о", "об", "як", "що", "який", "яка", "яке",
		"які", "він", "вона", "воно", "вони", "я", "ми", "ти", "ви", "мені", "мене", "його", "її", "їх", "тут", "там", "вже", "ще", "або", "чи", "же", "ж",
		"и", "во", "к", "от", "есть", "был", "надо", "нужно", "всегда", "или", "что", "как", "мы", "вы", "он", "она", "они":
		return sense{role: light}
	case "use", "using", "used", "uses", "run", "runs", "running", "prefer", "prefers", "preferred", "pick", "choose", "chose", "take",
		"використовуй", "використовуйте", "використовувати", "використовуємо", "запускай", "запускайте", "запускати", "бери", "беріть",
		"обирай", "обирайте", "віддавай", "используй", "использовать", "запускать":
		return sense{role: verb}
	case "never", "dont", "doesnt", "didnt", "cant", "cannot", "mustnt", "shouldnt", "wont", "isnt", "arent", "wasnt", "avoid", "avoids",
		"avoiding", "stop", "no", "nobody", "nothing", "forbidden", "prohibited", "banned", "disallowed", "forbid", "forbids", "prohibit", "prohibits", "ban", "unacceptable", "refrain",
		"заборонена", "заборонений", "заборонені", "забороняється", "заборони", "не", "ніколи", "уникай", "уникайте", "уникати", "немає", "нема",
		"заборонено", "жодних", "жодного", "ніяких", "ніхто", "никогда", "нельзя", "нет":
		return sense{role: never}
	case "not", "instead", "rather", "nor", "neither", "замість", "ані", "ні", "вместо":
		return sense{role: not}
	case "without", "except", "без", "крім", "кроме":
		return sense{role: without}
	case "forget", "skip", "omit", "hesitate", "deactivate", "deactivated", "inactive", "disable", "disables", "disabled", "disabling", "вимкнути", "вимкнено", "вимикай", "вимкни", "вимкнений", "вимкнена", "вимкнені",
		"забувай", "забувайте", "пропускай", "пропускайте", "забывай":
		return sense{role: undo}
	case "unless", "until", "till", "доки", "поки", "пока":
		return sense{role: unless}
	case "but", "а", "але", "но", "однак", "проте":
		return sense{role: turn}
	case "and", "і", "й":
		return sense{role: also}
	case "if", "because", "since", "before", "after", "while", "therefore", "перед", "після", "якщо", "бо", "оскільки", "тому", "перш", "если", "потому", "после":
		return sense{role: whether}
	case "for", "when", "with", "from", "about", "whenever", "під", "час", "про", "коли", "для", "при", "когда":
		return sense{role: topic}
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mondays", "tuesdays", "wednesdays", "thursdays",
		"fridays", "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
		"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty", "thirty", "forty", "fifty", "hundred",
		"понеділок", "понеділка", "вівторок", "вівторка", "середу", "середи", "четвер", "четверга", "пятницю", "пятниці", "суботу", "суботи",
		"неділю", "неділі", "січня", "лютого", "березня", "квітня", "травня", "червня", "липня", "серпня", "вересня", "жовтня", "листопада",
		"грудня", "січень", "лютий", "березень", "квітень", "травень", "червень", "липень", "серпень", "вересень", "жовтень", "листопад", "грудень",
		"один", "два", "дві", "три", "чотири", "пять", "шість", "сім", "вісім", "девять", "десять", "дванадцять", "двадцять", "тридцять":
		return sense{role: day}
	}
	return placeOf(w)
}

// placeOf knows where things hold: the machine, the stage, the side, the system.
// A rule for one is none for another.
func placeOf(w string) sense {
	in := func(group, place uint8) sense { return sense{role: where, group: group, place: place} }
	switch w {
	case "local", "locally", "machine", "laptop", "workstation", "локально", "локальний", "локальна", "локальній", "машині", "ноутбуці":
		return in(1, 1)
	case "ci", "pipeline", "remote", "remotely", "runner", "runners":
		return in(1, 2)
	case "prod", "production", "прод", "проді", "продакшн", "продакшені", "продакшену":
		return in(2, 1)
	case "staging", "стейджинг", "стейджингу", "стейджінг", "stage":
		return in(2, 2)
	case "dev", "development":
		return in(2, 3)
	case "frontend", "front-end", "фронтенд", "фронтенду", "фронтенді":
		return in(3, 1)
	case "backend", "back-end", "бекенд", "бекенду", "бекенді":
		return in(3, 2)
	case "windows":
		return in(4, 1)
	case "linux", "ubuntu", "debian":
		return in(4, 2)
	case "mac", "macos", "osx":
		return in(4, 3)
	case "android":
		return in(5, 1)
	case "ios":
		return in(5, 2)
	case "night", "nights", "вночі", "уночі":
		return in(7, 1)
	case "weekend", "weekends", "вихідні", "вихідних":
		return in(7, 2)
	case "unit":
		return in(6, 1)
	case "integration", "e2e", "end-to-end":
		return in(6, 2)
	}
	return sense{}
}

// ordinal reports whether a number behind the word names one of many things and
// is no value: issue 12, phase 2.
func ordinal(w string) bool {
	switch w {
	case "issue", "pr", "ticket", "rfc", "phase", "step", "stage", "chapter", "section", "sprint", "milestone", "task", "bug", "adr",
		"етап", "крок", "розділ", "завдання", "задача", "спринт", "фаза", "пункт":
		return true
	}
	return false
}

// Counts reports whether a word in lower case without accents is a weekday, a
// month or a number: what is compared as a value.
func Counts(w string) bool { return roleOf(w).role == day }
