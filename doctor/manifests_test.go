package doctor

import "testing"

func TestStatementsThatAManifestDeclares(t *testing.T) {
	words := func(text string) map[string]bool {
		out := map[string]bool{"make": true, "go.mod": true}
		for w := range declaredWords(text) {
			out[w] = true
		}
		return out
	}
	pkg := words(`{"name": "root", "scripts": {"build": "turbo run build", "test": "turbo run test", "format": "prettier --write ."}, "dependencies": {"next": "15.1.3", "react": "^19.0.0", "vite": "6.0.1"}}`)
	mod := words("module example.com/m\n\ngo 1.25\n\nrequire (\n\tgithub.com/go-chi/chi/v5 v5.2.1\n\tgithub.com/jackc/pgx/v5 v5.7.2\n)\n")
	mk := words("run:\n\tgo run ./cmd/api\ntest:\n\tgo test ./...\nlint:\n\tgolangci-lint run\nmigrate:\n\tgo run ./cmd/migrate up\n")
	tests := []struct {
		name, text string
		manifest   map[string]bool
		want       bool
	}{
		{"scripts", "Scripts of the root: build runs turbo run build, test runs turbo run test, format runs prettier --write.", pkg, true},
		{"dependencies", "The app uses next 15.1.3, react 19.0.0 and vite 6.0.1.", pkg, true},
		{"required modules", "The module requires Go 1.25, chi v5.2.1 and pgx v5.7.2 (see go.mod).", mod, true},
		{"targets", "`make run` starts the service, `make test` runs the tests, `make lint` runs golangci-lint, `make migrate` applies the migrations.", mk, true},
		{"a rule about one of them", "Never run `make migrate` against production before the backup of 02:00 is done.", mk, false},
		{"a reason", "React stays at 19.0.0, as the design system of the vendor breaks with later ones.", pkg, false},
		{"one command", "Run `make test` before each commit.", mk, false},
		{"prose", "The queue keeps its order, because billing relies on it.", pkg, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := covered(tt.text, tt.manifest); got != tt.want {
				all, there := 0, 0
				var missing []string
				for w := range declaredWords(tt.text) {
					all++
					if tt.manifest[w] {
						there++
					} else {
						missing = append(missing, w)
					}
				}
				t.Errorf("%v, want %v; %d of %d, not %v", got, tt.want, there, all, missing)
			}
		})
	}
}
