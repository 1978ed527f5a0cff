package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"dormouse/store"
)

// namespace keeps a signature from being taken for one over something else.
const namespace = "dormouse"

// signer signs a text with an SSH key, through ssh-keygen, which also asks an
// agent or for a passphrase.
func signer(key string) func(text string) (string, string, error) {
	return func(text string) (string, string, error) {
		public, err := os.ReadFile(strings.TrimSuffix(key, ".pub") + ".pub")
		if err != nil {
			return "", "", fmt.Errorf("signing: the public key beside %s: %w", key, err)
		}
		cmd := exec.Command("ssh-keygen", "-Y", "sign", "-q", "-n", namespace, "-f", key)
		cmd.Stdin = strings.NewReader(text)
		var why bytes.Buffer
		cmd.Stderr = &why
		signature, err := cmd.Output()
		if err != nil {
			return "", "", fmt.Errorf("signing with ssh-keygen: %w: %s", err, strings.TrimSpace(why.String()))
		}
		return string(signature), strings.TrimSpace(string(public)), nil
	}
}

// checkSignature checks the last signed head and tells of which change it is; ""
// where nothing was signed.
func checkSignature(st *store.Store) (string, error) {
	h, err := st.SignedHead()
	if err != nil || h.Signature == "" {
		return "", err
	}
	dir, err := os.MkdirTemp("", "dormouse-verify-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it holds nothing secret
	signers, file := filepath.Join(dir, "signers"), filepath.Join(dir, "signature")
	if err := errors.Join(os.WriteFile(signers, []byte("journal "+h.Signer+"\n"), 0o600), os.WriteFile(file, []byte(h.Signature), 0o600)); err != nil {
		return "", err
	}
	cmd := exec.Command("ssh-keygen", "-Y", "verify", "-q", "-n", namespace, "-I", "journal", "-f", signers, "-s", file)
	cmd.Stdin = strings.NewReader(h.Signed())
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the signature of the journal at change %d does not hold: %w: %s", h.ID, err, strings.TrimSpace(string(out)))
	}
	return fmt.Sprintf("up to change %d", h.ID), nil
}
