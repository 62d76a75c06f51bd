// Package web is the pages that a person sees.
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
var ours embed.FS

// The explorer styles itself inline; scripts come only from files of ours.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// asset is a file with a fixed name; what a caller asks for never becomes a path.
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
		data, err := ours.ReadFile("docs/" + file.name)
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

// csrf gives the explorer the token that writes by the session need; null for nobody. Other sites cannot read the answer.
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
