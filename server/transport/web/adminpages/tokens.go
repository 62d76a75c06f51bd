package adminpages

import (
	"strconv"

	"svc/server/domain/token"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// maxTokens is how many impersonation tokens the page of a user shows.
const maxTokens = 50

// tokenView is an impersonation token on the page of its user.
type tokenView struct {
	model.PersonalAccessToken
	State  string
	Revoke *page.Button // nil if the token does not work any more
}

// tokensOf returns the impersonation tokens of a user, and whether there are more.
func (p *Pages) tokensOf(v *page.Visit, u model.User) ([]tokenView, bool, error) {
	filter := store.TokenFilter{UserID: &u.ID, Impersonation: true, Sort: "created_desc"}
	rows, total, err := p.Store.Tokens.List(v.Request().Context(), filter, store.Page{Limit: maxTokens})
	var all []tokenView
	for _, row := range rows {
		one := tokenView{PersonalAccessToken: row, State: "active"}
		switch {
		case row.Revoked:
			one.State = "revoked"
		case row.Expired(v.Now()):
			one.State = "expired"
		default:
			action := userPath(u.ID) + "/impersonation_tokens/" + strconv.FormatInt(row.ID, 10) + "/revoke"
			one.Revoke = &page.Button{Action: action, Label: "Revoke", Class: "danger"}
		}
		all = append(all, one)
	}
	return all, total.More, err
}

// revokeToken revokes an impersonation token.
// POST /admin/users/{id}/impersonation_tokens/{token}/revoke
func (p *Pages) revokeToken(v *page.Visit) error {
	user, err := v.Number("id")
	if err != nil {
		return err
	}
	id, err := v.Number("token")
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	row, err := p.Store.Tokens.GetImpersonation(ctx, user, id)
	if err != nil {
		return apierr.OrNotFound(err, "")
	}
	if _, err := token.Revoke(ctx, p.Store, row, nil); err != nil {
		return err
	}
	return v.Done(userPath(user), "The token was revoked.")
}
