package transcript

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said lists the blocks of a log, as "line origin text".
func said(t *testing.T, r io.Reader, seen *Seen) ([]string, Stats) {
	t.Helper()
	var out []string
	st, err := Read(r, seen, func(x *Turn) error {
		for _, b := range x.Blocks {
			out = append(out, fmt.Sprintf("%d %s %s", x.Line, b.Origin, b.Text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, st
}

const (
	modernRow = `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"TEXT"},"uuid":"UUID","timestamp":"2026-11-30T15:58:28.993Z","origin":{"kind":"human"},"promptSource":"typed","turnOrigin":"human","turnPosition":{"promptIndex":1},"userType":"external","sessionId":"s","version":"2.1.332"}`
	agentRow  = `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"ok"}]},"uuid":"a1","sessionId":"s","version":"2.1.332"}`
)

func modern(text string) string {
	return strings.Replace(modernRow, "TEXT", text, 1)
}

// with puts a field into a row, in the place of the one of that name if it is there.
func with(row, field string) string {
	name, _, _ := strings.Cut(field, ":")
	if i := strings.Index(row, name+":"); i >= 0 {
		end := i + strings.IndexByte(row[i:], ',')
		return row[:i] + field + row[end:]
	}
	return row[:len(row)-1] + "," + field + "}"
}

func TestOnlyWhatTheClientSaysAPersonTypedIsAPersons(t *testing.T) {
	t.Parallel()
	const old = `{"type":"user","message":{"role":"user","content":"hello"},"uuid":"u","sessionId":"s"}`
	tests := []struct {
		name, row string
		want      string
	}{
		{"typed in the terminal", modern("hello"), "1 person hello"},
		{"typed while the agent worked", with(modern("hello"), `"promptSource":"queued"`), "1 person hello"},
		{"headless", `{"type":"user","message":{"content":"hello"},"promptSource":"sdk","turnOrigin":"sdk","rowSource":"local","turnPosition":{"turnIndex":1},"userType":"external","sessionId":"s"}`, "1 person hello"},
		{"an older log without any marks", old, "1 person hello"},
		{"the origin is null", with(old, `"origin":null`), "1 person hello"},
		{"origin of another kind", with(modern("hello"), `"origin":{"kind":"task-notification"}`), "1 injected hello"},
		{"origin without a kind", with(modern("hello"), `"origin":{}`), "1 injected hello"},
		{"origin that is a string", with(modern("hello"), `"origin":"human"`), "1 injected hello"},
		{"origin of two kinds", with(old, `"promptSource":"typed","origin":{"kind":"task","kind":"human"}`), "1 injected hello"},
		{"a source that is not known", with(modern("hello"), `"promptSource":"system"`), "1 injected hello"},
		{"a client that says sources, but not here", with(modern("hello"), `"promptSource":""`), "1 injected hello"},
		{"a row of the client's own", with(old, `"rowSource":"harness"`), "1 injected hello"},
		{"a local command has no source", with(old, `"rowSource":"local"`), "1 injected hello"},
		{"a hook's row", with(modern("hello"), `"rowSource":"hook"`), "1 injected hello"},
		{"a turn of another", with(modern("hello"), `"turnOrigin":"task_notification"`), "1 injected hello"},
		{"a turn of the agent", with(old, `"turnOrigin":"agent"`), "1 injected hello"},
		{"isMeta", with(modern("hello"), `"isMeta":true`), "1 injected hello"},
		{"isMeta as a string", with(modern("hello"), `"isMeta":"yes"`), "1 injected hello"},
		{"isMeta false", with(modern("hello"), `"isMeta":false`), "1 person hello"},
		{"a name written with escapes", with(modern("hello"), `"is\u004deta":true`), "1 injected hello"},
		{"beside a tool's call", with(modern("hello"), `"sourceToolUseID":"t"`), "1 injected hello"},
		{"after a tool's call", with(modern("hello"), `"sourceToolAssistantUUID":"t"`), "1 injected hello"},
		{"with a tool's result", with(modern("hello"), `"toolUseResult":"x"`), "1 injected hello"},
		{"a companion of a turn", with(modern("hello"), `"turnCompanion":true`), "1 injected hello"},
		{"a hook's text", with(modern("hello"), `"hookText":true`), "1 injected hello"},
		{"shown only in the transcript", with(modern("hello"), `"isVisibleInTranscriptOnly":true`), "1 injected hello"},
		{"a summary", with(modern("hello"), `"isCompactSummary":true`), "1 summary hello"},
		{"a summary by its words alone", modern(continued + " x"), "1 summary " + continued + " x"},
		{"another user type", with(modern("hello"), `"userType":"internal"`), "1 injected hello"},
		{"a message of another role", strings.Replace(modern("hello"), `"role":"user"`, `"role":"assistant"`, 1), "1 injected hello"},
		{"a subagent's", with(modern("hello"), `"agentId":"a"`), "1 injected hello"},
		{"the first of a sidechain is the agent's", with(modern("hello"), `"isSidechain":true`), "1 agent hello"},
		{"one further down a sidechain", with(with(modern("hello"), `"isSidechain":true`), `"parentUuid":"p"`), "1 injected hello"},
		{"a tag", modern("<system-reminder>hello"), "1 injected <system-reminder>hello"},
		{"a tag in capitals", modern("<System-Reminder>hello"), "1 injected <System-Reminder>hello"},
		{"a memory tag", modern("<memory>hello"), "1 recalled <memory>hello"},
		{"an interrupt", modern("[Request interrupted by user]"), "1 injected [Request interrupted by user]"},
		{"a caveat of older clients", modern("Caveat: The messages below were generated by the user while running local commands. x"), "1 injected Caveat: The messages below were generated by the user while running local commands. x"},
		{"other tags are the person's", modern("put it into <b>bold</b> and <instructions>"), "1 person put it into <b>bold</b> and <instructions>"},
		{"a result beside the text", strings.Replace(old, `"hello"`, `[{"type":"text","text":"hello"},{"type":"tool_result","tool_use_id":"t","content":"r"}]`, 1), "1 injected hello|1 tool r"},
		{"what was typed when a call was refused", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"no","is_error":true}]},"toolUseResult":"Error","toolDenialKind":"user-rejected","userFeedback":"use make","holdsPersonsWords":true,"sessionId":"s"}`, "1 tool no|1 person use make"},
		{"a refusal that holds no person's words", with(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"no","is_error":true}]},"toolUseResult":"Error","toolDenialKind":"user-rejected","userFeedback":"use make","holdsPersonsWords":true,"sessionId":"s"}`, `"holdsPersonsWords":false`), "1 tool no"},
		{"words without a refusal", with(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"no","is_error":true}]},"toolUseResult":"Error","toolDenialKind":"user-rejected","userFeedback":"use make","holdsPersonsWords":true,"sessionId":"s"}`, `"toolDenialKind":"permission-rule"`), "1 tool no"},
		{"a refusal in a subagent", with(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"no","is_error":true}]},"toolUseResult":"Error","toolDenialKind":"user-rejected","userFeedback":"use make","holdsPersonsWords":true,"sessionId":"s"}`, `"isSidechain":true`), "1 tool no"},
		{"a queued command", `{"type":"attachment","attachment":{"type":"queued_command","prompt":"hello","commandMode":"prompt","origin":{"kind":"human"},"humanTurn":true},"uuid":"u","sessionId":"s"}`, "1 person hello"},
		{"a queued command without an origin", `{"type":"attachment","attachment":{"type":"queued_command","prompt":"hello","commandMode":"prompt","humanTurn":true},"uuid":"u","sessionId":"s"}`, "1 injected hello"},
		{"a queued notification", `{"type":"attachment","attachment":{"type":"queued_command","prompt":"hello","commandMode":"task-notification","origin":{"kind":"human"},"humanTurn":true},"uuid":"u","sessionId":"s"}`, "1 injected hello"},
		{"a queued command that no human turn made", `{"type":"attachment","attachment":{"type":"queued_command","prompt":"hello","commandMode":"prompt","origin":{"kind":"human"},"humanTurn":"true"},"uuid":"u","sessionId":"s"}`, "1 injected hello"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, st := said(t, strings.NewReader(tt.row), nil)
			if s := strings.Join(got, "|"); s != tt.want {
				t.Errorf("got %s, want %s (%+v)\n%s", s, tt.want, st, tt.row)
			}
		})
	}
}

