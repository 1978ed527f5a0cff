package apiserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/db"
	"dormouse/testkit/pgtest"
)

// A page of 100 memories, as a client gets it but for the network.
func BenchmarkList100(b *testing.B) {
	for _, kind := range []string{"SQLite", "PostgreSQL"} {
		b.Run(kind, func(b *testing.B) {
			url := filepath.Join(b.TempDir(), "server.db")
			if kind == "PostgreSQL" {
				s := pgtest.Start(b, pgtest.Options{})
				url = s.Database(b)
			}
			d, err := db.Open(b.Context(), url, db.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = d.Close() }()
			_, key, err := d.CreateKey(b.Context(), "w", "bench")
			if err != nil {
				b.Fatal(err)
			}
			who, err := d.Enter(b.Context(), key)
			if err != nil {
				b.Fatal(err)
			}
			st, err := d.CreateStore(b.Context(), who, apiserver.NewStore{Name: "S"})
			if err != nil {
				b.Fatal(err)
			}
			for i := range 200 {
				if _, err := d.CreateMemory(b.Context(), who, st.ID, fmt.Sprintf("/notes/%d.md", i), fmt.Sprint("text ", i)); err != nil {
					b.Fatal(err)
				}
			}
			s := apiserver.New(apiserver.Config{Backend: d, Enter: d.Enter, Hosts: []string{"localhost"}})
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					r := httptest.NewRequest(http.MethodGet, "/v1/memory_stores/"+st.ID+"/memories?limit=100", nil)
					r.Host = "localhost"
					r.Header.Set("X-Api-Key", key)
					r.Header.Set("anthropic-version", "2026-10-21")
					r.Header.Set("anthropic-beta", "agent-memory-2026-07-22")
					w := httptest.NewRecorder()
					s.ServeHTTP(w, r)
					if w.Code != http.StatusOK {
						b.Errorf("%d %s", w.Code, w.Body)
						return
					}
				}
			})
		})
	}
}
