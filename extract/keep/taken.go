package keep

import (
	"fmt"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/extract"
	"dormouse/store"
	"dormouse/trust"
)

// takeBack forgets the note that extraction had made of what the person takes
// back: the one that is about what they name. Where several are, or one of another
// maker, it is left to the person.
func (k *Keeper) takeBack(c extract.Candidate) (Outcome, error) {
	out := Outcome{Candidate: c, Action: Dropped, Why: "it takes back what no note says"}
	if k.before.undone(c) {
		out.Why = "you undid it"
		return out, nil
	}
	own, others := k.about(c)
	switch {
	case len(own) == 0 && len(others) == 0:
		return out, nil
	case len(own) == 0:
		out.Action, out.File = Review, others[0]
		out.Why = fmt.Sprintf("the person took it back; %s: extraction did not make it, so it is left to them", namesOf(others))
		return out, nil
	case len(own) > 1:
		out.Action, out.File = Review, own[0]
		out.Why = fmt.Sprintf("the person took it back; it could mean any of %s: dormouse forget NOTE takes one out", strings.Join(own, ", "))
		return out, nil
	}
	file := own[0]
	if at, ok := saidAt(k.items[file].Note); ok && at.After(c.Time) {
		out.File, out.Why = file, "it was said again later"
		return out, nil
	}
	out.Action, out.File, out.Why = Forgotten, file, "the person took it back"
	if len(others) > 0 {
		out.Why += fmt.Sprintf("; %s, not made by extraction, and left to them", namesOf(others))
	}
	if k.Dry {
		k.drop(file)
		return out, nil
	}
	done, err := k.St.Forget(k.maker(c, trust.UserTurn), file)
	if err != nil {
		return Outcome{}, err
	}
	k.drop(file)
	out.Change = done.ID
	return out, nil
}

func namesOf(files []string) string {
	if len(files) == 1 {
		return files[0] + " is about that"
	}
	return strings.Join(files, ", ") + " are about that"
}

// about finds the notes with a statement that has every word which the person
// named, those that extraction made and nobody touched since, and the others.
func (k *Keeper) about(c extract.Candidate) (own, others []string) {
	subject := subjectOf(c)
	if len(subject) == 0 {
		return nil, nil
	}
	for _, n := range k.notes {
		if !slices.ContainsFunc(claim.Split(n.Body), func(cl claim.Claim) bool {
			has := claim.Terms(cl.Text)
			return !slices.ContainsFunc(subject, func(t string) bool { return !slices.Contains(has, t) })
		}) {
			continue
		}
		if k.by[n.File] == store.Extract {
			own = append(own, n.File)
		} else {
			others = append(others, n.File)
		}
	}
	return own, others
}

// subjectOf is what a retraction names. What stands in its text and not in the
// person's words was put there by the rule, to say that it no longer holds.
func subjectOf(c extract.Candidate) []string {
	said := claim.Terms(c.Quote)
	return slices.DeleteFunc(claim.Terms(c.Text), func(t string) bool {
		return len(said) > 0 && !slices.Contains(said, t) || slices.Contains(unnamed(), t)
	})
}

// unnamed are terms that name no matter, as claim has them: "any more" reads as a
// bound, and a rule or a note is what is taken back, whatever it is about.
func unnamed() []string {
	terms := claim.Terms("rule note fact convention правило нотатка")
	return append(terms, claim.Terms("is not any more")...)
}