func TestATextIsTakenApart(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"plain", "use tabs", "person:use tabs"},
		{"a reminder behind it", "use tabs\n<system-reminder>x</system-reminder>\n", "person:use tabs\n|injected:<system-reminder>x</system-reminder>\n"},
		{"a note behind it", "use tabs <memory>x</memory>", "person:use tabs |recalled:<memory>x</memory>"},
		{"two behind it", "a <system-reminder>x</system-reminder> <ide_selection>y</ide_selection>", "person:a |injected:<system-reminder>x</system-reminder> <ide_selection>y</ide_selection>"},
		{"a reminder before it", "<system-reminder>x</system-reminder> use tabs", "injected:<system-reminder>x</system-reminder> use tabs"},
		{"text on both sides", "a <system-reminder>x</system-reminder> b", "injected:a <system-reminder>x</system-reminder> b"},
		{"one that never closes", "hi <system-reminder>do x", "injected:hi <system-reminder>do x"},
		{"one that only closes", "do x</system-reminder>", "injected:do x</system-reminder>"},
		{"one that closes first", "do x</system-reminder> <system-reminder>y</system-reminder>", "injected:do x</system-reminder> <system-reminder>y</system-reminder>"},
		{"a paste between", `a <pasted_content id="dc20">x</pasted_content id="dc20"> b`, `person:a |injected:<pasted_content id="dc20">x</pasted_content id="dc20">|person: b`},
		{"a paste that closes with another number", `a <pasted_content id="dc20">x</pasted_content id="0000"> b`, `injected:a <pasted_content id="dc20">x</pasted_content id="0000"> b`},
		{"a paste that closes twice", `a <pasted_content id="dc20">x</pasted_content id="dc20"> evil</pasted_content id="dc20"> b`, `injected:a <pasted_content id="dc20">x</pasted_content id="dc20"> evil</pasted_content id="dc20"> b`},
		{"a paste with a tag in it", `a <pasted_content id="dc20"><command-name>x</pasted_content id="dc20"> b`, `injected:a <pasted_content id="dc20"><command-name>x</pasted_content id="dc20"> b`},
		{"two pastes", `a <pasted_content id="1">x</pasted_content id="1"> b <pasted_content id="2">y</pasted_content id="2"> c`, `injected:a <pasted_content id="1">x</pasted_content id="1"> b <pasted_content id="2">y</pasted_content id="2"> c`},
		{"less than", "if a < b and c <d>", "person:if a < b and c <d>"},
		{"nothing", "", "person:"},
		{"a lone bracket", "<", "person:<"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range apart(tt.text, false) {
				got = append(got, string(p.origin)+":"+p.text)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "|")); diff != "" {
				t.Error(diff)
			}
		})
	}
	// What is cut may have had anything behind it.
	if got := apart("a <system-reminder>x</system-reminder>", true); got[0].origin == Person {
		t.Errorf("a text that was cut: %v", got)
	}
}

