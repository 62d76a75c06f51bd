package acme

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"

	"golang.org/x/crypto/acme"
)

const (
	early     = 30 * 24 * time.Hour // before its end a certificate is renewed
	orderTime = 4 * time.Minute
	leaseTime = 10 * time.Minute // longer than an order takes
	firstWait = 5 * time.Minute
	lastWait  = 24 * time.Hour
	most      = 50  // names at a time
	maxError  = 500 // bytes
)

// Round is the job that looks for names that are to get a certificate.
type Round struct{}

// Kind names the job in the queue.
func (Round) Kind() string { return "acme_round" }

// Order is the job that gets a certificate for one name.
type Order struct {
	DomainID int64 `json:"domain_id"`
}

// Kind names the job in the queue.
func (Order) Kind() string { return "acme_order" }

// Round queues an order for each name that is due. One that is queued twice finds the lease taken.
func (i *Issuer) Round(ctx context.Context, _ Round) error {
	if i.Directory == "" {
		return nil
	}
	ids, err := i.Store.PagesDomains.Wanting(ctx, now(), most)
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

// now is the time as databases keep it.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Order gets a certificate for a name that is due, if nobody else does. A failure is told with the name, and tried again later; an
// order that was broken off is tried again when its lease is over.
func (i *Issuer) Order(ctx context.Context, job Order) error {
	if i.Directory == "" {
		return nil
	}
	d, err := i.Store.PagesDomains.Lease(ctx, job.DomainID, now(), now().Add(leaseTime))
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if !wants(d) { // until it is proved, changed or switched on again
		_, err := i.Store.PagesDomains.Update(ctx, d, map[string]any{"certificate_next_at": nil})
		if store.IsNotFound(err) {
			return nil
		}
		return err
	}
	limited, cancel := context.WithTimeout(ctx, orderTime)
	defer cancel()
	got, err := i.obtain(limited, d.Domain, func(ctx context.Context, token, text string) error {
		_, err := i.Store.PagesDomains.Certify(ctx, d.ID, map[string]any{"challenge_token": token, "challenge_answer": text})
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return i.failed(ctx, d, err)
	}
	return i.keep(ctx, d, got)
}

// wants tells whether a name is to get a certificate of ours now.
func wants(d model.PagesDomain) bool {
	return d.AutoSSL && (d.Certificate == nil || d.Obtained) && d.EnabledUntil != nil && d.EnabledUntil.After(time.Now())
}

// keep keeps a certificate, unless somebody has brought another meanwhile.
func (i *Issuer) keep(ctx context.Context, d model.PagesDomain, got pair) error {
	return i.Store.Tx(ctx, func(ctx context.Context) error {
		kept, err := i.Store.PagesDomains.Certify(ctx, d.ID, map[string]any{
			"certificate": got.certificate, "sealed_key": i.Keys.Seal([]byte(got.key), d.Domain), "certificate_until": got.until, "obtained": true,
			"certificate_next_at": renewal(got.from, got.until), "certificate_tries": 0, "certificate_error": nil, "challenge_token": nil, "challenge_answer": nil,
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
			Target: events.Target{Type: "PagesDomain", ID: d.ID, Details: d.Domain}, Message: "Obtained a certificate for a domain of the site",
		})
	})
}

// renewal is when a certificate is renewed: a month before its end, or after two thirds of its time if that is short.
func renewal(from, until time.Time) time.Time {
	return until.Add(-min(early, until.Sub(from)/3))
}

// failed tells why it did not work, and when it is tried again.
func (i *Issuer) failed(ctx context.Context, d model.PagesDomain, why error) error {
	wait := backOff(d.CertificateTries)
	var refused *acme.Error
	if errors.As(why, &refused) {
		asked, _ := acme.RateLimit(refused)
		wait = min(max(wait, asked), lastWait)
	}
	i.Logger.Warn("no certificate for a site", "domain", d.Domain, "error", why, "again", wait)
	_, err := i.Store.PagesDomains.Certify(ctx, d.ID, map[string]any{
		"certificate_error": reason(why), "certificate_next_at": now().Add(wait), "challenge_token": nil, "challenge_answer": nil,
	})
	return err
}

// backOff is how long to wait after so many tries.
func backOff(tries int64) time.Duration {
	return min(firstWait<<min(max(tries-1, 0), 16), lastWait)
}

// reason is a failure as people are told. What the authority says of the name itself is more than that it is not good.
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
