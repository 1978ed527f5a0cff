package suggest

// What the words of a sentence mean. Each list has a space at both ends and between
// its words; stems match what a word begins with.
const (
	// negations in English; "do not" and "must not" end with not.
	negations = " never not don't dont mustn't cannot can't shouldn't avoid "
	// between a negation and the verb it is about
	fillers = " force forced ever directly please you to be allowed manually just simply again also even under any circumstances у в "
	// verbs that turn a negation around
	turned = " forget hesitate fail skip ignore забувай забувати "
	// who is asked, and when
	asks       = " ask check confirm confirmation approval permission consult "
	asksStems  = "питай запита спитай узгод погод"
	before     = " before "
	beforeUk   = " перед перш "
	without    = " without без "
	consent    = " asking approval permission confirmation consent ok confirming requested "
	consentUk  = "дозвол запит погодж підтвердж згод"
	unless     = " unless until "
	unlessWho  = " i we asked told explicitly approved requested confirmed "
	permitting = " fine ok okay may can feel freely allowed "
	forbidden  = " forbidden prohibited banned "
	needs      = " need needs require requires "
)

// deed is what a verb does.
type deed uint8

const (
	noDeed deed = iota
	edits
	readsIt
	runsIt
	pushes
	forcePushes
	rebases
	amends
	commits
	merges
	stashes
	deploys
	publishes
	installs
	deletes
	skipsHooks
	makes // "роби rebase": what it does stands behind it
)

// verbs by deed. English ones are whole words, Ukrainian ones stems.
func deedOf(t token) deed {
	for _, v := range [...]struct {
		deed  deed
		words string
		stems string
	}{
		{edits, " edit editing edited modify modifying modified change changing changed changes touch touching touched alter altering altered rewrite ", "редагу змінюв змінюй міняй міняти чіпай чіпати"},
		{readsIt, " read reading open opening look looking view viewing cat ", "читай читати відкривай відкривати"},
		{runsIt, " run running use using used execute executing call invoke invoking ", "запуск використов виконуй виконувати"},
		{forcePushes, " force-push force-pushing force-pushes force-pushed ", ""},
		{pushes, " push pushing pushes pushed ", "пуш"},
		{rebases, " rebase rebasing ", "ребейз"},
		{amends, " amend amending ", ""},
		{commits, " commit committing ", "коміть комітит"},
		{merges, " merge merging ", "мерж зливай зливати"},
		{stashes, " stash stashing ", ""},
		{deploys, " deploy deploying deploys deployed ", "депло"},
		{publishes, " publish publishing ", "публіку"},
		{installs, " install installing add adding introduce introducing ", "додавай додавати встановлюй встановлювати"},
		{deletes, " delete deleting remove removing ", "видаляй видаляти"},
		{skipsHooks, " skip skipping bypass bypassing disable ", "пропускай обходь"},
		{makes, " do make perform ", "роби"},
	} {
		if t.is(v.words) || v.stems != "" && t.begins(v.stems) {
			return v.deed
		}
	}
	return noDeed
}

// programs are those whose names are no other words, so that they count outside
// backticks as well.
const programs = " git npm yarn pnpm bun pip pip3 uv poetry sudo terraform kubectl docker helm rm curl wget psql mysql aws gcloud ansible alembic chmod chown brew apt apt-get systemctl ssh scp heroku gh cargo npx tofu pulumi "

// stops end the words of a command that stands outside backticks.
const stops = " in on at to for from with without against by and or if when before after unless until here there yourself directly manually instead anymore as because since the a an this that any " +
	"нічого сам самостійно без у в на для перед і або чи "

// bareStops may stand behind "push" or "commit" where nothing is named that is pushed.
const bareStops = " at or nor without unless until before if on from yourself directly anything nothing in here by to it this them straight automatically ever code changes for when and " +
	"без нічого сам самостійно у в до на перед прямо напряму все чи або "

// branches that are known by name.
const branches = " main master develop dev trunk production staging release "

// toBranch may stand between push and the branch.
const toBranch = " directly straight anything code changes commits to into on the at у в до прямо напряму нічого сам branch "

// tools of the agents that people name.
const toolNames = " webfetch websearch notebookedit multiedit "

// folders make a path of the word in backticks before them.
const folders = " folder directory dir folders directories "

// things are what is installed.
const (
	things   = " dependencies packages libraries package dependency library "
	thingsUk = "залежн пакет бібліотек"
	pronouns = " it them these those its їх його її ці "
)
