package web

import (
	"context"
	"maps"
	"slices"
	"time"

	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const tokensPath = "/-/profile/personal_access_tokens"

// tokensPage lists the personal access tokens of a user.
type tokensPage struct {
	Tokens []model.PersonalAccessToken
	Pager  pager
	Form   Form
}

// tokens lists the personal access tokens of the current user.
func (w *Web) tokens(v *Visit) error { return v.showTokens(nil) }

func (v *Visit) showTokens(broken map[string][]string) error {
	active, at := true, v.Pager()
	rows, total, err := v.web.store.Tokens.List(
		v.Request().Context(), store.TokenFilter{UserID: &v.Actor.User.ID, Active: &active, Sort: "created_desc"},
		at.Page,
	)
	if err != nil {
		return err
	}
	form := Form{Action: tokensPath, Submit: "Create token", Fields: []Field{
		{Name: "name", Label: "Name", Type: "text", Value: v.Value("name"), Hint: "The purpose of the token", Required: true},
		{
			Name: "expires_at", Label: "Expires on", Type: "date", Value: v.Value("expires_at"),
			Hint: "Leave empty for the longest possible lifetime",
		},
		{Name: "scopes", Label: "Scopes", Type: "checkboxes", Options: scopeOptions(access.Scopes, v.Actor.User.Admin, v.Values("scopes"))},
	}}
	return v.Show(statusOf(broken), "tokens", "Access tokens", tokensPage{Tokens: rows, Pager: at.Of(total.More), Form: form.With(broken)})
}

// addToken creates an access token, which the next page shows once.
func (w *Web) addToken(v *Visit) error {
	n := token.Request{Name: v.Value("name"), Scopes: slices.Compact(slices.Sorted(slices.Values(v.Values("scopes"))))}
	broken := map[string][]string{}
	if len(n.Scopes) == 0 {
		broken["scopes"] = []string{"can't be blank"}
	}
	if day := v.Value("expires_at"); day != "" {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			broken["expires_at"] = []string{"is invalid"}
		}
		n.Expires = &at
	}
	plain, rules, err := w.createToken(v, n, broken)
	if err != nil {
		return err
	}
	if len(rules) > 0 {
		return v.showTokens(rules)
	}
	if err := v.Tell(Flash{Text: "Your new token was created. Copy it now: it will not be shown again.", Secret: plain}); err != nil {
		return err
	}
	return v.Redirect(tokensPath)
}

// createToken creates an access token of the current user and returns its text, or the rules that it breaks, by field.
// It creates none if rules were broken before.
func (w *Web) createToken(
	v *Visit, n token.Request, before map[string][]string,
) (plain string, broken map[string][]string, err error) {
	row, rules := n.Build(v.Actor.User, access.LifetimeOf(w.store, w.lifetime), v.Now())
	broken = token.ByField(rules)
	maps.Copy(broken, before)
	if len(broken) > 0 {
		return "", broken, nil
	}
	plain = secret.NewToken()
	row.Digest = secret.Digest(plain)
	return plain, nil, token.Add(v.Request().Context(), w.store, &row)
}

// revokeToken revokes an access token.
func (w *Web) revokeToken(v *Visit) error {
	id, err := v.idParam()
	if err != nil {
		return err
	}
	err = w.store.Tx(v.Request().Context(), func(ctx context.Context) error {
		row, err := w.store.Tokens.Get(ctx, id)
		if err != nil {
			return err
		}
		if row.UserID != v.Actor.User.ID || row.Impersonation {
			return apierr.NotFound("Token")
		}
		_, err = token.Revoke(ctx, w.store, row, nil)
		return err
	})
	if err != nil {
		return err
	}
	return v.Done(tokensPath, "The token was revoked.")
}
