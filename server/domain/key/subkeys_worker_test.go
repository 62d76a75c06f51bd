package key

import (
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/ProtonMail/go-crypto/openpgp"
)

// signer returns the one key that signs with a key ID.
func signer(t *testing.T, st *store.Store, keyID string) model.GPGSigner {
	t.Helper()
	signers, err := st.GPGKeys.Signers(t.Context(), keyID)
	if err != nil || len(signers) != 1 {
		t.Fatalf("%+v, %v", signers, err)
	}
	return signers[0]
}

// Old keys get rows for their subkeys. A key that cannot be parsed does not stop the others.
func TestSubkeysOfOldKeysAreRead(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	row, found, err := readGPG(gpg(t, openpgp.PublicKeyType, 1, false))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	broken := model.GPGKey{UserID: u.ID, Key: "broken", Fingerprint: "broken"}
	row.UserID = u.ID
	for _, k := range []*model.GPGKey{&broken, &row} {
		if err := st.GPGKeys.Create(t.Context(), k, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := st.SQL().ExecContext(t.Context(), "UPDATE gpg_keys SET subkeys_read = false"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := New(st, nil).ReadSubkeys(t.Context(), Subkeys{}); err != nil {
			t.Fatal(err)
		}
		if got := signer(t, st, found[0].KeyID); got.Key.ID != row.ID || got.SubkeyID == nil {
			t.Errorf("%+v", got)
		}
		if got := signer(t, st, row.KeyID); got.SubkeyID != nil {
			t.Errorf("by the primary key: %+v", got)
		}
	}
	if left, err := st.GPGKeys.WithoutSubkeys(t.Context(), 10); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
}
