package remote_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const aLog = `{"type":"user","uuid":"u1","sessionId":"s","version":"2.1.332","timestamp":"2026-03-02T10:00:00Z","cwd":"/p","message":{"role":"user","content":"Remember that we deploy on Mondays."}}
{"type":"assistant","uuid":"a1","sessionId":"s","version":"2.1.332","timestamp":"2026-03-02T10:00:01Z","cwd":"/p","message":{"role":"assistant","content":[{"type":"text","text":"The token is SECRET"}]}}
`

func TestASessionLogBecomesASessionThatGrows(t *testing.T) {
	t.Parallel()
	address, keyFile := served(t)
	secret := "ghp_" + "x7Kq9ZrT2mWvB4nLpD8s" + "FhJ3cYgA6eUtR1oQ"
	l := newLaptop(t)
	log := filepath.Join(l.home, "session.jsonl")
	text := strings.Replace(aLog, "SECRET", secret, 1)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var sessions []string
	bring := func() (events, masked int) {
		t.Helper()
		var out struct {
			Sessions []struct {
				ID     string `json:"session_id"`
				Events int    `json:"events"`
				Masked int    `json:"masked"`
			} `json:"sessions"`
		}
		if err := json.Unmarshal([]byte(l.must(0, "import", log, "--url", address, "--key-file", keyFile, "--json")), &out); err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, out.Sessions[0].ID)
		return out.Sessions[0].Events, out.Sessions[0].Masked
	}
	write(text)
	if events, masked := bring(); events != 2 || masked != 1 {
		t.Errorf("%d events, %d masked", events, masked)
	}
	write(text + strings.NewReplacer("u1", "u2", "Mondays", "Tuesdays").Replace(strings.SplitAfter(text, "\n")[0]))
	bring()
	if sessions[0] == "" || sessions[0] != sessions[1] {
		t.Errorf("it became the sessions %v", sessions)
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/v1/sessions/"+sessions[0]+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", strings.TrimSpace(string(key)))
	req.Header.Set("anthropic-beta", "managed-agents-2026-04-01")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
	if err != nil || strings.Count(string(body), `"type":"user.message"`) != 2 || strings.Contains(string(body), secret) || !strings.Contains(string(body), "Tuesdays") {
		t.Errorf("%v %s", err, body)
	}
}

func TestWhatIsNoLogIsSaid(t *testing.T) {
	t.Parallel()
	address, keyFile := served(t)
	l := newLaptop(t)
	l.write("no.jsonl", "no log\n")
	l.write("wrong", "dmk-wrong\n")
	for want, args := range map[string][]string{
		"needs a session log":     {"import"},
		"there is no such file":   {"import", "none.jsonl", "--url", address, "--key-file", keyFile},
		"can't be read":           {"import", filepath.Join(l.dir, "no.jsonl"), "--url", address, "--key-file", keyFile},
		"takes no session logs":   {"import", "x", "--key-file", keyFile},
		"would send the key":      {"import", "x", "--url", "http://example.com", "--key-file", keyFile},
		"there is no key for":     {"import", "x", "--url", address},
		"is it the right key for": {"import", filepath.Join(l.dir, "no.jsonl"), "--url", address, "--key-file", filepath.Join(l.dir, "wrong")},
	} {
		if code, out, said := l.run(args...); code == 0 || !strings.Contains(said, want) {
			t.Errorf("%v: %d %s%s, want %q", args, code, out, said, want)
		}
	}
}
