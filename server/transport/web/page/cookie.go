package page

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"svc/server/platform/reqctx"
	"svc/store/model"
)

// SessionCookie is the name of the cookie of a session.
const SessionCookie = reqctx.SessionCookie

const (
	rememberTime = 30 * 24 * time.Hour // without use, for "Remember me"
	keepEvery    = 5 * time.Minute     // how often a use is recorded
)

// Lifetime returns how long a session lasts without use.
func (v *Visit) Lifetime(remember bool) time.Duration {
	if remember {
		return rememberTime
	}
	return v.kit.store.Settings.Current().SessionTime()
}

// EncodeBase64 encodes bytes as text that needs no escaping in cookies, forms and URLs.
func EncodeBase64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// cookie returns the full name of one of our cookies.
func (k *Kit) cookie(name string) string { return reqctx.CookieName(name, k.url) }

// GiveCookie sets a cookie that scripts and other sites cannot read. With lasting 0 it ends with the browser session.
func (v *Visit) GiveCookie(name, value string, lasting time.Duration) {
	v.SetCookie(&http.Cookie{
		Name: v.kit.cookie(name), Value: value, Path: "/", MaxAge: int(lasting.Seconds()), HttpOnly: true,
		Secure: v.kit.secure, SameSite: http.SameSiteLaxMode,
	})
}

// DeleteCookie deletes a cookie.
func (v *Visit) DeleteCookie(name string) {
	v.SetCookie(&http.Cookie{
		Name: v.kit.cookie(name), Path: "/", MaxAge: -1, HttpOnly: true, Secure: v.kit.secure,
		SameSite: http.SameSiteLaxMode,
	})
}

// GiveSealed sets a cookie whose content the browser can neither read nor change.
func (v *Visit) GiveSealed(name string, content any, lasting time.Duration) error {
	plain, err := json.Marshal(content)
	if err != nil {
		return err
	}
	v.GiveCookie(name, EncodeBase64(v.kit.vault.Seal(plain, v.Owner(name))), lasting)
	return nil
}

// Sealed reads a cookie of GiveSealed, and reports whether there is one.
func (v *Visit) Sealed(name string, content any) bool {
	cookie, err := v.Cookie(v.kit.cookie(name))
	if err != nil {
		return false
	}
	raw, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil {
		return false
	}
	plain, err := v.kit.vault.Open(raw, v.Owner(name))
	return err == nil && json.Unmarshal(plain, content) == nil
}

// Owner binds sealed content to this browser, as long as the same session lasts.
func (v *Visit) Owner(name string) string { return name + " " + v.Session }

// touchSession records from time to time that a session is used, which extends it.
func (v *Visit) touchSession(s model.Session) error {
	now := v.Now().UTC()
	if s.LastUsedAt == nil || now.Sub(*s.LastUsedAt) < keepEvery {
		return nil
	}
	if s.Remembered {
		v.GiveCookie(SessionCookie, v.Session, rememberTime)
	}
	return v.kit.store.Sessions.Touch(v.Request().Context(), s.ID, now, now.Add(v.Lifetime(s.Remembered)))
}

const flashCookie = "_svc_flash"

// Flash is a message that only the next page shows.
type Flash struct {
	Text   string `json:"t"`
	Alert  bool   `json:"a,omitempty"` // something went wrong
	Secret string `json:"s,omitempty"` // shown once
}

// Tell stores a message for the next page.
func (v *Visit) Tell(f Flash) error { return v.GiveSealed(flashCookie, f, time.Minute) }

// TakeFlash returns the message of the previous page, and deletes it.
func (v *Visit) TakeFlash() *Flash {
	var f Flash
	if !v.Sealed(flashCookie, &f) {
		return nil
	}
	v.DeleteCookie(flashCookie)
	return &f
}
