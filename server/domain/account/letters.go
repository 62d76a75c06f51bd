package account

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"svc/server/domain/webhook/announce"
	"svc/server/platform/mail"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

const (
	confirmTime = 3 * 24 * time.Hour
	resetTime   = 6 * time.Hour
	noticeTime  = 3 * 24 * time.Hour
	mailPause   = time.Minute // the minimum time between two mails of a kind that anybody can request
)

// Mails mails users about their accounts. Each mail is queued in the caller's transaction.
type Mails struct {
	store *store.Store
	post  *mail.Mailer
	url   string
	hooks *announce.Announcer // announces to webhooks; nil announces nothing
}

// NewMails returns the mails of accounts. Links in them begin with base, the external URL of the service.
func NewMails(st *store.Store, post *mail.Mailer, base string, hooks *announce.Announcer) *Mails {
	return &Mails{store: st, post: post, url: base, hooks: hooks}
}

// SendConfirmation mails a user a link that confirms one of their addresses.
func (l *Mails) SendConfirmation(ctx context.Context, u model.User, address string) error {
	return l.sendLink(ctx, u, address, model.MailedConfirmation, confirmTime, "/users/confirmation?confirmation_token=",
		"Confirm your mail address",
		"Please open this link within three days to confirm that %s is your mail address:\n\n%s\n\n"+
			"If you did not request this, you can ignore this mail.\n")
}

// SendReset mails a user a link to choose a new password.
func (l *Mails) SendReset(ctx context.Context, u model.User) error {
	return l.sendLink(ctx, u, u.Email, model.MailedReset, resetTime, "/users/password/edit?reset_password_token=", "Choose a new password",
		"Someone requested a new password for the account with the address %s. Open this link within six hours to choose one:\n\n%s\n\n"+
			"If you did not request this, you can ignore this mail: your password does not change.\n")
}

// sendLink stores the digest of a new token and mails the token.
func (l *Mails) sendLink(
	ctx context.Context, u model.User, address, purpose string, lasting time.Duration, path, subject, text string,
) error {
	token, until := secret.Random(), clock.Now(ctx).UTC().Add(lasting)
	return l.store.Tx(ctx, func(ctx context.Context) error {
		row := model.MailedToken{UserID: u.ID, Purpose: purpose, Email: address, Digest: secret.Digest(token), ExpiresAt: until}
		if err := l.store.MailedTokens.Replace(ctx, &row); err != nil {
			return err
		}
		body := fmt.Sprintf("Hello %s,\n\n"+text, u.Name, address, l.url+path+url.QueryEscape(token))
		return l.post.Send(ctx, mail.Message{To: address, Subject: subject, Text: body, Until: until})
	})
}

// SendNotice informs a user about a change of their account, so that they can object.
func (l *Mails) SendNotice(ctx context.Context, u model.User, subject, text string) error {
	body := fmt.Sprintf(
		"Hello %s,\n\n%s\n\n"+
			"If this was not you, choose a new password at %s/users/password/new and contact the administrators of the service.\n",
		u.Name, text, l.url,
	)
	return l.post.Send(ctx, mail.Message{To: u.Email, Subject: subject, Text: body, Until: clock.Now(ctx).Add(noticeTime)})
}

// SendLocked informs a user that failed sign-in attempts have locked the account.
func (l *Mails) SendLocked(ctx context.Context, u model.User) error {
	return l.SendNotice(ctx, u, "Your account is temporarily locked",
		fmt.Sprintf("There were too many failed attempts to sign in to your account. It is locked for %d minutes.",
			int(l.store.Settings.Current().LockTime().Minutes())))
}

// SendTaken informs the owner of an address that somebody tried to register with it.
func (l *Mails) SendTaken(ctx context.Context, address string) error {
	body := fmt.Sprintf(
		"Hello,\n\nsomeone tried to register at %s with this mail address, but it already belongs to an account. "+
			"If it was you, sign in or choose a new password at %s/users/password/new.\n",
		l.url, l.url,
	)
	return l.post.Send(ctx, mail.Message{
		To: address, Subject: "You already have an account", Text: body, Until: clock.Now(ctx).Add(noticeTime),
	})
}

// MailLink is the job that mails a link, for a new password or a confirmation, to the owner of an address. It runs as
// a job so that the response is the same, and takes the same time, whether the account exists or not.
type MailLink struct {
	Address string `json:"address"`
	Purpose string `json:"purpose"`
}

// Kind returns the name of the job in the queue.
func (MailLink) Kind() string { return "mail_link" }

// Run mails the link, if the address belongs to an account that may get one.
func (l *Mails) Run(ctx context.Context, job MailLink) error {
	return l.store.Tx(ctx, func(ctx context.Context) error {
		u, address, err := l.store.Emails.Owner(ctx, job.Address)
		if store.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		sent, err := l.store.MailedTokens.SentSince(ctx, u.ID, job.Purpose, clock.Now(ctx).UTC().Add(-mailPause))
		if err != nil || sent {
			return err
		}
		shut := u.Kind != model.UserHuman || (u.State != model.UserActive && u.State != model.UserDeactivated)
		switch primary := address.ID == 0; {
		case job.Purpose == model.MailedReset && primary && !shut:
			return l.SendReset(ctx, u)
		case job.Purpose == model.MailedConfirmation && address.ConfirmedAt == nil && u.Kind == model.UserHuman:
			return l.SendConfirmation(ctx, u, address.Email)
		}
		return nil
	})
}
