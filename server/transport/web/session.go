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
	"svc/store/model"
	"svc/store/secret"
)

const (
	sessionCookie = reqctx.SessionCookie

	sessionTime  = 24 * time.Hour      // without a use
	rememberTime = 30 * 24 * time.Hour // the same, for who wants to be remembered
	keepEvery    = 5 * time.Minute     // how exactly uses are noted
	maxAgent     = 255
)

// text64 is bytes as text that needs no escaping anywhere.
func text64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// give gives the browser a cookie that scripts and other sites do not get. Without a time it ends with the browser.
func (v *Visit) give(name, value string, lasting time.Duration) {
	v.SetCookie(&http.Cookie{
		Name: v.web.cookie(name), Value: value, Path: "/", MaxAge: int(lasting.Seconds()), HttpOnly: true, Secure: v.web.secure, SameSite: http.SameSiteLaxMode,
	})
}

// cookie is how a cookie of ours is called here.
func (w *Web) cookie(name string) string { return reqctx.CookieName(name, w.url) }

// forget takes a cookie away.
func (v *Visit) forget(name string) {
	v.SetCookie(&http.Cookie{Name: v.web.cookie(name), Path: "/", MaxAge: -1, HttpOnly: true, Secure: v.web.secure, SameSite: http.SameSiteLaxMode})
}

// giveSealed gives the browser something to keep that it can neither read nor change.
func (v *Visit) giveSealed(name string, content any, lasting time.Duration) error {
	plain, err := json.Marshal(content)
	if err != nil {
		return err
	}
	v.give(name, text64(v.web.vault.Seal(plain, v.owner(name))), lasting)
	return nil
}

// sealed reads what giveSealed gave, and tells whether there is any.
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

// owner is for whom a cookie is sealed: this browser as long as the same user is signed in.
func (v *Visit) owner(name string) string { return name + " " + v.cookie }

// begin opens a session of its own for a user: whatever the browser had before opens nothing any more. It tells whether the
// account may still be used.
func (v *Visit) begin(ctx context.Context, userID int64, remember bool) (bool, error) {
	ip := reqctx.Of(ctx).IP.String()
	agent := strings.ToValidUTF8(v.Request().UserAgent(), "")
	if len(agent) > maxAgent {
		agent = strings.ToValidUTF8(agent[:maxAgent], "")
	}
	now, lasting := time.Now().UTC(), lifetime(remember)
	cookie := secret.Random()
	row := model.Session{
		UserID: userID, Digest: secret.Digest(cookie), CSRFDigest: secret.Digest(CSRF(cookie)), CreatedAt: now, ExpiresAt: now.Add(lasting),
		IP: ip, UserAgent: agent, Remembered: remember, LastUsedAt: &now,
	}
	may := false
	err := v.web.store.Tx(ctx, func(ctx context.Context) error {
		var err error
		if may, err = v.web.store.Users.SignIn(ctx, userID, ip, access.LocksOver(now)); err != nil || !may {
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
	v.give(sessionCookie, cookie, lasting)
	v.forget(formCookie)
	v.cookie, v.session = cookie, row.ID
	return true, nil
}

func lifetime(remember bool) time.Duration {
	if remember {
		return rememberTime
	}
	return sessionTime
}

// keep notes now and then that a session is used, which makes it last longer.
func (v *Visit) keep(s model.Session) error {
	now := time.Now().UTC()
	if s.LastUsedAt == nil || now.Sub(*s.LastUsedAt) < keepEvery {
		return nil
	}
	if s.Remembered {
		v.give(sessionCookie, v.cookie, rememberTime)
	}
	return v.web.store.Sessions.Touch(v.Request().Context(), s.ID, now, now.Add(lifetime(s.Remembered)))
}

// isRefusal tells whether a session was refused, rather than not looked up.
func isRefusal(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status < http.StatusInternalServerError
}

// askToSignIn sends to the sign-in page, and from there back to here.
func (v *Visit) askToSignIn() error {
	back := "/"
	if m := v.Request().Method; m == http.MethodGet || m == http.MethodHead {
		back = v.Request().URL.RequestURI()
	}
	return v.Redirect("/users/sign_in?" + url.Values{"return_to": {back}}.Encode())
}

// safePath is a path of ours to go on to, or the home page: nobody is led to another site.
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

// Flash is a sentence for the next page, and for that one only.
type Flash struct {
	Text   string `json:"t"`
	Alert  bool   `json:"a,omitempty"` // something went wrong
	Secret string `json:"s,omitempty"` // shown once
}

// Tell keeps a sentence for the next page.
func (v *Visit) Tell(f Flash) error { return v.giveSealed(flashCookie, f, time.Minute) }

// told is the sentence that the page before left, which is gone then.
func (v *Visit) told() *Flash {
	var f Flash
	if !v.sealed(flashCookie, &f) {
		return nil
	}
	v.forget(flashCookie)
	return &f
}

// auditSignIn writes down who has signed in; nobody was signed in before, so it is they who did it.
func (w *Web) auditSignIn(ctx context.Context, userID int64) error {
	u, err := w.store.Users.Get(ctx, userID)
	if err != nil {
		return err
	}
	c := events.OfUser(u, "user_signed_in", "Signed in with the password")
	c.Author = &events.Author{ID: u.ID, Name: u.Name}
	return events.Audit(ctx, w.store, c)
}
