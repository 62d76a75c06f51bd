package sitehttp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// A browser opens a site with restricted access like this. The site redirects the browser to the service, with a state
// that the browser keeps in a cookie of the site's host. The service lets the user sign in, checks that they can see
// the site, and redirects the browser back with a code. The code is valid once, for a minute, at that host and with
// that state. The site exchanges the code for a cookie of its own. The session of the service never reaches a site.
// Every request checks the cookie again: the session must still exist, and the user must still be allowed to see the
// site.
//
// Only a host with a single site gets such a cookie: the project's own name, or a domain that it has verified. At the
// host of a namespace, scripts of one project could read the site of another, so the browser is redirected from there
// to the project's own name.

const (
	// SignInPath is the page of the service where users sign in for a site.
	SignInPath = "/-/pages/sign_in"
	// arrivalPath is the path to which the service redirects the browser, at every host of a site.
	arrivalPath = "/-/pages_session"

	stateTime  = 15 * time.Minute // for signing in
	cookieTime = 12 * time.Hour   // after this time the browser has to go to the service again
)

// safe reports whether the browser connected with TLS, to us or to a proxy in front.
func (s *Server) safe(r *http.Request) bool { return r.TLS != nil || s.Proxied }

// cookieName returns the name of a cookie; with TLS, no other host can set it.
func (s *Server) cookieName(r *http.Request, name string) string {
	if s.safe(r) {
		return "__Host-svc_" + name
	}
	return "svc_" + name
}

func (s *Server) setCookie(w http.ResponseWriter, r *http.Request, name, value string, lasting time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(r, name), Value: value, Path: "/", MaxAge: int(lasting.Seconds()), HttpOnly: true,
		Secure: s.safe(r), SameSite: http.SameSiteLaxMode,
	})
}

// canSignIn reports whether the client is a browser that opens a page without a credential.
func (s *Server) canSignIn(r *http.Request) bool {
	for _, name := range []string{"PRIVATE-TOKEN", "JOB-TOKEN", "Authorization"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	mode := r.Header.Get("Sec-Fetch-Mode")
	return s.Service != "" && (mode == "" || mode == "navigate") && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// redirectToSignIn redirects a browser to the service. Windows of one browser share a state.
func (s *Server) redirectToSignIn(w http.ResponseWriter, r *http.Request) {
	state := secret.Random()
	if kept, err := r.Cookie(s.cookieName(r, "site_state")); err == nil && len(kept.Value) == len(state) {
		state = kept.Value
	}
	s.setCookie(w, r, "site_state", state, stateTime)
	s.redirect(w, r, s.Service+SignInPath+"?"+url.Values{"host": {hostOf(r.Host)}, "path": {r.URL.RequestURI()}, "state": {state}}.Encode())
}

func (s *Server) redirect(w http.ResponseWriter, r *http.Request, to string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, to, http.StatusFound)
}

// siteCookie is the content of the cookie that a browser gets after signing in.
type siteCookie struct {
	User    int64     `json:"u"`
	Session int64     `json:"s"`
	Project int64     `json:"p"`
	Until   time.Time `json:"t"`
}

// exchangeCode exchanges the code of a browser that comes from the service for a cookie.
func (s *Server) exchangeCode(w http.ResponseWriter, r *http.Request, host string) error {
	kept, err := r.Cookie(s.cookieName(r, "site_state"))
	code, state := r.URL.Query().Get("code"), r.URL.Query().Get("state")
	if err != nil || state == "" || !secret.Equal(secret.Digest(kept.Value), secret.Digest(state)) {
		fail(w, http.StatusBadRequest)
		return nil
	}
	now := clock.Now(r.Context()).UTC()
	grant, err := s.Store.SiteGrants.Consume(r.Context(), secret.Digest(code), secret.Digest(state), host, now)
	if store.IsNotFound(err) {
		fail(w, http.StatusBadRequest)
		return nil
	}
	if err != nil {
		return err
	}
	plain, err := json.Marshal(
		siteCookie{User: grant.UserID, Session: grant.SessionID, Project: grant.ProjectID, Until: now.Add(cookieTime)},
	)
	if err != nil {
		return err
	}
	s.setCookie(w, r, "site_state", "", -time.Second)
	s.setCookie(w, r, "site", base64.RawURLEncoding.EncodeToString(s.Cookies.Seal(plain, host)), cookieTime)
	s.redirect(w, r, grant.Target)
	return nil
}

// visitor returns the user who has signed in for a site, while the session of the service exists; nil if there is none.
func (s *Server) visitor(r *http.Request, host string, site *model.PagesSite) (*reqctx.Actor, error) {
	kept, err := r.Cookie(s.cookieName(r, "site"))
	if err != nil {
		return nil, nil //nolint:nilerr // there is none
	}
	raw, err := base64.RawURLEncoding.DecodeString(kept.Value)
	if err != nil {
		return nil, nil //nolint:nilerr // it is none of ours
	}
	plain, err := s.Cookies.Open(raw, host)
	if err != nil {
		return nil, nil //nolint:nilerr // it is none of ours, or of another host
	}
	var p siteCookie
	if json.Unmarshal(plain, &p) != nil || p.Project != site.ProjectID || !clock.Now(r.Context()).Before(p.Until) {
		return nil, nil
	}
	actor, err := s.Auth.SiteSession(r.Context(), p.Session, p.User)
	var refused *apierr.Error
	if errors.As(err, &refused) {
		return nil, nil
	}
	return actor, err
}

// Site describes a site to the service when a user signs in for it.
type Site struct {
	ProjectID int64
	Host      string // a host that has only this site
	Arrival   string // URL to which the code is sent
	Target    string // URL of the requested page, at that host
}

// Resolve finds the site of a host and a page; a *store.NotFoundError if there is none.
func (s *Finder) Resolve(ctx context.Context, host, address string) (Site, error) {
	u, err := url.ParseRequestURI(address)
	if err != nil || u.Host != "" || u.Scheme != "" {
		return Site{}, &store.NotFoundError{Resource: "Pages"}
	}
	host = hostOf(host)
	at, err := s.find(ctx, host, u.Path)
	if errors.Is(err, errNoPage) {
		err = &store.NotFoundError{Resource: "Pages"}
	}
	if err != nil {
		return Site{}, err
	}
	home := s.addresses.Below(s.label(at.site))
	if !s.isBelowHost(host) {
		home = s.addresses.Own(host, at.site.Secure)
	}
	base, err := url.Parse(home)
	if err != nil {
		return Site{}, err
	}
	target := url.URL{Scheme: base.Scheme, Host: base.Host, Path: "/" + strings.TrimPrefix(at.rest, "/"), RawQuery: u.RawQuery}
	return Site{
		ProjectID: at.site.ProjectID, Host: base.Hostname(), Arrival: base.Scheme + "://" + base.Host + arrivalPath,
		Target: target.String(),
	}, nil
}
