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
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// SiteSignInPath is the page to which a site with restricted access redirects browsers.
const SiteSignInPath = "/-/pages/sign_in"

// Site describes a project's site to which a user signs in.
type Site struct {
	ProjectID int64
	Host      string // a host that has only this site
	Arrival   string // URL to which the code is sent
	Target    string // URL of the requested page, at that host
}

const (
	grantTime = time.Minute // how long a browser may take to get to the site
	maxState  = 100
)

// siteSignIn sends the browser of a signed-in user to a site that they can see, with a code that is valid once and only
// for this browser: the state, which the site gave to the browser, proves that. From the host of a namespace, which
// several sites share, the browser first goes to the site's own host, and comes back from there with a state. Users who
// cannot see the site get a 404.
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
	if _, err := w.access.Project(ctx, strconv.FormatInt(site.ProjectID, 10), access.ReadPages); err != nil {
		var refused *apierr.Error
		if errors.As(err, &refused) {
			return apierr.NotFound("")
		}
		return err
	}
	if host != site.Host {
		return v.showSiteLink(site.Host, site.Target)
	}
	code, now := secret.Random(), clock.Now(ctx).UTC()
	err = w.store.SiteGrants.Create(ctx, &model.SiteGrant{
		Digest: secret.Digest(code), State: secret.Digest(state), Host: site.Host, Target: site.Target, ProjectID: site.ProjectID,
		UserID: v.Actor.User.ID, SessionID: v.SessionID, ExpiresAt: now.Add(grantTime),
	}, now)
	if err != nil {
		return err
	}
	return v.showSiteLink(site.Host, site.Arrival+"?"+url.Values{"code": {code}, "state": {state}}.Encode())
}

// siteLink is the page that leads to a site.
type siteLink struct{ Host, URL string }

// showSiteLink leads a browser to a site by a page: browsers do not follow redirects to other hosts from the form of the
// sign-in page.
func (v *Visit) showSiteLink(host, to string) error {
	return v.Show(http.StatusOK, "onward", "Opening the site", siteLink{host, to})
}
