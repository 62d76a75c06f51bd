package lfs

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"svc/store/secret"
)

const (
	// TicketTime is how long a ticket is valid. Clients whose transfers take longer request another ticket.
	TicketTime = 30 * time.Minute

	ticketPrefix = "svclfs-" // so that a ticket is never taken for a password
	ticketOwner  = "large files"
)

// Ticket grants access to the large files of one project, and to nothing else, after a client has authenticated with a
// key over SSH. It names only the key: the key's owner and their permissions are looked up when the ticket is used.
type Ticket struct {
	Key       string    `json:"key"` // its SHA-256
	ProjectID int64     `json:"project"`
	Upload    bool      `json:"upload"`
	Until     time.Time `json:"until"`
}

// Tickets issues and reads tickets. They are encrypted with the instance's key, so nothing has to be stored.
type Tickets struct{ vault secret.Vault }

// NewTickets returns Tickets that use the instance's secret key.
func NewTickets(key string) (Tickets, error) {
	vault, err := secret.NewVault(key, "lfs tickets")
	return Tickets{vault}, err
}

// Issue returns a ticket that is valid from now on.
func (t Tickets) Issue(k Ticket, now time.Time) (string, error) {
	k.Until = now.Add(TicketTime)
	plain, err := json.Marshal(k)
	if err != nil {
		return "", err
	}
	return ticketPrefix + base64.RawURLEncoding.EncodeToString(t.vault.Seal(plain, ticketOwner)), nil
}

// IsTicket reports whether a password looks like a ticket.
func IsTicket(text string) bool { return strings.HasPrefix(text, ticketPrefix) }

// Read decrypts a ticket. It returns false if the ticket is invalid or has expired.
func (t Tickets) Read(text string, now time.Time) (Ticket, bool) {
	var k Ticket
	sealed, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(text, ticketPrefix))
	if err != nil || !IsTicket(text) {
		return k, false
	}
	plain, err := t.vault.Open(sealed, ticketOwner)
	if err != nil || json.Unmarshal(plain, &k) != nil {
		return Ticket{}, false
	}
	return k, now.Before(k.Until)
}
