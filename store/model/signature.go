package model

// The types of a commit signature.
const (
	SignaturePGP  = "PGP"
	SignatureSSH  = "SSH"
	SignatureX509 = "X509"
)

// The verification statuses of a signature.
const (
	SignatureVerified           = "verified"                  // made by the committer
	SignatureUnverified         = "unverified"                // it does not match, or cannot be checked
	SignatureDifferentEmail     = "same_user_different_email" // made by the committer, with a key for another address
	SignatureOtherUser          = "other_user"
	SignatureUnverifiedKey      = "unverified_key" // the owner of the key has confirmed none of its addresses
	SignatureUnknownKey         = "unknown_key"
	SignatureMultipleSignatures = "multiple_signatures"
	SignatureRevokedKey         = "revoked_key"
)

// CommitSignature is the result of checking the signature of a commit.
type CommitSignature struct {
	Type     string
	Status   string
	KeyID    *string // of a PGP signature: the primary key's, or the id in the signature if the key is unknown
	GPG      *GPGKey
	SubkeyID *int64
	Name     *string // of the user id of the PGP key
	Email    *string
	SSH      *Key
}
