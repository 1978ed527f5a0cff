package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxDepth of a JSON value from a model. Nothing we ask for comes near.
const maxDepth = 100

var (
	errNoJSON = errors.New("there is no JSON value in it")
	errCut    = errors.New("it ends in the middle of a JSON value")
	errDepth  = errors.New("it is nested too deep")
	errTwice  = errors.New("a key stands twice in one object")
)

// readJSON reads text that is one JSON value and nothing else, with numbers as
// json.Number. Unlike encoding/json it refuses keys that stand twice: two readers
// could see two different values.
func readJSON(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one value")
	}
	return v, nil
}

func readValue(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, broken(err)
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if depth >= maxDepth {
		return nil, errDepth
	}
	if delim == '[' {
		return readList(d, depth)
	}
	return readObject(d, depth)
}

func readList(d *json.Decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := readValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, closing(d)
}

func readObject(d *json.Decoder, depth int) (any, error) {
	object := map[string]any{}
	for d.More() {
		t, err := d.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return nil, broken(err)
		}
		if _, ok := object[key]; ok {
			return nil, errTwice
		}
		v, err := readValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		object[key] = v
	}
	return object, closing(d)
}

func closing(d *json.Decoder) error {
	if _, err := d.Token(); err != nil {
		return broken(err)
	}
	return nil
}

func broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return errNoJSON
}

// maxStarts is at how many places of a text a JSON value is looked for.
const maxStarts = 10_000

// findJSON finds the one value in text that is of the schema, and returns it in
// the form that encoding/json gives it: models put prose and fences around what was
// to be JSON alone. Two different values are none: which was meant is not ours to
// guess.
func findJSON(text string, want *schema) (json.RawMessage, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF"))
	if v, err := readJSON([]byte(text)); err == nil {
		if err := want.check("", v); err != nil {
			return nil, err
		}
		return json.Marshal(v)
	} else if errors.Is(err, errTwice) || errors.Is(err, errDepth) {
		return nil, err
	}
	var found json.RawMessage
	reason := errNoJSON
	for starts := 0; starts < maxStarts; starts++ {
		i := strings.IndexAny(text, "{[")
		if i < 0 {
			break
		}
		text = text[i:]
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		v, err := readValue(d, 0)
		// What was read of a value that then broke is not looked at again: a part
		// of it could pass for the whole. It also keeps the work linear.
		text = text[max(d.InputOffset(), 1):]
		if err == nil {
			err = want.check("", v)
		}
		if err != nil {
			if !errors.Is(err, errNoJSON) {
				reason = err
			}
			if errors.Is(err, errCut) {
				break
			}
			continue
		}
		value, err := json.Marshal(v)
		if err != nil {
			return nil, errNoJSON
		}
		if found != nil && !bytes.Equal(found, value) {
			return nil, errors.New("there are two JSON values in it that differ")
		}
		found = value
	}
	if found == nil {
		return nil, reason
	}
	return found, nil
}

// place names where in an answer something is wrong. Keys come from the schema,
// never from the answer.
func place(path string) string {
	if path == "" {
		return "the value"
	}
	return path
}

func wrong(path, format string, args ...any) error {
	return errors.New(place(path) + " " + fmt.Sprintf(format, args...))
}
