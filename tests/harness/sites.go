package harness

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"svc/server/platform/config"
	"svc/store/blob"
	"svc/store/model"
)

// SitesHost is the domain of all sites; the host of a namespace is a subdomain.
const SitesHost = "pages.example.net"

// Sites configures a service to serve sites.
func Sites(c *config.Config) {
	// These addresses only appear in URLs: ServeSites listens elsewhere.
	c.PagesListen, c.PagesTLSListen, c.PagesTLSPort, c.PagesHost = "127.0.0.1:80", "127.0.0.1:443", 443, SitesHost
}

// ServeSites serves sites until the test ends and returns the addresses without and with TLS.
func (h *H) ServeSites() (plain, safe string) {
	h.T.Helper()
	if h.sites[0] != "" {
		return h.sites[0], h.sites[1]
	}
	for i, serve := range []func(net.Listener) error{h.Server.ServePages, h.Server.ServePagesTLS} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			h.T.Fatal(err)
		}
		h.T.Cleanup(func() { listener.Close() })
		go func() { _ = serve(listener) }() // ends when the listener is closed
		h.sites[i] = listener.Addr().String()
	}
	return h.sites[0], h.sites[1]
}

// PublishSite publishes files, given as pairs of name and content, as the site of a project, as a job of the project
// would.
func (h *H) PublishSite(p model.Project, files ...string) {
	h.T.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = io.WriteString(f, files[i+1])
		}
		if err != nil {
			h.T.Fatal(err)
		}
	}
	d := model.PagesDeployment{ProjectID: p.ID, JobID: 1, Root: "public", Key: blob.PagesKey(), FileCount: int64(len(files) / 2)}
	err := errors.Join(w.Close(), h.Store.JobArtifacts.ScheduleRemoval(h.T.Context(), d.Key, time.Now().UTC().Add(time.Hour)))
	if err == nil {
		d.PackedSize, err = h.blobs().Put(h.T.Context(), d.Key, &out)
	}
	if err != nil {
		h.T.Fatal(err)
	}
	if ok, err := h.Store.PagesDeployments.Publish(h.T.Context(), &d); err != nil || !ok {
		h.T.Fatal(ok, err)
	}
}

// rawClient is a client that neither decompresses responses nor follows redirects.
var rawClient = &http.Client{
	Transport:     &http.Transport{DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// RequestSite requests a page at a host; the pairs are header names and values. Sites are not in the OpenAPI document, so the
// response is not checked.
func (h *H) RequestSite(method, host, path string, pairs ...string) Answer {
	h.T.Helper()
	plain, _ := h.ServeSites()
	req, err := http.NewRequestWithContext(h.T.Context(), method, "http://"+plain+"/", nil)
	if err != nil {
		h.T.Fatal(err)
	}
	req.Host, req.URL.Opaque = host, path // sends the path unchanged, even if it is invalid
	if name, query, ok := strings.Cut(path, "?"); ok {
		req.URL.Opaque, req.URL.RawQuery = name, query
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		req.Header.Set(pairs[i], pairs[i+1])
	}
	res, err := rawClient.Do(req)
	if err != nil {
		h.T.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		h.T.Fatal(err)
	}
	return Answer{Status: res.StatusCode, Header: res.Header, Body: string(data)}
}
