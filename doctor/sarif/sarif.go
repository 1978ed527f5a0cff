// Package sarif prints a check-up as SARIF 2.1.0 (OASIS, with Errata 01), the
// format in which code scanning services take findings. The output depends on
// the report and the options alone: no times, no machine names, no random
// identifiers.
package sarif

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"dormouse/doctor"
	"dormouse/internal/term"
)

// Options choose how places are written.
type Options struct {
	Version string // of Dormouse; "" leaves it out
	// Base is the absolute folder that files are named relative to, such as the
	// checkout; "" is the project of the report.
	Base string
	// Private leaves places outside Base and Base itself out of the locations:
	// they hold names of a person and of folders. The message then ends in the
	// file's last name and line. A service may not show a result without a place.
	Private bool
}

const (
	version = "2.1.0"
	schema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// baseID is the name by which GitHub and others know the checkout.
	baseID = "%SRCROOT%"
	// fingerprint is the key of a finding's own ID; another way to make IDs gets
	// another number.
	fingerprint = "dormouse/v1"
)

// Write prints the report. Findings that were passed over are printed too, as
// suppressed. The error is the writer's.
func Write(w io.Writer, rep *doctor.Report, o Options) error {
	if o.Base == "" {
		o.Base = rep.Root
	}
	if o.Base == "" {
		o.Base = rep.Project
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(log{Schema: schema, Version: version, Runs: []run{o.run(rep)}}); err != nil {
		return fmt.Errorf("printing SARIF: %w", err)
	}
	return nil
}

func (o Options) run(rep *doctor.Report) run {
	rules := doctor.Rules()
	index := make(map[string]int, len(rules))
	r := run{
		Tool:        tool{driver{Name: "Dormouse", FullName: "dormouse doctor", Version: o.Version, Rules: make([]rule, 0, len(rules))}},
		Automation:  automation{"dormouse-doctor/"},
		Bases:       map[string]base{baseID: o.base()},
		ColumnKind:  "unicodeCodePoints",
		Invocations: []invocation{{Successful: true, Notifications: notes(rep.Skipped)}},
		Results:     make([]result, 0, len(rep.Findings)+len(rep.Suppressed)),
		Properties:  &runProperties{rep.Checked},
	}
	for i, known := range rules {
		index[known.ID] = i
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, ruleOf(known))
	}
	for i := range rep.Findings {
		r.Results = append(r.Results, o.result(&rep.Findings[i], index))
	}
	for i := range rep.Suppressed {
		s := &rep.Suppressed[i]
		res := o.result(&s.Finding, index)
		res.Suppressions = []suppression{{Kind: "external", Status: "accepted", Justification: term.Safe(s.Reason)}}
		r.Results = append(r.Results, res)
	}
	return r
}

func (o Options) base() base {
	b := base{Description: message{Text: "the folder of the project"}}
	if !o.Private && o.Base != "" {
		b.URI = strings.TrimSuffix(fileURI(o.Base), "/") + "/"
	}
	return b
}

// notes are what was not checked: a consumer that finds no result must be able
// to tell that from a clean one.
func notes(skipped []string) []notification {
	var out []notification
	for _, s := range skipped {
		out = append(out, notification{Level: "note", Message: message{Text: plain(s)}})
	}
	return out
}

func ruleOf(r doctor.Rule) rule {
	page, _ := doctor.Explain(r.ID)
	help := strings.TrimSpace(page)
	if help == "" {
		help = r.Title
	}
	return rule{
		ID: r.ID, Name: pascal(r.ID),
		Short: message{Text: r.Title}, Full: message{Text: meaning(page, r.Title)},
		Help:       helpText{Text: help, Markdown: help},
		Default:    configuration{level(r.Severity)},
		Properties: ruleProperties{[]string{string(r.Group)}},
	}
}

// meaning is the paragraph of a page that says what the rule means, as one line
// of plain text.
func meaning(page, title string) string {
	for para := range strings.SplitSeq(page, "\n\n") {
		if text, ok := strings.CutPrefix(strings.TrimSpace(para), "**What it means.**"); ok {
			return strings.Join(strings.Fields(strings.NewReplacer("**", "", "`", "").Replace(text)), " ")
		}
	}
	return title
}

// pascal makes "stale-path" StalePath, the way SARIF asks rules to be named.
func pascal(id string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(id, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

func level(s doctor.Severity) string {
	switch s {
	case doctor.Error:
		return "error"
	case doctor.Warning:
		return "warning"
	}
	return "note"
}

func (o Options) result(f *doctor.Finding, index map[string]int) result {
	r := result{
		RuleID: f.Rule, Level: level(f.Severity), Message: message{Text: plain(f.Message)},
		Fingerprints: map[string]string{fingerprint: f.ID},
		Properties:   properties(f),
	}
	if i, ok := index[f.Rule]; ok {
		r.RuleIndex = &i
	}
	switch p := o.place(f.Place); {
	case p != nil:
		r.Locations = []location{{Physical: p}}
	case f.Place.Path != "":
		if at := plain(lastName(f.Place)); !strings.Contains(r.Message.Text, at) {
			r.Message.Text += " (" + at + ")"
		}
	}
	for i := range f.Related {
		rel := &f.Related[i]
		id := i + 1
		l := location{ID: &id, Physical: o.place(rel.Place), Message: &message{Text: plain(rel.Role)}}
		if l.Physical == nil && rel.Path != "" {
			l.Message.Text += " (" + plain(lastName(rel.Place)) + ")"
		}
		r.Related = append(r.Related, l)
	}
	return r
}

func properties(f *doctor.Finding) *resultProperties {
	p := resultProperties{Quoted: term.Safe(f.Place.Text)}
	for _, e := range f.Evidence {
		p.Evidence = append(p.Evidence, term.Safe(e))
	}
	if f.Fix != nil {
		// Not as SARIF's fixes: those are edits that a service could apply by itself.
		p.Fix = &fixProperties{term.Safe(f.Fix.Title), term.Safe(f.Fix.Command), f.Fix.Safe, f.Fix.Applies}
	}
	if p.Quoted == "" && p.Evidence == nil && p.Fix == nil {
		return nil
	}
	return &p
}

// place is where something stands; nil where that may not be said or is nowhere.
func (o Options) place(p doctor.Place) *physical {
	if p.Path == "" {
		return nil
	}
	out := &physical{}
	rel, below := relative(o.Base, p.Path)
	switch {
	case below:
		out.Artifact = artifact{URI: rel, BaseID: baseID}
	case o.Private:
		return nil
	default:
		out.Artifact = artifact{URI: fileURI(p.Path)}
	}
	if p.Line > 0 {
		out.Region = &region{p.Line, max(0, p.Column)}
	}
	return out
}
