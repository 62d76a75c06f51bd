package present

import (
	"testing"

	"svc/store/model"
)

func TestKeysAreShown(t *testing.T) {
	t.Parallel()
	bareKey := model.Key{
		ID: 3, UserID: 7, Title: "Laptop", Key: "ssh-ed25519 AAAA", FingerprintSHA256: "f", FingerprintMD5: "m",
		UsageType: model.KeyAuth, CreatedAt: noon,
	}
	fullKey := bareKey
	fullKey.UsageType, fullKey.ExpiresAt = model.KeyAuthAndSigning, &noon
	golden(t, "key_bare", Key(bareKey))
	golden(t, "key_full", Key(fullKey))
	golden(t, "key_with_user", free.KeyWithUser(fullKey, full()))
	golden(t, "gpg_key", GPGKey(model.GPGKey{ID: 3, UserID: 7, Key: "-----BEGIN …", Fingerprint: "F", CreatedAt: noon}))
}
