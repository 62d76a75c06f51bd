package key

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"svc/server/platform/apierr"
	"svc/store/model"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

const (
	maxGPG     = 200000
	maxGPGBits = 8192
	gpgBegin   = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
	gpgEnd     = "-----END PGP PUBLIC KEY BLOCK-----"
)

// readGPG validates a new GPG key and returns the rows of the key and its subkeys.
func readGPG(text string) (model.GPGKey, []model.GPGKeySubkey, error) {
	text = strings.TrimSpace(text)
	wrong := ""
	switch {
	case text == "":
		wrong = "can't be blank"
	case strings.Contains(text, "PRIVATE KEY"):
		wrong = IsPrivateKey
	case len(text) > maxGPG:
		wrong = fmt.Sprintf("is too long (maximum is %d characters)", maxGPG)
	case !strings.HasPrefix(text, gpgBegin) || !strings.HasSuffix(text, gpgEnd):
		wrong = "is invalid. A valid public GPG key begins with '" + gpgBegin + "' and ends with '" + gpgEnd + "'"
	case strings.Count(text, gpgBegin) > 1:
		wrong = "must be a single key"
	}
	if wrong != "" {
		return model.GPGKey{}, nil, apierr.Invalid("key", wrong)
	}
	data, wrong := unarmor(text)
	if wrong != "" {
		return model.GPGKey{}, nil, apierr.Invalid("key", wrong)
	}
	found, err := openpgp.ReadKeyRing(bytes.NewReader(data))
	if err != nil || len(found) != 1 {
		return model.GPGKey{}, nil, apierr.Invalid("key", "is invalid")
	}
	row := model.GPGKey{Key: text, Fingerprint: fingerprint(found[0].PrimaryKey), KeyID: keyID(found[0].PrimaryKey)}
	return row, subkeys(found[0]), nil
}

// subkeys returns the rows of the subkeys. The library has already checked that the primary key signed them.
func subkeys(e *openpgp.Entity) []model.GPGKeySubkey {
	var rows []model.GPGKeySubkey
	for _, sub := range e.Subkeys {
		rows = append(rows, model.GPGKeySubkey{KeyID: keyID(sub.PublicKey), Fingerprint: fingerprint(sub.PublicKey)})
	}
	return rows
}

func fingerprint(k *packet.PublicKey) string {
	return strings.ToUpper(hex.EncodeToString(k.Fingerprint))
}

func keyID(k *packet.PublicKey) string { return fmt.Sprintf("%016X", k.KeyId) }

// unarmor decodes a block and checks its keys before their signatures are verified: with specially chosen numbers, one
// verification can take minutes.
func unarmor(text string) (data []byte, wrong string) {
	block, err := armor.Decode(strings.NewReader(text))
	if err != nil {
		return nil, "is invalid"
	}
	if data, err = io.ReadAll(block.Body); err != nil {
		return nil, "is invalid"
	}
	packets, primary := packet.NewReader(bytes.NewReader(data)), 0
	for {
		p, err := packets.Next()
		switch {
		case errors.Is(err, io.EOF) && primary > 1:
			return nil, "must be a single key"
		case errors.Is(err, io.EOF):
			return data, ""
		case err != nil:
			return nil, "is invalid"
		}
		switch k := p.(type) {
		case *packet.PrivateKey:
			return nil, IsPrivateKey
		case *packet.PublicKey:
			if wrong := checkGPG(k); wrong != "" {
				return nil, wrong
			}
			if !k.IsSubkey {
				primary++
			}
		}
	}
}

func checkGPG(k *packet.PublicKey) string {
	switch k.PubKeyAlgo {
	case packet.PubKeyAlgoDSA:
		return "type is forbidden: DSA is no longer secure"
	case packet.PubKeyAlgoRSA, packet.PubKeyAlgoRSAEncryptOnly, packet.PubKeyAlgoRSASignOnly, packet.PubKeyAlgoElGamal:
		if bits, err := k.BitLength(); err != nil || bits > maxGPGBits {
			return fmt.Sprintf("must be at most %d bits", maxGPGBits)
		}
	}
	return ""
}
