package acme

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"svc/server/domain/site/acme"
	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// testServer is a test server whose Pages domains get certificates from a test authority.
type testServer struct {
	*harness.H
	t          *testing.T
	names      *NameServer
	ca         *Authority
	owner      *harness.Caller
	base       string
	tlsAddress string
}

func newTestServer(t *testing.T) *testServer {
	t.Helper()
	names := StartNameServer(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	w := &testServer{t: t, names: names, ca: Start(t, names.Address, listener.Addr().(*net.TCPAddr).Port)}
	w.H = harness.New(t, harness.Sites, func(c *config.Config) {
		c.PagesDNS, c.ACMEDirectory, c.ACMECA, c.ACMEEmail = names.Address, w.ca.Directory, w.ca.CA, "root@example.com"
	})
	go func() { _ = w.Server.ServePages(listener) }() // ends when the listener closes
	_, w.tlsAddress = w.ServeSites()
	w.owner = w.NewUser()
	w.base = fmt.Sprintf("/projects/%d/pages/domains", w.Project(*w.owner.User.NamespaceID).ID)
	w.StartWorker()
	return w
}

// domain is a Pages domain as the API shows it.
type domain struct {
	URL          string
	Auto         bool    `json:"auto_ssl_enabled"`
	Error        *string `json:"auto_ssl_error"`
	Code         string  `json:"verification_code"`
	Certificate  *struct{ Certificate string }
	EnabledUntil *string `json:"enabled_until"`
}

func (w *testServer) read(got harness.Answer, status int) domain {
	w.t.Helper()
	var d domain
	if err := json.Unmarshal([]byte(got.Body), &d); err != nil || got.Status != status {
		w.t.Fatalf("%d %s: %v", got.Status, got.Body, err)
	}
	return d
}

// addVerifiedDomain adds a domain to the project and verifies it.
func (w *testServer) addVerifiedDomain(name, body string) {
	w.t.Helper()
	made := w.read(w.owner.JSON("POST", w.base, body), 201)
	w.names.Set(name, "svc-pages-verification-code="+made.Code)
	w.read(w.owner.Send("PUT", w.base+"/"+name+"/verify", ""), 200)
}

// round runs one round of the certificate job and waits until good accepts the domain. If it never does, the test also
// logs the domain.
func (w *testServer) round(name string, good func(domain) bool) domain {
	w.t.Helper()
	if err := w.Server.Worker.Enqueue(w.t.Context(), acme.Round{}); err != nil {
		w.t.Fatal(err)
	}
	var d domain
	done := false
	defer func() {
		if !done {
			w.t.Logf("%s is %+v", name, d)
		}
	}()
	wait.Until(w.t, "the round has changed "+name+" as expected", func() bool {
		d = w.read(w.owner.Send("GET", w.base+"/"+name, ""), 200)
		done = good(d)
		return done
	})
	return d
}

// row returns the database row of a domain.
func (w *testServer) row(name string) model.PagesDomain {
	w.t.Helper()
	d, err := w.Store.PagesDomains.AtDomain(w.t.Context(), name)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// servedCertificate returns the certificate that the server presents for a name. The client trusts only the roots of the authority.
func (w *testServer) servedCertificate(name string) *x509.Certificate {
	w.t.Helper()
	conn, err := tls.Dial("tcp", w.tlsAddress, &tls.Config{ServerName: name, RootCAs: w.ca.Roots(w.t), MinVersion: tls.VersionTLS12})
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0]
}

func TestACertificateIsObtainedServedAndRenewed(t *testing.T) {
	t.Parallel()
	w := newTestServer(t)
	const name = "www.site.example.com"
	w.addVerifiedDomain(name, `{"domain":"`+name+`","auto_ssl_enabled":true}`)
	got := w.round(name, func(d domain) bool { return d.Certificate != nil })
	if got.URL != "https://"+name || got.Error != nil || !got.Auto {
		t.Errorf("%+v", got)
	}
	first := w.servedCertificate(name)
	w.isDueBefore(name, first.NotAfter)
	w.renew(name, got)
	if again := w.servedCertificate(name); again.SerialNumber.Cmp(first.SerialNumber) == 0 {
		t.Error("the old certificate is still shown")
	}
	audit := w.owner.Send("GET", strings.Replace(w.base, "pages/domains", "audit_events", 1), "")
	if strings.Count(audit.Body, "Obtained a certificate") != 2 {
		t.Error(audit.Body)
	}
	// A removed certificate stays away until the owner asks for one again.
	removed := w.read(w.owner.JSON("PUT", w.base+"/"+name, `{"certificate":"","key":""}`), 200)
	if removed.Certificate != nil || removed.Auto {
		t.Errorf("%+v", removed)
	}
	w.read(w.owner.JSON("PUT", w.base+"/"+name, `{"auto_ssl_enabled":true}`), 200)
	w.round(name, func(d domain) bool { return d.Certificate != nil })
}

// isDueBefore checks that the certificate of a domain is stored, sealed, and to be renewed before it ends.
func (w *testServer) isDueBefore(name string, end time.Time) {
	w.t.Helper()
	row := w.row(name)
	if !row.Obtained || row.CertificateNextAt == nil || !row.CertificateNextAt.Before(end) ||
		!row.CertificateNextAt.After(time.Now()) || row.ChallengeToken != nil || row.CertificateTries != 0 {
		w.t.Errorf("%+v", row)
	}
	if strings.Contains(string(row.SealedKey), "PRIVATE") {
		w.t.Error("the key is kept as it is")
	}
}

// renew makes the certificate of a domain due for renewal and waits for another one.
func (w *testServer) renew(name string, before domain) {
	w.t.Helper()
	past := time.Now().UTC().Add(-time.Minute)
	if _, err := w.Store.PagesDomains.Update(w.t.Context(), w.row(name), map[string]any{"certificate_next_at": past}); err != nil {
		w.t.Fatal(err)
	}
	w.round(name, func(d domain) bool {
		return d.Certificate != nil && d.Certificate.Certificate != before.Certificate.Certificate
	})
}

func TestAFailedCertificateRequestIsReportedAndRetried(t *testing.T) {
	t.Parallel()
	w := newTestServer(t)
	const name = "lost.site.example.com"
	w.addVerifiedDomain(name, `{"domain":"`+name+`","auto_ssl_enabled":true}`)
	w.names.mu.Lock()
	delete(w.names.texts, name+".") // the name no longer resolves
	w.names.mu.Unlock()
	got := w.round(name, func(d domain) bool { return d.Error != nil })
	if row := w.row(name); got.Certificate != nil || row.CertificateNextAt == nil ||
		time.Until(*row.CertificateNextAt) < 2*time.Minute || row.CertificateTries != 1 {
		t.Errorf("%+v %+v", got, row)
	}
	// A second round finds nothing due. A user who asks again does not have to wait.
	if _, err := w.Store.PagesDomains.Lease(t.Context(), w.row(name).ID, time.Now().UTC(), time.Now().UTC().Add(time.Hour)); err == nil {
		t.Error("it is due already")
	}
	w.names.Set(name, "")
	if asked := w.read(w.owner.JSON("PUT", w.base+"/"+name, `{"auto_ssl_enabled":true}`), 200); asked.Error != nil {
		t.Errorf("%+v", asked)
	}
	w.round(name, func(d domain) bool { return d.Certificate != nil })
}

func TestOnlyVerifiedDomainsWithAutoSSLGetACertificate(t *testing.T) {
	t.Parallel()
	w := newTestServer(t)
	certificate, key := selfSigned(t)
	body, err := json.Marshal(map[string]any{
		"domain": "own.site.example.com", "certificate": string(certificate), "key": string(key), "auto_ssl_enabled": true,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.addVerifiedDomain("own.site.example.com", string(body))
	// One domain is not verified, and one does not ask for a certificate.
	w.names.Set("unproved.site.example.com", "")
	w.read(w.owner.JSON("POST", w.base, `{"domain":"unproved.site.example.com","auto_ssl_enabled":true}`), 201)
	w.addVerifiedDomain("off.site.example.com", `{"domain":"off.site.example.com"}`)
	w.addVerifiedDomain("good.site.example.com", `{"domain":"good.site.example.com","auto_ssl_enabled":true}`)
	w.round("good.site.example.com", func(d domain) bool { return d.Certificate != nil })
	w.round("unproved.site.example.com", func(domain) bool { return w.row("unproved.site.example.com").CertificateNextAt == nil })
	own := w.row("own.site.example.com")
	if own.Obtained || own.Certificate == nil || *own.Certificate != string(certificate) || own.CertificateNextAt != nil {
		t.Errorf("%+v", own)
	}
	for _, name := range []string{"unproved.site.example.com", "off.site.example.com"} {
		if row := w.row(name); row.Certificate != nil || row.CertificateError != nil {
			t.Errorf("%+v", row)
		}
	}
	// Of two workers that lease the domain at once, one succeeds.
	row := w.row("good.site.example.com")
	now := time.Now().UTC()
	if _, err := w.Store.PagesDomains.Update(t.Context(), row, map[string]any{"certificate_next_at": now}); err != nil {
		t.Fatal(err)
	}
	leased := make(chan error, 2)
	for range cap(leased) {
		go func() {
			_, err := w.Store.PagesDomains.Lease(t.Context(), row.ID, now, now.Add(time.Hour))
			leased <- err
		}()
	}
	if a, b := <-leased, <-leased; (a == nil) == (b == nil) {
		t.Errorf("both or none: %v, %v", a, b)
	}
}
