package acme

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"
	authority "svc/tests/acme"
)

// town is a project with domains, a test authority, and a server that answers its challenges.
type town struct {
	*Issuer
	t       *testing.T
	names   *authority.NameServer
	ca      *authority.Authority
	project model.Project
	queued  []Order
}

func newTown(t *testing.T) *town {
	t.Helper()
	st := storetest.New(t)
	w := &town{t: t, names: authority.StartNameServer(t), project: storetest.Project(t, st, storetest.User(t, st))}
	site := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.Host)
		text, err := st.PagesDomains.Challenge(r.Context(), host, strings.TrimPrefix(r.URL.Path, "/.well-known/acme-challenge/"))
		if err != nil {
			http.NotFound(out, r)
			return
		}
		_, _ = io.WriteString(out, text)
	}))
	t.Cleanup(site.Close)
	w.ca = authority.Start(t, w.names.Address, site.Listener.Addr().(*net.TCPAddr).Port)
	keys, err := secret.NewVault(strings.Repeat("k", 32), "keys of sites")
	if err == nil {
		w.Issuer, err = New(Dependencies{
			Store: st, Accounts: keys, Keys: keys, Directory: w.ca.Directory, CA: w.ca.CA, Email: "root@example.com",
			Logger: slog.New(slog.DiscardHandler),
			Queue: func(_ context.Context, o Order) error {
				w.queued = append(w.queued, o)
				return nil
			},
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// add adds a verified domain to the project that is due for a certificate.
func (w *town) add(name string, edit ...func(*model.PagesDomain)) model.PagesDomain {
	w.t.Helper()
	soon, due := time.Now().UTC().Add(time.Hour), time.Now().UTC().Add(-time.Minute)
	d := model.PagesDomain{
		ProjectID: w.project.ID, Domain: name, VerificationCode: "x", AutoSSL: true, EnabledUntil: &soon,
		CertificateNextAt: &due,
	}
	for _, f := range edit {
		f(&d)
	}
	if err := w.Store.PagesDomains.Create(w.t.Context(), &d); err != nil {
		w.t.Fatal(err)
	}
	return d
}

// round runs all orders of a round, and returns the updated domain.
func (w *town) round(name string) model.PagesDomain {
	w.t.Helper()
	w.queued = nil
	if err := w.Round(w.t.Context(), Round{}); err != nil {
		w.t.Fatal(err)
	}
	for _, order := range w.queued {
		if err := w.Order(w.t.Context(), order); err != nil {
			w.t.Fatal(err)
		}
	}
	d, err := w.Store.PagesDomains.AtDomain(w.t.Context(), name)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// leaf checks that the certificate of a domain is valid and matches its key.
func (w *town) leaf(d model.PagesDomain) *x509.Certificate {
	w.t.Helper()
	if d.CertificateError != nil {
		w.t.Fatal(*d.CertificateError)
	}
	if d.Certificate == nil || !d.Obtained || d.CertificateUntil == nil || d.ChallengeToken != nil || d.CertificateError != nil ||
		d.CertificateTries != 0 {
		w.t.Fatalf("%+v", d)
	}
	key, err := w.Keys.Open(d.SealedKey, d.Domain)
	if err != nil {
		w.t.Fatal(err)
	}
	pair, err := tls.X509KeyPair([]byte(*d.Certificate), key)
	if err != nil {
		w.t.Fatal(err)
	}
	middle := x509.NewCertPool()
	for _, der := range pair.Certificate[1:] {
		one, err := x509.ParseCertificate(der)
		if err != nil {
			w.t.Fatal(err)
		}
		middle.AddCert(one)
	}
	if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: d.Domain, Roots: w.ca.Roots(w.t), Intermediates: middle}); err != nil {
		w.t.Fatal(err)
	}
	return pair.Leaf
}

func TestANameIsCertifiedAndRenewed(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	const name = "www.site.example.com"
	w.names.Set(name, "")
	w.add(name)
	d := w.round(name)
	first := w.leaf(d)
	if !d.CertificateNextAt.Before(first.NotAfter) || !d.CertificateNextAt.After(time.Now().Add(24*time.Hour)) {
		t.Errorf("renewed at %s of %s", d.CertificateNextAt, first.NotAfter)
	}
	if w.round(name); len(w.queued) != 0 {
		t.Errorf("it is due again: %v", w.queued)
	}
	if _, err := w.Store.PagesDomains.Update(t.Context(), d, map[string]any{"certificate_next_at": time.Now().UTC()}); err != nil {
		t.Fatal(err)
	}
	if again := w.leaf(w.round(name)); again.SerialNumber.Cmp(first.SerialNumber) == 0 {
		t.Error("it is the same certificate")
	}
	events, _, err := w.Store.AuditEvents.List(
		t.Context(), store.AuditFilter{EntityType: "Project", EntityID: &w.project.ID}, store.Page{Limit: 10},
	)
	if err != nil || len(events) != 2 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func TestAFailureIsWrittenDown(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	const name = "lost.site.example.com"
	w.add(name)
	d := w.round(name)
	if d.Certificate != nil || d.CertificateError == nil || d.ChallengeToken != nil || d.CertificateTries != 1 ||
		time.Until(*d.CertificateNextAt) < 2*time.Minute {
		t.Errorf("%+v", d)
	}
	w.names.Set(name, "")
	if _, err := w.Store.PagesDomains.Update(t.Context(), d, map[string]any{"certificate_next_at": time.Now().UTC()}); err != nil {
		t.Fatal(err)
	}
	w.leaf(w.round(name))
}

func TestNotEveryNameIsCertified(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	brought := "brought by a person"
	for name, edit := range map[string]func(*model.PagesDomain){
		"own.example.com":      func(d *model.PagesDomain) { d.Certificate = &brought },
		"off.example.com":      func(d *model.PagesDomain) { d.AutoSSL = false },
		"unproved.example.com": func(d *model.PagesDomain) { d.EnabledUntil = nil },
	} {
		w.names.Set(name, "")
		w.add(name, edit)
		if d := w.round(name); d.CertificateNextAt != nil || d.Obtained || d.CertificateError != nil ||
			d.Certificate != nil && *d.Certificate != brought {
			t.Errorf("%+v", d)
		}
	}
}

func TestACertificateOfAUserStays(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	brought := "brought by a person"
	// Of two orders at the same time, only one proceeds.
	d := w.add("twice.example.com")
	now := time.Now().UTC()
	leased := make(chan error, 2)
	for range cap(leased) {
		go func() {
			_, err := w.Store.PagesDomains.Lease(context.Background(), d.ID, now, now.Add(time.Hour))
			leased <- err
		}()
	}
	if a, b := <-leased, <-leased; (a == nil) == (b == nil) || !store.IsNotFound(errors.Join(a, b)) {
		t.Errorf("%v, %v", a, b)
	}
	// A user uploads a certificate while we order one: the user's certificate stays.
	if _, err := w.Store.PagesDomains.Update(t.Context(), d, map[string]any{"certificate": brought}); err != nil {
		t.Fatal(err)
	}
	if err := w.storeCertificate(t.Context(), d, pair{certificate: "ours", key: "ours", from: now, until: now.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if now, err := w.Store.PagesDomains.AtDomain(t.Context(), d.Domain); err != nil || *now.Certificate != brought || now.Obtained {
		t.Errorf("%+v, %v", now, err)
	}
	off, err := New(Dependencies{Store: w.Store, Logger: w.Logger})
	if err == nil {
		err = errors.Join(off.Round(t.Context(), Round{}), off.Order(t.Context(), Order{DomainID: d.ID}))
	}
	if err != nil {
		t.Errorf("without an authority: %v", err)
	}
}
