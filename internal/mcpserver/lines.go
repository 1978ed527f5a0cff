package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// longestLine is the size of the longest message in bytes. A note has at most one
// megabyte; what is longer than this is not read into memory at all.
const longestLine = 16 << 20

// lines stands between the client and the SDK's transport, which ends the session
// at the first line that is no JSON, and at the end of input without answering what
// came just before. Such lines are answered here, and the end is told only when
// nothing is open any more.
func lines(ctx context.Context, in io.Reader, out io.Writer) (io.ReadCloser, io.WriteCloser) {
	r, pass := io.Pipe()
	w := &writer{to: out, open: map[any]bool{}, none: make(chan struct{}, 1)}
	go func() {
		err := filter(in, pass, w)
		w.wait(ctx)
		_ = pass.CloseWithError(err) // it always returns nil; without err it is io.EOF
	}()
	return r, w
}

// writer keeps answers of the two apart, and knows what is still to be answered.
// The SDK writes whole lines.
type writer struct {
	mu   sync.Mutex
	to   io.Writer
	open map[any]bool // IDs of requests
	none chan struct{}
}

func (w *writer) Write(b []byte) (int, error) {
	if m, err := jsonrpc.DecodeMessage(bytes.TrimSpace(b)); err == nil {
		if answer, ok := m.(*jsonrpc.Response); ok {
			defer w.closed(answer.ID.Raw())
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(b)
}

func (w *writer) Close() error { return nil } // standard output is the process's

// passed takes down what a message opens or calls off.
func (w *writer) passed(m jsonrpc.Message) {
	req, ok := m.(*jsonrpc.Request)
	switch {
	case !ok:
	case req.IsCall():
		w.mu.Lock()
		w.open[req.ID.Raw()] = true
		w.mu.Unlock()
	case req.Method == "notifications/cancelled":
		var p struct {
			ID any `json:"requestId"`
		}
		if json.Unmarshal(req.Params, &p) == nil {
			if id, err := jsonrpc.MakeID(p.ID); err == nil {
				w.closed(id.Raw())
			}
		}
	}
}

func (w *writer) closed(id any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, id)
	select {
	case w.none <- struct{}{}:
	default: // somebody is told already
	}
}

// lastAnswers is how long the end of input waits for what is still at work.
const lastAnswers = 10 * time.Second

// wait returns when all is answered, or ctx is done.
func (w *writer) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lastAnswers)
	defer cancel()
	for {
		w.mu.Lock()
		n := len(w.open)
		w.mu.Unlock()
		if n == 0 {
			return
		}
		select {
		case <-w.none:
		case <-ctx.Done():
			return
		}
	}
}

// filter passes on the lines that are messages. It returns nil at the end of in.
func filter(in io.Reader, pass io.Writer, w *writer) error {
	br := bufio.NewReaderSize(in, 64<<10)
	for {
		line, long, err := readLine(br)
		text := bytes.TrimSpace(line)
		switch {
		case long:
			w.refuse(idOf(text), codeInvalid, "the message is longer than 16 MiB: a note is one fact")
		case len(text) == 0:
		case !json.Valid(text):
			w.refuse(nil, codeParse, "the line is not JSON")
		default:
			m, derr := jsonrpc.DecodeMessage(text)
			if derr != nil {
				w.refuse(idOf(text), codeInvalid, "the line is no JSON-RPC message")
				break
			}
			w.passed(m)
			if _, werr := pass.Write(append(text, '\n')); werr != nil {
				return nil // the session has ended
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// ends is how much is kept of each end of a line that is too long, in bytes: its ID
// stands in one of them, as the one text in it that is long is among the parameters.
const ends = 1 << 10

// readLine reads up to a line feed; of a line that is too long only the ends are kept.
func readLine(br *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := br.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > longestLine {
			long = true
		}
		if long && len(line) > 4*ends {
			line = append(bytes.Clone(line[:ends]), line[len(line)-ends:]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// idOf is the ID of a message that is refused, so that who sent it does not wait for
// an answer; nil where it can't be told. The message may be cut in its middle.
func idOf(text []byte) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(text))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		key, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			break
		}
		if key == "id" {
			return plainID(value)
		}
	}
	const name = `"id":`
	at := bytes.LastIndex(text, []byte(name))
	if at < 0 || !bytes.HasSuffix(text, []byte("}")) {
		return nil
	}
	return plainID(bytes.TrimSpace(text[at+len(name) : len(text)-1])) // nothing else stands behind it
}

// plainID is a text or a number.
func plainID(value []byte) json.RawMessage {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return nil
	}
	switch v.(type) {
	case string, float64:
		return value
	}
	return nil
}

const (
	codeParse   = -32700
	codeInvalid = -32600
)

func (w *writer) refuse(id json.RawMessage, code int, why string) {
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why}})
	if err == nil {
		_, _ = w.Write(append(b, '\n')) // a client that is gone reads nothing
	}
}
