package words

import "strings"

// Words that say nothing of what a text is about, of English and Ukrainian, as
// keys: pronouns, articles, prepositions, auxiliaries, what questions are asked
// with. What could be somebody's subject is not among them.
const stopWords = " a about above after again against all also am an and any are arent as at be because been before being below " +
	"between both but by can cant could couldnt did didnt do does doesnt doing dont down during each either else ever few for from further " +
	"get got had hadnt has hasnt have havent having he her here hers herself him himself his how i id if ill im in into is isnt it its itself ive " +
	"just let lets may me might more most much must mustnt my myself neither no nor not now of off on once one only or other our ours ourselves out over own " +
	"please same shall she should shouldnt since so some such than that thats the their theirs them themselves then there theres these they this those " +
	"though through to too under until up upon us very was wasnt we were werent what whats when where whether which while who whom whose why will with " +
	"within without wont would wouldnt yes yet you your yours yourself yourselves " +
	"а або але б без би був була були було бути в вам вами вас ваш ваша ваше ваші весь ви від він вона вони воно все всі всіх вся від г да де для до " +
	"є є ж же з за зі й його йому її їй їм їх і із інші або на над нам нами нас наш наша наше наші не ні ним ними них о об однак от по " +
	"під при про саме себе собі та так також такий там те ти тим тих то тобі тобою того той тому тут ту у хоч хто це цей ці цього цьому цю " +
	"чи чий чого чому що щоб щось хтось якось як яка який яка яке які якого якої якщо коли колись куди звідки скільки навіщо мене мені мною мій моя моє мої твій твоя твоє твої "

// IsStop reports whether a key is a word that is not looked up.
func IsStop(key []byte) bool {
	if len(key) > 20 {
		return false
	}
	var padded [22]byte
	padded[0] = ' '
	n := 1 + copy(padded[1:], key)
	padded[n] = ' '
	return strings.Contains(stopWords, string(padded[:n+1]))
}

// Words that a question is asked with rather than about, as stems: what the
// speaker does with the matter, and when.
const weakStems = " anyth ask befor chat complet convers differ discuss ever go help kind know like make mani mention need never " + //nolint:misspell // stems are no words
	"project provid say someth specif talk tell thing think tri type use want work " +
	"вид дум думк зна знав зроб згад інш каж каз люб мож можлив можн обговор перед пит питан потрібен потрібн прак проб проєкт проект різн роб " +
	"розмов розмовл розповод сказ спроб тип трап хот хоч "

// IsWeak reports whether a stem says little of what a question is about.
func IsWeak(stem string) bool {
	return strings.Contains(weakStems, " "+stem+" ")
}
