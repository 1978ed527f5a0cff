package cli

import (
	"os/exec"
	"syscall"
)

const detachedProcess = 0x00000008 // of the Windows API: without a console

// detach takes a program out of this one's console, so that its end does not end it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess, HideWindow: true}
}
