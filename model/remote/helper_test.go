package remote_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/model"
	"dormouse/testkit/modelserver"
)

// The whole way: a model without a network of its own, the program, a server.
func TestTheProgramIsFoundOnPathAndAsksForUs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", dir+string(filepath.Separator), "dormouse/cmd/dormouse-model")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, form := range modelserver.Forms() {
		s, err := modelserver.Start(modelserver.Steps(
			modelserver.Step{Fault: modelserver.Overloaded, RetryAfter: "3"}, modelserver.Step{Text: "through two processes"},
			modelserver.Step{Fault: modelserver.Hang}))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close() //nolint:errcheck // a test server
		spec, key := provider(form)
		c := &clock{hanging: s.Hanging()}
		m, err := model.Open(model.Config{
			Spec: spec + "@" + s.Base(form), Timeout: tryTimeout, Tries: 2, Clock: c,
			Getenv: func(name string) string {
				switch name {
				case key:
					return secret
				case "PATH":
					return dir
				}
				return ""
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		res, err := m.Generate(t.Context(), question())
		if err != nil || res.Text != "through two processes" || len(c.waits) != 1 {
			t.Errorf("%s: %+v, %v, waits %v", form, res, err, c.waits)
		}
		if r := s.Requests()[1]; form == modelserver.OpenAI && r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("%s: the key did not arrive", form)
		}
		// Past the script it answers "done": a try that hangs is killed and made again.
		if res, err = m.Generate(t.Context(), question()); err != nil || res.Text != "done" {
			t.Errorf("%s: %+v, %v", form, res, err)
		}
		if strings.Contains(string(s.Requests()[0].Body), secret) {
			t.Error("the key is in the body")
		}
	}
}
