package key

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"math/big"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// line returns a public key as a line of a .pub file.
func line(t testing.TB, public any) string {
	t.Helper()
	k, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k)))
}

// rsaLine returns an RSA public key of the given length. No private key for it exists.
func rsaLine(t testing.TB, bits uint) string {
	t.Helper()
	n := new(big.Int).Lsh(big.NewInt(1), bits-1)
	return line(t, &rsa.PublicKey{N: n.Add(n, big.NewInt(1)), E: 65537})
}

func ed25519Line(t testing.TB) string {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return line(t, public)
}

func ecdsaLine(t testing.TB, curve elliptic.Curve) string {
	t.Helper()
	k, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return line(t, &k.PublicKey)
}

// skLine returns the public key of a hardware security key.
func skLine(t testing.TB) string {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	blob := ssh.Marshal(struct {
		Name        string
		Key         []byte
		Application string
	}{ssh.KeyAlgoSKED25519, public, "ssh:"})
	return ssh.KeyAlgoSKED25519 + " " + base64.StdEncoding.EncodeToString(blob)
}

func dsaBlob() string {
	one := big.NewInt(1)
	n := new(big.Int).Add(new(big.Int).Lsh(one, 1023), one)
	blob := ssh.Marshal(struct {
		Name       string
		P, Q, G, Y *big.Int
	}{"ssh-dss", n, new(big.Int).Add(new(big.Int).Lsh(one, 159), one), big.NewInt(2), big.NewInt(4)})
	return base64.StdEncoding.EncodeToString(blob)
}

func TestGoodSSHKeysAreRead(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"ed25519":  ed25519Line(t),
		"rsa 2048": rsaLine(t, 2048),
		"rsa 4096": rsaLine(t, 4096),
		"p256":     ecdsaLine(t, elliptic.P256()),
		"p384":     ecdsaLine(t, elliptic.P384()),
		"p521":     ecdsaLine(t, elliptic.P521()),
		"sk":       skLine(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, given := range []string{text, "  " + text + "\n", text + " jane@laptop and more"} {
				public, wrong := readSSH(given)
				if wrong != "" {
					t.Fatalf("%s: %s", given, wrong)
				}
				if got := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public))); got != text {
					t.Errorf("read %s\nwant %s", got, text)
				}
			}
		})
	}
}

func TestBadSSHKeysAreRefused(t *testing.T) {
	t.Parallel()
	good := ed25519Line(t)
	blob := strings.Fields(good)[1]
	for name, c := range map[string]struct{ text, want string }{
		"blank":         {" \n", "can't be blank"},
		"word":          {"key", "is invalid"},
		"type alone":    {"ssh-ed25519", "is invalid"},
		"unknown type":  {"ssh-none " + blob, "is invalid"},
		"other type":    {"ssh-rsa " + blob, "is invalid"},
		"not base64":    {"ssh-ed25519 AAAA*", "is invalid"},
		"cut off":       {"ssh-ed25519 " + blob[:40], "is invalid"},
		"trailing":      {"ssh-ed25519 " + blob + "AAAA", "is invalid"},
		"control":       {good + " a\x00b", "is invalid"},
		"dsa":           {"ssh-dss " + dsaBlob(), forbidden},
		"dsa as rsa":    {"ssh-rsa " + dsaBlob(), "is invalid"},
		"certificate":   {"ssh-ed25519-cert-v01@openssh.com " + blob, forbidden},
		"short rsa":     {rsaLine(t, 2047), "must be at least 2048 bits"},
		"long rsa":      {rsaLine(t, 16392), "is invalid"},
		"options":       {`command="rm -rf /",no-pty ` + good, "must not have options"},
		"two lines":     {good + "\n" + good, "must be a single line"},
		"carriage":      {good + "\r" + good, "must be a single line"},
		"long":          {good + " " + strings.Repeat("x", 5000), "is too long (maximum is 5000 characters)"},
		"openssh":       {"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----", IsPrivateKey},
		"pem":           {"-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MII", 3000), IsPrivateKey},
		"putty":         {"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none", IsPrivateKey},
		"rfc 4716":      {"---- BEGIN SSH2 PUBLIC KEY ----\n" + blob + "\n---- END SSH2 PUBLIC KEY ----", "must be a single line"},
		"commented out": {"# " + good, "is invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, got := readSSH(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
