// Package docs serves the documentation for people at /-/docs: the guides, the reference of the API, and a search over
// both. Pages are the same for everybody, so they are rendered once and cached.
//
//	docs.go    routing and responses
//	content.go the guides and the reference, and the pages made of them
//	links.go   links between pages
//	nav.go     navigation
//	index.go   what the search knows
//	search.go  finding and ranking
//	words.go   words of texts and queries
package docs

import (
	"bytes"
	"embed"
	"encoding/hex"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"

	guides "svc/docs"
	"svc/store/secret"
)

// Options are the settings of the documentation.
type Options struct {
	Document []byte                      // the OpenAPI document
	URL      string                      // external base URL of the service, without a slash at the end
	WhoMay   func(ability string) string // describes the callers with an ability
	Style    string                      // URL of the style sheet of all pages
	Icon     string                      // URL of the icon of all pages
	Fixtures []byte                      // the JSON schema of files with test data
}

// Handler serves the documentation. It reads the document with the first request.
type Handler struct {
	options Options
	content func() (*content, error)
	style   string // URLs of our files, which change with their content
	script  string

	mu    sync.Mutex
	pages map[string]page // rendered, by URL
}

// New returns the documentation.
func New(o Options) *Handler {
	return &Handler{
		options: o, content: sync.OnceValues(func() (*content, error) { return newContent(o) }),
		style: assetPath("docs.css"), script: assetPath("docs.js"), pages: map[string]page{},
	}
}

// Root is the URL of the start page.
const Root = "/-/docs"

var (
	//go:embed templates
	templateFiles embed.FS
	//go:embed static
	staticFiles embed.FS

	layout = template.Must(template.ParseFS(templateFiles, "templates/*.html"))
)

// policy lets a page load our style sheets, script and icon and nothing else; its form leads to our search.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"form-action 'self';"

// page is a complete response.
type page struct {
	status int
	body   []byte
	tag    string
}

// Serve responds to a request below Root.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) error {
	path := strings.TrimPrefix(r.URL.Path, Root)
	if path == "/go-client.yaml" {
		w.Header().Set("Content-Type", "application/yaml")
		_, err := w.Write(guides.GoClient)
		return err
	}
	if path == "/fixtures.schema.json" {
		w.Header().Set("Content-Type", "application/schema+json")
		_, err := w.Write(h.options.Fixtures)
		return err
	}
	if h.serveFile(w, path) {
		return nil
	}
	c, err := h.content()
	if err != nil {
		return err
	}
	if to, ok := c.redirect(path); ok {
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusMovedPermanently)
		return nil
	}
	p, err := h.page(c, path, r.URL.Query())
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	if p.status == http.StatusOK {
		header.Set("Cache-Control", "public, max-age=300")
		header.Set("ETag", p.tag)
		if strings.Contains(r.Header.Get("If-None-Match"), strings.TrimPrefix(p.tag, "W/")) {
			header.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	w.WriteHeader(p.status)
	_, err = w.Write(p.body)
	return err
}

// page returns the page of a path. Only pages that exist are kept, so that requests cannot fill the memory.
func (h *Handler) page(c *content, path string, query url.Values) (page, error) {
	if path == "/search" {
		return h.render(c.searchView(query.Get("q")), http.StatusOK)
	}
	h.mu.Lock()
	kept, ok := h.pages[path]
	h.mu.Unlock()
	if ok {
		return kept, nil
	}
	v, found, err := c.view(path)
	if err != nil {
		return page{}, err
	}
	if !found {
		return h.render(c.missingView(path), http.StatusNotFound)
	}
	p, err := h.render(v, http.StatusOK)
	if err != nil {
		return page{}, err
	}
	h.mu.Lock()
	h.pages[path] = p
	h.mu.Unlock()
	return p, nil
}

// render puts a view into the layout.
func (h *Handler) render(v view, status int) (page, error) {
	v.Style, v.DocsStyle, v.Script, v.Icon = h.options.Style, h.style, h.script, h.options.Icon
	var body bytes.Buffer
	if err := layout.ExecuteTemplate(&body, "layout.html", v); err != nil {
		return page{}, err
	}
	return page{status: status, body: body.Bytes(), tag: `W/"` + digest(body.Bytes()) + `"`}, nil
}

func digest(data []byte) string { return hex.EncodeToString(secret.Digest(string(data))[:8]) }

// assetPath returns the URL of one of our files.
func assetPath(name string) string {
	data, err := staticFiles.ReadFile("static/" + name)
	if err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	return Root + "/assets/" + digest(data) + "/" + name
}

// serveFile responds with one of our files, which browsers may cache forever.
func (h *Handler) serveFile(w http.ResponseWriter, path string) bool {
	kind := map[string]string{h.style: "text/css; charset=utf-8", h.script: "text/javascript; charset=utf-8"}[Root+path]
	if kind == "" {
		return false
	}
	data, err := staticFiles.ReadFile("static" + path[strings.LastIndexByte(path, '/'):])
	if err != nil {
		return false
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(data) // a client that is gone needs no answer
	return true
}
