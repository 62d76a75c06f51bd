package present

import (
	"testing"

	"svc/store/model"
)

func TestSignaturesAreShownByTheirKind(t *testing.T) {
	t.Parallel()
	id, name, email, sub := "8254AAB3FBD54AC9", "Jane", "jane@example.com", int64(5)
	golden(t, "signature_gpg", CommitSignature(model.CommitSignature{
		Type: model.SignaturePGP, Status: model.SignatureVerified, KeyID: &id, GPG: &model.GPGKey{ID: 3},
		SubkeyID: &sub, Name: &name, Email: &email,
	}))
	golden(
		t, "signature_gpg_unknown",
		CommitSignature(model.CommitSignature{Type: model.SignaturePGP, Status: model.SignatureUnknownKey, KeyID: &id}),
	)
	golden(t, "signature_ssh", CommitSignature(model.CommitSignature{
		Type: model.SignatureSSH, Status: model.SignatureVerified,
		SSH: &model.Key{ID: 3, Title: "Laptop", Key: "ssh-ed25519 AAAA", UsageType: model.KeySigning, CreatedAt: noon},
	}))
	golden(t, "signature_ssh_unknown", CommitSignature(model.CommitSignature{Type: model.SignatureSSH, Status: model.SignatureUnknownKey}))
	golden(t, "signature_x509", CommitSignature(model.CommitSignature{Type: model.SignatureX509, Status: model.SignatureUnverified}))
}
