package install

import "slices"

// setApart tells hooks that a person wrote by hand from those that were installed.
// Where there is a note, that knows. Without one, hooks that are just what is to be
// installed are the person's if there are only some of them: all of them at once is
// what an installation writes, and its note was lost.
func (t *target) setApart(f *found, entry *Entry, p Program) {
	theirs := func(h hook) bool { return entry != nil && slices.Contains(entry.Theirs, h.event) }
	if entry == nil && p.Path != "" && !t.covers(f.hooks) {
		theirs = func(h hook) bool { return h.program == p.Path && slices.Equal(h.args, p.hookArgs(h.event)) }
	}
	var ours []hook
	for _, h := range f.hooks {
		if theirs(h) {
			f.theirs = append(f.theirs, h)
		} else {
			ours = append(ours, h)
		}
	}
	// A group with one of theirs does not go as a whole.
	for i := range ours {
		ours[i].alone = ours[i].alone && !slices.ContainsFunc(f.theirs, func(h hook) bool { return h.event == ours[i].event && h.group == ours[i].group })
	}
	f.hooks = ours
}

// covers tells whether there is a hook for each event that Dormouse answers.
func (t *target) covers(hooks []hook) bool {
	for _, e := range t.wiring.Events {
		if !has(hooks, e.Name) {
			return false
		}
	}
	return true
}

func has(hooks []hook, event string) bool {
	return slices.ContainsFunc(hooks, func(h hook) bool { return h.event == event })
}

// events are those of hooks, each once, sorted.
func events(hooks []hook) []string {
	var all []string
	for _, h := range hooks {
		all = append(all, h.event)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
