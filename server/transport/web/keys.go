package web

import (
	"errors"
	"time"

	"svc/server/domain/account"
	"svc/server/domain/key"
	"svc/store"
	"svc/store/model"
)

const keysPath = "/-/profile/keys"

// keysPage lists the SSH keys of a user.
type keysPage struct {
	Keys  []model.Key
	Pager pager
	Form  Form
}

// keys lists the SSH keys of the current user.
func (w *Web) keys(v *Visit) error { return v.showKeys(nil) }

func (v *Visit) showKeys(broken account.FieldErrors) error {
	at := v.Pager()
	rows, total, err := v.web.store.Keys.ListByUser(v.Request().Context(), v.Actor.User.ID, at.Page)
	if err != nil {
		return err
	}
	form := Form{Action: keysPath, Submit: "Add key", Fields: []Field{
		{
			Name: "key", Label: "Key", Type: "textarea", Value: v.Value("key"),
			Hint: "The public key, usually in ~/.ssh/id_ed25519.pub", Required: true,
		},
		{
			Name: "title", Label: "Title", Type: "text", Value: v.Value("title"), Hint: "The device of the key, such as laptop",
			Required: true,
		},
		{
			Name: "expires_at", Label: "Expires on", Type: "date", Value: v.Value("expires_at"),
			Hint: "Leave empty for a key that does not expire",
		},
	}}
	return v.Show(statusOf(broken), "keys", "SSH keys", keysPage{Keys: rows, Pager: at.Of(total.More), Form: form.With(broken)})
}

// addKey adds an SSH key.
func (w *Web) addKey(v *Visit) error {
	var expires *time.Time
	if day := v.Value("expires_at"); day != "" {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return v.showKeys(account.FieldErrors{"expires_at": {"is invalid"}})
		}
		expires = &at
	}
	row, broken := key.NewSSHKey(&v.web.store.Settings.Current().Values, v.Value("title"), v.Value("key"), model.KeyAuthAndSigning,
		expires, v.Now())
	if len(broken) > 0 {
		return v.showKeys(broken)
	}
	row.UserID = v.Actor.User.ID
	err := w.keyService.AddSSH(v.Request().Context(), &row)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return v.showKeys(account.FieldErrors{"key": {"has already been taken"}})
	}
	if err != nil {
		return err
	}
	return v.Done(keysPath, "The key was added.")
}

// deleteKey removes an SSH key.
func (w *Web) deleteKey(v *Visit) error {
	id, err := v.idParam()
	if err != nil {
		return err
	}
	if err := w.keyService.RemoveSSH(v.Request().Context(), v.Actor.User.ID, id, nil); err != nil {
		return err
	}
	return v.Done(keysPath, "The key was removed.")
}
