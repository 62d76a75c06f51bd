package signature

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"svc/store/git"
	"svc/store/model"
	"svc/store/storetest"

	"golang.org/x/crypto/ssh"
)

// armored returns the armored text of an SSH signature.
func armored(s sshSignature) string {
	return sshBegin + "\n" + base64.StdEncoding.EncodeToString(ssh.Marshal(s)) + "\n" + sshEnd + "\n"
}

// ed25519 has a made-up key and signature, which verify nothing.
var ed25519 = sshSignature{
	Magic: sshMagic, Version: 1, Namespace: "git", HashAlgorithm: "sha512",
	PublicKey: string(ssh.Marshal(struct{ Kind, Key string }{"ssh-ed25519", strings.Repeat("k", 32)})),
	Signature: string(ssh.Marshal(struct{ Kind, Key string }{"ssh-ed25519", strings.Repeat("s", 64)})),
}

func TestWhatCannotBeReadProvesNothing(t *testing.T) {
	t.Parallel()
	c := New(storetest.New(t))
	edit := func(f func(*sshSignature)) string {
		s := ed25519
		f(&s)
		return armored(s)
	}
	for name, signature := range map[string]string{
		"no signature":    "nonsense",
		"empty":           "",
		"no end":          sshBegin + "\nAAAA",
		"not base64":      sshBegin + "\n!\n" + sshEnd,
		"cut off":         sshBegin + "\n" + base64.StdEncoding.EncodeToString([]byte("SSHSIG\x00\x00")) + "\n" + sshEnd,
		"magic":           edit(func(s *sshSignature) { s.Magic[0] = 'x' }),
		"version":         edit(func(s *sshSignature) { s.Version = 2 }),
		"key":             edit(func(s *sshSignature) { s.PublicKey = "x" }),
		"hash":            edit(func(s *sshSignature) { s.HashAlgorithm = "sha1" }),
		"signature":       edit(func(s *sshSignature) { s.Signature = "x" }),
		"does not fit":    armored(ed25519),
		"rsa with sha-1":  edit(func(s *sshSignature) { s.Signature = string(ssh.Marshal(struct{ Kind, Key string }{"ssh-rsa", "x"})) }),
		"endless":         sshBegin + strings.Repeat("A", maxSignature) + sshEnd,
		"gpg cut off":     gpgBegin + "\n\n",
		"gpg empty":       gpgBegin + "\n\n=twTO\n-----END PGP SIGNATURE-----\n",
		"gpg other block": "-----BEGIN PGP MESSAGE-----\n\nAAAA\n-----END PGP MESSAGE-----\n",
		"gpg endless":     gpgBegin + "\n\n" + strings.Repeat("A", maxSignature),
	} {
		got, err := c.Check(t.Context(), git.Signed{Signature: signature, Content: []byte("content")}, "ann@example.com")
		if err != nil || got.Status != model.SignatureUnverified || got.SSH != nil || got.GPG != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Some addresses cannot be stored in a database.
func TestOddAddressesAreNobodys(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	now := time.Now().UTC()
	u := storetest.User(t, st, func(u *model.User) { u.Email, u.ConfirmedAt = "ann@example.com", &now })
	own, err := New(st).confirmed(
		t.Context(), u.ID, []string{"", "a\x00@example.com", "\xff@example.com", "ann@example.com", "ben@example.com"},
	)
	if err != nil || len(own) != 1 || !own["ann@example.com"] {
		t.Errorf("%v, %v", own, err)
	}
}

func FuzzSignature(f *testing.F) {
	f.Add(armored(ed25519))
	f.Add(gpgBegin + "\n\niHUEABYKAB0WIQQ=\n-----END PGP SIGNATURE-----\n")
	f.Fuzz(func(_ *testing.T, text string) {
		if s, key, err := readSSH(text); err == nil {
			s.verify(key, []byte("content")) //nolint:errcheck // whatever it says, it must not panic
		}
		readGPG(text)
	})
}
