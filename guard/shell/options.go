package shell

import "strings"

// operands are the words that are no options. valued are letters of the options
// whose value is the next word.
func operands(args []Word, valued string) []Word {
	var out []Word
	for i := 0; i < len(args); i++ {
		switch t := args[i].Text; {
		case t == "--":
			return append(out, args[i+1:]...)
		case len(t) > 1 && t[0] == '-':
			if takesNext(t, valued) {
				i++
			}
		default:
			out = append(out, args[i])
		}
	}
	return out
}

// takesNext tells whether an option's value is the next word: its last letter is
// one of valued, and none before it is.
func takesNext(option, valued string) bool {
	if strings.HasPrefix(option, "--") {
		return false
	}
	n := strings.IndexAny(option[1:], valued)
	return valued != "" && n >= 0 && n == len(option)-2
}

// hasOption tells whether one of the options is there; short ones also within a
// cluster.
func hasOption(args []Word, options ...string) bool {
	for _, a := range args {
		if a.Text == "--" {
			return false
		}
		for _, o := range options {
			if a.Text == o || strings.HasPrefix(o, "--") && strings.HasPrefix(a.Text, o+"=") {
				return true
			}
			if len(o) == 2 && len(a.Text) > 2 && a.Text[0] == '-' && a.Text[1] != '-' && letters(a.Text[1:], o[1]) {
				return true
			}
		}
	}
	return false
}

// letters tells whether a letter is in a cluster: before anything that is none.
func letters(cluster string, letter byte) bool {
	for i := range len(cluster) {
		switch c := cluster[i]; {
		case c == letter:
			return true
		case c|0x20 < 'a' || c|0x20 > 'z':
			return false
		}
	}
	return false
}

// endsCluster tells whether a letter is the last of a cluster: -qc.
func endsCluster(word string, letter byte) bool {
	return len(word) > 2 && word[0] == '-' && word[1] != '-' && word[len(word)-1] == letter && letters(word[1:], letter)
}

// optionValue is the value of an option: -o value, -ovalue, --out value, --out=value.
func optionValue(args []Word, options ...string) (values []Word) {
	for i, a := range args {
		if a.Text == "--" {
			break
		}
		for _, o := range options {
			long := len(o) > 2
			switch {
			case i+1 < len(args) && (a.Text == o || !long && endsCluster(a.Text, o[1])):
				values = append(values, args[i+1])
			case long && strings.HasPrefix(a.Text, o+"="):
				a.Text = a.Text[len(o)+1:]
				values = append(values, a)
			case !long && len(a.Text) > 2 && strings.HasPrefix(a.Text, o):
				a.Text = a.Text[2:]
				values = append(values, a)
			}
		}
	}
	return values
}
