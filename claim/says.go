package claim

// What a word says beside its role.
type says uint8

const (
	saysNothing says = iota
	saysMust
	saysNeed // with a negation: may
	saysMay
	saysPast
	saysLast
	saysFull
	saysReason
	saysBefore
	saysAfter
	saysIn   // a place or time follows
	saysWith // a means follows
	saysEvery
	saysMore // with a negation: at most
	saysLess
	saysOver // this over that
	saysOff
	saysKeep
	saysOut  // keep out of: not in
	saysOmit // may be omitted
	saysActs // is what an owner does: Marta owns search
)

func saysOf(w string) says {
	switch w {
	case "must", "always", "завжди", "required", "mandatory", "obligatory", "shall", "compulsory", "обовязково", "обовязковий", "обовязкова", "обовязкове", "обовязкові",
		"мусить", "мусиш", "мусимо", "мусять", "повинен", "повинна", "повинно", "повинні":
		return saysMust
	case "need", "needs", "needed", "necessary", "have", "has", "requires", "потрібно", "потрібен", "потрібна", "потрібні", "необхідно":
		return saysNeed
	case "may", "optional", "optionally", "allowed", "permitted", "acceptable", "welcome", "can", "okay", "ok", "можна", "можуть", "може", "дозволено", "дозволяється", "дозволений",
		"необовязково", "необовязковий", "необовязкова", "необовязкове", "необовязкові", "опціонально", "опціональний", "допускається":
		return saysMay
	case "previously", "formerly", "originally", "historically", "yesterday", "ago", "took", "happened", "crashed", "вчора", "торік", "нещодавно", "раніше", "колись", "спочатку":
		return saysPast
	case "last":
		return saysLast
	case "full", "whole", "entire", "complete", "повний", "повна", "повну", "повного", "весь", "вся", "всю", "увесь", "усю":
		return saysFull
	case "because", "since", "so", "therefore", "бо", "оскільки", "щоб", "тому":
		return saysReason
	case "before", "перед":
		return saysBefore
	case "after", "після":
		return saysAfter
	case "with", "from", "by", "via", "through", "через":
		return saysWith
	case "in", "on", "at", "during", "throughout", "inside", "within", "under", "between", "among", "across", "між", "серед", "у", "в", "на", "під":
		return saysIn
	case "every", "each", "all", "any", "кожен", "кожна", "кожне", "кожну", "кожного", "кожної", "усіх", "всіх":
		return saysEvery
	case "more", "larger", "longer", "bigger", "higher", "greater", "exceed", "exceeds", "older", "above", "більше", "більший", "більші", "довше", "довші", "довший", "вище", "перевищувати",
		"перевищує", "перевищуй", "перевищують":
		return saysMore
	case "less", "fewer", "smaller", "lower", "shorter", "below", "менше", "менший", "менші", "коротше", "коротші", "нижче":
		return saysLess
	case "over":
		return saysOver
	case "keep", "keeps", "kept", "leave", "left", "stay":
		return saysKeep
	case "out":
		return saysOut
	case "omitted", "skipped":
		return saysOmit
	case "off":
		return saysOff
	case "owns", "leads", "maintains", "reviews", "approves", "відповідає", "володіє", "переглядає", "веде", "схвалює", "lead", "maintain":
		return saysActs
	}
	return saysNothing
}
