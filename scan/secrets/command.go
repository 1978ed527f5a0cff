package secrets

import "strings"

// command returns what follows on the same command line, lines that end with a
// backslash included, 600 bytes at most.
func command(text string) string {
	text = text[:min(len(text), 600)]
	for i := range len(text) {
		if text[i] == '\n' && (i == 0 || text[i-1] != '\\') {
			return text[:i]
		}
	}
	return text
}

// optionPassword reads sshpass -p v, docker login -p v, mysql -pv and, of a
// Redis configuration, requirepass v.
func optionPassword(text string, at, after int) (start, end int, ok bool) {
	rest := command(text[after:])
	start = after
	if !hasFold(text[at:], "requirepass") {
		n := strings.Index(" "+rest, " -p")
		if n < 0 {
			return 0, 0, false
		}
		start += n + len("-p")
		if hasFold(text[at:], "mysql") && start < len(text) && isSpace(text[start]) {
			return 0, 0, false // mysql asks for it
		}
	}
	start = skip(text, start, " =\"'", 3)
	end = start + wordEnd(text[start:min(len(text), start+200)])
	for end > start && strings.IndexByte("\"'`.,)", text[end-1]) >= 0 {
		end--
	}
	v := text[start:end]
	return start, end, len(v) >= 4 && !strings.HasPrefix(v, "-") && !madeUp(v) && !common(v, "") && strings.Trim(v, "0123456789:") != ""
}

// netrc reads machine h login u password v.
func netrc(text string, _, after int) (start, end int, ok bool) {
	at := after
	for field := range 6 {
		at = skip(text, at, " \t\r\n", 8)
		n := wordEnd(text[at:min(len(text), at+200)])
		word := text[at : at+n]
		if field == 1 && word != "login" {
			return 0, 0, false
		}
		if field == 4 {
			return at, at + n, len(word) >= 3 && !madeUp(word) && !common(word, "")
		}
		if field == 3 && word != "password" || n == 0 {
			return 0, 0, false
		}
		at += n
	}
	return 0, 0, false
}

// curlUser reads curl -u user:password, to the end of the command.
func curlUser(text string, _, after int) (start, end int, ok bool) {
	command := command(text[after:])
	at := -1
	for _, option := range [...]string{" -u", " --user"} {
		if n := strings.Index(" "+command, option); n >= 0 && n+len(option) < len(command)+1 {
			at = n + len(option) - 1
			if at < len(command) && strings.IndexByte(" =\"'", command[at]) >= 0 || option == " -u" {
				break
			}
			at = -1 // --user-agent
		}
	}
	if at < 0 {
		return 0, 0, false
	}
	at = skip(command, at, " =\"'", 4)
	word := command[at : at+wordEnd(command[at:])]
	user, pw, found := strings.Cut(word, ":")
	start = after + at + len(user) + 1
	pw = strings.TrimLeft(pw, "\"'")
	start += len(word) - len(user) - 1 - len(pw)
	if pw = strings.TrimRight(pw, "\"'"); found && pw == "" && random(user) {
		return after + at, after + at + len(user), true // a token is the user
	}
	return start, start + len(pw), found && len(pw) >= 3 && !madeUp(word) && !madeUp(pw) && !common(pw, user)
}

func wordEnd(s string) int {
	if n := strings.IndexAny(s, " \t\n"); n >= 0 {
		return n
	}
	return len(s)
}
