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
	"svc/store/model"
	"svc/store/secret"
)

// A site that is not for everybody is opened in a browser like this. The site sends the browser to the service, with a state that
// the browser keeps in a cookie of the site's host. The service lets the user sign in, judges whether they may see the site, and
// sends the browser back with a code that is good once, for a minute, at that host and with that state. The site takes the code
// for a cookie of its own. The session of the service never comes to a site. What the cookie says is judged at every request:
// the session must still be there, and the user must still be allowed to see the site.
//
// Only a host that has one site gets such a cookie: the name that a project has for itself, or one that it has proved. At the host
// of a namespace, scripts of one project could read the site of another; from there the browser is sent to the project's own name.

const (
	// SignInPath is where the service lets people sign in for a site.
	SignInPath = "/-/pages/sign_in"
	// arrivalPath is where a browser comes back to, at every host of a site.
	arrivalPath = "/-/pages_session"

	stateTime  = 15 * time.Minute // for signing in
	cookieTime = 12 * time.Hour   // after which the browser comes by the service again
)

// safe reports whether the browser has come with TLS, to us or to a proxy in front.
func (s *Server) safe(r *http.Request) bool { return r.TLS != nil || s.Proxied }

// cookieName is the name of a cookie; with TLS, no other host can set it.
func (s *Server) cookieName(r *http.Request, name string) string {
	if s.safe(r) {
		return "__Host-svc_" + name
	}
	return "svc_" + name
}

func (s *Server) give(w http.ResponseWriter, r *http.Request, name, value string, lasting time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(r, name), Value: value, Path: "/", MaxAge: int(lasting.Seconds()), HttpOnly: true, Secure: s.safe(r), SameSite: http.SameSiteLaxMode,
	})
}

// mayAsk reports whether the caller is a browser that opens a page without having said who is there.
func (s *Server) mayAsk(r *http.Request) bool {
	for _, name := range []string{"PRIVATE-TOKEN", "JOB-TOKEN", "Authorization"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	mode := r.Header.Get("Sec-Fetch-Mode")
	return s.Service != "" && (mode == "" || mode == "navigate") && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// ask sends a browser to the service. Windows of one browser share a state.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) {
	state := secret.Random()
	if kept, err := r.Cookie(s.cookieName(r, "site_state")); err == nil && len(kept.Value) == len(state) {
		state = kept.Value
	}
	s.give(w, r, "site_state", state, stateTime)
	s.send(w, r, s.Service+SignInPath+"?"+url.Values{"host": {hostOf(r.Host)}, "path": {r.URL.RequestURI()}, "state": {state}}.Encode())
}

func (s *Server) send(w http.ResponseWriter, r *http.Request, to string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, to, http.StatusFound)
}

// pass is what a browser keeps that has come from the service.
type pass struct {
	User    int64     `json:"u"`
	Session int64     `json:"s"`
	Project int64     `json:"p"`
	Until   time.Time `json:"t"`
}

// arrive takes the code of a browser that comes from the service.
func (s *Server) arrive(w http.ResponseWriter, r *http.Request, host string) error {
	kept, err := r.Cookie(s.cookieName(r, "site_state"))
	code, state := r.URL.Query().Get("code"), r.URL.Query().Get("state")
	if err != nil || state == "" || !secret.Equal(secret.Digest(kept.Value), secret.Digest(state)) {
		fail(w, http.StatusBadRequest)
		return nil
	}
	now := time.Now().UTC()
	grant, err := s.Store.SiteGrants.Consume(r.Context(), secret.Digest(code), secret.Digest(state), host, now)
	if store.IsNotFound(err) {
		fail(w, http.StatusBadRequest)
		return nil
	}
	if err != nil {
		return err
	}
	plain, err := json.Marshal(pass{User: grant.UserID, Session: grant.SessionID, Project: grant.ProjectID, Until: now.Add(cookieTime)})
	if err != nil {
		return err
	}
	s.give(w, r, "site_state", "", -time.Second)
	s.give(w, r, "site", base64.RawURLEncoding.EncodeToString(s.Cookies.Seal(plain, host)), cookieTime)
	s.send(w, r, grant.Target)
	return nil
}

// visitor is the user who has signed in for a site, in a session of the service that is still there; nil for nobody.
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
	var p pass
	if json.Unmarshal(plain, &p) != nil || p.Project != site.ProjectID || !time.Now().Before(p.Until) {
		return nil, nil
	}
	actor, err := s.Auth.SiteSession(r.Context(), p.Session, p.User)
	var refused *apierr.Error
	if errors.As(err, &refused) {
		return nil, nil
	}
	return actor, err
}

// Site is a site as the service needs to know it when somebody signs in for it.
type Site struct {
	ProjectID int64
	Host      string // that has this site only
	Arrival   string // URL to which the code is sent
	Target    string // URL of the page that was asked for, at that host
}

// Resolve finds the site that a host and the address of a page name; a *store.NotFoundError if there is none.
func (s *Finder) Resolve(ctx context.Context, host, address string) (Site, error) {
	u, err := url.ParseRequestURI(address)
	if err != nil || u.Host != "" || u.Scheme != "" {
		return Site{}, &store.NotFoundError{Resource: "Pages"}
	}
	host = hostOf(host)
	at, err := s.find(ctx, host, u.Path)
	if errors.Is(err, errNone) {
		err = &store.NotFoundError{Resource: "Pages"}
	}
	if err != nil {
		return Site{}, err
	}
	home := s.addresses.Below(s.label(at.site))
	if !s.below(host) {
		home = s.addresses.Own(host, at.site.Secure)
	}
	base, err := url.Parse(home)
	if err != nil {
		return Site{}, err
	}
	target := url.URL{Scheme: base.Scheme, Host: base.Host, Path: "/" + strings.TrimPrefix(at.rest, "/"), RawQuery: u.RawQuery}
	return Site{ProjectID: at.site.ProjectID, Host: base.Hostname(), Arrival: base.Scheme + "://" + base.Host + arrivalPath, Target: target.String()}, nil
}
