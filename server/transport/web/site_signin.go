package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// SiteSignInPath is where browsers come to that want to see a site which is not for everybody.
const SiteSignInPath = "/-/pages/sign_in"

// Site is the site of a project, as somebody who signs in for it needs it.
type Site struct {
	ProjectID int64
	Host      string // that has this site only
	Arrival   string // URL to which the code is sent
	Target    string // URL of the page that was asked for, at that host
}

const (
	grantTime = time.Minute // for a browser to come to the site
	maxState  = 100
)

// siteSignIn sends the browser of a signed-in user to a site that they may see, with a code that is good once and for this browser only:
// the site has given it the state. From the host of a namespace, which sites share, the browser first goes to the site's own host, and
// comes back from there with a state. For others there is no site.
func (w *Web) siteSignIn(v *Visit) error {
	ctx := v.Request().Context()
	host, state := v.QueryParam("host"), v.QueryParam("state")
	if w.sites == nil || host == "" || state == "" || len(state) > maxState {
		return apierr.NotFound("")
	}
	site, err := w.sites(ctx, host, v.QueryParam("path"))
	if store.IsNotFound(err) {
		return apierr.NotFound("")
	}
	if err != nil {
		return err
	}
	if _, err := w.judge.Project(ctx, strconv.FormatInt(site.ProjectID, 10), access.ReadPages); err != nil {
		var refused *apierr.Error
		if errors.As(err, &refused) {
			return apierr.NotFound("")
		}
		return err
	}
	if host != site.Host {
		return v.goOn(site.Host, site.Target)
	}
	code, now := secret.Random(), time.Now().UTC()
	err = w.store.SiteGrants.Create(ctx, &model.SiteGrant{
		Digest: secret.Digest(code), State: secret.Digest(state), Host: site.Host, Target: site.Target, ProjectID: site.ProjectID,
		UserID: v.Actor.User.ID, SessionID: v.session, ExpiresAt: now.Add(grantTime),
	}, now)
	if err != nil {
		return err
	}
	return v.goOn(site.Host, site.Arrival+"?"+url.Values{"code": {code}, "state": {state}}.Encode())
}

// onward is the page that leads to a site.
type onward struct{ Host, URL string }

// goOn leads a browser to a site by a page: browsers do not follow redirects to other hosts from the form of the sign-in page.
func (v *Visit) goOn(host, to string) error {
	return v.Show(http.StatusOK, "onward", "Opening the site", onward{host, to})
}
