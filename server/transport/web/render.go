package web

import (
	"bytes"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"sync"
	"time"

	"svc/server/platform/apierr"
	"svc/store/model"
	"svc/store/secret"

	"github.com/labstack/echo/v4"
)

var (
	//go:embed templates
	templates embed.FS
	//go:embed static
	files embed.FS
)

// policy lets a page load our style sheet, scripts and images and nothing else, and forbids all framing.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none';"

// pages holds the templates; each is parsed when it is first needed.
type pages struct {
	mu     sync.Mutex
	parsed map[string]*template.Template
	style  string // URLs of our files, which change with their content
	script string
	follow string
	icon   string
}

func newPages() *pages {
	return &pages{
		parsed: map[string]*template.Template{}, style: assetPath("style.css"), script: assetPath("copy.js"),
		follow: assetPath("follow.js"), icon: assetPath("icon.svg"),
	}
}

// assetPaths holds the URL of each of our files, by name.
var assetPaths = sync.OnceValue(func() map[string]string {
	paths := map[string]string{}
	entries, err := files.ReadDir("static")
	if err != nil {
		panic(err) // cannot happen: the folder is embedded
	}
	for _, entry := range entries {
		digest := secret.Digest(string(mustRead(entry.Name())))
		paths[entry.Name()] = "/-/assets/" + hex.EncodeToString(digest[:8]) + "/" + entry.Name()
	}
	return paths
})

// assetPath returns the URL of one of our files.
func assetPath(name string) string { return assetPaths()[name] }

func mustRead(name string) []byte {
	data, err := files.ReadFile("static/" + name)
	if err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	return data
}

var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// assets serves our files, which browsers may cache forever.
func (w *Web) assets(e *echo.Echo) {
	for name, address := range assetPaths() {
		data, kind := mustRead(name), assetTypes[path.Ext(name)]
		serve := func(c echo.Context) error {
			c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			return c.Blob(http.StatusOK, kind, data)
		}
		e.GET(address, serve)
		e.HEAD(address, serve)
	}
	for state, colour := range stateColours {
		picture := []byte(
			`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="` + colour + `"/></svg>`,
		)
		serve := func(c echo.Context) error {
			c.Response().Header().Set("Cache-Control", "public, max-age=86400")
			return c.Blob(http.StatusOK, "image/svg+xml", picture)
		}
		e.GET("/-/assets/ci/favicon_status_"+state+".svg", serve)
		e.HEAD("/-/assets/ci/favicon_status_"+state+".svg", serve)
	}
}

// stateColours holds the colors of pipeline states, for the favicons in detailed_status.
var stateColours = map[string]string{
	"created": "#868686", "preparing": "#868686", "pending": "#c17d10", "running": "#1f75cb", "success": "#217645", "failed": "#dd2b0e",
	"canceled": "#333333", "skipped": "#868686", "manual": "#333333", "scheduled": "#868686",
}

var functions = template.FuncMap{
	"day":  func(t time.Time) string { return t.UTC().Format("2 January 2006") },
	"when": func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
	"button": func(f frame, action, label, class string) buttonView {
		return buttonView{f.Token, action, label, class}
	},
	"withForm": func(f frame, form Form) formView { return formView{f.Token, form} },
	"asset":    assetPath,
	"iso":      func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
}

// formView is the input of the template of a form.
type formView struct {
	Token string
	Form  Form
}

// buttonView is a form that is only a button.
type buttonView struct{ Token, Action, Label, Class string }

// get returns the template of a page inside the layout.
func (p *pages) get(name string) (*template.Template, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.parsed[name]; t != nil {
		return t, nil
	}
	t, err := template.New("layout.html").Funcs(functions).
		ParseFS(templates, "templates/layout.html", "templates/form.html", "templates/"+name+".html")
	if err != nil {
		return nil, fmt.Errorf("read the page %s: %w", name, err)
	}
	p.parsed[name] = t
	return t, nil
}

// frame is what the layout shows around a page.
type frame struct {
	Title, Style, Script, Follow, Icon, Token, Path string
	User                                            *model.Caller // nil for an anonymous visitor
	Flash                                           *Flash
	Due                                             *time.Time // when the user must have turned on the second factor
	Nav                                             []navGroup
	Page                                            any
}

// Show responds with a page: its template is templates/<name>.html, which sees data as .Page.
func (v *Visit) Show(status int, name, title string, data any) error {
	t, err := v.web.pages.get(name)
	if err != nil {
		return err
	}
	f := frame{
		Title: title, Style: v.web.pages.style, Script: v.web.pages.script, Follow: v.web.pages.follow,
		Icon: v.web.pages.icon, Token: v.Token(), Path: v.Request().URL.Path,
		Flash: v.takeFlash(), Due: v.due, Page: data,
	}
	if v.Actor != nil {
		f.User = &v.Actor.User
		f.Nav = v.nav()
	}
	var page bytes.Buffer
	if err := t.Execute(&page, f); err != nil {
		return fmt.Errorf("show the page %s: %w", name, err)
	}
	h := v.Response().Header()
	apierr.SetCode(h, apierr.CodeOf(status))
	h.Set("Content-Security-Policy", policy+v.policy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Cookie")
	return v.HTMLBlob(status, page.Bytes())
}

// LeadAnywhere lets the forms of this page end, by redirects, at another site. Browsers apply the page's policy to all
// redirects of a form, and authorizing an application ends at that application.
func (v *Visit) LeadAnywhere() { v.policy = "" }

// navGroup is a part of the navigation of the settings.
type navGroup struct {
	Title string
	Links []navLink
}

type navLink struct {
	Path, Label string
	Here        bool
}
