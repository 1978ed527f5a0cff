package cli

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// editorCommand is the command line of the person's editor.
func editorCommand(getenv func(string) string) (string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if command := strings.TrimSpace(getenv(name)); command != "" {
			return command, nil
		}
	}
	return "", errors.New("no editor is named: set EDITOR (such as EDITOR=vi), or give the new text with --from FILE")
}

// runEditor waits for an editor on a file. Its command line may have arguments
// and is the shell's to read, as for git.
func runEditor(command, file string, streams *IO) error {
	cmd := exec.Command("sh", "-c", command+` "$@"`, command, file)
	if _, err := exec.LookPath("sh"); err != nil { // Windows without a shell
		words := strings.Fields(command)
		cmd = exec.Command(words[0], append(words[1:], file)...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = streams.In, streams.Out, streams.Err
	// An interrupt typed into the editor is the editor's: it must not end us
	// with the draft behind.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	return cmd.Run()
}
