package jsonedit

import (
	"bytes"
	"encoding/json"
)

// Find returns the value at path as it stands in src, nil without one. It reads
// only as much as it takes to pass over what stands before, so it is fast on a
// source of megabytes; in one that is no JSON object what it returns means
// nothing. Of members of one name it takes the last, as readers do.
func Find(src []byte, path []string) []byte {
	text := src[bomLen(src):]
	for _, name := range path {
		i := pass(text, 0)
		if i >= len(text) || text[i] != '{' {
			return nil
		}
		if text = lastOf(text, i+1, name); text == nil {
			return nil
		}
	}
	if i := pass(text, 0); i < len(text) {
		return text[i:valueEnd(text, i)]
	}
	return nil
}

// lastOf returns the value of the last member of a name in the object whose
// members begin at i.
func lastOf(text []byte, i int, name string) []byte {
	var found []byte
	for i = pass(text, i); i < len(text) && text[i] == '"'; i = pass(text, i) {
		end := stringEnd(text, i)
		key := text[i:end]
		i = pass(text, end)
		if i >= len(text) || text[i] != ':' {
			return nil
		}
		i = pass(text, i+1)
		if i >= len(text) {
			return nil
		}
		at := i
		i = valueEnd(text, at)
		if isKey(key, name) {
			found = text[at:i]
		}
		if i = pass(text, i); i < len(text) && text[i] == ',' {
			i++
		}
	}
	return found
}

// isKey tells whether a string as it is written says name.
func isKey(written []byte, name string) bool {
	if bytes.IndexByte(written, '\\') < 0 {
		return len(written) == len(name)+2 && string(written[1:len(written)-1]) == name
	}
	var s string
	return json.Unmarshal(written, &s) == nil && s == name
}

// pass returns the offset of the next byte that is no blank and in no comment.
func pass(text []byte, i int) int {
	for i < len(text) {
		if !isWhite(text[i]) {
			end := i + 1
			if text[i] == '/' {
				end = commentEnd(text, i)
			}
			if end == i+1 {
				return i
			}
			i = end
			continue
		}
		i++
	}
	return i
}

// valueEnd returns the offset behind the value that starts at i. It is always
// further on.
func valueEnd(text []byte, i int) int {
	depth := 0
	for start := i; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i = stringEnd(text, i)
		case c == '{' || c == '[':
			depth++
			i++
		case c == '}' || c == ']':
			if depth == 0 {
				return max(i, start+1)
			}
			depth--
			i++
		case c == '/':
			i = commentEnd(text, i)
		default:
			i++
			// A number or a word goes on to the next byte that cannot be part of it.
			if depth == 0 && i < len(text) && !bytes.ContainsRune([]byte(",]} \t\r\n/"), rune(text[i])) {
				continue
			}
		}
		if depth == 0 {
			return i
		}
	}
	return len(text)
}
