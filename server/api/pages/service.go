// Package pages implements the API operations on the Pages sites of projects and their custom domains.
//
//	service.go        the operations and what they need
//	site.go           shows, changes and removes a site
//	domain.go         shows a custom domain
//	domain_list.go    lists custom domains
//	domain_create.go  adds a custom domain
//	domain_update.go  changes the certificate of a custom domain, and verifies a custom domain
//	domain_delete.go  removes a custom domain
package pages

import (
	"context"

	"svc/server/domain/site"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/model"
)

// Dependencies are the dependencies of the Pages operations.
type Dependencies struct {
	Store     *store.Store
	Access    *access.Access
	Sites     *site.Service
	URL       func(name string) string // returns the URL of a site, given its name below the Pages host
	OwnURL    func(domain string, secure bool) string
	Names     naming.Sites
	TLSOnly   bool // sites are served over TLS only
	Enabled   bool
	MaxOffset pagination.MaxOffset
}

// Pages holds the operations on sites and their custom domains.
type Pages struct{ Dependencies }

// New returns the Pages operations.
func New(d Dependencies) *Pages { return &Pages{d} }

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
