package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts run dormouse as a command of their own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"dormouse": func() { os.Exit(Main(os.Args[1:], System())) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("TMPDIR", env.WorkDir+"/tmp")
			return os.MkdirAll(env.WorkDir+"/tmp", 0o700)
		},
	})
}