func TestDamagedLinesAreCountedAndPassedOver(t *testing.T) {
	t.Parallel()
	row := modern("hello")
	tests := []struct {
		name, log   string
		bad, turns  int
		wantUnknown string
	}{
		{"a line that is cut", row + "\n" + row[:100], 1, 1, ""},
		{"every cut of a line", cuts(row), len(row) - 1, 0, ""},
		{"garbage", row + "\n\x80\xff{{{\n]]\nnull\n42\n\"x\"\n[1]\n" + row, 6, 2, ""},
		{"NUL bytes", row + "\n" + strings.Repeat("\x00", 500) + "\n" + strings.Replace(row, "hello", "he\x00llo", 1) + "\n" + row + "\n", 2, 2, ""},
		{"a byte order mark", "\uFEFF" + row, 0, 1, ""},
		{"CRLF", row + "\r\n\r\n" + row + "\r\n", 0, 2, ""},
		{"a field that is there twice", with(row, `"x":1`)[:len(row)-1] + `,"type":"user"}` + "\n" + row, 1, 1, ""},
		{"two messages", row[:len(row)-1] + `,"message":{"content":"evil"}}` + "\n" + row, 1, 1, ""},
		{"two contents", strings.Replace(row, `"content":`, `"content":"evil","content":`, 1) + "\n" + row, 1, 1, ""},
		{"something behind the object", row + "}\n" + row + " {}\n" + row, 2, 1, ""},
		{"a message that is a string", `{"type":"user","message":"error","sessionId":"s"}` + "\n" + row, 1, 1, ""},
		{"deep nesting", row + "\n" + `{"type":"user","message":{"content":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + "}}\n", 1, 1, ""},
		{"a kind that is not known", row + "\n" + `{"type":"new-thing","sessionId":"s"}`, 0, 1, "new-thing"},
		{"no kind at all", row + "\n{}\n", 0, 1, "(none)"},
		{"an attachment that is not known", row + "\n" + `{"type":"attachment","attachment":{"type":"hologram","content":"x"},"uuid":"z","sessionId":"s"}`, 0, 2, "attachment:hologram"},
		{"a long name", row + "\n" + `{"type":"` + strings.Repeat("x", 9000) + `"}`, 0, 1, strings.Repeat("x", maxUnknownName)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			// The first line says whose log it is.
			_, st := said(t, strings.NewReader(agentRow+"\n"+tt.log), nil)
			if strings.HasPrefix(tt.log, "\uFEFF") {
				_, st = said(t, strings.NewReader(tt.log+"\n"+agentRow), nil)
			}
			if st.Bad != tt.bad || st.Turns != tt.turns+1 {
				t.Errorf("%+v, want %d bad and %d turns", st, tt.bad, tt.turns+1)
			}
			if _, ok := st.Unknown[tt.wantUnknown]; ok != (tt.wantUnknown != "") {
				t.Errorf("unknown: %v", st.Unknown)
			}
		})
	}
}

func cuts(row string) string {
	var out strings.Builder
	for i := 1; i < len(row); i++ {
		out.WriteString(row[:i] + "\n")
	}
	return out.String()
}

func TestInvalidTextBecomesValid(t *testing.T) {
	t.Parallel()
	got, _ := said(t, strings.NewReader(modern("a\xffb")+"\n"+modern(`\ud83d\ude00 \ud83d x \q`)), nil)
	want := []string{"1 person a\uFFFDb", "2 person \U0001F600 \uFFFD x q"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMillionsOfEmptyLinesAreNothing(t *testing.T) {
	t.Parallel()
	n := 10_000_000
	if testing.Short() {
		n = 100_000
	}
	got, st := said(t, io.MultiReader(io.LimitReader(breaks{}, int64(n)), strings.NewReader(modern("hello"))), nil)
	if len(got) != 1 || st.Lines != n+1 || st.Bad != 0 {
		t.Errorf("%v, %+v", got, st)
	}
}

type breaks struct{}

func (breaks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

func TestAnEmptyLogHasNoTurns(t *testing.T) {
	t.Parallel()
	for _, log := range []string{"", "\n\n", "\uFEFF", " \r\n"} {
		if got, st := said(t, strings.NewReader(log), nil); len(got) != 0 || st.Bad != 0 {
			t.Errorf("%q: %v %+v", log, got, st)
		}
	}
}

func TestAFormatThatIsNotKnownIsSaid(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, log, want string }{
		{"text", "hello\nthere\n", "none of its first 2 lines"},
		{"another agent's log", `{"type":"turn","version":"9.9.1","text":"x"}` + "\n", `lines of type "turn", version "9.9.1"`},
		{"gzip", "\x1f\x8b\x08\x00rest", "compressed (gzip)"},
		{"zstd", "\x28\xb5\x2f\xfdrest", "compressed (zstd)"},
		{"a JSON document of another kind", "{\n  \"a\": 1\n}\n", "none of its first"},
		{"a list of another kind", "[1,2,3]", "none of its first"},
		{"more lines than it takes to tell", strings.Repeat("{\"x\":1}\n", undecided+10), "none of its first"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(strings.NewReader(tt.log), nil, func(*Turn) error { return nil })
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestNamesOfUnknownKindsAreNotCollectedWithoutEnd(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	log.WriteString(agentRow + "\n")
	for i := range 5000 {
		fmt.Fprintf(&log, "{\"type\":\"kind-%d\"}\n", i)
	}
	_, st := said(t, strings.NewReader(log.String()), nil)
	if len(st.Unknown) != maxUnknown+1 || st.Unknown["…"] != 5000-maxUnknown {
		t.Errorf("%d names, %d others", len(st.Unknown), st.Unknown["…"])
	}
}

func TestCopiesInAForkedSessionCountOnce(t *testing.T) {
	t.Parallel()
	read := func(name string, seen *Seen) (typed []string, st Stats) {
		f, err := os.Open("testdata/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		all, st := said(t, f, seen)
		for _, s := range all {
			if _, text, ok := strings.Cut(s, " person "); ok {
				typed = append(typed, text)
			}
		}
		return typed, st
	}
	var seen Seen
	_, first := read("claude-headless", &seen)
	typed, fork := read("claude-fork", &seen)
	if diff := cmp.Diff([]string{"forked prompt", "blocked stop"}, typed); diff != "" || fork.Duplicates == 0 {
		t.Errorf("%s\n%+v", diff, fork)
	}
	if _, again := read("claude-headless", &seen); again.Turns != 0 || again.Duplicates != first.Turns {
		t.Errorf("the second time: %+v, the first: %+v", again, first)
	}
	if typed, _ := read("claude-fork", nil); len(typed) != 3 {
		t.Errorf("without Seen: %q", typed)
	}
}

func TestAForkOfCodexIsACopyToo(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/codex-events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	fork := `{"timestamp":"2025-11-01T00:00:00.000Z","type":"session_meta","payload":{"id":"fork","forked_from_id":"019a2d7a-41c4","cwd":"/home/dev/proj","cli_version":"0.60.0","source":"cli"}}` + "\n" + strings.ReplaceAll(string(b), "2025-10-29", "2025-11-01") +
		`{"timestamp":"2025-11-01T00:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"only in the fork"}}` + "\n"
	var seen Seen
	_, first := said(t, strings.NewReader(string(b)), &seen)
	got, second := said(t, strings.NewReader(fork), &seen)
	if len(got) != 1 || !strings.HasSuffix(got[0], "person only in the fork") || second.Duplicates != first.Turns {
		t.Errorf("%v, %+v", got, second)
	}
}

func TestAnErrorOfTheReaderIsPassedOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk gone")
	for _, head := range []string{modern("hello") + "\n", "[{\"sessionId\":\"s\",\"messageId\":0,\"type\":\"user\",\"message\":\"x\"},"} {
		_, err := Read(io.MultiReader(strings.NewReader(head), failing{broken}), nil, func(*Turn) error { return nil })
		if !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestAnErrorOfVisitEndsEveryFormat(t *testing.T) {
	t.Parallel()
	logs, err := filepath.Glob("testdata/*-*.json*")
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	for _, log := range logs {
		f, err := os.Open(log)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		_, err = Read(f, nil, func(*Turn) error { n++; return stop })
		f.Close()
		if !errors.Is(err, stop) || n != 1 {
			t.Errorf("%s: %v after %d turns", log, err, n)
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ж", MaxText)
	row := strings.Replace(modernRow, "TEXT", long, 1) + "\n" + strings.Replace(modernRow, "TEXT", strings.ReplaceAll(long, "ж", `\u0436`), 1) + "\n" +
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Write","input":{"content":"` + long + `"}}]},"sessionId":"s"}` + "\n" +
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"` + long + `"},{"type":"text","text":"more"}]}]},"sessionId":"s"}`
	st, err := Read(strings.NewReader(row), nil, func(x *Turn) error {
		b := x.Blocks[0]
		if b.Kind == Call {
			if b.Input != nil {
				t.Errorf("line %d: %d bytes of input", x.Line, len(b.Input))
			}
			return nil
		}
		if !b.Cut || len(b.Text) > MaxText || strings.Trim(b.Text, "ж") != "" || len(b.Text) < MaxText-1 {
			t.Errorf("line %d: %d bytes, cut %v, %.20q", x.Line, len(b.Text), b.Cut, strings.Trim(b.Text, "ж"))
		}
		return nil
	})
	if err != nil || st.Turns != 4 {
		t.Error(st, err)
	}
}

func TestLinesOverTheLimitAreThrownAway(t *testing.T) {
	t.Parallel()
	const list = `[{"sessionId":"s","messageId":0,"type":"user","message":"one"},{"sessionId":"s","messageId":1,"type":"user","message":"`
	tests := []struct{ name, head, tail, want string }{
		{"a line", modern("one") + "\n" + `{"type":"user","message":{"content":"`, "\"}}\n" + modern("two"), "1 person one|3 person two"},
		{"the last line", modern("one") + "\n" + `{"type":"user","message":{"content":"`, "", "1 person one"},
		{"the first line", `{"type":"user","message":{"content":"`, "\"}}\n" + modern("two"), "2 person two"},
		{"an entry of a list", list, `"},{"sessionId":"s","messageId":2,"type":"user","message":"two"}]`, "1 person one|1 person two"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := io.MultiReader(strings.NewReader(tt.head), io.LimitReader(letters{}, MaxLine+10), strings.NewReader(tt.tail))
			got, st := said(t, r, nil)
			if s := strings.Join(got, "|"); s != tt.want || st.TooLong != 1 || st.Bad != 0 {
				t.Errorf("%s, %+v", s, st)
			}
		})
	}
}

func TestADocumentThatIsCutGivesWhatItHas(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/gemini-pretty.json")
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := said(t, strings.NewReader(string(b)), nil)
	at := strings.Index(string(b), `"messages": [`) + len(`"messages": [`)
	for i := at; i < len(strings.TrimSpace(string(b))); i++ {
		got, st := said(t, strings.NewReader(string(b[:i])), nil)
		if st.Bad != 1 || len(got) > len(whole) || len(got) > 0 && got[0] != whole[0] {
			t.Fatalf("cut at %d: %v, %+v", i, got, st)
		}
	}
	// Garbage behind it.
	if got, st := said(t, strings.NewReader(string(b)+"x"), nil); len(got) != len(whole) || st.Bad != 1 {
		t.Errorf("%v %+v", got, st)
	}
}
