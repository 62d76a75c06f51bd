package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// CommitSignature presents the result of checking a signature, with the members of its type.
func CommitSignature(s model.CommitSignature) gen.CommitSignature {
	shown := gen.CommitSignature{
		SignatureType:      gen.CommitSignatureType(s.Type),
		VerificationStatus: gen.CommitSignatureStatus(s.Status),
		CommitSource:       gen.CommitSignatureCommitSourceGitaly,
	}
	switch s.Type {
	case model.SignaturePGP:
		shown.GpgKeyID = wire.Null[int64]()
		if s.GPG != nil {
			shown.GpgKeyID = wire.Some(s.GPG.ID)
		}
		shown.GpgKeyPrimaryKeyid = wire.Maybe(s.KeyID)
		shown.GpgKeyUserName = wire.Maybe(s.Name)
		shown.GpgKeyUserEmail = wire.Maybe(s.Email)
		shown.GpgKeySubkeyID = wire.Maybe(s.SubkeyID)
	case model.SignatureSSH:
		shown.Key = wire.Null[gen.Key]()
		if s.SSH != nil {
			shown.Key = wire.Some(Key(*s.SSH))
		}
	}
	return shown
}
