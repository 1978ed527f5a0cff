package scan

import "dormouse/scan/secrets"

// secretFinder is what the scanner needs of package secrets.
type secretFinder interface {
	Find(text string) []secrets.Hit
}

func newSecretFinder() secretFinder { return secrets.New() }

// findSecrets reports secrets, and remembers where they are so that no excerpt
// shows them.
func (r *run) findSecrets() {
	for _, h := range r.secrets.Find(r.text) {
		if h.End <= h.Start || h.End > len(r.text) {
			continue
		}
		r.masks = append(r.masks, span{h.Start, h.End})
		if r.count["secret"] >= perRule {
			continue
		}
		r.count["secret"]++
		r.found = append(r.found, Finding{Rule: h.Rule, Kind: Secret, Level: Quarantine, Start: h.Start, End: h.End, Why: h.Why})
	}
}
