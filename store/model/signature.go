package model

// The kinds of signature that a commit may have.
const (
	SignaturePGP  = "PGP"
	SignatureSSH  = "SSH"
	SignatureX509 = "X509"
)

// What a signature proves.
const (
	SignatureVerified           = "verified"                  // by the committer
	SignatureUnverified         = "unverified"                // nothing: it does not fit, or cannot be checked
	SignatureDifferentEmail     = "same_user_different_email" // by the committer, with a key for another address
	SignatureOtherUser          = "other_user"
	SignatureUnverifiedKey      = "unverified_key" // the key's owner has confirmed none of its addresses
	SignatureUnknownKey         = "unknown_key"
	SignatureMultipleSignatures = "multiple_signatures"
	SignatureRevokedKey         = "revoked_key"
)

// CommitSignature is what is known of a commit's signature.
type CommitSignature struct {
	Type     string
	Status   string
	KeyID    *string // of a PGP signature: the primary key's, or what the signature names if that is not known
	GPG      *GPGKey
	SubkeyID *int64
	Name     *string // of the PGP key's user id
	Email    *string
	SSH      *Key
}
