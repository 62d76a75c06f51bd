package model

import "time"

// The usage types of an SSH key.
const (
	KeyAuthAndSigning = "auth_and_signing"
	KeyAuth           = "auth"
	KeySigning        = "signing"
)

// Key is an SSH key of a user.
type Key struct {
	ID                int64
	UserID            int64
	Title             string
	Key               string // type and key, without a comment
	FingerprintSHA256 string // base64 without padding, without the prefix SHA256:
	FingerprintMD5    string // hexadecimal pairs with colons
	UsageType         string
	ExpiresAt         *time.Time
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// GPGKey is an OpenPGP key of a user.
type GPGKey struct {
	ID          int64
	UserID      int64
	Key         string // armored
	Fingerprint string // of the primary key, hexadecimal
	CreatedAt   time.Time
	UpdatedAt   time.Time
	KeyID       string // the half of the fingerprint that signatures name
	SubkeysRead bool   // its subkeys have rows
}

// GPGKeySubkey is a subkey of an OpenPGP key, which may sign for that key.
type GPGKeySubkey struct {
	ID          int64
	GPGKeyID    int64
	KeyID       string
	Fingerprint string
}

// GPGSigner is an OpenPGP key that may have made a signature.
type GPGSigner struct {
	Key      GPGKey `gorm:"embedded"`
	SubkeyID *int64 // set if a subkey made it
}

// TableName returns the table that most columns come from.
func (GPGSigner) TableName() string { return "gpg_keys" }
