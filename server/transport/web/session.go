package web

import (
	"context"
	"net/url"
	"strings"
	"unicode"

	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// maxAgent is how much of the name of a browser a session keeps, in bytes.
const maxAgent = 255

// begin starts a new session for a user and ends the session that the browser had before. It reports whether the
// account may still be used.
func (v *Visit) begin(ctx context.Context, userID int64, remember bool) (bool, error) {
	ip := reqctx.Of(ctx).IP.String()
	agent := strings.ToValidUTF8(v.Request().UserAgent(), "")
	if len(agent) > maxAgent {
		agent = strings.ToValidUTF8(agent[:maxAgent], "")
	}
	now, lasting := clock.Now(ctx).UTC(), v.Lifetime(remember)
	cookie := secret.Random()
	row := model.Session{
		UserID: userID, Digest: secret.Digest(cookie), CSRFDigest: secret.Digest(CSRF(cookie)), CreatedAt: now, ExpiresAt: now.Add(lasting),
		IP: ip, UserAgent: agent, Remembered: remember, LastUsedAt: &now,
	}
	may := false
	err := v.web.store.Tx(ctx, func(ctx context.Context) error {
		var err error
		if may, err = v.web.store.Users.SignIn(ctx, userID, ip, access.LockCutoff(v.web.store, now)); err != nil || !may {
			return err
		}
		if v.Session != "" {
			if err := v.web.store.Sessions.Delete(ctx, secret.Digest(v.Session)); err != nil {
				return err
			}
		}
		if err := v.web.store.Sessions.Create(ctx, &row); err != nil {
			return err
		}
		return v.web.auditSignIn(ctx, userID)
	})
	if err != nil || !may {
		return false, err
	}
	if !remember {
		lasting = 0
	}
	v.GiveCookie(sessionCookie, cookie, lasting)
	v.DeleteCookie(page.FormCookie)
	v.Session, v.SessionID = cookie, row.ID
	return true, nil
}

// safePath returns a path of this service, or the home page: nobody is redirected to another site.
func safePath(path string) string {
	odd := func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) || r == '\\' }
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" ||
		!strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, odd) {
		return "/"
	}
	return path
}

// auditSignIn writes the audit event of a sign-in. The request has no caller yet, so the user who signed in is the
// author.
func (w *Web) auditSignIn(ctx context.Context, userID int64) error {
	u, err := w.store.Users.Get(ctx, userID)
	if err != nil {
		return err
	}
	c := events.OfUser(u, "user_signed_in", "Signed in with a password")
	c.Author = &events.Author{ID: u.ID, Name: u.Name}
	return events.Audit(ctx, w.store, c)
}
