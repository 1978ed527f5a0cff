package scan

import "strings"

// personal finds data of persons: e-mail addresses, phone numbers, accounts,
// cards, identity numbers.
func (r *run) personal() {
	text := r.text
	for at := 0; at < len(text); at++ {
		c := text[at]
		if at > 0 && alnum(text[at-1]) || !alnum(c) && c != '+' {
			if c == '@' {
				r.email(at)
			}
			continue
		}
		switch {
		case c == '+':
			r.phone(at)
		case c >= '0' && c <= '9':
			at = max(at, r.digits(at)-1)
		case c >= 'A' && c <= 'Z':
			r.iban(at)
		}
	}
}

func alnum(c byte) bool { return asciiLetter(rune(c)) || c >= '0' && c <= '9' }

// email reports the address around the @ at i. Addresses at example domains
// (RFC 2606) and those that nobody reads pass.
func (r *run) email(i int) {
	start, end := i, i+1
	for start > 0 && i-start < 64 && (alnum(r.text[start-1]) || strings.IndexByte("._%+-", r.text[start-1]) >= 0) {
		start--
	}
	for end < len(r.text) && end-i < 255 && (alnum(r.text[end]) || r.text[end] == '.' || r.text[end] == '-') {
		end++
	}
	host := strings.ToLower(strings.TrimRight(r.text[i+1:end], ".-"))
	end = i + 1 + len(host)
	name := strings.ToLower(r.text[start:i])
	if name == "" || !strings.Contains(host, ".") || strings.HasPrefix(host, ".") || !asciiLetter(rune(host[len(host)-1])) {
		return
	}
	if end < len(r.text) && (r.text[end] == ':' || r.text[end] == '/') || name == "git" {
		return
	}
	for _, nobody := range [...]string{"no-reply", "noreply", "donotreply", "do-not-reply"} {
		if strings.HasPrefix(name, nobody) {
			return
		}
	}
	for _, part := range [...]string{"example", "test", "invalid", "localhost", "local"} {
		if within(host, part) {
			return
		}
	}
	if within(host, "example.com") || within(host, "example.org") || within(host, "example.net") || within(host, "users.noreply.github.com") {
		return
	}
	r.add("personal/email", start, end)
}

// phone reports an international number: a plus, a country code, 8 to 15 digits
// in all (ITU-T E.164).
func (r *run) phone(at int) {
	end, n := r.digitGroups(at+1, " -.()", 2)
	if n >= 8 && n <= 15 && end-at > 9 && r.text[at+1] != '0' {
		r.add("personal/phone", at, end)
	}
}

// digitGroups returns the end of the digits from at on, with separators of the
// given kind between them (at most run in a row), and their number.
func (r *run) digitGroups(at int, separators string, run int) (end, n int) {
	end = at
	for i := at; i < len(r.text) && i-end <= run; i++ {
		switch c := r.text[i]; {
		case c >= '0' && c <= '9':
			n++
			end = i + 1
		case strings.IndexByte(separators, c) < 0:
			return end, n
		}
	}
	return end, n
}

// digits looks at the number at offset at and returns its end.
func (r *run) digits(at int) int {
	end, n := r.digitGroups(at, " -", 1)
	number := r.text[at:end]
	switch {
	case end < len(r.text) && alnum(r.text[end]):
	case n >= 13 && n <= 19 && number[0] >= '3' && number[0] <= '6' && luhn(number):
		r.add("personal/card", at, end)
	case len(number) == 11 && number[3] == '-' && number[6] == '-' && n == 9 && socialSecurity(number):
		r.add("personal/id", at, end)
	}
	return end
}

// socialSecurity reports numbers that the US administration can have issued.
func socialSecurity(s string) bool {
	area := s[:3]
	return area != "000" && area != "666" && area[0] != '9' && s[4:6] != "00" && s[7:] != "0000" && s != "123-45-6789"
}

// luhn checks the sum of a card number (ISO/IEC 7812).
func luhn(s string) bool {
	sum, even, distinct := 0, false, false
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		d := int(s[i] - '0')
		distinct = distinct || s[i] != s[len(s)-1]
		if even {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		even = !even
		sum += d
	}
	return distinct && sum%10 == 0
}

// iban reports an account number with a right check sum (ISO 13616).
func (r *run) iban(at int) {
	t := r.text
	if at+15 > len(t) || t[at+1] < 'A' || t[at+1] > 'Z' || t[at+2] < '0' || t[at+2] > '9' || t[at+3] < '0' || t[at+3] > '9' {
		return
	}
	var code []byte
	end := at
	for i := at; i < len(t) && len(code) < 34 && i-end <= 1; i++ {
		switch c := t[i]; {
		case c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			code = append(code, c)
			end = i + 1
		case c != ' ':
			i = len(t)
		}
	}
	if len(code) >= 15 && mod97(append(code[4:len(code):len(code)], code[:4]...)) == 1 {
		r.add("personal/iban", at, end)
	}
}

func mod97(code []byte) int {
	m := 0
	for _, c := range code {
		if c >= 'A' {
			m = (m*100 + int(c-'A') + 10) % 97
		} else {
			m = (m*10 + int(c-'0')) % 97
		}
	}
	return m
}
