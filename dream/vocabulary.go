package dream

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// The classes are the words by which statements about a project tell what they tell of a
// thing, or what is to be done with it: within a class they say the same. A word may
// be of several, since which one is meant shows in the other statement. A word is met
// by its stem, one that ends in "-" by its beginning. The lists are what such notes
// speak of, not what any set of examples does.

// things are the classes of what a thing has one of.
func things() map[string]string {
	return map[string]string{
		"port":       `port ports listen listens listening bind binds bound serve serves served serving reachable accept accepts accepting answer answers answering connection connections socket expose exposed exposes порт- слуха- прийма- відповіда- доступн- зʼєднан- з'єднан- сокет- підключ- підʼєдн- під'єдн- порту opens opened occupies occupy mapped maps talks talk chat binding висить сидить відкрит- чути займа- прокинут- піднят- підняли крутиться`,
		"retention":  `retention retain retains retained keep keeps kept keeping store stores stored storing purge purged purges ttl log logs expire expires expired expiry delete deleted deletes rotate rotated rotates rotation history preserve preserved discarded discard pruned prune age lifetime drop drops dropped remain remains held hold зберіга- збереж- трима- видаля- лог логи логів логах журнал- живуть чистять очища- ротац- ротую- стира- доступні lifespan last lasts vanish vanishes wiped wipe wipes survive survives trimmed thrown away cleaned cleanup around archived clean термін строк стира- зника- прибира- протрима- лежать тримають витрим-`,
		"timeout":    `timeout timeouts time-out time-outs wait waits waiting give gives abort aborts aborted cancel cancels cancelled patience times timed allow allowed тайм-аут- таймаут- чека- обрива- очіку- здаєть- скасов- перерива- відпада- fails fail drop drops dropped cuts cut dies die killed kill hangs hang stops stop waiting patience expire expires budget bail bails пада- відвал- кидає рве рветь- ліміт чекання зупиня- припиня- вбива- терп-`,
		"owner":      `owner owners own owns owned ownership maintain maintains maintained maintainer responsible responsibility accountable contact on-call oncall steward stewards look looks charge care cares lead leads led belong belongs driver drives point person team hands власни- опіку- відповіда- відповідальн- стоїть веде ведуть підтриму- догляда- належ- хазя- господар- займа- рук- контакт- супровод- куру- hook answers answer answerable shepherd shepherds domain turn go-to baby custodian runs handles takes head chief поклада- головн- піклу- віданні зверта- питання тримає тягне зоні зона ведуч- курато- догляд господиня`,
		"city":       `city town home base based live lives living move moved moves relocate relocated reside resides residence settle settled location located lived stay stays місто місті міста міст живе жити мешка- переїха- працює осе- осів базу- розташов- локац- перебува- родом прожива- осідок from office desk calls operates out settled resident родом переселив- переселил- перебрав- перебрал- базу- осіла оселив- оселил- квартиру- сидить домівк- дім додому зараз офіс`,
		"editor":     `editor editors edit edits editing ide write writes writing code codes coding type types program programs редактор- редагу- пише писати код коду кодить програму- набира- ide swears sticks stick hacks hack favourite favorite choice prefers prefer daily driver goes works lives uses tool кодить кодує сидить улюблен- обра- перевагу користу- працює інструмент- надає`,
		"version":    `version versions pin pins pinned lock locks locked depend depends dependency require requires built build builds upgrade upgraded upgrades bump bumped bumps target targets targeting against compile compiled compiles ship ships shipped версі- закріпл- збира- зібран- зафікс- залеж- оновл- потребу- вимага- викорис- прибит- піднят- stuck frozen freeze stays sits runs links linked linking tracks moved requires exactly uses using застряг- сидить заморож- тримає- тягне стоїть лінку- прив'язан- привʼязан- працює перейш-`,
		"flag":       `flag flags toggle toggles toggled gated gate gates behind switch switched enable enables enabled guarded guards controlled controls hidden hides hide feature прапор- прапорец- перемика- схов- хова- вмика- вмикн- увімкн- керу- фіча фічу тогл- hangs kill-switch activated activates guarded controlled rolled under turned turns depends активу- залеж- під керує вимкн- ключ`,
		"bucket":     `bucket buckets export exports exported exporting upload uploads uploaded dump dumps land lands dropped write writes written artifacts target destination бакет- експорт- вивантаж- кладе кладуть складу- потрапля- лежить пише зберіга- відро lands ends delivers deliver delivered ships shipped pushes pushed stash sink puts goes drops sends files data скида- летить потрапля- залива- відправля- йде іде`,
		"dashboard":  `dashboard dashboards panel panels board boards chart charts graph graphs metrics grafana monitor monitored watch watched opens visible дашборд- панел- графік- метрик- відкрива- дошк- моніторинг- спостер- seen overview view status look graphs live page grafana огляд дивити- бачити сторінк- лежать живе адрес-`,
		"backup":     `backup backups back backed snapshot snapshots snapshotted dump dumps dumped archive archived copy copies copied резерв- бекап- копі- знім- дамп- архів- saved saves save taken takes nightly safety kicks fires dumped stored бекапить- архіву- зніма- робить- роблять зберіга- нічн- страхов-`,
		"tests":      `test tests tested testing suite suites spec specs check checks тест- перевір- прога- набір`,
		"branch":     `branch branches trunk base off гілк- галуз-`,
		"release":    `release releases released ship ships shipped cut cuts deploy deploys deployed deployment rollout roll rolls publish published publishes goes live реліз- випус- деплой- викоч- розгорта- викла- публіку-`,
		"region":     `region regions zone zones datacenter hosted hosts located lives runs регіон- зон- датацентр- розміщ-`,
		"channel":    `channel channels slack chat room post posts posted announce announced alert alerts notified канал- слак- чат- пишіть повідомля- оголош- сповіщ-`,
		"license":    `license licence licensed licenced ліценз-`,
		"deadline":   `deadline deadlines due cutoff must finish finished ready delivered дедлайн- строк- термін- здати готов- закінч-`,
		"database":   `database databases db datastore persist persists persisted store stores stored storage backed баз- бд зберіга- сховищ-`,
		"queue":      `queue queues broker bus messages events publishes consumes черг- брокер- повідомлен- поді-`,
		"replicas":   `replica replicas instance instances pod pods copies scaled scale nodes workers репл- інстанс- под- екземпляр- масштаб- вузл-`,
		"memory":     `memory ram heap mem footprint memory-limit пам'ят- памʼят- оперативн-`,
		"cpu":        `cpu cpus core cores vcpu ядер ядр- процесор-`,
		"disk":       `disk volume disks storage space диск- том місця сховищ-`,
		"level":      `level levels verbosity log-level logs logging рівень рівн- логу- журнал-`,
		"schedule":   `schedule scheduled schedules cron fires fire runs kicked trigger triggered start starts started begins begin time розклад- крон- запуска- стартує починає- час`,
		"interval":   `interval every period periodically polls poll polling frequency interval refresh refreshes refreshed sync syncs інтервал- кожн- період- опиту- частот- оновлю- синхроніз-`,
		"retries":    `retry retries retried retrying attempts attempt tries спроб- повтор- ретра-`,
		"rate":       `rate throughput rps qps throttled throttle throttles limit limited limits cap capped caps ceiling maximum max most ліміт- обмеж- швидк- стел- максим- межа`,
		"size":       `size sized large big weighs payload limit limited cap capped maximum max batch batches розмір- важить обсяг- максим- ліміт- обмеж- пачк- батч-`,
		"password":   `password secret credential credentials stored kept vault lives пароль- секрет- сховищ- лежить`,
		"formatter":  `formatter format formats formatted formatting style форматер- формату- форматув-`,
		"linter":     `linter lint lints linted linting лінт- лінтер-`,
		"language":   `language written implemented coded lang мов- написан- реаліз-`,
		"framework":  `framework built uses based фреймворк- побудов- зроблен-`,
		"url":        `url address endpoint link available reachable served lives hosted opens sits адрес- посилан- доступн- відкрива- лежить знаход- живе`,
		"path":       `path folder directory dir located lives sits file stored kept found шлях- тек- каталог- папк- лежить живе знаход- файл-`,
		"budget":     `budget cost costs spend spends price бюджет- кошту- витрат- ціна`,
		"coverage":   `coverage covered covers threshold покрит- поріг-`,
		"reviewer":   `reviewer reviewers review reviews reviewed approver approves approve approval sign-off signs рев'ю- ревʼю- ревю- схвал- затвердж- погодж- перегляда-`,
		"manager":    `manager reports report boss lead supervisor керівни- менеджер- підпорядк- звіту-`,
		"role":       `role works work position job title роль посад- працює`,
		"birthday":   `birthday born birth народ- день`,
		"timezone":   `timezone tz time-zone zone clock часов- пояс-`,
		"meeting":    `meeting standup stand-up call sync retro planning meets held happens зустріч- стендап- дзвін- мітинг- збира-`,
		"codename":   `codename code-name called named known nickname кодов- назива- зветь- ім'я імʼя`,
		"default":    `default defaults fallback falls типов- стандартн- замовч-`,
		"encryption": `encrypt encrypted encrypts encryption cipher шифр- зашифр-`,
		"cache":      `cache caches cached caching кеш-`,
		"api":        `api version endpoint апі`,
	}
}

