// Package pages manages the Pages sites of projects and their custom domains.
package pages

import (
	"context"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	sites "svc/server/domain/site"
	"svc/server/domain/site/certificate"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/naming"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// Dependencies are the dependencies of the Pages operations.
type Dependencies struct {
	Store    *store.Store
	Access   *access.Access
	Events   *events.Recorder
	Verifier *sites.DomainVerifier
	Vault    secret.Vault // encrypts private keys
	Host     sites.Host
	URL      func(name string) string // returns the URL of a site, given its name below the Pages host
	Names    naming.Sites
	TLSOnly  bool // sites are served over TLS only
	Enabled  bool
}

// Pages holds the operations on sites and their custom domains.
type Pages struct {
	Dependencies
	pages pagination.MaxOffset
}

// New returns the Pages operations.
func New(d Dependencies, pages pagination.MaxOffset) *Pages {
	return &Pages{Dependencies: d, pages: pages}
}

// enabled returns a 404 if Pages is switched off.
func (p *Pages) enabled() error {
	if !p.Enabled {
		return apierr.NotFound("")
	}
	return nil
}

// project returns a project that can have a site and in which the caller has the ability.
func (p *Pages) project(ctx context.Context, id string, ability access.Ability) (model.Project, error) {
	row, err := p.Access.Project(ctx, id, ability)
	if err == nil {
		err = p.enabled()
	}
	if err == nil && row.Project.PagesAccessLevel == model.FeatureDisabled {
		err = apierr.NotFound("")
	}
	return row.Project, err
}

// find returns a custom domain of a project in which the caller has the ability.
func (p *Pages) find(ctx context.Context, id, domain string, ability access.Ability) (model.Project, model.PagesDomain, error) {
	project, err := p.project(ctx, id, ability)
	if err != nil {
		return project, model.PagesDomain{}, err
	}
	d, err := p.Store.PagesDomains.Get(ctx, project.ID, strings.ToLower(domain))
	if store.IsNotFound(err) {
		err = apierr.NotFound("PagesDomain")
	}
	return project, d, err
}

// presentDomain presents a domain. A certificate that cannot be parsed is not shown; stored certificates were parsed before.
func presentDomain(d model.PagesDomain) gen.PagesDomain {
	if d.Certificate == nil {
		return present.PagesDomain(d, nil)
	}
	chain, err := certificate.Parse(*d.Certificate)
	if err != nil {
		return present.PagesDomain(d, nil)
	}
	return present.PagesDomain(d, chain)
}

// certificateChange is a requested change of a certificate.
type certificateChange struct {
	certificate, key *string // PEM; two empty strings remove the certificate
	auto             *bool
}

// textOrEmpty returns the text that was sent; null becomes empty.
func textOrEmpty(o wire.Optional[string]) *string {
	if o.IsSet() && o.Ptr() == nil {
		return new(string)
	}
	return o.Ptr()
}

// columns returns the columns that a change writes to a domain, which may already have a certificate and a key.
func (p *Pages) columns(d model.PagesDomain, c certificateChange) (map[string]any, error) {
	set := map[string]any{}
	auto, own := d.AutoSSL, d.Certificate != nil && !d.Obtained
	if c.auto != nil {
		auto = *c.auto
	}
	if c.certificate != nil || c.key != nil {
		cert, key, err := p.certificateAfter(d, c)
		if err != nil {
			return nil, err
		}
		if own = cert != "" || key != ""; !own {
			set["certificate"], set["sealed_key"], set["certificate_until"] = nil, nil, nil
			auto = auto && c.auto != nil
		} else {
			chain, wrong := certificate.Read(cert, key)
			if wrong != nil {
				return nil, apierr.InvalidFields(wrong)
			}
			set["certificate"], set["sealed_key"], set["certificate_until"] = cert, p.Vault.Seal([]byte(key), d.Domain), chain.Until()
		}
		set["obtained"] = false
	}
	set["auto_ssl"] = auto
	switch {
	case !auto || own: // a certificate that a user uploaded is never replaced
		set["certificate_next_at"], set["certificate_error"] = nil, nil
	case d.CertificateNextAt == nil || d.CertificateError != nil || set["obtained"] != nil:
		// A user who asks again need not wait for the next scheduled try.
		set["certificate_next_at"], set["certificate_tries"], set["certificate_error"] = time.Now().UTC(), 0, nil
	}
	return set, nil
}

// certificateAfter returns the certificate and the key that the domain has after the change.
func (p *Pages) certificateAfter(d model.PagesDomain, c certificateChange) (cert, key string, err error) {
	if c.certificate != nil {
		cert = *c.certificate
	} else if d.Certificate != nil {
		cert = *d.Certificate
	}
	if c.key != nil {
		return cert, *c.key, nil
	}
	if d.SealedKey != nil {
		plain, err := p.Vault.Open(d.SealedKey, d.Domain)
		return cert, string(plain), err
	}
	return cert, "", nil
}
