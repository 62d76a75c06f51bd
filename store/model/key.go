package model

import "time"

// What an SSH key is used for.
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
}
