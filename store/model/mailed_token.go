package model

import "time"

// The purposes of a link in a mail.
const (
	MailedConfirmation = "confirm_address"
	MailedReset        = "reset_password"
)

// MailedToken is what a link in a mail opens; only the digest of its token is kept.
type MailedToken struct {
	ID        int64
	UserID    int64
	Purpose   string
	Email     string // the address that the mail went to
	Digest    []byte
	CreatedAt time.Time
	ExpiresAt time.Time
}
