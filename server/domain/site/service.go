// Package site publishes the static sites of projects and manages the custom domains that serve them.
//
//	service.go         the service, and the removal of a site
//	settings.go        changes the settings of a site
//	domain.go          creates, changes, deletes and verifies custom domains
//	certificate.go     changes the certificate of a custom domain
//	host.go            checks names of domains
//	verify_worker.go   looks for the DNS records that prove domains
//	publish_worker.go  publishes the files of a job as a site
//	choose.go          chooses the files to publish
package site

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// Service manages sites and their custom domains.
type Service struct {
	store    *store.Store
	events   *events.Recorder
	verifier *DomainVerifier
	vault    secret.Vault // encrypts private keys
	host     Host
}

// New returns the service.
func New(st *store.Store, recorder *events.Recorder, verifier *DomainVerifier, vault secret.Vault, host Host) *Service {
	return &Service{store: st, events: recorder, verifier: verifier, vault: vault, host: host}
}

// Delete removes the site of a project, unless it has changed after the time.
func (s *Service) Delete(ctx context.Context, p model.Project, unchangedSince *time.Time) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		in := events.Project(p)
		err := s.store.PagesDeployments.Delete(ctx, p.ID, unchangedSince)
		return events.Change{Type: "pages_deleted", Entity: in, Target: in.AsTarget(), Message: "Removed the site"}, err
	})
	return apierr.OrNotFound(err, "Pages")
}
