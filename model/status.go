package model

import "fmt"

// statusOverloaded is Anthropic's own.
const statusOverloaded = 529

// StatusFailure is what an HTTP status means here.
func StatusFailure(status int) *Failure {
	f := &Failure{Status: status, Text: fmt.Sprintf("status %d", status)}
	switch {
	case status == 401 || status == 403:
		f.Err = ErrKey
	case status == 429 || status == statusOverloaded:
		f.Err, f.Again = ErrLimit, true
	case status >= 500 || status == 408 || status == 409 || status < 300:
		f.Err, f.Again = ErrServer, true
	case status < 400:
		f.Err, f.Text = ErrRefused, fmt.Sprintf("status %d sends us elsewhere, and we don't go", status)
	default:
		f.Err = ErrRefused
	}
	return f
}
