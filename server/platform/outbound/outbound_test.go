package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// names is a resolver with fixed answers. Each lookup of a name takes the next of its answers; the last one stays.
type names map[string][][]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	answers := n[host]
	if len(answers) == 0 {
		return nil, errors.New("no such host")
	}
	if len(answers) > 1 {
		n[host] = answers[1:]
	}
	var found []netip.Addr
	for _, text := range answers[0] {
		found = append(found, netip.MustParseAddr(text))
	}
	return found, nil
}

func allow(t testing.TB, entries ...string) Allowlist {
	t.Helper()
	list, err := ParseAllowlist(entries)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestLocalAndPrivateAddressesAreRefused(t *testing.T) {
	t.Parallel()
	c := New(Options{OwnURL: "http://svc.example:8080", Resolver: names{
		"good.example": {{"93.184.216.34"}}, "mixed.example": {{"93.184.216.34", "10.0.0.1"}}, "svc.example": {{"10.0.0.9"}},
	}})
	for text, want := range map[string]string{
		"http://good.example/x":               "",
		"https://93.184.216.34":               "",
		"http://svc.example:8080/hook":        "",
		"http://svc.example/hook":             "the local network",
		"http://mixed.example":                "the local network",
		"http://127.0.0.1":                    "localhost",
		"http://127.0.0.2":                    "loopback addresses",
		"http://[::1]":                        "localhost",
		"http://0.0.0.0":                      "localhost",
		"http://[::]":                         "localhost",
		"http://10.1.2.3":                     "the local network",
		"http://172.31.0.1":                   "the local network",
		"http://192.168.0.1":                  "the local network",
		"http://[fd00::1]":                    "the local network",
		"http://[fec0::1]":                    "the local network",
		"http://169.254.169.254":              "the link local network",
		"http://[fe80::1]":                    "the link local network",
		"http://100.64.1.1":                   "the shared address space",
		"http://255.255.255.255":              "the limited broadcast address",
		"http://[::ffff:169.254.169.254]":     "the link local network",
		"http://[::ffff:10.0.0.1]":            "the local network",
		"http://[64:ff9b::a9fe:a9fe]":         "the link local network",
		"http://[2002:7f00:2::]":              "loopback addresses",
		"http://224.0.0.1":                    "the local network",
		"http://unknown.example":              "resolved",
		"http://-x.example":                   "resolved",
		"http://good.example:99999":           "resolved",
		"http://good.example/ x":              "resolved",
		"http://[fe80::1%25eth0]":             "resolved",
		"file:///etc/passwd":                  "schemes",
		"gopher://good.example":               "schemes",
		"//good.example":                      "schemes",
		"http://" + strings.Repeat("a", 1025): "resolved",
	} {
		err := c.Check(t.Context(), text, false)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
	for text, allowed := range map[string]bool{
		"http://10.1.2.3": true, "http://127.0.0.1": true, "http://169.254.169.254": false, "http://[fe80::1]": false,
		"http://224.0.0.1": false,
	} {
		if err := c.Check(t.Context(), text, true); (err == nil) != allowed {
			t.Errorf("%s with local addresses: %v", text, err)
		}
	}
}

func TestTheAllowlistOpensHostsAndRanges(t *testing.T) {
	t.Parallel()
	c := New(Options{
		Allow:    allow(t, "10.0.0.0/8", "192.168.1.1:8080", "inner.example", "other.example:81", "fd00::/8"),
		Resolver: names{"inner.example": {{"127.0.0.1"}}, "other.example": {{"127.0.0.1"}}},
	})
	for text, allowed := range map[string]bool{
		"http://10.9.9.9": true, "http://11.0.0.1": true, "http://192.168.1.1:8080": true, "http://192.168.1.1": false,
		"http://INNER.example:1234": true, "http://other.example:81": true, "http://other.example": false, "http://[fd00::5]": true,
		"http://not-looked-up.inner.example": false,
	} {
		if err := c.Check(t.Context(), text, false); (err == nil) != allowed {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, bad := range []string{"", "*.example", "a b", "http://x", "10.0.0.0/99", "x.example:port", "user@host"} {
		if _, err := ParseAllowlist([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func receive(t testing.TB, handler http.HandlerFunc) *url.URL {
	t.Helper()
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	u, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// The name leads to a public address when the hook is saved and to a private one later.
func TestANameThatChangesToAPrivateAddressIsRefused(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	u := receive(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	c := New(Options{Resolver: names{"rebind.example": {{"93.184.216.34"}, {"127.0.0.1"}}}})
	u.Host = "rebind.example:" + u.Port()
	if err := c.Check(t.Context(), u.String(), false); err != nil {
		t.Fatal(err)
	}
	_, err := c.Post(t.Context(), Request{URL: u})
	var blocked *BlockedError
	if !errors.As(err, &blocked) || calls.Load() != 0 {
		t.Error(err, calls.Load())
	}
}

func TestTheConnectionGoesToTheCheckedAddress(t *testing.T) {
	t.Parallel()
	host := ""
	u := receive(t, func(_ http.ResponseWriter, r *http.Request) { host = r.Host })
	// A second lookup would find an address where nobody listens.
	c := New(Options{Allow: allow(t, "127.0.0.1"), Resolver: names{"once.example": {{"127.0.0.1"}, {"192.0.2.1"}}}})
	u.Host = "once.example:" + u.Port()
	if res, err := c.Post(t.Context(), Request{URL: u}); err != nil || res.Status != 200 || host != u.Host {
		t.Error(res, err, host)
	}
}

func TestARequestHasLimits(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	u := receive(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hang":
			<-release
		case "/drip":
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, "x"); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		case "/long":
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		case "/redirect":
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusTemporaryRedirect)
		case "/headers":
			w.Header().Set("X-Long", strings.Repeat("x", 1<<17))
		}
	})
	c := New(Options{Allow: allow(t, "127.0.0.0/8"), Timeout: 300 * time.Millisecond})
	for path, check := range map[string]func(Response, error) bool{
		"/hang":     func(_ Response, err error) bool { return errors.Is(err, ErrTimeout) },
		"/drip":     func(_ Response, err error) bool { return errors.Is(err, ErrTimeout) },
		"/long":     func(r Response, err error) bool { return err == nil && r.Status == 200 && len(r.Body) == MaxResponse },
		"/redirect": func(r Response, err error) bool { return err == nil && r.Status == 307 },
		"/headers":  func(_ Response, err error) bool { return err != nil },
	} {
		to := *u
		to.Path = path
		if res, err := c.Post(t.Context(), Request{URL: &to}); !check(res, err) {
			t.Error(path, res.Status, len(res.Body), err)
		}
	}
}

func TestCertificatesAreVerifiedUnlessTheHookSaysNo(t *testing.T) {
	t.Parallel()
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	web.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	web.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	web.StartTLS()
	t.Cleanup(web.Close)
	u, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := New(Options{Allow: allow(t, "127.0.0.1")})
	if _, err := c.Post(t.Context(), Request{URL: u}); err == nil {
		t.Error("an unknown certificate is accepted")
	}
	if res, err := c.Post(t.Context(), Request{URL: u, Insecure: true}); err != nil || res.Status != 200 {
		t.Error(res, err)
	}
}
