package transcript

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sample makes some 32 MB of a log as Claude Code writes it: short turns, tool
// results of 20 KB that stand there twice, the client's own lines, and one image of
// 4 MB in base64.
func sample() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the test of a function in the file src/main.go returns \"an error\" when the index is out of range; we use <b>tabs</b> here\n and never push to main тест функції повертає помилку C:\\Users\\dev")
	text := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteByte(" \n"[min(1, r.IntN(12)/11)])
		}
		return b.String()
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	row := func(fields map[string]any) {
		for k, v := range map[string]any{
			"parentUuid": "f28a1370-25be-4212-80c4-7a4fc8f37671", "isSidechain": false, "promptId": "468df242-00a2-454a-94cd-6c62a43b6ad4", "timestamp": "2026-11-30T22:44:36.507Z", "userType": "external",
			"entrypoint": "cli", "cwd": "/home/dev/proj", "sessionId": "240b826b-bc94-4595-889d-e26ad0c66191", "version": "2.1.332", "gitBranch": "main", "uuid": fmt.Sprintf("%032x", r.Uint64()),
		} {
			fields[k] = v
		}
		_ = enc.Encode(fields)
	}
	message := func(role string, content any) map[string]any {
		return map[string]any{"type": role, "message": map[string]any{"role": role, "content": content, "model": "m"}}
	}
	for out.Len() < 28<<20 {
		switch n := r.IntN(20); {
		case n < 5:
			m := message("user", text(10+r.IntN(400)))
			m["promptSource"], m["turnOrigin"], m["origin"] = "typed", "human", map[string]any{"kind": "human"}
			row(m)
		case n < 10:
			row(message("assistant", []any{map[string]any{"type": "text", "text": text(50 + r.IntN(1500))}}))
		case n < 13:
			row(message("assistant", []any{map[string]any{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": map[string]any{"command": text(80)}}}))
		case n < 17:
			t := text(20000)
			m := message("user", []any{map[string]any{"type": "tool_result", "tool_use_id": "toolu_1", "content": t}})
			m["toolUseResult"] = map[string]any{"stdout": t, "stderr": ""}
			row(m)
		default:
			_ = enc.Encode(map[string]any{"type": "last-prompt", "lastPrompt": text(100), "sessionId": "s"})
		}
	}
	image := make([]byte, 3<<20)
	for i := range image {
		image[i] = byte(r.Uint32())
	}
	row(message("user", []any{map[string]any{"type": "tool_result", "tool_use_id": "toolu_1", "content": []any{map[string]any{"type": "image", "source": map[string]any{"type": "base64", "data": base64.StdEncoding.EncodeToString(image)}}}}}))
	return out.Bytes()
}

// again is a log many times over.
type again struct {
	log   []byte
	at    int
	times int
}

func (a *again) Read(p []byte) (int, error) {
	if a.at == len(a.log) {
		a.at, a.times = 0, a.times-1
	}
	if a.times <= 0 {
		return 0, io.EOF
	}
	n := copy(p, a.log[a.at:])
	a.at += n
	return n, nil
}

func BenchmarkRead(b *testing.B) {
	log := sample()
	for b.Loop() {
		b.SetBytes(int64(8 * len(log))) // 256 MB
		st, err := Read(&again{log: log, times: 8}, nil, func(*Turn) error { return nil })
		if err != nil || st.Bad > 0 || st.Turns < 1000 {
			b.Fatal(st, err)
		}
	}
}

// BenchmarkJq is what BenchmarkRead has to be compared with.
func BenchmarkJq(b *testing.B) {
	jq, err := exec.LookPath("jq")
	if err != nil {
		b.Skip("jq is not there")
	}
	file := filepath.Join(b.TempDir(), "log.jsonl")
	if err := os.WriteFile(file, bytes.Repeat(sample(), 2), 0o600); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.SetBytes(info.Size())
		if out, err := exec.Command(jq, "-c", ".type", file).Output(); err != nil || len(out) == 0 {
			b.Fatal(err)
		}
	}
}
