package userpages

import (
	"context"
	"time"

	"svc/server/transport/web/page"
	"svc/store/model"
)

// gpgView is the content of the page with GPG keys.
type gpgView struct {
	Keys  []model.GPGKey
	Pager page.Pager
	Form  page.Form
}

// gpgKeys lists the GPG keys of the current user.
// GET /-/profile/gpg_keys
func (p *Pages) gpgKeys(v *page.Visit) error { return p.showGPGKeys(v, nil) }

func (p *Pages) showGPGKeys(v *page.Visit, refused error) error {
	at := v.Pager()
	rows, total, err := p.Store.GPGKeys.ListByUser(v.Request().Context(), v.Actor.User.ID, at.Page)
	if err != nil {
		return err
	}
	form := page.Form{Action: gpgPath, Submit: "Add key", Fields: []page.Field{{
		Name: "key", Label: "Key", Type: "textarea", Rows: 8, Required: true,
		Hint: "The public key as gpg --armor --export writes it. It begins with -----BEGIN PGP PUBLIC KEY BLOCK-----.",
	}}}
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	view := gpgView{Keys: rows, Pager: at.Of(total.More), Form: form}
	return v.Show(page.View{Templates: p.templates, Name: "gpg_keys", Status: status, Title: "GPG keys", Data: view})
}

// addGPGKey adds a GPG key.
// POST /-/profile/gpg_keys
func (p *Pages) addGPGKey(v *page.Visit) error {
	if _, err := p.Keys.AddGPG(v.Request().Context(), v.Actor.User.ID, v.Value("key")); err != nil {
		return p.showGPGKeys(v, err)
	}
	return v.Done(gpgPath, "The key was added.")
}

// removeGPGKey deletes a GPG key. Commits that it signed stay verified.
// POST /-/profile/gpg_keys/{id}/delete
func (p *Pages) removeGPGKey(v *page.Visit) error {
	return p.endGPGKey(v, func(ctx context.Context, userID, id int64) error {
		return p.Keys.RemoveGPG(ctx, userID, id, (*time.Time)(nil))
	}, "The key was removed.")
}

// revokeGPGKey deletes a GPG key that nobody should trust any more.
// POST /-/profile/gpg_keys/{id}/revoke
func (p *Pages) revokeGPGKey(v *page.Visit) error {
	return p.endGPGKey(v, p.Keys.RevokeGPG, "The key was revoked.")
}

func (p *Pages) endGPGKey(v *page.Visit, end func(ctx context.Context, userID, id int64) error, text string) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	if err := end(v.Request().Context(), v.Actor.User.ID, id); err != nil {
		return err
	}
	return v.Done(gpgPath, text)
}
