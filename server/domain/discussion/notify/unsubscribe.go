package notify

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"

	"svc/store/secret"
)

// Links are what ends a subscription without signing in: each is sealed with the instance's secret key.
type Links struct{ vault secret.Vault }

// NewLinks takes the instance's secret key.
func NewLinks(key string) (Links, error) {
	vault, err := secret.NewVault(key, "unsubscribe links")
	return Links{vault}, err
}

// Subscription is what a link ends.
type Subscription struct {
	UserID int64  `json:"u"`
	Kind   string `json:"k"`
	ID     int64  `json:"i"`
	Ref    string `json:"r"` // how people call it
}

// UnsubscribePath is the page that links lead to.
const UnsubscribePath = "/-/unsubscribe"

const linkOwner = "unsubscribe"

// Path is the link.
func (l Links) Path(s Subscription) string {
	plain, _ := json.Marshal(s) // plain values always marshal
	return UnsubscribePath + "?token=" + url.QueryEscape(base64.RawURLEncoding.EncodeToString(l.vault.Seal(plain, linkOwner)))
}

// Open reads the token of a link.
func (l Links) Open(token string) (Subscription, error) {
	var s Subscription
	if len(token) > 2000 {
		return s, errors.New("too long to be a token")
	}
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return s, err
	}
	plain, err := l.vault.Open(sealed, linkOwner)
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(plain, &s)
}
