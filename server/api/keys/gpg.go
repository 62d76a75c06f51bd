package keys

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"svc/server/account"
	"svc/server/apierr"
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

// readGPG makes the row of a new GPG key, or tells what is wrong with it.
func readGPG(text string) (model.GPGKey, error) {
	text = strings.TrimSpace(text)
	wrong := ""
	switch {
	case text == "":
		wrong = "can't be blank"
	case strings.Contains(text, "PRIVATE KEY"):
		wrong = account.IsPrivateKey
	case len(text) > maxGPG:
		wrong = fmt.Sprintf("is too long (maximum is %d characters)", maxGPG)
	case !strings.HasPrefix(text, gpgBegin) || !strings.HasSuffix(text, gpgEnd):
		wrong = "is invalid. A valid public GPG key begins with '" + gpgBegin + "' and ends with '" + gpgEnd + "'"
	case strings.Count(text, gpgBegin) > 1:
		wrong = "must be a single key"
	}
	if wrong != "" {
		return model.GPGKey{}, apierr.Invalid("key", wrong)
	}
	data, wrong := unarmor(text)
	if wrong != "" {
		return model.GPGKey{}, apierr.Invalid("key", wrong)
	}
	found, err := openpgp.ReadKeyRing(bytes.NewReader(data))
	if err != nil || len(found) != 1 {
		return model.GPGKey{}, apierr.Invalid("key", "is invalid")
	}
	return model.GPGKey{Key: text, Fingerprint: strings.ToUpper(hex.EncodeToString(found[0].PrimaryKey.Fingerprint))}, nil
}

// unarmor decodes a block and looks at its keys before their signatures are checked: with numbers chosen for it, one check
// can take minutes.
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
			return nil, account.IsPrivateKey
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
