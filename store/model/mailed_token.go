package model

import "time"

// The purposes of a link in an email.
const (
	MailedConfirmation = "confirm_address"
	MailedReset        = "reset_password"
)

// MailedToken is the token of a link in an email. Only its digest is stored.
type MailedToken struct {
	ID        int64
	UserID    int64
	Purpose   string
	Email     string // the address that the email went to
	Digest    []byte
	CreatedAt time.Time
	ExpiresAt time.Time
}
