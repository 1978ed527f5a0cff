package dream

// binding are the words that bind what is said, by what they say. Those of order
// begin a part of the statement of their own. They stand for the ways of speaking of
// English and Ukrainian, not for any set of examples.
const binding = `
before: before prior ahead перед перш раніше до-того
until: until till доки поки аж
after: after once afterwards following після щойно потім as-soon-as
when: when whenever while during коли під-час
if: if якщо provided
unless: unless хіба-що
because: because since бо оскільки
all: all every each both whole entire усі всі усіх всіх усім всім весь вся все усе обидва обидві кожен кожна кожне кожний кожного кожної кожному кожну кожній
only: only solely exclusively nobody-but лише тільки виключно винятково
some: some several few part деякі деяких кілька декілька частина інколи іноді sometimes occasionally
most: most mostly usually often більшість переважно зазвичай часто
over: more-than over above понад більш-ніж більше-ніж
under: less-than fewer-than under below менш-ніж менше-ніж
least: at-least no-less-than minimum щонайменше принаймні не-менше мінімум
atmost: at-most up-to no-more-than maximum щонайбільше не-більше максимум
rarely: rarely seldom hardly рідко
almost: almost nearly майже
about: about roughly approximately приблизно близько
half: half половина половину
nth1: first перший перша перше першого
last: last останній остання останнє
nth2: second other другий друга друге другого другу
nth3: third третій третя третього
nth4: fourth четвертий
may: may might can could optionally optional можна може можуть дозволено
`

// parting are what begins a part of a statement.
const parting = " before until after when if unless because "

// bound are phrases that are one binding word.
var bound = []string{
	"as soon as", "no less than", "no more than", "more than", "less than", "fewer than", "at least", "at most", "up to", "nobody but",
	"до того", "під час", "хіба що", "більш ніж", "більше ніж", "менш ніж", "менше ніж", "не менше", "не більше",
}

// cadence are words that say in one how often something is done.
const cadence = `
every hour: hourly щогодини
every day: daily щодня
every night: nightly щоночі
every week: weekly щотижня
every month: monthly щомісяця
every year: yearly щороку
`

// days are words that say when: they stand at the beginning or at the end of a
// statement as one likes, and "every Tuesday" is "on Tuesday".
const days = ` monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays понеділок понеділка вівторок вівторка середа середу середи четвер четверга п'ятниця п'ятницю п'ятниці субота суботу суботи неділя неділю неділі today tomorrow yesterday сьогодні завтра вчора `

const moments = ` night day morning evening noon midnight week month year hour minute ніч ночі вночі день дня вдень ранок ранку вранці вечір вечора ввечері тиждень тижня місяць місяця рік року година години `

// auxiliary are the words before the verb of a passive.
const auxiliary = ` is are was were be been being gets get got `

// grammatical are words that say nothing at all by themselves.
const grammatical = ` a an the of to for in on at by with from into as and or is are was were be been being am do does did has have had having it its this that these those there which who whom whose we our us you your they their them he she his her i my me any ever also too then so not-only ` +
	` у в на до з із зі за по о об від для про при над під через та і й а або чи що щоб який яка яке які якого якої якому якій яких є був була було були буде будуть це цей ця ці цього цієї ми наш наша наше наші нас нам ви ваш ваші вас вони їх їхній він вона воно його її йому їй я мій моя моє мені свій своя своє свої будь-який будь-яка також теж то же ж `

// wanting are the words behind which something has to come.
const wanting = ` a an the of to for in on at by with from into as and or but is are was were be that which who whose before after until when if because unless every each only all some no не у в на до з із зі за від для про при над під через та і й або чи але що щоб який яка яке які перед після коли якщо бо тільки лише кожен усі всі `

// opposites are words that say the opposite of each other: before the bar, and behind
// it. They are met by stem, those that end in "-" by their beginning.
var opposites = []string{
	"keep retain store preserve save зберіга- трима- | delete remove drop purge erase discard expire wipe видаля- стира- прибира-",
	"enable on activate вмика- увімкн- | disable off deactivate вимика- вимкн- відключ-",
	"allow permit accept дозвол- прийма- | forbid deny reject refuse prohibit ban decline заборон- відхиля-",
	"open start begin launch відкри- почин- запуска- | close stop end finish terminate закри- зупиня- закінч-",
	"add create include insert install дода- створю- включа- встанов- | remove delete exclude omit uninstall вилуч- видаля- виключа-",
	"pass succeed success green проход- успі- зелен- | fail failure red broken break пада- провал- червон- злама-",
	"show display publish показу- публіку- | hide conceal хова- прихов-",
	"lock freeze блоку- заморож- | unlock release unfreeze розблок- розморо-",
	"push send upload write надсила- відправля- запису- | pull receive download read отриму- завантажу- чита-",
	"increase raise grow up збільш- підвищ- | decrease lower reduce shrink down зменш- знижу-",
	"internal private внутрішн- приватн- | external public зовнішн- публічн-",
	"new old-fashioned нов- | old legacy deprecated стар- застаріл-",
	"manual manually hand вручну ручн- | automatic automatically automated автомат-",
	"use need require використ- потребу- | avoid skip ignore bypass уника- пропуска- ігнору-",
	"fast quick early швидк- рано | slow late повільн- пізно",
	"compress encrypt encode стиска- шифру- | decompress decrypt decode розпак- розшифр-",
}

// deeds are the classes of words that say the same by themselves. Those of the other
// classes do beside a value: who keeps logs for 30 days drops them then.
const deeds = ` ask change run push commit merge deploy delete create use install restart mention write send disable enable allow need open close rebase squash import export format mock show share read skip `
