package acme

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"

	"golang.org/x/crypto/acme"
)

const (
	renewBefore     = 30 * 24 * time.Hour // how long before its end a certificate is renewed
	orderTime       = 4 * time.Minute
	leaseTime       = 10 * time.Minute // longer than an order takes
	firstWait       = 5 * time.Minute
	lastWait        = 24 * time.Hour
	domainsPerRound = 50  // domains per round
	maxError        = 500 // bytes
)

// Round is the job that finds domains that need a certificate.
type Round struct{}

// Kind returns the name of the job in the queue.
func (Round) Kind() string { return "acme_round" }

// Order is the job that obtains a certificate for one domain.
type Order struct {
	DomainID int64 `json:"domain_id"`
}

// Kind returns the name of the job in the queue.
func (Order) Kind() string { return "acme_order" }

// Round queues an order for each domain that is due. If a domain is queued twice, the second order finds the lease
// taken.
func (i *Issuer) Round(ctx context.Context, _ Round) error {
	if i.Directory == "" {
		return nil
	}
	ids, err := i.Store.PagesDomains.DueForCertificate(ctx, now(ctx), domainsPerRound)
	if err != nil || len(ids) == 0 {
		return err
	}
	return i.Store.Tx(ctx, func(ctx context.Context) error {
		for _, id := range ids {
			if err := i.Queue(ctx, Order{DomainID: id}); err != nil {
				return err
			}
		}
		return nil
	})
}

// now returns the time with the precision of the databases.
func now(ctx context.Context) time.Time { return clock.Now(ctx).UTC().Truncate(time.Microsecond) }

// Order obtains a certificate for a domain that is due, unless another process does. It stores a failure with the
// domain and tries again later. An interrupted order is repeated when its lease ends.
func (i *Issuer) Order(ctx context.Context, job Order) error {
	if i.Directory == "" {
		return nil
	}
	d, err := i.Store.PagesDomains.Lease(ctx, job.DomainID, now(ctx), now(ctx).Add(leaseTime))
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if !wants(ctx, d) { // until the domain is verified, changed or switched on again
		_, err := i.Store.PagesDomains.Update(ctx, d, map[string]any{"certificate_next_at": nil})
		if store.IsNotFound(err) {
			return nil
		}
		return err
	}
	limited, cancel := context.WithTimeout(ctx, orderTime)
	defer cancel()
	got, err := i.obtain(limited, d.Domain, answers{http: func(ctx context.Context, token, text string) error {
		_, err := i.Store.PagesDomains.UpdateCertificate(ctx, d.ID, map[string]any{"challenge_token": token, "challenge_answer": text})
		return err
	}})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return i.failed(ctx, d, err)
	}
	return i.storeCertificate(ctx, d, got)
}

// wants reports whether a domain needs a certificate from us now.
func wants(ctx context.Context, d model.PagesDomain) bool {
	return d.AutoSSL && (d.Certificate == nil || d.Obtained) && d.EnabledUntil != nil && d.EnabledUntil.After(now(ctx))
}

// storeCertificate stores a certificate, unless a user has uploaded another one meanwhile.
func (i *Issuer) storeCertificate(ctx context.Context, d model.PagesDomain, got pair) error {
	return i.Store.Tx(ctx, func(ctx context.Context) error {
		kept, err := i.Store.PagesDomains.UpdateCertificate(ctx, d.ID, map[string]any{
			"certificate": got.certificate, "sealed_key": i.Keys.Seal([]byte(got.key), d.Domain),
			"certificate_until": got.until, "obtained": true,
			"certificate_next_at": renewal(got.from, got.until), "certificate_tries": 0, "certificate_error": nil,
			"challenge_token": nil, "challenge_answer": nil,
		})
		if err != nil || !kept {
			return err
		}
		paths, err := i.Store.Projects.Paths(ctx, []int64{d.ProjectID})
		if err != nil {
			return err
		}
		return events.Audit(ctx, i.Store, events.Change{
			Type: "pages_domain_certified", Entity: events.Source(model.SourceProject, d.ProjectID, paths[d.ProjectID]),
			Target:  events.Target{Type: "PagesDomain", ID: d.ID, Details: d.Domain},
			Message: "Obtained a certificate for a domain of the site",
		})
	})
}

// renewal returns when to renew a certificate: a month before its end, or after two thirds of its lifetime if that is
// short.
func renewal(from, until time.Time) time.Time {
	return until.Add(-min(renewBefore, until.Sub(from)/3))
}

// failed stores why an order failed, and when to try again.
func (i *Issuer) failed(ctx context.Context, d model.PagesDomain, why error) error {
	wait := retryAfter(d.CertificateTries, why)
	i.Logger.Warn("cannot get a certificate for a site", "domain", d.Domain, "error", why, "again", wait)
	_, err := i.Store.PagesDomains.UpdateCertificate(ctx, d.ID, map[string]any{
		"certificate_error": reason(why), "certificate_next_at": now(ctx).Add(wait), "challenge_token": nil, "challenge_answer": nil,
	})
	return err
}

// retryAfter returns how long to wait after a failed order, and at least as long as the authority asks for.
func retryAfter(tries int64, why error) time.Duration {
	wait := backOff(tries)
	var refused *acme.Error
	if errors.As(why, &refused) {
		asked, _ := acme.RateLimit(refused)
		wait = min(max(wait, asked), lastWait)
	}
	return wait
}

// backOff returns how long to wait after a number of tries.
func backOff(tries int64) time.Duration {
	return min(firstWait<<min(max(tries-1, 0), 16), lastWait)
}

// reason returns the text of a failure for users. It prefers the authority's errors about the domain itself to the
// general error.
func reason(why error) string {
	text := why.Error()
	var refused *acme.AuthorizationError
	if errors.As(why, &refused) && len(refused.Errors) > 0 {
		text = "authorize: " + errors.Join(refused.Errors...).Error()
	}
	if len(text) > maxError {
		text = text[:maxError]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
}