// doings are the classes of what is to be done.
func doings() map[string]string {
	return map[string]string{
		"ask":     `ask asks asking asked approval approve approved permission permissions confirm confirmation confirmed consult consent ok okay sign-off go-ahead check clear cleared clearance agree agreement authorization authorisation питай- питати питаю- запитай- спитай- спита- питаючи дозвол- дозвіл- погодж- погоджен- підтвердж- узгод- згод- згоди добро ping pings nod blessing green-light green light say-so heads-up sign consult word notify tell let know review run-by permission-first узгодж- згоду попередь попередж- знати відома відом- схвален- повідом- дозволу благослов- ок окей добро`,
		"change":  `change changes changed changing edit edits edited editing touch touches touching touched modify modifies modified modifying modification modifications alter alters altering altered update updates updated updating rewrite tweak tweaks adjust зміню- змін- зміни зміною змінам редагу- правк- правити прав чіпа- чіпай- торка- оновлю- переписув- модифік- changing rework reworking mess fiddle touches patch patching rewrite rewriting replace переробл- міняй міняти мінят- рухай правте правлять ліз- втруча- переписуй- внос- внес-`,
		"run":     `run runs running ran execute executes executed executing invoke invoked invoke launch launches call start запуск- запусти- виконай- викону- прога- запускай- fire kick kicks go let pass passes green проганя- прожен- ганяй ганяти відпрацю- пройш-`,
		"push":    `push pushes pushed pushing пуш- пушити запуш- відправля- надсила- push pre-push upload remote пуші пуша запушити запушиш пуш push`,
		"commit":  `commit commits committed committing комі- закомі-`,
		"merge":   `merge merges merged merging land lands landing мерж- мердж- влива- злива- зливай-`,
		"deploy":  `deploy deploys deployed deploying deployment ship ships release releases rollout деплой- викоч- розгорта- виклада- реліз-`,
		"delete":  `delete deletes deleted deleting remove removes removed removing drop drops erase видаля- видали- стира- прибира- витир-`,
		"create":  `create creates created creating add adds added adding make makes new introduce створю- створи- дода- додавай- заводь-`,
		"use":     `use uses used using rely adopt apply pick choose prefer prefers go викорис- застос- бери брати обира- користу- перевага- надава-`,
		"install": `install installs installed installing set-up встанов- став- інстал- ставити`,
		"restart": `restart restarts restarted reboot reboots bounce перезапус- рестарт- перезавант-`,
		"mention": `mention mentions name reference cite згаду- назива- посила-`,
		"write":   `write writes written writing author пиши- пишу- писати запису-`,
		"send":    `send sends sent sending post email mail notify надсила- відправля- шли- пиши-`,
		"disable": `disable disables disabled disabling turn switch off deactivate вимика- вимкн- відключ-`,
		"enable":  `enable enables enabled enabling turn switch on activate вмика- вмикн- увімкн- підключ-`,
		"allow":   `allow allows allowed permit permits permitted may can okay ok fine welcome дозвол- можна може вільно`,
		"need":    `потребу- need needs needed require requires required must has have necessary mandatory треба потріб- необхід- мусить маєш слід обов'язков- обовʼязков-`,
		"open":    `open opens opened opening file відкрива- відкрий-`,
		"close":   `close closes closed closing resolve закрива- закрий-`,
		"rebase":  `rebase rebases rebased ребейз-`,
		"squash":  `squash squashes squashed сквош-`,
		"import":  `import imports imported importing імпорт-`,
		"export":  `export exports exported експорт-`,
		"format":  `format formats formatted formatting формату-`,
		"mock":    `mock mocks mocked mocking stub stubs fake fakes мок- стаб- заглуш-`,
		"show":    `show shows shown display displays показу- покаж- відобра-`,
		"share":   `share shares shared sharing publish поділ- ділис- публіку-`,
		"read":    `read reads reading look consult see читай- чита- дивис- перегля-`,
		"skip":    `skip skips skipped skipping omit leave bypass пропуск- оминай- обходь- обход-`,
	}
}

