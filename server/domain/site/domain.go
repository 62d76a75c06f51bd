package site

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// CreateDomain adds a custom domain to the site of a project.
func (s *Service) CreateDomain(
	ctx context.Context, p model.Project, name string, c CertificateChange,
) (model.PagesDomain, error) {
	d := model.PagesDomain{
		ProjectID:        p.ID,
		Domain:           strings.ToLower(strings.TrimSpace(name)),
		VerificationCode: newVerificationCode(),
	}
	if wrong := s.host.Check(d.Domain); wrong != "" {
		return d, apierr.Invalid("domain", wrong)
	}
	set, err := s.columns(ctx, d, c)
	if err != nil {
		return d, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.PagesDomains.Create(ctx, &d); err != nil {
			return err
		}
		if d, err = s.store.PagesDomains.Update(ctx, d, set); err != nil {
			return err
		}
		return s.audit(ctx, p, d, "pages_domain_created", "Added a domain of the site")
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("domain", "has already been taken")
	}
	return d, err
}

// newVerificationCode returns a random verification code. The owner of a domain puts it into a DNS record.
func newVerificationCode() string {
	var random [16]byte
	rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// ChangeDomain changes the certificate of a custom domain.
func (s *Service) ChangeDomain(
	ctx context.Context, p model.Project, d model.PagesDomain, c CertificateChange,
) (model.PagesDomain, error) {
	set, err := s.columns(ctx, d, c)
	if err != nil {
		return d, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if d, err = s.store.PagesDomains.Update(ctx, d, set); err != nil {
			return err
		}
		return s.audit(ctx, p, d, "pages_domain_updated", "Changed a domain of the site")
	})
	return d, err
}

// DeleteDomain removes a custom domain from the site of a project, unless it has changed after the time.
func (s *Service) DeleteDomain(
	ctx context.Context, p model.Project, d model.PagesDomain, unchangedSince *time.Time,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.PagesDomains.Delete(ctx, d, unchangedSince); err != nil {
			return err
		}
		return s.audit(ctx, p, d, "pages_domain_deleted", "Removed a domain of the site")
	})
}

// VerifyDomain looks for the DNS record that proves that the domain belongs to the project. It answers 422 if there is
// none.
func (s *Service) VerifyDomain(ctx context.Context, p model.Project, d model.PagesDomain) (model.PagesDomain, error) {
	d, err := s.verifier.Verify(ctx, d)
	if err != nil {
		return d, err
	}
	if d.VerifiedAt == nil {
		return d, apierr.Unprocessable("422 Unprocessable Entity - Couldn't verify " + d.Domain)
	}
	return d, s.audit(ctx, p, d, "pages_domain_verified", "Verified a domain of the site")
}

// audit records a change of a custom domain as an audit event.
func (s *Service) audit(ctx context.Context, p model.Project, d model.PagesDomain, kind, message string) error {
	return s.events.Audit(ctx, events.Change{
		Type: kind, Entity: events.Project(p),
		Target: events.Target{Type: "PagesDomain", ID: d.ID, Details: d.Domain}, Message: message,
	})
}
