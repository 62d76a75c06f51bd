package sitehttp

import (
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
)

// page is one request for a file of a site.
type page struct {
	w    http.ResponseWriter
	r    *http.Request
	root *root
	place
	open bool // everybody can see the site
}

// serve responds with the file at the path, with a redirect to its folder, or with the site's own 404 page.
func (p page) serve() {
	if p.open {
		p.w.Header().Set("Cache-Control", "max-age=600")
	} else {
		p.w.Header().Set("Cache-Control", "private, no-cache")
	}
	if p.rest == "" {
		p.redirect()
		return
	}
	name := strings.TrimPrefix(p.rest, "/")
	folder := name == "" || strings.HasSuffix(name, "/")
	if name = strings.TrimSuffix(name, "/"); name != "" && (!fs.ValidPath(name) || strings.ContainsRune(name, '\\')) {
		p.missing()
		return
	}
	if folder {
		if !p.file(path.Join(name, "index.html")) {
			p.missing()
		}
		return
	}
	if p.file(name) {
		return
	}
	if index, _ := p.regular(path.Join(name, "index.html")); index != nil {
		index.Close()
		p.redirect()
		return
	}
	if !p.file(name + ".html") {
		p.missing()
	}
}

// redirect redirects to the same path with a slash at the end. It refuses a path that begins with two slashes, because
// that would name another host.
func (p page) redirect() {
	if strings.HasPrefix(p.r.URL.Path, "//") {
		p.missing()
		return
	}
	to := url.URL{Path: p.r.URL.Path + "/", RawQuery: p.r.URL.RawQuery}
	p.w.Header().Set("Location", to.String())
	p.w.WriteHeader(http.StatusFound)
}

// regular opens a regular file.
func (p page) regular(name string) (*os.File, fs.FileInfo) {
	f, err := p.root.Open(name)
	if err != nil {
		return nil, nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, nil
	}
	return f, info
}

// packed lists the compressed forms in which a file may also exist, the best first.
var packed = []struct{ encoding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// file responds with a file, or with a compressed form that the client accepts; false if there is no such file.
func (p page) file(name string) bool {
	f, info := p.regular(name)
	if f == nil {
		return false
	}
	tag := p.site.Key[len(p.site.Key)-16:] + "-" + strconv.FormatInt(info.Size(), 16)
	header := p.w.Header()
	if p.root.packed {
		header.Set("Vary", "Accept-Encoding")
		for _, form := range packed {
			if !accepts(p.r.Header.Values("Accept-Encoding"), form.encoding) {
				continue
			}
			if smaller, _ := p.regular(name + form.suffix); smaller != nil {
				f.Close()
				f = smaller
				tag += form.suffix
				header.Set("Content-Encoding", form.encoding)
				break
			}
		}
	}
	defer f.Close()
	header["Etag"] = []string{`"` + tag + `"`} // the files of a deployment never change
	if kind := typeOf(name); kind != "" {
		header["Content-Type"] = []string{kind}
	} else if header.Get("Content-Encoding") != "" {
		header.Set("Content-Type", "application/octet-stream") // the type cannot be detected from compressed bytes
	}
	http.ServeContent(p.w, p.r, name, p.site.CreatedAt, f)
	return true
}

// accepts reports whether a client accepts an encoding (RFC 9110 §12.5.3); q=0 means no.
func accepts(values []string, encoding string) bool {
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			name, weight, _ := strings.Cut(part, ";")
			if !strings.EqualFold(strings.TrimSpace(name), encoding) {
				continue
			}
			_, q, given := strings.Cut(weight, "=")
			n, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			return !given || err == nil && n > 0
		}
	}
	return false
}

// types lists types that the standard library does not have on every system.
var types = map[string]string{
	".atom": "application/atom+xml", ".eot": "application/vnd.ms-fontobject", ".ico": "image/x-icon",
	".map": "application/json", ".md": "text/markdown; charset=utf-8",
	".mp3": "audio/mpeg", ".mp4": "video/mp4", ".otf": "font/otf", ".ttf": "font/ttf",
	".txt": "text/plain; charset=utf-8", ".webm": "video/webm",
	".webmanifest": "application/manifest+json", ".woff": "font/woff", ".woff2": "font/woff2", ".zip": "application/zip",
}

func typeOf(name string) string {
	ext := path.Ext(name)
	if kind, ok := types[ext]; ok {
		return kind
	}
	return mime.TypeByExtension(ext)
}

// missing responds with the site's own 404 page, or with ours.
func (p page) missing() {
	f, info := p.regular("404.html")
	if f == nil {
		fail(p.w, http.StatusNotFound)
		return
	}
	defer f.Close()
	header := p.w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	p.w.WriteHeader(http.StatusNotFound)
	if p.r.Method != http.MethodHead {
		_, _ = io.Copy(p.w, f) // an error means that the client has disconnected
	}
}
