package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

const (
	sessionCookie = reqctx.SessionCookie

	sessionTime  = 24 * time.Hour      // without use
	rememberTime = 30 * 24 * time.Hour // the same, for "Remember me"
	keepEvery    = 5 * time.Minute     // how often a use is recorded
	maxAgent     = 255
)

// encodeBase64 encodes bytes as text that needs no escaping in cookies, forms and URLs.
func encodeBase64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// setCookie sets a cookie that scripts and other sites cannot read. With lasting 0 it ends with the browser session.
func (v *Visit) setCookie(name, value string, lasting time.Duration) {
	v.SetCookie(&http.Cookie{
		Name: v.web.cookie(name), Value: value, Path: "/", MaxAge: int(lasting.Seconds()), HttpOnly: true,
		Secure: v.web.secure, SameSite: http.SameSiteLaxMode,
	})
}

// cookie returns the full name of one of our cookies.
func (w *Web) cookie(name string) string { return reqctx.CookieName(name, w.url) }

// deleteCookie deletes a cookie.
func (v *Visit) deleteCookie(name string) {
	v.SetCookie(&http.Cookie{
		Name: v.web.cookie(name), Path: "/", MaxAge: -1, HttpOnly: true, Secure: v.web.secure,
		SameSite: http.SameSiteLaxMode,
	})
}

// giveSealed sets a cookie whose content the browser can neither read nor change.
func (v *Visit) giveSealed(name string, content any, lasting time.Duration) error {
	plain, err := json.Marshal(content)
	if err != nil {
		return err
	}
	v.setCookie(name, encodeBase64(v.web.vault.Seal(plain, v.owner(name))), lasting)
	return nil
}

// sealed reads a cookie of giveSealed, and reports whether there is one.
func (v *Visit) sealed(name string, content any) bool {
	cookie, err := v.Cookie(v.web.cookie(name))
	if err != nil {
		return false
	}
	raw, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil {
		return false
	}
	plain, err := v.web.vault.Open(raw, v.owner(name))
	return err == nil && json.Unmarshal(plain, content) == nil
}

// owner binds a sealed cookie to this browser, as long as the same session lasts.
func (v *Visit) owner(name string) string { return name + " " + v.cookie }

// begin starts a new session for a user and ends the session that the browser had before. It reports whether the
// account may still be used.
func (v *Visit) begin(ctx context.Context, userID int64, remember bool) (bool, error) {
	ip := reqctx.Of(ctx).IP.String()
	agent := strings.ToValidUTF8(v.Request().UserAgent(), "")
	if len(agent) > maxAgent {
		agent = strings.ToValidUTF8(agent[:maxAgent], "")
	}
	now, lasting := clock.Now(ctx).UTC(), lifetime(remember)
	cookie := secret.Random()
	row := model.Session{
		UserID: userID, Digest: secret.Digest(cookie), CSRFDigest: secret.Digest(CSRF(cookie)), CreatedAt: now, ExpiresAt: now.Add(lasting),
		IP: ip, UserAgent: agent, Remembered: remember, LastUsedAt: &now,
	}
	may := false
	err := v.web.store.Tx(ctx, func(ctx context.Context) error {
		var err error
		if may, err = v.web.store.Users.SignIn(ctx, userID, ip, access.LockCutoff(now)); err != nil || !may {
			return err
		}
		if v.cookie != "" {
			if err := v.web.store.Sessions.Delete(ctx, secret.Digest(v.cookie)); err != nil {
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
	v.setCookie(sessionCookie, cookie, lasting)
	v.deleteCookie(formCookie)
	v.cookie, v.session = cookie, row.ID
	return true, nil
}

func lifetime(remember bool) time.Duration {
	if remember {
		return rememberTime
	}
	return sessionTime
}

// touchSession records from time to time that a session is used, which extends it.
func (v *Visit) touchSession(s model.Session) error {
	now := v.now().UTC()
	if s.LastUsedAt == nil || now.Sub(*s.LastUsedAt) < keepEvery {
		return nil
	}
	if s.Remembered {
		v.setCookie(sessionCookie, v.cookie, rememberTime)
	}
	return v.web.store.Sessions.Touch(v.Request().Context(), s.ID, now, now.Add(lifetime(s.Remembered)))
}

// isRefusal reports whether an error is a refusal, not a failure of the service.
func isRefusal(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status < http.StatusInternalServerError
}

// askToSignIn redirects to the sign-in page, and from there back here.
func (v *Visit) askToSignIn() error {
	back := "/"
	if m := v.Request().Method; m == http.MethodGet || m == http.MethodHead {
		back = v.Request().URL.RequestURI()
	}
	return v.Redirect("/users/sign_in?" + url.Values{"return_to": {back}}.Encode())
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

const flashCookie = "_svc_flash"

// Flash is a message that only the next page shows.
type Flash struct {
	Text   string `json:"t"`
	Alert  bool   `json:"a,omitempty"` // something went wrong
	Secret string `json:"s,omitempty"` // shown once
}

// Tell stores a message for the next page.
func (v *Visit) Tell(f Flash) error { return v.giveSealed(flashCookie, f, time.Minute) }

// takeFlash returns the message of the previous page, and deletes it.
func (v *Visit) takeFlash() *Flash {
	var f Flash
	if !v.sealed(flashCookie, &f) {
		return nil
	}
	v.deleteCookie(flashCookie)
	return &f
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