// plainly are the words that tell nothing by themselves beside a thing, what is said
// of it and its value: grammar, and what stands around any value.
const plainly = ` the a an of for to in on at is are was be been being has have had having do does did we our ours us i me my you your it its they their he she his her him them by with from and or that this these those there here as so if than then
 now currently today nowadays at-present presently still just simply only-one own uses use used set sets setting settled configured configuration value number name named called given time hour hours minute minutes min second seconds sec ms millisecond milliseconds day days week weeks month months daily every each any all once per up out into against via through before after about until within note please always ever whenever when while also
 goes go come comes get gets take takes make makes sit sits stand stands put puts stay stays runs run running start starts started happen happens happening done made found find see located works work working service services component instance key url address link current exactly usually normally precisely moment right such setting option parameter figure place spot home keeps keep its-own own still yet even prior ahead first then upon toward towards
 let make sure allow lets want wants like likes expects expected used-to used happens needs whose whom without-fail strictly every-time time times never-mind dear remember reminder rule fyi tip basically simply please kindly
 who what which where one thing things way job jobs task tasks data request requests incoming traffic value's command commands tool amount total should must need needs needed will would can may might shall has-to let lets
 о об зо при по це цей ця ці цього мого моєї моїм моєму моя мій моє запит запити запитів трафік потребує потребують є був була було були бути у в на до для з із зі за від про його її їх їхній свій своя свої ми наш наша наше нам нас я мене мені ти тебе тобі ви вас він вона воно вони хто що щоб як який яка яке які котрий де там тут тоді коли якщо та і й а але або чи то же ж
 зараз тепер нині наразі сьогодні час часу значення номер назва назву адреса адресу знаходиться знайти дивись щодня щоночі щодоби день дні днів доба діб година години годин хвилина хвилини хвилин секунд секунди секунда мс мілісекунд місяць місяців тиждень тижнів завжди кожен кожна кожне кожного кожної будь-який будь-яка будь-яке будь-якої будь-якою будь-яку
 робиться роблять робить стартує становить дорівнює складає виставлено встановлено заданий задано налаштовано через після перед раніше сервіс сервісу сервісом сервісі має мати маємо мають стоїть лежить йде іде ідуть працює даний дані треба потрібно слід варто можна повинен повинна повинно мусить команда команду командою ключ ключа перш ніж спершу спочатку офіційно зазвичай переважно саме точно лише-но просто наші наших нашого нашій нашому своїй своєму своїх нього неї них ньому ній тобто поки доки щойно одразу зразу негайно мій прошу будь ласка памʼятай пам'ятай правило нагадування слід знай `

