// Package web serves the pages for people: signing in, settings, administration, consent to applications, jobs and
// pipelines, and the explorer of the API.
//
//	web.go                 routing, and one request of a browser
//	render.go              templates and static files
//	form.go                forms, and the protection against forged requests
//	failure.go             error pages
//	pager.go               pages of lists
//	session.go             sessions, cookies and messages for the next page
//	signin.go              signing in and out
//	second.go              the second factor when signing in
//	password.go            forgotten and expired passwords
//	confirm.go             confirming an email address
//	register.go            registration
//	reauthenticate.go      signing in again, for OpenID Connect
//	site_signin.go         signing in for a project's site
//	home.go                the home page
//	settings.go            routes and helpers of the settings
//	profile.go             profile, avatar and status
//	username.go            changing the username
//	own_password.go        changing the password
//	emails.go              email addresses
//	keys.go                SSH keys
//	tokens.go              personal access tokens
//	scopes.go              descriptions of scopes
//	sessions.go            active sessions
//	two_factor.go          turning the second factor on and off
//	qr.go                  QR codes
//	applications.go        OAuth applications of users and of the instance
//	group_applications.go  OAuth applications of groups
//	authorize.go           consent to an application
//	admin.go               administration of users
//	project_pages.go       routes of the pages of a project
//	job_page.go            the page of a job
//	job_log.go             the live log of a job
//	job_buttons.go         actions on a job
//	pipeline_page.go       the page of a pipeline
//	graph.go               the graph of a pipeline
//	unsubscribe.go         unsubscribing by a link in a mail
//	docs.go                the explorer of the API
package web

import (
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/swaggest/swgui/v5/static"
)

//go:embed docs
var docsFiles embed.FS

// The explorer uses inline styles; scripts come only from our own files.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// asset is a file with a fixed name; a URL never becomes a path.
type asset struct {
	data        []byte
	compressed  bool
	contentType string
}

// Docs adds the interactive explorer of the API at /-/docs.
func Docs(e *echo.Echo) error {
	const js, css, html = "text/javascript; charset=utf-8", "text/css; charset=utf-8", "text/html; charset=utf-8"
	for path, file := range map[string]struct{ name, kind string }{
		"/-/docs":                      {"index.html", html},
		"/-/docs/start.js":             {"start.js", js},
		"/-/docs/oauth2-redirect.html": {"oauth2-redirect.html", html},
		"/-/docs/oauth2-redirect.js":   {"oauth2-redirect.js", js},
	} {
		data, err := docsFiles.ReadFile("docs/" + file.name)
		if err != nil {
			return err
		}
		add(e, path, asset{data: data, contentType: file.kind})
	}
	for name, kind := range map[string]string{"swagger-ui-bundle.js": js, "swagger-ui.css": css} {
		data, err := fs.ReadFile(static.FS, name+".gz")
		if err != nil {
			return err
		}
		add(e, "/-/docs/"+name, asset{data: data, compressed: true, contentType: kind})
	}
	toDocs := func(c echo.Context) error { return c.Redirect(http.StatusFound, "/-/docs") }
	e.GET("/-/docs/", toDocs)
	return nil
}

func add(e *echo.Echo, path string, a asset) {
	serve := func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", docsPolicy)
		h.Set("Cache-Control", "public, max-age=3600")
		if !a.compressed {
			return c.Blob(http.StatusOK, a.contentType, a.data)
		}
		h.Add("Vary", "Accept-Encoding")
		if strings.Contains(c.Request().Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			return c.Blob(http.StatusOK, a.contentType, a.data)
		}
		plain, err := gzip.NewReader(strings.NewReader(string(a.data)))
		if err != nil {
			return err
		}
		h.Set("Content-Type", a.contentType)
		c.Response().WriteHeader(http.StatusOK)
		_, err = io.Copy(c.Response(), plain)
		return err
	}
	e.GET(path, serve)
	e.HEAD(path, serve)
}

const csrfPath = "/-/docs/csrf.json"

// csrf returns the token that the explorer needs for writes with the session; null for an anonymous visitor. Other
// sites cannot read the response.
func (w *Web) csrf(v *Visit) error {
	var answer struct {
		Token *string `json:"token"`
	}
	if v.Actor != nil {
		token := v.Token()
		answer.Token = &token
	}
	v.Response().Header().Set("Cache-Control", "no-store")
	v.Response().Header().Add("Vary", "Cookie")
	return v.JSON(http.StatusOK, answer)
}
