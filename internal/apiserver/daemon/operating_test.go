package daemon

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// written writes a certificate of a number, and its key.
func written(t *testing.T, dir string, number int64) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(number), Subject: pkix.Name{CommonName: "localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	kder, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: kder}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		// Another time than before, however coarse the clock of files is.
		at := time.Now().Add(time.Duration(number) * time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestACertificateIsReadAgainAtAHandshakeAndABadOneLeavesTheOldOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := written(t, dir, 1)
	var log bytes.Buffer
	c, err := newCertificate(cert, key, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	c.now = func() time.Time { return now }
	serial := func() int64 {
		t.Helper()
		a, b := net.Pipe()
		defer func() { _, _ = a.Close(), b.Close() }()
		server := tls.Server(a, c.config())
		done := make(chan error, 1)
		go func() { done <- server.Handshake() }()
		client := tls.Client(b, &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // which certificate it is, is what is asked
		if err := client.Handshake(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		return client.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	if n := serial(); n != 1 {
		t.Fatalf("number %d", n)
	}
	written(t, dir, 2)
	if n := serial(); n != 1 {
		t.Errorf("number %d: the files were looked at again at once", n)
	}
	now = now.Add(lookEvery)
	if n := serial(); n != 2 {
		t.Errorf("number %d: it was not read again", n)
	}
	if err := os.WriteFile(cert, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		now = now.Add(lookEvery)
		if n := serial(); n != 2 {
			t.Errorf("number %d with a file that is no use", n)
		}
	}
	if n := strings.Count(log.String(), "the old one stays"); n != 1 {
		t.Errorf("it is told of %d times:\n%s", n, log.String())
	}
	written(t, dir, 3)
	now = now.Add(lookEvery)
	if n := serial(); n != 3 {
		t.Errorf("number %d: it does not recover", n)
	}
}

func TestFiguresAreGivenOnAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	figures := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	address, key := running(t, filepath.Join(t.TempDir(), "server.db"), "--metrics", figures)
	if status, _ := asked(t, address+"/metrics", ""); status != http.StatusNotFound {
		t.Errorf("the API's address gives figures: %d", status)
	}
	if status, _ := asked(t, address+"/v1/memory_stores", key); status != http.StatusOK {
		t.Fatalf("%d", status)
	}
	_, body := asked(t, "http://"+figures+"/metrics", "")
	for _, want := range []string{`route="/v1/memory_stores",status="200"} 1`, `route="other",status="404"} 1`, `dormoused_dreams{status="waiting"} 0`, "go_sql_open_connections"} {
		if !strings.Contains(body, want) {
			t.Errorf("there is no %s", want)
		}
	}
	if strings.Contains(body, key) {
		t.Error("a key is told")
	}
}

func asked(t *testing.T, url, key string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("X-Api-Key", key)
		r.Header.Set("Anthropic-Beta", "managed-agents-2026-04-01")
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(res.Body)
	if err := res.Body.Close(); err != nil {
		t.Error(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func TestWrongFlagsOfOperationAreRefused(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "server.db")
	for _, args := range [][]string{
		{"--metrics", "0.0.0.0:9187"},
		{"--metrics", "9187"},
		{"--retention", "30"},
		{"--retention", "0d"},
		{"--retention", "5m"},
		{"--retention", "-3d"},
		{"sweep"},
		{"sweep", "--older", "soon"},
		{"quota", "team", "--stores", "-4"},
	} {
		if code, _, _ := command(t, "keys", "create", "--database", place, "--workspace", "team"); code != 0 {
			t.Fatal("no key")
		}
		if code, _, said := command(t, append(args, "--database", place)...); code != 2 {
			t.Errorf("%v ends with %d: %s", args, code, said)
		}
	}
}

func TestQuotaAndSweepAreCommands(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "server.db")
	if code, _, said := command(t, "keys", "create", "--database", place, "--workspace", "team"); code != 0 {
		t.Fatal(said)
	}
	if code, out, said := command(t, "quota", "team", "--stores", "7", "--database", place); code != 0 || !strings.Contains(out, "stores    0 of 7\n") || !strings.Contains(out, "of 2000000\n") {
		t.Errorf("%d %q %s", code, out, said)
	}
	if code, _, said := command(t, "quota", "nobody", "--database", place); code != 1 || !strings.Contains(said, "no workspace") {
		t.Errorf("%d %s", code, said)
	}
	if code, out, said := command(t, "sweep", "--older", "30d", "--json", "--database", place); code != 0 || !strings.Contains(out, `"versions":0`) {
		t.Errorf("%d %q %s", code, out, said)
	}
}

func TestAServerThatIsToStopSaysSoAndEndsItsStreams(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "server.db")
	_, out, _ := command(t, "keys", "create", "--database", place, "--workspace", "team")
	key := strings.TrimSpace(out)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	read, write := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, []string{"--database", place, "--listen", "127.0.0.1:0", "--drain", "2s"}, IO{Out: io.Discard, Err: write, Getenv: func(string) string { return "" }})
	}()
	lines := bufio.NewScanner(read)
	address := ""
	for address == "" && lines.Scan() {
		_, address, _ = strings.Cut(lines.Text(), "serving on ")
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/v1/sessions", strings.NewReader(`{"agent":"agent_1","environment_id":"env_1"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", key)
	r.Header.Set("Anthropic-Beta", "managed-agents-2026-04-01")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body) // an answer that is cut has no id
	_ = res.Body.Close()
	_, id, _ := strings.Cut(string(body), `"id":"sesn_`)
	id, _, ok := strings.Cut(id, `"`)
	if !ok {
		t.Fatalf("%d %s", res.StatusCode, body)
	}
	r, err = http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/v1/sessions/sesn_"+id+"/events/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", key)
	r.Header.Set("Anthropic-Beta", "managed-agents-2026-04-01")
	stream, err := http.DefaultClient.Do(r)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", stream, err)
	}
	if status, _ := asked(t, address+"/readyz", ""); status != http.StatusOK {
		t.Errorf("not ready before: %d", status)
	}
	stop()
	if status, _ := asked(t, address+"/readyz", ""); status != http.StatusServiceUnavailable {
		t.Errorf("ready while it stops: %d", status)
	}
	if status, _ := asked(t, address+"/v1/memory_stores", key); status != http.StatusOK {
		t.Errorf("it does not answer while it drains: %d", status)
	}
	if _, err := io.ReadAll(stream.Body); err != nil {
		t.Errorf("the stream was cut: %v", err)
	}
	_ = stream.Body.Close()
	if code := <-ended; code != 0 {
		t.Errorf("it ended with %d", code)
	}
	// At its end it keeps when keys were used.
	if _, out, _ := command(t, "keys", "list", "--database", place); !strings.Contains(out, "used 20") {
		t.Errorf("keys: %s", out)
	}
}
