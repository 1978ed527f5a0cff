package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func run(t *testing.T, lines string, notes ...string) (string, bool) {
	t.Helper()
	var out strings.Builder
	s := newSummary(&out)
	if err := readEvents(strings.NewReader(lines), s.add); err != nil {
		t.Fatal(err)
	}
	ok := s.finish(notes)
	return out.String(), ok
}

func TestSummary(t *testing.T) {
	const passes = `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
`
	tests := []struct {
		name  string
		lines string
		notes []string
		ok    bool
		want  string
	}{
		{
			name:  "a package that passes is one line",
			lines: passes + `{"Action":"pass","Package":"p","Elapsed":0.25}`,
			ok:    true,
			want:  "ok    p  0.2s\n\n1 passed, 0 failed, 0 skipped\n",
		},
		{
			name: "a test with subtests counts as its subtests",
			lines: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/x"}
{"Action":"run","Package":"p","Test":"TestA/y"}
{"Action":"pass","Package":"p","Test":"TestA/x"}
{"Action":"pass","Package":"p","Test":"TestA/y"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Elapsed":1}`,
			ok:   true,
			want: "ok    p  1.0s\n\n2 passed, 0 failed, 0 skipped\n",
		},
		{
			name: "a failure shows its output and the package's, and counts once",
			lines: passes + `{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"run","Package":"p","Test":"TestB/x"}
{"Action":"output","Package":"p","Test":"TestB/x","Output":"    b_test.go:3: got 1\n"}
{"Action":"fail","Package":"p","Test":"TestB/x"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Output":"-test.shuffle 7\n"}
{"Action":"fail","Package":"p","Elapsed":1}`,
			want: `FAIL  p  1.0s
  --- FAIL: TestB/x
          b_test.go:3: got 1
      -test.shuffle 7

failed:
  p TestB/x

1 passed, 1 failed, 0 skipped
`,
		},
		{
			name: "a test that fails by itself counts although its subtests pass",
			lines: `{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"run","Package":"p","Test":"TestB/x"}
{"Action":"pass","Package":"p","Test":"TestB/x"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p","Elapsed":1}`,
			want: "FAIL  p  1.0s\n  --- FAIL: TestB\n\nfailed:\n  p TestB\n\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a package that does not build is one failure with the compiler's words",
			lines: passes + `{"Action":"pass","Package":"p","Elapsed":1}
{"ImportPath":"q","Action":"build-output","Output":"q.go:1:1: no\n"}
{"ImportPath":"q","Action":"build-fail"}
{"Action":"fail","Package":"q","Elapsed":0,"FailedBuild":"q"}`,
			want: "ok    p  1.0s\nFAIL  q  0.0s\n      q.go:1:1: no\n\nfailed:\n  q\n\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a test under which the process died has failed",
			lines: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"fatal error: stack overflow\n"}
{"Action":"fail","Package":"p","Elapsed":1}`,
			want: "FAIL  p  1.0s\n  --- FAIL: TestA\n      fatal error: stack overflow\n\nfailed:\n  p TestA\n\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			name:  "a run that was stopped has failed",
			lines: passes,
			want:  "FAIL  p  0.0s\n\nfailed:\n  p\n\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a skip gives its reason, and so does what never became a test",
			lines: passes + `{"Action":"run","Package":"p","Test":"TestS"}
{"Action":"output","Package":"p","Test":"TestS","Output":"=== RUN   TestS\n"}
{"Action":"output","Package":"p","Test":"TestS","Output":"    s_test.go:9: no network\n"}
{"Action":"output","Package":"p","Test":"TestS","Output":"--- SKIP: TestS (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestS"}
{"Action":"pass","Package":"p","Elapsed":1}
{"Action":"skip","Package":"without/tests","Elapsed":0}`,
			notes: []string{"race detector: no compiler"},
			ok:    true,
			want:  "ok    p  1.0s\n\nskipped, and why:\n  p TestS: no network\n  race detector: no compiler\n\n1 passed, 0 failed, 1 skipped\n",
		},
		{
			name: "a subtest's own name can hold slashes",
			lines: passes + `{"Action":"run","Package":"p","Test":"TestS"}
{"Action":"run","Package":"p","Test":"TestS/../x_and_a//b"}
{"Action":"pass","Package":"p","Test":"TestS/../x_and_a//b"}
{"Action":"pass","Package":"p","Test":"TestS"}
{"Action":"pass","Package":"p","Elapsed":1}`,
			ok:   true,
			want: "ok    p  1.0s\n\n2 passed, 0 failed, 0 skipped\n",
		},
		{
			name:  "no events at all are no success",
			lines: "go: errors parsing go.mod\n",
			want:  "go: errors parsing go.mod\n\nno test ran: is this the output of go test -json?\n\n0 passed, 0 failed, 0 skipped\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := run(t, tt.lines, tt.notes...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if ok != tt.ok {
				t.Errorf("ok = %v, want %v", ok, tt.ok)
			}
		})
	}
}
