package settingspages

import (
	"slices"

	"svc/server/domain/deploytoken"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// deployTokensView is the content of the page with deploy tokens.
type deployTokensView struct {
	Base, Noun string
	Create     bool
	Form       page.Form
	Tokens     []model.DeployToken
	Pager      page.Pager
}

// deployScopes are what a deploy token can give access to. There is no registry of container images.
var deployScopes = []page.Option{
	{Value: "read_repository", Label: "read_repository", Hint: "Clone and fetch repositories."},
	{Value: "read_package_registry", Label: "read_package_registry", Hint: "Download packages."},
	{Value: "write_package_registry", Label: "write_package_registry", Hint: "Publish packages."},
}

// deployTokens lists the deploy tokens of a project or group.
// GET …/-/settings/deploy_tokens
func (p *Pages) deployTokens(v *page.Visit) error { return p.showDeployTokens(v, nil) }

func (p *Pages) showDeployTokens(v *page.Visit, refused error) error {
	src, active, window := tokenSource(v), true, v.Pager()
	filter := store.DeployTokenFilter{Source: &src.Source, Active: &active}
	rows, total, err := p.Store.DeployTokens.List(v.Request().Context(), filter, window.Page)
	if err != nil {
		return err
	}
	view := deployTokensView{
		Base: at(v, deployTokens), Noun: src.Noun, Tokens: rows, Pager: window.Of(total.More), Create: mayCreateToken(v),
		Form: page.Form{Action: at(v, deployTokens), Submit: "Create token", Fields: []page.Field{
			{Name: "name", Label: "Name", Type: "text", Required: true, Hint: "The machine or program that uses it"},
			{Name: "username", Label: "Username", Type: "text", Hint: "Leave empty for a name that is made for you", Autocomplete: "off"},
			{Name: "expires_at", Label: "Expires on", Type: "date", Hint: "Leave empty for a token that does not expire"},
			{Name: "scopes", Label: "Scopes", Type: "checkboxes", Options: slices.Clone(deployScopes)},
		}},
	}
	return p.show(v, deployTokens, "deploy_tokens", "Deploy tokens", &view, refused, &view.Form)
}

// createDeployToken creates a deploy token, which the next page shows once.
// POST …/-/settings/deploy_tokens
func (p *Pages) createDeployToken(v *page.Visit) error {
	plain, err := p.newDeployToken(v)
	if err != nil {
		return p.showDeployTokens(v, err)
	}
	if err := v.Tell(page.Flash{Text: "The token was created. Copy it now: it will not be shown again.", Secret: plain}); err != nil {
		return err
	}
	return v.Redirect(at(v, deployTokens))
}

func (p *Pages) newDeployToken(v *page.Visit) (string, error) {
	scopes := v.Values("scopes")
	known := func(scope string) bool {
		return slices.ContainsFunc(deployScopes, func(o page.Option) bool { return o.Value == scope })
	}
	switch {
	case len(scopes) == 0:
		return "", page.Broken(map[string][]string{"scopes": {"can't be blank"}})
	case slices.ContainsFunc(scopes, func(scope string) bool { return !known(scope) }):
		return "", page.Broken(map[string][]string{"scopes": {"are not in the list"}})
	}
	until, err := v.Day("expires_at")
	if err != nil {
		return "", err
	}
	username := v.Value("username")
	_, plain, err := p.DeployTokens.Create(v.Request().Context(), tokenSource(v), deploytoken.Draft{
		Name: v.Value("name"), Username: &username, Scopes: scopes, ExpiresAt: until,
	})
	return plain, err
}

// revokeDeployToken revokes a deploy token.
// POST …/-/settings/deploy_tokens/{id}/revoke
func (p *Pages) revokeDeployToken(v *page.Visit) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	if err := p.DeployTokens.Revoke(v.Request().Context(), tokenSource(v), id, nil); err != nil {
		return err
	}
	return v.Done(at(v, deployTokens), "The token was revoked.")
}
