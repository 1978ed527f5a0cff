package doctor

// Rule is one thing that the doctor looks for.
type Rule struct {
	ID       string
	Group    Group
	Severity Severity // the usual one; a finding can have another
	Title    string   // one line
}

// Rules are all there are, in the order of the questions that a person would ask:
// is the file among those that load; does the part that matters lie past a limit;
// what is really in the folder; do notes contradict the instructions; did writes
// go where loads come from.
func Rules() []Rule {
	return []Rule{
		// Is the file among those that load?
		{"memory-off", Forgetting, Warning, "Memory is switched off"},
		{"settings-ignored", Forgetting, Warning, "A settings file or a value in it is passed over by the client"},
		{"file-unread", Forgetting, Error, "A file that should load can't be read"},
		{"wrong-case", Forgetting, Warning, "An instruction file has a spelling that the client does not read"},
		{"agents-ignored", Forgetting, Warning, "AGENTS.md is passed over"},
		{"file-empty", Forgetting, Info, "An instruction file holds nothing that loads, or a note nothing at all"},
		{"link-outside", Forgetting, Warning, "A link leads out of the project and does not load"},
		{"import-missing", Forgetting, Error, "An import finds no file"},
		{"import-punctuation", Forgetting, Error, "An import finds no file because of the punctuation behind it"},
		{"import-external", Forgetting, Warning, "An import leads outside and is not approved"},
		{"import-depth", Forgetting, Warning, "An import lies too many levels down"},
		{"import-kind", Forgetting, Warning, "An import names a kind of file that is not imported"},
		{"rule-broken", Forgetting, Error, "The front matter of a rule can't be read, and it loads never or always"},
		{"rule-never-matches", Forgetting, Warning, "The paths of a rule match no file of the project"},
		{"rule-unknown-key", Forgetting, Warning, "A rule has a key that the client does not know, and loads always"},
		// Does the part that matters lie past a limit?
		{"index-cut", Forgetting, Error, "The index is over a limit, and its end does not load"},
		{"index-near-limit", Forgetting, Warning, "The index is near a limit"},
		{"instructions-long", Forgetting, Warning, "Instructions are so long that they drown the rest"},
		// What is really in the folder?
		{"index-blank", Forgetting, Error, "The index is blank, so no note is known to a session"},
		{"index-unreadable", Forgetting, Error, "The index can't be read as a list"},
		{"index-dangling", Forgetting, Warning, "An index line names a note that is not there"},
		{"index-escapes", Forgetting, Warning, "An index line leads out of the memory folder"},
		{"index-twice", Forgetting, Info, "A note has several index lines"},
		{"note-not-indexed", Forgetting, Warning, "A note has no index line, so no session knows of it"},
		{"note-hidden", Forgetting, Warning, "The front matter of a note hides it or part of it"},
		{"note-unreadable", Forgetting, Error, "A note can't be read"},
		{"not-a-note", Forgetting, Info, "A file in the memory folder is no note"},
		// Did writes go where loads come from?
		{"store-unread", Forgetting, Error, "Notes of this project lie where no session reads them"},
		{"store-shared", Forgetting, Error, "Two projects share one memory folder"},
		// Do notes contradict the instructions?
		{"conflict-instructions", Rot, Warning, "A note says otherwise than the instructions"},
		{"conflict-notes", Rot, Warning, "Two notes can't both hold"},
		{"duplicate-exact", Rot, Warning, "Two notes have the same text"},
		{"duplicate-near", Rot, Warning, "Two notes say the same in other words"},
		{"duplicate-instructions", Rot, Info, "A note says what the instructions say"},
		{"repeats-repository", Rot, Info, "A note says what the repository already says"},
		{"stale-path", Rot, Warning, "A note names a path that the repository no longer has"},
		{"stale-symbol", Rot, Warning, "A note names code that the repository no longer has"},
		{"stale-command", Rot, Warning, "A note names a command that the repository no longer has"},
		{"stale-branch", Rot, Warning, "A note names a branch or tag that the repository no longer has"},
		{"stale-host", Rot, Warning, "A note names a host that the repository no longer names"},
		{"stale-version", Rot, Warning, "A note names a version that the repository no longer uses"},
		{"unknown-path", Rot, Info, "A note names a path that the repository never had"},
		{"time-bound", Rot, Warning, "A note holds words that were true only for a while"},
		{"deadline-past", Rot, Warning, "A note has a date that is past"},
		{"old-note", Rot, Info, "A note was not touched for long"},
		{"dead-link", Rot, Warning, "A link in a note leads to no note"},
		{"many-facts", Rot, Info, "A note holds several facts"},
		{"belongs-in-instructions", Rot, Info, "A rule is repeated in notes, and belongs in CLAUDE.md"},
		// Is it safe?
		{"secret", Safety, Error, "A secret stands in memory or instructions"},
		{"hidden-characters", Safety, Error, "Characters that nobody sees"},
		{"foreign-instruction", Safety, Error, "A note asks the agent for something, and no user said so"},
		{"repo-memory", Safety, Warning, "The repository supplies memory or decides where it lies"},
		{"loose-mode", Safety, Warning, "Others on this machine may read or write the memory"},
		{"forged-trust", Safety, Warning, "A note claims trust for itself"},
	}
}
