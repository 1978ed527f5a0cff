package api

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestTypeScriptSDKs(t *testing.T) {
	t.Parallel()
	for _, generation := range []string{"0", "1"} {
		t.Run("TypeScript "+generation+".x", func(t *testing.T) {
			t.Parallel()
			sdk := os.Getenv("DORMOUSE_TS_SDK_" + generation)
			if sdk == "" {
				t.Skip("DORMOUSE_TS_SDK_" + generation + " does not name the SDK's folder: run scripts/test-api.sh")
			}
			onEach(t, func(t *testing.T, s *server) {
				script, err := filepath.Abs(filepath.Join("testdata", "journey.mjs"))
				if err != nil {
					t.Fatal(err)
				}
				w := watch(t, s)
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
				defer cancel()
				c := exec.CommandContext(ctx, "node", script)
				c.Env = append(os.Environ(), "SDK="+sdk, "BASE_URL="+w.url, "KEY="+newKey(t, s.database, "ts"))
				if offersDreams(t, s) {
					c.Env = append(c.Env, "DREAMS=1")
				}
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				wantAllAsked(t, s, w)
			})
		})
	}
}
