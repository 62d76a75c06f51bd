// Package pages is the names of the sites that projects publish.
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

// Parts is what names of sites are kept with.
type Parts struct {
	Store  *store.Store
	Access *access.Access
	Events *events.Recorder
	Prover *sites.Prover
	Vault  secret.Vault // for private keys
	Host   sites.Host
	URL    func(name string) string // of a name below the host of all sites
	Names  naming.Sites
	Force  bool // whether they are served with TLS only
	On     bool
}

// Pages are the operations on names of sites.
type Pages struct {
	Parts
	pages pagination.MaxOffset
}

// New takes what names are kept with.
func New(p Parts, pages pagination.MaxOffset) *Pages { return &Pages{Parts: p, pages: pages} }

// enabled refuses everything where Pages are switched off.
func (p *Pages) enabled() error {
	if !p.On {
		return apierr.NotFound("")
	}
	return nil
}

// project is a project in which the caller has the ability, and which may have a site.
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

// find is a name of a project in which the caller has the ability.
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

// show shows a name. A certificate that was taken in can be read.
func show(d model.PagesDomain) gen.PagesDomain {
	if d.Certificate == nil {
		return present.PagesDomain(d, nil)
	}
	chain, err := certificate.Parse(*d.Certificate)
	if err != nil {
		return present.PagesDomain(d, nil)
	}
	return present.PagesDomain(d, chain)
}

// change is what is to become of a certificate.
type change struct {
	certificate, key *string // PEM; two empty ones remove it
	auto             *bool
}

// given is a text that was sent; null is empty.
func given(o wire.Optional[string]) *string {
	if o.IsSet() && o.Ptr() == nil {
		return new(string)
	}
	return o.Ptr()
}

// columns are what a change writes, for a name that may have a certificate and a key.
func (p *Pages) columns(d model.PagesDomain, c change) (map[string]any, error) {
	set := map[string]any{}
	auto, own := d.AutoSSL, d.Certificate != nil && !d.Obtained
	if c.auto != nil {
		auto = *c.auto
	}
	if c.certificate != nil || c.key != nil {
		cert, key, err := p.pair(d, c)
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
	case !auto || own: // what somebody brings is never replaced
		set["certificate_next_at"], set["certificate_error"] = nil, nil
	case d.CertificateNextAt == nil || d.CertificateError != nil || set["obtained"] != nil: // who asks again need not wait
		set["certificate_next_at"], set["certificate_tries"], set["certificate_error"] = time.Now().UTC(), 0, nil
	}
	return set, nil
}

// pair is the certificate and the key that there are after a change.
func (p *Pages) pair(d model.PagesDomain, c change) (cert, key string, err error) {
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
