package settingspages

import (
	"slices"

	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// tokensView is the content of the page with the access tokens of a project or group.
type tokensView struct {
	Base, Noun string
	Create     bool
	Form       page.Form
	Tokens     []model.ResourceToken
	Pager      page.Pager
}

// accessTokens lists the access tokens of a project or group.
// GET …/-/settings/access_tokens
func (p *Pages) accessTokens(v *page.Visit) error { return p.showAccessTokens(v, nil) }

func (p *Pages) showAccessTokens(v *page.Visit, refused error) error {
	src, active, window := tokenSource(v), true, v.Pager()
	rows, total, err := p.Store.Bots.List(
		v.Request().Context(), src.Source, store.TokenFilter{Active: &active, Sort: "created_desc"}, window.Page,
	)
	if err != nil {
		return err
	}
	view := tokensView{
		Base: at(v, accessTokens), Noun: src.Noun, Tokens: rows, Pager: window.Of(total.More), Create: mayCreateToken(v),
		Form: page.Form{Action: at(v, accessTokens), Submit: "Create token", Fields: []page.Field{
			{Name: "name", Label: "Name", Type: "text", Required: true, Hint: "The purpose of the token"},
			page.RoleField("role", "Role", model.Developer, src.Role),
			{Name: "expires_at", Label: "Expires on", Type: "date", Hint: "Leave empty for the longest possible lifetime"},
			{Name: "scopes", Label: "Scopes", Type: "checkboxes", Options: page.ScopeOptions(access.Scopes, false, nil)},
		}},
	}
	return p.show(v, accessTokens, "tokens", "Access tokens", &view, refused, &view.Form)
}

// mayCreateToken reports whether the caller may create tokens here.
func mayCreateToken(v *page.Visit) bool {
	if v.Project != nil {
		return v.May(access.AdminProjectToken)
	}
	return v.May(access.AdminGroupToken)
}

// createAccessToken creates an access token, which the next page shows once.
// POST …/-/settings/access_tokens
func (p *Pages) createAccessToken(v *page.Visit) error {
	plain, err := p.newAccessToken(v)
	if err != nil {
		return p.showAccessTokens(v, err)
	}
	if err := v.Tell(page.Flash{Text: "The token was created. Copy it now: it will not be shown again.", Secret: plain}); err != nil {
		return err
	}
	return v.Redirect(at(v, accessTokens))
}

func (p *Pages) newAccessToken(v *page.Visit) (string, error) {
	scopes := slices.Compact(slices.Sorted(slices.Values(v.Values("scopes"))))
	if len(scopes) == 0 {
		return "", page.Broken(map[string][]string{"scopes": {"can't be blank"}})
	}
	until, err := v.Day("expires_at")
	if err != nil {
		return "", err
	}
	role, err := v.Role("role")
	if err != nil {
		return "", err
	}
	request := token.Request{Name: v.Value("name"), Scopes: scopes, Expires: until}
	_, plain, err := p.Tokens.CreateResource(v.Request().Context(), tokenSource(v), request, &role, v.Now())
	return plain, err
}

// revokeAccessToken revokes an access token.
// POST …/-/settings/access_tokens/{id}/revoke
func (p *Pages) revokeAccessToken(v *page.Visit) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	if err := p.Tokens.RevokeResource(v.Request().Context(), tokenSource(v), id, nil); err != nil {
		return err
	}
	return v.Done(at(v, accessTokens), "The token was revoked.")
}
