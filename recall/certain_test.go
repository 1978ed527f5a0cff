package recall

import (
	"fmt"
	"testing"
)

func TestANameThatOneDocumentHasIsCertain(t *testing.T) {
	t.Parallel()
	b := NewBuilder()
	for i := range 200 {
		b.Add(Doc{ID: fmt.Sprint(i), Kind: Note, Title: fmt.Sprintf("note %d", i), Body: fmt.Sprintf("The serial number of widget%d is %d.", 100+i, i*7919)})
	}
	b.Add(Doc{ID: "test", Kind: Note, Title: "flaky", Body: "TestCheckoutConcurrent is flaky on two cores: run it with -cpu 1."})
	parts := []Part{{Index: b.Index()}}
	for _, tt := range []struct {
		ask, first string
		certain    bool
	}{
		{"which serial number has widget142?", "42", true},
		{"--- FAIL: TestCheckoutConcurrent (0.31s)", "test", true},
		{"which serial number has widget999?", "", false},
		{"what is the serial number?", "", false},
		{"which widget is it?", "", false},
	} {
		hits := Search(Query{Text: tt.ask, Limit: 3}, parts)
		certain := ""
		for _, h := range hits {
			if h.Certain {
				certain = h.ID
				break
			}
		}
		if want := tt.first; certain != want {
			t.Errorf("%s: certain is %q, want %q, of %+v", tt.ask, certain, want, hits)
		}
	}
}
