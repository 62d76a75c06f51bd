package web

import (
	"context"

	"svc/server/domain/account"
	"svc/server/platform/apierr"
	"svc/store/model"
)

const emailsPath = "/-/profile/emails"

// emailsPage lists the email addresses of a user.
type emailsPage struct {
	User    model.User
	Further []model.Email
	Pager   pager
	Form    Form
}

// emails lists the email addresses of the current user.
func (w *Web) emails(v *Visit) error { return v.showEmails(nil) }

func (v *Visit) showEmails(broken account.FieldErrors) error {
	u, err := v.currentUser()
	if err != nil {
		return err
	}
	at := v.Pager()
	further, total, err := v.web.store.Emails.ListByUser(v.Request().Context(), u.ID, at.Page)
	if err != nil {
		return err
	}
	form := Form{Action: emailsPath, Submit: "Add address", Fields: []Field{
		{Name: "email", Label: "Mail address", Type: "email", Value: v.Value("email"), Autocomplete: "email", Required: true},
	}}
	return v.Show(
		statusOf(broken), "emails", "Mail addresses",
		emailsPage{User: u, Further: further, Pager: at.Of(total.More), Form: form.With(broken)},
	)
}

// addEmail adds an address, which has to be confirmed.
func (w *Web) addEmail(v *Visit) error {
	if err := v.limit(mailedLinks); err != nil {
		return err
	}
	_, broken, err := w.letters.AddEmail(v.Request().Context(), v.Actor.User.ID, v.Value("email"), false)
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return v.showEmails(broken)
	}
	return v.Done(emailsPath, "We sent you a mail. Open the link in it to confirm the address.")
}

// deleteEmail removes an address.
func (w *Web) deleteEmail(v *Visit) error {
	id, err := v.idParam()
	if err != nil {
		return err
	}
	if err := account.RemoveEmail(v.Request().Context(), w.store, v.Actor.User.ID, id, nil); err != nil {
		return err
	}
	return v.Done(emailsPath, "The address was removed.")
}

// remindEmail mails the confirmation link of an address again.
func (w *Web) remindEmail(v *Visit) error {
	if err := v.limit(mailedLinks); err != nil {
		return err
	}
	id, err := v.idParam()
	if err != nil {
		return err
	}
	row, err := w.store.Emails.GetOfUser(v.Request().Context(), v.Actor.User.ID, id)
	if err != nil {
		return err
	}
	if err := w.queueMail(v.Request().Context(), account.MailLink{Address: row.Email, Purpose: model.MailedConfirmation}); err != nil {
		return err
	}
	return v.Done(emailsPath, "We sent you a mail. Open the link in it to confirm the address.")
}

// promoteEmail makes a confirmed address the primary one.
func (w *Web) promoteEmail(v *Visit) error {
	id, err := v.idParam()
	if err != nil {
		return err
	}
	err = w.store.Tx(v.Request().Context(), func(ctx context.Context) error {
		u, further, err := w.store.Emails.LockUser(ctx, v.Actor.User.ID)
		if err != nil {
			return err
		}
		for _, row := range further {
			if row.ID != id || row.ConfirmedAt == nil {
				continue
			}
			before := model.Email{UserID: u.ID, Email: u.Email, ConfirmedAt: u.ConfirmedAt}
			if err := w.store.Emails.Promote(ctx, row, row.ConfirmedAt, &before); err != nil {
				return err
			}
			return w.letters.SendNotice(
				ctx, u, "Your mail address was changed",
				"The primary mail address of your account is now "+row.Email+".",
			)
		}
		return apierr.NotFound("Email")
	})
	if err != nil {
		return err
	}
	return v.Done(emailsPath, "Your primary address was changed.")
}
