package key

import (
	"crypto/rsa"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"svc/server/domain/account"
	"svc/store/model"
	"svc/store/setting"

	"golang.org/x/crypto/ssh"
)

const (
	maxTitle  = 255
	maxSSH    = 5000
	minRSA    = 2048
	forbidden = "type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK"

	// IsPrivateKey is the message for a user who submits a private key.
	IsPrivateKey = "is a private key. Send the public key of a new pair: this pair is no longer secret"
)

var sshTypes = []string{
	ssh.KeyAlgoRSA, ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521,
	ssh.KeyAlgoSKECDSA256, ssh.KeyAlgoSKED25519,
}

// NewSSHKey returns the row of a new SSH key, or everything that is wrong with it, also by the rules of the settings.
func NewSSHKey(rules *setting.Values, title, text, usage string, expires *time.Time, now time.Time) (model.Key, account.FieldErrors) {
	row := model.Key{Title: strings.TrimSpace(title), UsageType: usage, ExpiresAt: expires}
	broken := account.FieldErrors{}
	switch {
	case row.Title == "":
		broken.Add("title", "can't be blank")
	case utf8.RuneCountInString(row.Title) > maxTitle:
		broken.Add("title", fmt.Sprintf("is too long (maximum is %d characters)", maxTitle))
	}
	public, wrong := readSSH(text)
	if wrong == "" {
		wrong = restriction(rules, public)
	}
	if wrong != "" {
		broken.Add("key", wrong)
	}
	if expires != nil && !expires.After(now) {
		broken.Add("expires_at", "must be in the future")
	}
	if len(broken) > 0 {
		return row, broken
	}
	row.Key = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public)))
	row.FingerprintSHA256 = strings.TrimPrefix(ssh.FingerprintSHA256(public), "SHA256:")
	row.FingerprintMD5 = ssh.FingerprintLegacyMD5(public)
	return row, nil
}

// readSSH parses one line of a .pub file, or returns what is wrong with it.
func readSSH(text string) (ssh.PublicKey, string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, "can't be blank"
	case strings.Contains(text, "PRIVATE KEY") || strings.HasPrefix(text, "PuTTY-User-Key-File"):
		return nil, IsPrivateKey
	case len(text) > maxSSH:
		return nil, fmt.Sprintf("is too long (maximum is %d characters)", maxSSH)
	case strings.ContainsAny(text, "\r\n"):
		return nil, "must be a single line"
	case strings.ContainsFunc(text, unicode.IsControl):
		return nil, "is invalid"
	}
	parts := strings.Fields(text)
	if !slices.Contains(sshTypes, parts[0]) {
		return nil, explainType(text, parts[0])
	}
	if len(parts) < 2 {
		return nil, "is invalid"
	}
	blob, err := base64.StdEncoding.DecodeString(parts[1])
	if err != nil {
		return nil, "is invalid"
	}
	public, err := ssh.ParsePublicKey(blob)
	if err != nil || public.Type() != parts[0] {
		return nil, "is invalid"
	}
	return public, checkRSA(public)
}

// explainType returns what is wrong with a line that does not begin with a supported type.
func explainType(text, first string) string {
	if first == "ssh-dss" || strings.HasSuffix(first, "-cert-v01@openssh.com") {
		return forbidden
	}
	if _, _, options, _, err := ssh.ParseAuthorizedKey([]byte(text)); err == nil && len(options) > 0 {
		return "must not have options"
	}
	return "is invalid"
}

// restriction returns how a key breaks the rules of the settings, or an empty text.
func restriction(rules *setting.Values, public ssh.PublicKey) string {
	kind, bits, least := "RSA", 256, rules.RSAKeyRestriction
	switch public.Type() {
	case ssh.KeyAlgoRSA:
		bits = rsaBits(public)
	case ssh.KeyAlgoED25519:
		kind, least = "ED25519", rules.ED25519KeyRestriction
	case ssh.KeyAlgoSKED25519:
		kind, least = "ED25519_SK", rules.ED25519SKKeyRestriction
	case ssh.KeyAlgoSKECDSA256:
		kind, least = "ECDSA_SK", rules.ECDSASKKeyRestriction
	default:
		kind, least = "ECDSA", rules.ECDSAKeyRestriction
		bits = map[string]int{ssh.KeyAlgoECDSA256: 256, ssh.KeyAlgoECDSA384: 384, ssh.KeyAlgoECDSA521: 521}[public.Type()]
	}
	switch {
	case least < 0:
		return "type is forbidden: " + kind + " keys are not allowed on this instance"
	case int64(bits) < least:
		return fmt.Sprintf("must be at least %d bits", least)
	}
	return ""
}

// rsaBits returns the length of an RSA key.
func rsaBits(public ssh.PublicKey) int {
	wrapped, ok := public.(ssh.CryptoPublicKey)
	if !ok {
		return 0
	}
	if k, ok := wrapped.CryptoPublicKey().(*rsa.PublicKey); ok {
		return k.N.BitLen()
	}
	return 0
}

func checkRSA(public ssh.PublicKey) string {
	wrapped, ok := public.(ssh.CryptoPublicKey)
	if !ok {
		return ""
	}
	k, ok := wrapped.CryptoPublicKey().(*rsa.PublicKey)
	if ok && k.N.BitLen() < minRSA {
		return fmt.Sprintf("must be at least %d bits", minRSA)
	}
	return ""
}
