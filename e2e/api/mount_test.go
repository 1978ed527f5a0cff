package api

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// mounted starts a server that serves a folder too, to the workspace "a", and returns
// the path of that store. Journal and database are below home.
func mounted(t *testing.T, s *server) string {
	t.Helper()
	id := regexp.MustCompile(`is the memory store (memstore_\w+)`).FindStringSubmatch(s.log.String())
	if id == nil {
		t.Fatalf("the server does not say which store the folder is: %s", s.log)
	}
	return stores + "/" + id[1]
}

// A folder answers in the shapes of the API, whatever is asked of it.
func TestAFolderAnswersAsTheAPIDoes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "mine.md"), []byte("Prices are in cents.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, sqlite(t), "--mount-folder", "notes="+folder, "--mount-workspace", "a")
	c := caller{t: t, url: watch(t, s).url, key: s.key, beta: betaMemory}
	store := mounted(t, s)
	c.eq("the store", c.get(store).text("name"), "notes")
	other := c.post(stores, object{"name": "kept"}).text("id")
	c.eq("stores", strings.Join(c.walk(stores+"?limit=1", "id"), " "), other+" "+strings.TrimPrefix(store, stores+"/"))
	a, one := c.memory(store, "/p/a.md", "one")
	c.post(one, object{"content": "two", "precondition": object{"type": "content_sha256", "content_sha256": a.text("content_sha256")}})
	c.want(stale, "POST", one, object{"content": "three", "precondition": object{"type": "content_sha256", "content_sha256": a.text("content_sha256")}})
	c.post(one, object{"path": "/q/b.md"})
	c.want(taken, "POST", one, object{"path": "/mine.md"})
	c.eq("one level", c.get(store+"/memories?depth=1").texts("path"), "/MEMORY.md /mine.md /q/")
	c.eq("in pages", strings.Join(c.walk(store+"/memories?view=full&limit=1", "path"), " "), "/MEMORY.md /mine.md /q/b.md")
	c.want(fine, "DELETE", one, nil)
	c.eq("versions", c.versions(store, a.text("id")), "deleted modified modified created")
	for _, v := range c.get(store + "/memory_versions?view=full").list() {
		c.get(store + "/memory_versions/" + v.text("id"))
		c.want(invalid, "POST", store+"/memory_versions/"+v.text("id")+"/redact", nil)
	}
	c.want(invalid, "POST", store+"/archive", nil)
	c.want(invalid, "POST", store, object{"name": "x"})
	c.want(invalid, "DELETE", store, nil)
	session := c.with(betaSessions).post("/v1/sessions", object{
		"agent": "agent_x", "environment_id": "env_x", "resources": []object{{"type": "memory_store", "memory_store_id": strings.TrimPrefix(store, stores+"/")}},
	})
	c.eq("attached", session.body["resources"].([]any)[0].(object)["name"], "notes")
	stranger := caller{t: t, url: c.url, key: newKey(t, s.database, "b"), beta: betaMemory}
	stranger.want(missing, "GET", store, nil)
	stranger.want(missing, "POST", store+"/memories", object{"path": "/x.md", "content": "x"})
	if b, err := os.ReadFile(filepath.Join(folder, "MEMORY.md")); err != nil || strings.Contains(string(b), "a.md") || strings.Contains(string(b), "b.md") {
		t.Errorf("a session is told %q, %v", b, err)
	}
}

// A server that is killed while it writes into a folder leaves it whole, with all that
// was acknowledged, once. It is no parallel test, as each server of it has one home.
func TestKillingTheServerLosesNothingOfAFolder(t *testing.T) {
	n, r := kills(t, 3)
	t.Setenv("DORMOUSE_HOME", t.TempDir())
	folder, database := t.TempDir(), sqlite(t)
	args := []string{"--mount-folder", "notes=" + folder, "--mount-workspace", "a"}
	s := start(t, database, args...)
	key, store, l := s.key, mounted(t, s), newLedger()
	for round := range n {
		stop, c := make(chan struct{}), caller{t: t, url: s.url, key: key, beta: betaMemory}
		var wg sync.WaitGroup
		for w := range 3 {
			wg.Go(func() { l.write(func() caller { return c }, store, fmt.Sprintf("%d-%d", round, w), stop) })
		}
		l.wait(t, 10+r.IntN(40))
		s.kill()
		close(stop)
		wg.Wait()
		s = launch(t, database, args...)
		if again := mounted(t, s); again != store {
			t.Fatalf("the folder is %s now, and was %s", again, store)
		}
		l.check(t, caller{t: t, url: s.url, key: key, beta: betaMemory}, store)
	}
}
