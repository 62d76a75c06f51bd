// Package site publishes the static sites of projects and verifies the custom domains that they are served under.
package site

import (
	"context"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"time"

	"svc/store"
	"svc/store/model"
)

// Host says which names no project may take.
type Host struct {
	Own   string // the service's own name
	Pages string // every project has a name below this one
}

var hostname = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$`)

const maxName = 253

// Check tells what is wrong with a name, which is in lower case; nothing when it can be taken.
func (h Host) Check(name string) string {
	_, err := netip.ParseAddr(name)
	switch {
	case err == nil || len(name) > maxName || !hostname.MatchString(name):
		return "is invalid"
	case name == h.Pages || strings.HasSuffix(name, "."+h.Pages):
		return "*." + h.Pages + " is restricted"
	case name == h.Own:
		return h.Own + " is restricted"
	}
	return ""
}

const (
	served   = 7 * 24 * time.Hour // after a proof
	lookAt   = 6 * time.Hour
	lookTime = 5 * time.Second
	lookMost = 100
	record   = "svc-pages-verification-code"
)

// Prover looks for the proofs that names belong to projects.
type Prover struct {
	store  *store.Store
	lookup func(ctx context.Context, name string) ([]string, error)
}

// NewProver asks the DNS server at an address, or the system's.
func NewProver(st *store.Store, server string) *Prover {
	resolver := &net.Resolver{}
	if server != "" {
		resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, server)
		}}
	}
	return &Prover{store: st, lookup: resolver.LookupTXT}
}

// Prove looks for the proof of a name. A name whose proof is gone is served until the time is over that the last one gave.
func (p *Prover) Prove(ctx context.Context, d model.PagesDomain) (model.PagesDomain, error) {
	ok, now := p.has(ctx, d), time.Now().UTC()
	set := map[string]any{"looked_at": now, "verified_at": nil}
	if ok {
		set["verified_at"], set["enabled_until"] = now, now.Add(served)
		if d.AutoSSL && d.CertificateNextAt == nil && (d.Certificate == nil || d.Obtained) {
			set["certificate_next_at"] = now
		}
	} else if d.EnabledUntil != nil && d.EnabledUntil.Before(now) {
		set["enabled_until"] = nil
	}
	return p.store.PagesDomains.Update(ctx, d, set)
}

func (p *Prover) has(ctx context.Context, d model.PagesDomain) bool {
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

// Proofs is the job that looks for the proofs of names from time to time.
type Proofs struct{}

// Kind names the job in the queue.
func (Proofs) Kind() string { return "prove_pages_domains" }

// Run looks for the proofs that were not looked for lately, some at a time.
func (p *Prover) Run(ctx context.Context, _ Proofs) error {
	rows, err := p.store.PagesDomains.Due(ctx, time.Now().UTC().Add(-lookAt), lookMost)
	for _, row := range rows {
		if err == nil {
			_, err = p.Prove(ctx, row)
		}
	}
	return err
}
