package signature

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"strings"

	"svc/store"
	"svc/store/git"
	"svc/store/model"

	"golang.org/x/crypto/ssh"
)

const (
	sshBegin = "-----BEGIN SSH SIGNATURE-----"
	sshEnd   = "-----END SSH SIGNATURE-----"
	// sshNamespace is the namespace that git signs with. A signature for another namespace proves nothing here.
	sshNamespace = "git"
)

var sshMagic = [6]byte{'S', 'S', 'H', 'S', 'I', 'G'}

var errSSH = errors.New("not an SSH signature")

// sshSignature is the signature format of OpenSSH's PROTOCOL.sshsig.
type sshSignature struct {
	Magic         [6]byte
	Version       uint32
	PublicKey     string
	Namespace     string
	Reserved      string
	HashAlgorithm string
	Signature     string
}

// sshSigned is the signed data: the hash of the content, not the content itself.
type sshSigned struct {
	Magic         [6]byte
	Namespace     string
	Reserved      string
	HashAlgorithm string
	Hash          string
}

func readSSH(text string) (sshSignature, ssh.PublicKey, error) {
	var s sshSignature
	text, begins := strings.CutPrefix(strings.TrimSpace(text), sshBegin)
	text, ends := strings.CutSuffix(text, sshEnd)
	if !begins || !ends || len(text) > maxSignature {
		return s, nil, errSSH
	}
	data, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "").Replace(text))
	if err != nil {
		return s, nil, err
	}
	if err := ssh.Unmarshal(data, &s); err != nil {
		return s, nil, err
	}
	if s.Magic != sshMagic || s.Version != 1 {
		return s, nil, errSSH
	}
	key, err := ssh.ParsePublicKey([]byte(s.PublicKey))
	return s, key, err
}

// verify checks that a key has signed the content.
func (s sshSignature) verify(key ssh.PublicKey, content []byte) error {
	hash := ""
	switch s.HashAlgorithm {
	case "sha256":
		sum := sha256.Sum256(content)
		hash = string(sum[:])
	case "sha512":
		sum := sha512.Sum512(content)
		hash = string(sum[:])
	}
	var made ssh.Signature
	if err := ssh.Unmarshal([]byte(s.Signature), &made); err != nil {
		return err
	}
	// The protocol does not allow RSA with SHA-1.
	if hash == "" || s.Namespace != sshNamespace || made.Format == ssh.KeyAlgoRSA {
		return errSSH
	}
	return key.Verify(ssh.Marshal(sshSigned{sshMagic, s.Namespace, s.Reserved, s.HashAlgorithm, hash}), &made)
}

func (c *Checker) ssh(ctx context.Context, signed git.Signed, committer string) (model.CommitSignature, error) {
	out := model.CommitSignature{Type: model.SignatureSSH, Status: model.SignatureUnverified}
	s, key, err := readSSH(signed.Signature)
	if err != nil {
		return out, nil //nolint:nilerr // what cannot be read proves nothing
	}
	row, _, err := c.store.Keys.GetBySHA256(ctx, strings.TrimPrefix(ssh.FingerprintSHA256(key), "SHA256:"))
	known := err == nil && row.UsageType != model.KeyAuth
	if err != nil && !store.IsNotFound(err) {
		return out, err
	}
	if known {
		out.SSH = &row
	}
	if s.verify(key, signed.Content) != nil {
		return out, nil
	}
	if !known {
		out.Status = model.SignatureUnknownKey
		return out, nil
	}
	own, err := c.confirmed(ctx, row.UserID, []string{committer})
	out.Status = model.SignatureOtherUser
	if own[committer] {
		out.Status = model.SignatureVerified
	}
	return out, err
}
