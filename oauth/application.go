package oauth

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/store/model"
	"svc/store/secret"
)

const (
	maxName = 255
	maxURIs = 4096
)

// NewApplication is the input to create or change an application.
type NewApplication struct {
	Name         string
	RedirectURI  string // one per line
	Scopes       string // separated by spaces
	Confidential bool
	Trusted      bool
	UserID       *int64 // the owner is a user, a group, or the instance if both are nil
	NamespaceID  *int64
}

// Check returns the rules that an application breaks, by field.
func (p *Provider) Check(n NewApplication) map[string][]string {
	broken := map[string][]string{}
	add := func(field, text string) {
		if !slices.Contains(broken[field], text) {
			broken[field] = append(broken[field], text)
		}
	}
	switch {
	case strings.TrimSpace(n.Name) == "":
		add("name", "can't be blank")
	case utf8.RuneCountInString(n.Name) > maxName:
		add("name", "is too long (maximum is 255 characters)")
	}
	uris := strings.Fields(n.RedirectURI)
	if len(uris) == 0 {
		add("redirect_uri", "can't be blank")
	}
	if len(n.RedirectURI) > maxURIs {
		add("redirect_uri", "is too long (maximum is 4096 characters)")
	}
	for _, uri := range uris {
		if wrong := wrongURI(uri); wrong != "" {
			add("redirect_uri", wrong)
		}
	}
	scopes := strings.Fields(n.Scopes)
	if len(scopes) == 0 {
		add("scopes", "can't be blank")
	}
	if !subset(scopes, p.o.Scopes) {
		add("scopes", "doesn't match configured on the server.")
	}
	return broken
}

// Register creates an application, which must break no rule, and returns its secret. The secret is stored nowhere.
func (p *Provider) Register(ctx context.Context, n NewApplication) (app model.OAuthApplication, key string, err error) {
	key = secret.NewClientSecret()
	app = model.OAuthApplication{
		UID: newText(), Name: n.Name, SecretDigest: secret.Digest(key), RedirectURI: strings.Join(strings.Fields(n.RedirectURI), "\n"),
		Scopes: strings.Join(parseScopes(n.Scopes), " "), Confidential: n.Confidential, Trusted: n.Trusted,
		UserID: n.UserID, NamespaceID: n.NamespaceID,
	}
	return app, key, p.store.OAuthApplications.Create(ctx, &app)
}

// Change sets the name, redirect URI and scopes of an application, which must break no rule. The owner stays the same.
func (p *Provider) Change(ctx context.Context, id int64, n NewApplication) error {
	return p.store.OAuthApplications.Update(ctx, id, map[string]any{
		"name": n.Name, "redirect_uri": strings.Join(strings.Fields(n.RedirectURI), "\n"),
		"scopes":       strings.Join(parseScopes(n.Scopes), " "),
		"confidential": n.Confidential, "trusted": n.Trusted,
	})
}

// RenewSecret gives an application a new secret and returns it. The old secret stops working at once.
func (p *Provider) RenewSecret(ctx context.Context, id int64) (string, error) {
	key := secret.NewClientSecret()
	return key, p.store.OAuthApplications.Update(ctx, id, map[string]any{"secret_digest": secret.Digest(key)})
}

// Scopes returns all scopes that an application may ask for.
func (p *Provider) Scopes() []string { return p.o.Scopes }
