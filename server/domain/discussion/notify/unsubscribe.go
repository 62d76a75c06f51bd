package notify

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"

	"svc/store/secret"
)

// Links makes and reads the links that end a subscription without signing in. Each link is encrypted with the
// instance's secret key.
type Links struct{ vault secret.Vault }

// NewLinks returns Links that use the instance's secret key.
func NewLinks(key string) (Links, error) {
	vault, err := secret.NewVault(key, "unsubscribe links")
	return Links{vault}, err
}

// Subscription is the subscription that a link ends.
type Subscription struct {
	UserID int64  `json:"u"`
	Kind   string `json:"k"`
	ID     int64  `json:"i"`
	Ref    string `json:"r"` // how the page names the item
}

// UnsubscribePath is the path of the page that the links lead to.
const UnsubscribePath = "/-/unsubscribe"

const linkOwner = "unsubscribe"

// Path returns the path and query of the link that ends a subscription.
func (l Links) Path(s Subscription) string {
	plain, _ := json.Marshal(s) // plain values always marshal
	return UnsubscribePath + "?token=" + url.QueryEscape(base64.RawURLEncoding.EncodeToString(l.vault.Seal(plain, linkOwner)))
}

// Open decrypts the token of a link.
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
