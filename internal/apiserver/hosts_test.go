package apiserver

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestAServerIsKnownByItsNamesAloneAndEachAnswerHasItsHeaders(t *testing.T) {
	t.Parallel()
	s := New(Config{Hosts: []string{"localhost", "::1", "127.0.0.1:8787", "memory.example"}})
	for host, known := range map[string]bool{
		"localhost": true, "LocalHost:8787": true, "localhost.": true, "localhost.:1": true, "[::1]:8787": true, "[::1]": true, "127.0.0.1:8787": true,
		"Memory.Example:443": true, "127.0.0.1:8788": false, "127.0.0.1": false, "evil.example": false, "localhost.evil.example": false,
		"memory.example.evil": false, "localhost..": false, "": false, "[::2]:8787": false,
	} {
		for _, path := range []string{"/healthz", "/nothing", "/v1/memory_stores"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = host
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if (w.Code != http.StatusMisdirectedRequest) != known {
				t.Errorf("%s%s: %d", host, path, w.Code)
			}
			for _, h := range []string{"X-Content-Type-Options", "Cache-Control", "Content-Security-Policy", "Referrer-Policy", "Request-Id"} {
				if w.Header().Get(h) == "" {
					t.Errorf("%s%s: %d has no %s", host, path, w.Code, h)
				}
			}
		}
	}
}
