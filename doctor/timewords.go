package doctor

import "regexp"

// timePattern finds words that held for a while only.
type timePattern struct {
	relative bool   // to the day of writing: with a date beside it the day is known
	needs    string // words, in lower case, of which the text has one where the pattern can match
	text     string
	re       *regexp.Regexp
}

const months = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

// ukMonths are the months as dates have them, in order.
const ukMonths = `(?:січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня)`

// timePatterns are the words, English first.
func timePatterns() []timePattern {
	const (
		weekday = `(?:mon|tues|wednes|thurs|fri|satur|sun)day`
		days    = `monday tuesday wednesday thursday friday saturday sunday`
		span    = `(?:days?|weeks?|months?|quarters?|sprints?|years?)`
		num     = `(?:\d+|an?|one|two|three|four|five|six|several|a few|a couple of)`
		action  = `(?:merged|released|deployed|shipped|done|finished|implemented|ready|fixed|migrated|rolled out|landed|published|available|supported|approved|reviewed|started)`
		ukSpan  = `(?:дн(?:ів|і|я)|день|тижн(?:ів|і|я)|тиждень|місяц(?:ів|і|я)|місяць|рок(?:ів|и|у)|рік)`
	)
	relative := func(needs, text string) timePattern { return timePattern{relative: true, needs: needs, text: text} }
	status := func(needs, text string) timePattern { return timePattern{needs: needs, text: text} }
	return []timePattern{
		relative("yesterday tomorrow tonight morning afternoon evening today",
			`yesterday|tomorrow|tonight|this (?:morning|afternoon|evening)|as of today|starting today|since today|today we|we .{0,40}today`),
		relative("week month quarter sprint weekend year "+days,
			`(?:last|next|this|current) (?:week|month|quarter|sprint|weekend|`+weekday+`)|(?:last|next) year`),
		relative("ago", num+` `+span+` ago`),
		relative("day days week weeks month months",
			`(?:ships?|launch(?:es|ing)?|releas(?:e|es|ed|ing)|lands?|due|goes live|go live|migrat\w+|switch\w*|will|starts?|going to|moves?|leaves?|expects?|expected) .{0,60}in `+num+` (?:days?|weeks?|months?)`),
		relative(days, `(?:by|until|till|before|due|due on) (?:next )?`+weekday),
		relative("end eod eow eom eoy",
			`(?:by|until|till|before) (?:the )?(?:end of (?:the )?(?:day|week|month|quarter|sprint|year)|eod|eow|eom|eoy)`),
		relative("recently", `recently (?:moved|switched|changed|renamed|added|migrated|upgraded|replaced|removed|merged|started|joined)`),
		relative("вчора завтра позавчора післязавтра сьогодні", `вчора|завтра|позавчора|післязавтра|сьогодні (?:ми|вирішили|домовились)`),
		relative("минулого наступного цього минулої наступної цієї",
			`(?:минулого|наступного|цього) (?:тижня|місяця|року|кварталу|спринту|понеділка|вівторка|четверга)|(?:минулої|наступної|цієї) (?:п['’ʼ]ятниці|середи|суботи|неділі)`),
		relative("тому", `(?:\d+|кілька|два|дві|три|декілька) `+ukSpan+` тому|(?:тиждень|місяць|рік) тому`),
		relative("до", `до (?:понеділка|вівторка|середи|четверга|п['’ʼ]ятниці|кінця (?:дня|тижня|місяця|спринту|кварталу))`),

		status("pending",
			`(?:is|are|was|still|currently|remains?) pending|pending (?:review|approval|merge|release|deployment|deploy|sign-?off|legal|confirmation|decision)|(?:release|review|merge|migration|approval|deploy(?:ment)?|decision|rollout|fix|upgrade|audit|launch|refactor) pending`),
		status("progress underway way ongoing wip",
			`(?:is|are|still|currently|work|migration|rollout|refactor(?:ing)?|rewrite|upgrade|release|review) (?:is )?(?:in progress|underway|under way|ongoing)|work in progress|wip`),
		status("review awaiting",
			`(?:is|are|still|currently) under review|awaiting (?:review|approval|merge|release|sign-?off|legal|feedback|confirmation)`),
		status("waiting blocked working migrating debugging investigating evaluating",
			`(?:still|currently|we are|we're|we’re|i am|i'm) (?:waiting (?:for|on)|blocked (?:on|by)|working on|migrating|debugging|investigating|evaluating)`),
		status("blocked", `(?:is |are )?blocked (?:on|by) (?:pr|mr|issue|ticket|review|legal|#\d+|[a-z]+-\d+|the [a-z]+ team)`),
		status("yet",
			`(?:not|isn't|isn’t|aren't|hasn't|haven't|hasn’t|not been|hasn't been|has not been|have not been) (?:yet )?(?:been )?`+action+` yet|not yet `+action+`|yet to be `+action),
		status("now moment being notice temporarily",
			`for now|for the moment|at the moment|for the time being|until further notice|temporarily (?:disabled|skipped|commented|pinned|using|use|switched|off|turned|moved|hardcoded|hard-coded)`),
		status("soon", `(?:coming|launching|shipping|releasing|deprecated|removed|replaced|merged|released|will be \w+) soon|(?:will|should) soon|soon to be`),
		status("поки тимчасово подальшого", `поки що|тимчасово (?:вимкн|пропус|закоментов|використ|перейшли)\pL*|до подальшого повідомлення`),
		status("очікує чекає чекаємо очікуємо ще процесі",
			`(?:очікує|чекає|чекаємо|очікуємо) (?:на )?(?:рев['’ʼ]?ю|реліз\pL*|мерж\pL*|затвердження|погодження|відповід\pL*)|ще не (?:злит\pL*|випущен\pL*|готов\pL*|зроблен\pL*|влит\pL*|задеплоєн\pL*|завершен\pL*|реалізован\pL*)|(?:у|в) процесі (?:міграції|переходу|рев['’ʼ]?ю|роботи)`),
	}
}
