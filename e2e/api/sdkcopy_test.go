package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// sdkCopy copies a module to where its own tests can run: they need its internal
// packages. That compiles the whole SDK, so it is left to scripts/test-api.sh.
func sdkCopy(t *testing.T, module string) string {
	t.Helper()
	if os.Getenv("DORMOUSE_SDK_TESTS") == "" {
		t.Skip("the SDK's own tests take minutes to compile: run scripts/test-api.sh")
	}
	from, err := moduleDir(module)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "sdk")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o700) //nolint:gosec // a folder, which the cache has read-only
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// compiling is held while a copy is compiled: two at once would each do all of it.
var compiling sync.Mutex //nolint:gochecknoglobals // tests run side by side

// compileTests makes a program of a package's tests. Without paths in it what was
// compiled for one copy serves the next, too.
func compileTests(t *testing.T, dir, pkg string) string {
	t.Helper()
	compiling.Lock()
	defer compiling.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	program := filepath.Join(t.TempDir(), "sdk.test")
	c := exec.CommandContext(ctx, "go", "test", "-c", "-trimpath", "-o", program, pkg)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("compiling the tests of %s: %v\n%s", pkg, err, tail(string(out), 6000))
	}
	return program
}

// runTests runs tests of such a program and returns what they say.
func runTests(t *testing.T, program string, env []string, run string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program, "-test.v", "-test.run", run)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, tail(string(out), 6000))
	}
	return string(out)
}

// The tests that are generated with each SDK, through a way that gives them what they ask
// about: they name things that do not exist, and some break the API's own rules.
func TestTheSDKsOwnTests(t *testing.T) {
	t.Parallel()
	for _, module := range []string{sdkV1, sdkV2} {
		t.Run(module, func(t *testing.T) {
			program := compileTests(t, sdkCopy(t, module), ".")
			s := start(t, sqlite(t))
			w := watch(t, s)
			run, want := "BetaMemoryStore|BetaSession(New|Get|Update|List|Delete|Archive)With|BetaSessionEvent(List|Send)|BetaSessionResourceList", 23
			if offersDreams(t, s) {
				run, want = run+"|BetaDream", want+5
			}
			out := runTests(t, program, []string{"TEST_API_BASE_URL=" + seeding(t, s, w)}, "^Test("+run+")")
			if n := strings.Count(out, "\n--- PASS: "); n != want {
				t.Errorf("%d tests passed, want %d\n%s", n, want, tail(out, 3000))
			}
		})
	}
}

func TestTheSDKsMemorySync(t *testing.T) {
	t.Parallel()
	for _, module := range []string{sdkV1, sdkV2} {
		t.Run(module, func(t *testing.T) {
			dir := sdkCopy(t, module)
			text, err := os.ReadFile(filepath.Join("testdata", "sync.go.txt"))
			if err != nil {
				t.Fatal(err)
			}
			text = bytes.ReplaceAll(text, []byte(`"SDK`), []byte(`"`+module))
			if err := os.WriteFile(filepath.Join(dir, "lib", "environments", "dormouse_test.go"), text, 0o600); err != nil {
				t.Fatal(err)
			}
			program := compileTests(t, dir, "./lib/environments")
			onEach(t, func(t *testing.T, s *server) {
				out := runTests(t, program, []string{"BASE_URL=" + watch(t, s).url, "KEY=" + s.key}, "^TestDormouseSync$")
				if !strings.Contains(out, "--- PASS: TestDormouseSync") {
					t.Errorf("%s", tail(out, 3000))
				}
			})
		})
	}
}

// seeding is a way to a server on which each request of the SDK's tests finds what it
// names: made new for it, since some of them delete it. The server is asked for
// nothing that it would not take from anybody.
func seeding(t *testing.T, s *server, w *watched) string {
	t.Helper()
	target, err := url.Parse(w.url)
	if err != nil {
		t.Fatal(err)
	}
	p := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, FlushInterval: -1}
	c := caller{t: t, url: s.url, key: s.key, beta: betaMemory}
	id := regexp.MustCompile(`(memory_store_id|memory_id|memory_version_id|sesn_[0-9A-Za-z]+|dream_id)(/|$)`)
	h := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" { // is anybody there
			return
		}
		ids := seeds(c, r.URL.Path)
		r.URL.Path = id.ReplaceAllStringFunc(r.URL.Path, func(found string) string {
			name, slash := strings.TrimSuffix(found, "/"), strings.HasSuffix(found, "/")
			if strings.HasPrefix(name, "sesn_") {
				name = "sesn_"
			}
			if slash {
				return ids[name] + "/"
			}
			return ids[name]
		})
		r.URL.RawPath = ""
		r.Header.Set("anthropic-beta", betaOf(r.URL.Path))
		r.Header.Del("anthropic-workspace-id")
		r.Header.Del("Authorization")
		r.Header.Set("X-Api-Key", s.key)
		r.URL.RawQuery = normalQuery(r.URL.Query()).Encode()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if len(body) > 0 {
			body = normalBody(t, body, ids, c)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		p.ServeHTTP(rw, r)
	}))
	t.Cleanup(h.Close)
	return h.URL
}

// seeds makes what a path names.
func seeds(c caller, path string) map[string]string {
	store := c.store("seed")
	m, one := c.memory(store, "/seed", "seed")
	if strings.Contains(path, "redact") {
		c.post(one, object{"content": "newer"}) // the present version can't be
	}
	ids := map[string]string{"memory_store_id": strings.TrimPrefix(store, stores+"/"), "memory_id": m.text("id"), "memory_version_id": m.text("memory_version_id"), "sesn_": said(c, "x")}
	if strings.HasSuffix(path, "/dream_id/archive") {
		ids["dream_id"] = finished(c, dream(c, nil)).text("id")
	} else if strings.Contains(path, "dream_id") {
		ids["dream_id"] = dream(c, nil).text("id")
	}
	return ids
}

// normalQuery takes out what no server gives, and what the tests made up.
func normalQuery(q url.Values) url.Values {
	if q.Get("limit") == "0" {
		q.Del("limit")
	}
	q.Del("page") // "page" is no cursor
	if q.Has("path_prefix") {
		q.Set("path_prefix", "/seed/")
	}
	q.Del("expected_content_sha256")
	return q
}

// normalBody mends a body: hashes and files are none, paths begin with a slash.
func normalBody(t *testing.T, body []byte, ids map[string]string, c caller) []byte {
	t.Helper()
	var o object
	if err := json.Unmarshal(body, &o); err != nil {
		t.Errorf("%v: %s", err, body)
		return body
	}
	delete(o, "precondition")
	delete(o, "resources")
	if p, ok := o["path"].(string); ok && !strings.HasPrefix(p, "/") {
		o["path"] = "/" + p
	}
	if _, ok := o["inputs"]; ok {
		o["inputs"], o["model"] = inputs(ids["memory_store_id"], said(c, "x")), "rules"
	}
	b, err := json.Marshal(o)
	if err != nil {
		t.Error(err)
	}
	return b
}
