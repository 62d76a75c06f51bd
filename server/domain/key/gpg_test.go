package key

import (
	"crypto/dsa" //nolint:staticcheck // to see it refused
	"crypto/rsa"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"svc/server/platform/apierr"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// gpg returns an armored block of new keys.
func gpg(t testing.TB, block string, n int, private bool) string {
	t.Helper()
	var text strings.Builder
	w, err := armor.Encode(&text, block, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		e, err := openpgp.NewEntity("Jane", "", "jane@example.com", &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
		if err != nil {
			t.Fatal(err)
		}
		if private {
			err = e.SerializePrivate(w, nil)
		} else {
			err = e.Serialize(w)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestAGPGKeyIsRead(t *testing.T) {
	t.Parallel()
	text := gpg(t, openpgp.PublicKeyType, 1, false)
	row, subkeys, err := readGPG("\n" + text + "\n")
	if len(subkeys) != 1 || row.KeyID != row.Fingerprint[24:] ||
		subkeys[0].KeyID != subkeys[0].Fingerprint[24:] || row.KeyID == subkeys[0].KeyID {
		t.Errorf("%+v with the subkeys %+v", row, subkeys)
	}
	if err != nil || row.Key != strings.TrimSpace(text) ||
		len(row.Fingerprint) != 40 || row.Fingerprint != strings.ToUpper(row.Fingerprint) {
		t.Errorf("%+v, %v", row, err)
	}
}

// bareGPG returns an armored primary key without a signature.
func bareGPG(t testing.TB, k *packet.PublicKey) string {
	t.Helper()
	var text strings.Builder
	w, err := armor.Encode(&text, openpgp.PublicKeyType, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(k.Serialize(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestBadGPGKeysAreRefused(t *testing.T) {
	t.Parallel()
	good := strings.TrimSpace(gpg(t, openpgp.PublicKeyType, 1, false))
	const frame = "is invalid. A valid public GPG key begins with '-----BEGIN PGP PUBLIC KEY BLOCK-----' and ends " +
		"with '-----END PGP PUBLIC KEY BLOCK-----'"
	for name, c := range map[string]struct{ text, want string }{
		"blank":               {" ", "can't be blank"},
		"no block":            {"key", frame},
		"cut off":             {good[:len(good)-10], frame},
		"empty":               {gpgBegin + "\n\n" + gpgEnd, "is invalid"},
		"garbage":             {gpgBegin + "\n\nAAAA\n" + gpgEnd, "is invalid"},
		"line left out":       {strings.Join(append(strings.Split(good, "\n")[:4], strings.Split(good, "\n")[5:]...), "\n"), "is invalid"},
		"two blocks":          {good + "\n" + good, "must be a single key"},
		"two keys":            {gpg(t, openpgp.PublicKeyType, 2, false), "must be a single key"},
		"private":             {gpg(t, openpgp.PrivateKeyType, 1, true), IsPrivateKey},
		"private in disguise": {gpg(t, openpgp.PublicKeyType, 1, true), IsPrivateKey},
		"long rsa": {
			bareGPG(t, packet.NewRSAPublicKey(time.Unix(0, 0), &rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), 8200), E: 3})),
			"must be at most 8192 bits",
		},
		"unsigned": {
			bareGPG(t, packet.NewRSAPublicKey(time.Unix(0, 0), &rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), 2047), E: 3})),
			"is invalid",
		},
		"dsa": {
			bareGPG(
				t,
				packet.NewDSAPublicKey(time.Unix(0, 0), &dsa.PublicKey{
					Parameters: dsa.Parameters{P: big.NewInt(23), Q: big.NewInt(11), G: big.NewInt(4)},
					Y:          big.NewInt(8),
				}),
			),
			"type is forbidden: DSA is no longer secure",
		},
		"message": {gpg(t, "PGP MESSAGE", 1, false), frame},
		"long":    {gpgBegin + strings.Repeat("A", 200001) + gpgEnd, "is too long (maximum is 200000 characters)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := readGPG(c.text)
			var e *apierr.Error
			if !errors.As(err, &e) {
				t.Fatalf("error is %v", err)
			}
			if fields, ok := e.Body.Message.(map[string][]string); !ok || len(fields["key"]) != 1 || fields["key"][0] != c.want {
				t.Errorf("%v, want %s", e.Body.Message, c.want)
			}
		})
	}
}

func FuzzGPG(f *testing.F) {
	f.Add(gpg(f, openpgp.PublicKeyType, 1, false))
	f.Add(gpg(f, openpgp.PublicKeyType, 1, true))
	f.Fuzz(func(_ *testing.T, text string) {
		readGPG(text) //nolint:errcheck // whatever it says, it must not panic
	})
}
