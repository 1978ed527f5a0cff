package startup

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestAppendJSONIsWhatEncodingJSONWrites fills every field of a report, also of
// kinds added later, and compares byte for byte.
func TestAppendJSONIsWhatEncodingJSONWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Report
		fill(t, reflect.ValueOf(&r).Elem())
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(&r); err != nil {
			t.Fatal(err)
		}
		got := append(r.AppendJSON(nil), '\n')
		if !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("written\n%s\nencoding/json writes\n%s", got, want.Bytes())
		}
	})
}

// fill sets a value and all below it to something drawn; zero values are among
// what is drawn.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			if rapid.Bool().Draw(t, "time") {
				v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC()))
			}
			return
		}
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Slice:
		n := rapid.IntRange(-1, 2).Draw(t, "n")
		if n < 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i))
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "pointer") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.String:
		v.SetString(rapid.OneOf(rapid.Just(""), rapid.String(), rapid.Just("a\x00\x1f\"\\\b\f\n\r\t<&>\u2028\xff\x7f🚀")).Draw(t, "text"))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(rapid.IntRange(-2, 3).Draw(t, "number")))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "flag"))
	default:
		t.Fatalf("a field of kind %v: teach AppendJSON and this test about it", v.Kind())
	}
}