// negatives are the words that turn what a statement says of an action, beside
// denials.
const negatives = ` skip skips skipped forbidden forbids forbid prohibited prohibits banned bans ban disallowed disallow off-limits avoid avoids refuse refrain stop stops quit unnecessary needless pointless optional free freely needn't without unless omit omitted bypass exempt ceased redundant superfluous uncalled unneeded заборон заборонено заборонений заборонена забороняється зайве зайвий необов'язково необовʼязково непотрібно непотрібен нащо досить припини припиніть уникай оминай пропускай пропусти пропускати вільно спокійно сміливо дарма годі не-треба зайва зайвою `

// A vocabulary is these lists, ready to be asked.
type vocabulary struct {
	stems    map[string][]string // to the classes
	prefixes map[string][]prefix // by their first letters
	plain    map[string]bool     // stems
}

type prefix struct{ begins, class string }

func joined(a, b map[string]string) map[string]string {
	maps.Copy(a, b)
	return a
}

// theVocabulary is made when it is first asked for: most commands never do.
var theVocabulary = sync.OnceValue(newVocabulary)

func newVocabulary() *vocabulary {
	v := &vocabulary{stems: map[string][]string{}, prefixes: map[string][]prefix{}, plain: map[string]bool{}}
	for class, words := range joined(things(), doings()) {
		for w := range strings.FieldsSeq(words) {
			if b, ok := strings.CutSuffix(w, "-"); ok {
				v.prefixes[first(b)] = append(v.prefixes[first(b)], prefix{b, class})
				continue
			}
			if s := claimStem(w); !slices.Contains(v.stems[s], class) {
				v.stems[s] = append(v.stems[s], class)
			}
		}
	}
	for w := range strings.FieldsSeq(plainly) {
		v.plain[claimStem(w)] = true
	}
	return v
}

const firstLetters = 3

func first(w string) string {
	n := 0
	for i := range w {
		if n == firstLetters {
			return w[:i]
		}
		n++
	}
	return w
}

// of are the classes of a word in lower case.
func (v *vocabulary) of(low string) []string {
	out := v.stems[claimStem(low)]
	for _, p := range v.prefixes[first(low)] {
		if strings.HasPrefix(low, p.begins) && !slices.Contains(out, p.class) {
			out = append(out[:len(out):len(out)], p.class)
		}
	}
	return out
}
