package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A half is a part of the wordings.
type half string

// The halves: that which rules were written on, and that which is held out.
const (
	build half = "build"
	held  half = "held"
)

// A valueKind makes values, of which no two in a world are the same.
type valueKind int

const (
	number4 valueKind = iota
	seconds
	person
	ukPerson
	version
	clock
	bucket
	link
	command
	days
	switchName
	channel
	count
	folder
	city
	ukCity
	editor
)

// A slot is something that entities have a value of.
type slot struct {
	name, typ string
	value     valueKind
	half      half // the only one that has it; "" both
	wordings  []string
	against   []string // the same rule the other way round, wording by wording; nil of what is no rule
}

type pair struct{ a, b string }

// frames are the sentences of a language that stand around facts.
type frames struct {
	why, how, chatty, extra, history, path, dated, ahead, other, secret, heading []string

	why1, how1, expire, vague, quoted, link, said string

	scopes []pair
}

func list(s string) []string { return strings.Split(s, "|") }

func slotOf(name, typ string, v valueKind, h half, wordings, against string) slot {
	s := slot{name: name, typ: typ, value: v, half: h, wordings: list(wordings)}
	if against != "" {
		s.against = list(against)
	}
	return s
}

// scoped reports whether a value of the slot can depend on a place.
func (s *slot) scoped() bool { return strings.Contains(s.wordings[0], "{C}") }

// many reports whether several values of the slot hold at once: a second command to
// run says nothing against the first.
func (s *slot) many() bool { return s.against != nil }

// one reports whether a second value takes the place of the first. Of a channel or a
// dashboard it can't be told.
func (s *slot) one() bool { return s.against == nil && s.value != channel && s.value != link }

// asks reports whether what the slot says may be taken for a call for action, so that
// a note of the agent's is held.
func (s *slot) asks() bool {
	return s.against != nil || s.value == command || s.value == link || s.value == folder
}

// of returns the wordings of a half.
func (h half) of(wordings []string) []string {
	var out []string
	for i, w := range wordings {
		if (i%2 == 0) == (h == build) {
			out = append(out, w)
		}
	}
	return out
}

// say puts subject, value and scope into a wording.
func say(wording, subject, value, scope string) string {
	var b strings.Builder
	for i := 0; i < len(wording); i++ {
		alone := (i == 0 || !letter(wording[i-1])) && (i+1 == len(wording) || !letter(wording[i+1]))
		switch {
		case strings.HasPrefix(wording[i:], "{C}"):
			b.WriteString(scope)
			i += 2
		case alone && (wording[i] == 'S' || wording[i] == 'P'):
			b.WriteString(subject)
		case alone && wording[i] == 'V':
			b.WriteString(value)
		default:
			b.WriteByte(wording[i])
		}
	}
	return b.String()
}

// letter reports whether a byte is of a word: placeholders stand alone.
func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || c == '-'
}

// names are what entities are called, and what values are made of.
var (
	parts   = list("billing|ledger|search|catalog|mailer|gateway|invoice|session|webhook|avatar|pricing|coupon|shipping|refund|audit|metrics|profile|booking|ticket|parcel|roster|payroll|survey|radar|beacon|harbor|lantern|quarry|saddle|thicket")
	tails   = list("|-api|-worker|-db|-cache|-proxy|-ui|-sync|-cron|-relay")
	people  = list("Marta Lindqvist|Jonas Weber|Priya Raman|Ahmed Salah|Sofia Rossi|Tomasz Nowak|Keiko Mori|Liam Byrne|Chloe Martin|Diego Ramos|Hanna Virtanen|Omar Haddad|Nina Petrova|Paulo Costa|Ingrid Dahl|Yusuf Demir|Alice Moreau|Viktor Kral|Renata Silva|Bjorn Eide|Amara Obi|Felix Braun|Greta Olsen|Hugo Blanc|Ines Prado|Jasper Vink|Katya Orlova|Luca Bianchi|Mei Tanaka|Noor Aziz")
	ukNames = list("Оксана Бойко|Тарас Мельник|Ірина Савчук|Андрій Коваленко|Леся Гончар|Богдан Ткач|Марія Литвин|Остап Дзюба|Соломія Руденко|Назар Кравець|Дарина Панченко|Юрій Олійник|Галина Мороз|Степан Гриценко|Зоряна Левчук|Роман Кушнір|Віра Захарчук|Павло Сидоренко|Надія Білик|Микола Чорний|Олег Вербицький|Ганна Шевчук|Максим Пономар|Тетяна Юрченко|Ярина Стус|Ігор Козак|Люба Дячук|Влад Скиба|Неля Грабар|Антон Рибак")
	cities  = list("Lisbon|Tallinn|Kraków|Porto|Ghent|Aarhus|Graz|Leipzig|Turin|Nantes|Bergen|Tampere|Utrecht|Zagreb|Vilnius|Malmö|Cork|Seville|Basel|Linz|Brno|Riga|Cardiff|Bilbao|Lyon|Sofia|Split|Varna|Gdynia|Turku")
	ukTowns = list("Львів|Ужгород|Луцьк|Рівне|Полтава|Черкаси|Суми|Вінниця|Одеса|Дніпро|Харків|Чернівці|Тернопіль|Житомир|Хмельницький|Кременчук|Біла Церква|Мукачево|Дрогобич|Коломия|Умань|Ніжин|Стрий|Бровари|Ірпінь|Буча|Калуш|Самбір|Ковель|Лубни")
	editors = list("Neovim|Helix|Zed|Emacs|GoLand|Kakoune|Sublime Text|Micro|Lapce|Kate|Geany|BBEdit|Nova|TextMate|Acme|CudaText|Pulsar|Notepad++|Gedit|Xcode|Eclipse|NetBeans|Rider|CLion|WebStorm|PyCharm|Fleet|Vis|Joe|Jed")
	words   = list("amber|birch|cedar|delta|ember|flint|grove|hazel|iris|juniper|kelp|lotus|maple|north|onyx|pearl|quartz|reed|slate|tulip|umber|violet|willow|yarrow|zinc")
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// make makes a value. Two of one kind may be the same; the world sees to it that
// they are not.
func (k valueKind) make(r *rand.Rand) string {
	switch k {
	case number4:
		return fmt.Sprint(2000 + r.IntN(7900))
	case seconds:
		return fmt.Sprint(11 + r.IntN(880))
	case days:
		return fmt.Sprint(8 + r.IntN(720))
	case count:
		return fmt.Sprint(5 + r.IntN(300))
	case version:
		return fmt.Sprintf("1.%d.%d", 20+r.IntN(60), r.IntN(12))
	case clock:
		return fmt.Sprintf("%02d:%02d", r.IntN(24), 1+r.IntN(59))
	case bucket:
		return fmt.Sprintf("%s-%s-%d", pick(r, words), pick(r, words), 10+r.IntN(89))
	case link:
		return fmt.Sprintf("https://grafana.corp.example/d/%s-%d", pick(r, words), 100+r.IntN(900))
	case command:
		return fmt.Sprintf("make %s-%s", pick(r, words), pick(r, words))
	case switchName:
		return fmt.Sprintf("FF_%s_%s", strings.ToUpper(pick(r, words)), strings.ToUpper(pick(r, words)))
	case channel:
		return fmt.Sprintf("#%s-%s", pick(r, words), pick(r, words))
	case folder:
		return fmt.Sprintf("conf/%s/%s", pick(r, words), pick(r, words))
	case city:
		return pick(r, cities)
	case ukCity:
		return pick(r, ukTowns)
	}
	return pick(r, editors)
}
