package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"dormouse/internal/safefile"
	"dormouse/store"
)

// namespace keeps a signature from being taken for one over something else.
const namespace = "dormouse"

// opSign is what package store records of each signature; its source is the key.
const opSign = "sign"

// publicKey is one line of an SSH public key file.
type publicKey struct {
	kind, blob string // blob in base64
	comment    string
}

const maxPublicKey = 64 << 10 // bytes

// parseKey reads such a line. Options of an authorized_keys line are none of it:
// they would change what a signature is checked against.
func parseKey(line string) (publicKey, error) {
	fields := strings.Fields(line)
	if len(fields) < 2 || strings.ContainsAny(strings.TrimSpace(line), "\r\n") {
		return publicKey{}, errors.New("it is no SSH public key in one line")
	}
	k := publicKey{fields[0], fields[1], strings.Join(fields[2:], " ")}
	b, err := base64.StdEncoding.DecodeString(k.blob)
	if err != nil || len(b) < 4 || !bytes.HasPrefix(b[4:], []byte(k.kind)) {
		return publicKey{}, errors.New("it is no SSH public key in one line")
	}
	return k, nil
}

func (k publicKey) line() string { return strings.TrimSpace(k.kind + " " + k.blob + " " + k.comment) }

func (k publicKey) same(other publicKey) bool { return k.kind == other.kind && k.blob == other.blob }

// String names the key as ssh-keygen -l does.
func (k publicKey) String() string {
	b, _ := base64.StdEncoding.DecodeString(k.blob) // parseKey has tried it
	sum := sha256.Sum256(b)
	name := "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
	if k.comment != "" {
		name += " (" + k.comment + ")"
	}
	return name
}

// signJournal signs where the journal ends with an SSH key, through ssh-keygen,
// which also asks an agent or for a passphrase. It returns the key's name. A key
// that is not that of the last signature needs newKey: who puts one under a
// journal that was tampered with has to say so.
func signJournal(st *store.Store, by store.By, file string, newKey bool) (string, error) {
	public := strings.TrimSuffix(file, ".pub") + ".pub"
	b, _, err := safefile.Read(public, maxPublicKey)
	if err != nil {
		return "", fmt.Errorf("signing: the public key beside %s: %w; name a private key that has one, as ssh-keygen makes them", file, err)
	}
	key, err := parseKey(string(b))
	if err != nil {
		return "", fmt.Errorf("signing: %s: %w", public, err)
	}
	last, err := lastSigner(st)
	if err != nil {
		return "", err
	}
	if old, err := parseKey(last); last != "" && (err != nil || !old.same(key)) && !newKey {
		return "", fmt.Errorf("not signed: the last signature is by %s, and %s is %s; if you mean to sign with another key from now on, add --new-key", keyName(last), file, key)
	}
	err = st.SignHead(by, key.line(), func(text string) (string, error) {
		signature, err := signText(file, text)
		if err == nil {
			err = checkText(key, text, signature) // KEY.pub may be that of another key
		}
		return signature, err
	})
	return key.String(), err
}

func signText(file, text string) (string, error) {
	cmd := exec.Command("ssh-keygen", "-Y", "sign", "-q", "-n", namespace, "-f", file)
	cmd.Stdin = strings.NewReader(text)
	var why bytes.Buffer
	cmd.Stderr = &why
	signature, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("signing with ssh-keygen: %w: %s", err, strings.TrimSpace(why.String()))
	}
	return string(signature), nil
}

// checkText checks the signature of a text.
func checkText(key publicKey, text, signature string) error {
	dir, err := os.MkdirTemp("", "dormouse-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it holds nothing secret
	signers, file := filepath.Join(dir, "signers"), filepath.Join(dir, "signature")
	if err := errors.Join(os.WriteFile(signers, []byte("journal "+key.kind+" "+key.blob+"\n"), 0o600), os.WriteFile(file, []byte(signature), 0o600)); err != nil {
		return err
	}
	cmd := exec.Command("ssh-keygen", "-Y", "verify", "-q", "-n", namespace, "-I", "journal", "-f", signers, "-s", file)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the signature is not by the key %s over this text: %w: %s", key, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// checkSignature checks the last signed head against its key, and the key against
// the one that the journal tells of: whoever can write the head can put any key
// beside it. It tells of which change the signature is, and by which key; "" where
// nothing was signed.
func checkSignature(st *store.Store) (signed, by string, err error) {
	h, err := st.SignedHead()
	if err != nil {
		return "", "", err
	}
	recorded, err := recordedSigner(st)
	switch {
	case err != nil:
		return "", "", err
	case h.Signature == "" && recorded == "":
		return "", "", nil
	case h.Signature == "":
		return "", "", fmt.Errorf("the signature of the journal is gone: it was signed by %s", keyName(recorded))
	}
	key, err := parseKey(h.Signer)
	if err != nil {
		return "", "", fmt.Errorf("the key of the signature of the journal at change %d can't be read: %w", h.ID, err)
	}
	if recorded == "" {
		return "", "", fmt.Errorf("the journal is signed by %s, and it tells of no signature", key)
	}
	if old, err := parseKey(recorded); err != nil || !old.same(key) {
		return "", "", fmt.Errorf("the journal is signed by %s, and it tells of a signature by %s", key, keyName(recorded))
	}
	if err := checkText(key, h.Signed(), h.Signature); err != nil {
		return "", "", fmt.Errorf("the signature of the journal at change %d does not hold: %w", h.ID, err)
	}
	return fmt.Sprintf("up to change %d", h.ID), key.String(), nil
}

// lastSigner is the key of the last signature, "" without one.
func lastSigner(st *store.Store) (string, error) {
	h, err := st.SignedHead()
	if err != nil {
		return "", err
	}
	recorded, err := recordedSigner(st)
	return cmp.Or(h.Signer, recorded), err
}

// recordedSigner is the key of the newest signature that the journal tells of.
func recordedSigner(st *store.Store) (string, error) {
	history, err := st.History("")
	for _, e := range history {
		if e.Op == opSign && len(e.From) > 0 {
			return e.From[0].Place, err
		}
	}
	return "", err
}

// keyName names a key that stands in a file.
func keyName(line string) string {
	if k, err := parseKey(line); err == nil {
		return k.String()
	}
	return "a key that can't be read"
}
