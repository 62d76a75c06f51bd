package site

import (
	"context"
	"net"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

const (
	enabledPeriod  = 7 * 24 * time.Hour // how long a site is served after its domain was verified
	verifyInterval = 6 * time.Hour
	lookTime       = 5 * time.Second
	lookMost       = 100
	record         = "svc-pages-verification-code"
)

// DomainVerifier verifies that domains belong to projects, by their DNS records.
type DomainVerifier struct {
	store  *store.Store
	lookup func(ctx context.Context, name string) ([]string, error)
}

// NewDomainVerifier returns a verifier that uses the DNS server at an address, or the system's if the address is empty.
func NewDomainVerifier(st *store.Store, server string) *DomainVerifier {
	resolver := &net.Resolver{}
	if server != "" {
		resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, server)
		}}
	}
	return &DomainVerifier{store: st, lookup: resolver.LookupTXT}
}

// Verify looks up the DNS record of a domain. If the record is gone, the domain stays enabled until the period after the
// last verification ends.
func (p *DomainVerifier) Verify(ctx context.Context, d model.PagesDomain) (model.PagesDomain, error) {
	ok, now := p.hasRecord(ctx, d), clock.Now(ctx).UTC()
	set := map[string]any{"looked_at": now, "verified_at": nil}
	if ok {
		set["verified_at"], set["enabled_until"] = now, now.Add(enabledPeriod)
		if d.AutoSSL && d.CertificateNextAt == nil && (d.Certificate == nil || d.Obtained) {
			set["certificate_next_at"] = now
		}
	} else if d.EnabledUntil != nil && d.EnabledUntil.Before(now) {
		set["enabled_until"] = nil
	}
	return p.store.PagesDomains.Update(ctx, d, set)
}

func (p *DomainVerifier) hasRecord(ctx context.Context, d model.PagesDomain) bool {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	for _, name := range []string{"_" + record + "." + d.Domain, d.Domain} {
		texts, err := p.lookup(ctx, name+".")
		if err != nil {
			continue
		}
		for _, text := range texts {
			if text == record+"="+d.VerificationCode {
				return true
			}
		}
	}
	return false
}

// VerifyDomainsJob is the job that verifies domains from time to time.
type VerifyDomainsJob struct{}

// Kind returns the name of the job in the queue.
func (VerifyDomainsJob) Kind() string { return "prove_pages_domains" }

// Run verifies the domains that were not checked recently, a limited number at a time.
func (p *DomainVerifier) Run(ctx context.Context, _ VerifyDomainsJob) error {
	rows, err := p.store.PagesDomains.Due(ctx, clock.Now(ctx).UTC().Add(-verifyInterval), lookMost)
	for _, row := range rows {
		if err == nil {
			_, err = p.Verify(ctx, row)
		}
	}
	return err
}
