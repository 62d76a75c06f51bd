package web

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"time"
)

// sinceParam is the parameter that a user brings back from signing in again.
const sinceParam = "svc_since"

// sentAway records when a user was sent to sign in again for a request. It is sealed: a user who skips the sign-in page
// cannot forge one, and an old one is useless.
type sentAway struct {
	Query string    `json:"q"`
	At    time.Time `json:"t"`
}

// askAgain sends a signed-in user to sign in again, because an application requires it (OpenID Connect Core §3.1.2.1),
// and from there back here.
func (w *Web) askAgain(v *Visit, params url.Values) error {
	request := asked(params)
	plain, err := json.Marshal(sentAway{Query: request, At: v.Now().UTC()})
	if err != nil {
		return err
	}
	back := authorizePath + "?" + request + "&" + sinceParam + "=" + encodeBase64(w.kit.Vault().Seal(plain, sinceParam))
	return v.Redirect("/users/sign_in?" + url.Values{"again": {"1"}, "return_to": {back}}.Encode())
}

// signedInAgain reports whether the session began after the user was sent to sign in for this very request.
func (w *Web) signedInAgain(v *Visit, params url.Values) bool {
	var sent sentAway
	raw, err := base64.RawURLEncoding.DecodeString(params.Get(sinceParam))
	if err != nil {
		return false
	}
	plain, err := w.kit.Vault().Open(raw, sinceParam)
	if err != nil || json.Unmarshal(plain, &sent) != nil {
		return false
	}
	return sent.Query == asked(params) && v.Now().Sub(sent.At) < pendingTime && v.SessionSince.After(sent.At)
}
