// Package webhook manages webhooks and delivers events to them. Package events records what is sent, in the
// transaction of what happened; package webhook makes the requests afterwards.
//
//	service.go            construction
//	hook.go               create, change and delete hooks
//	change.go             what a change does to a hook, and its rules
//	secrets.go            the secrets of a hook, which are stored encrypted
//	values.go             custom headers and URL variables, one at a time
//	deliver.go            the job that delivers what waits for a hook
//	turn.go               the deliveries of one turn, read and written together
//	pace.go               how fast deliveries follow each other
//	request.go            the request of a delivery: URL, headers, signature, body
//	template.go           custom bodies
//	result.go             what a delivery changes: its log, and the state of the hook
//	log.go                filters of the delivery log, and kinds of events by name
//	manual.go             tests and resends, which are made at once
//	blocked.go            receivers whose address is refused
//	expire.go             deletion of old deliveries
//	integrations.go       read, set up and switch off integrations
//	integrations_send.go  what is sent to an integration: a request to a chat, or mails
package webhook

import (
	"context"
	"log/slog"
	"time"

	"svc/server/platform/mail"
	"svc/server/platform/outbound"
	"svc/store"
	"svc/store/observe"
	"svc/store/secret"
)

// Service manages webhooks and delivers to them.
type Service struct {
	Dependencies
	vault    secret.Vault
	pace     *pace
	outcomes observe.Outcomes
}

// Outcomes returns how many deliveries of this process succeeded and failed.
func (s *Service) Outcomes() *observe.Outcomes { return &s.outcomes }

// Dependencies holds what the service needs.
type Dependencies struct {
	Store     *store.Store
	Client    *outbound.Client
	Bodies    Bodies
	Mailer    *mail.Mailer
	URL       string // of this service, without a slash at the end
	UserAgent string
	Logger    *slog.Logger
	// Enqueue queues the job that delivers to a hook. The zero time means now.
	Enqueue func(ctx context.Context, hookID int64, slow bool, at time.Time) error
}

// Bodies builds bodies outside the transaction of what happened.
type Bodies interface {
	// FromFacts builds the body of an event whose message has only facts.
	FromFacts(ctx context.Context, trigger, facts string) (any, error)
	// Sample builds a body from the newest object of a project, for a test of a hook.
	Sample(ctx context.Context, sample Sample) (any, error)
	// Diff returns how two commits of a project differ, as text of a limited length.
	Diff(ctx context.Context, projectID int64, from, to string) (string, error)
}

// New returns the service. The secrets of hooks are encrypted with a key that is derived from the given one.
func New(d Dependencies, secretKey string) (*Service, error) {
	vault, err := secret.NewVault(secretKey, secret.WebhookPurpose)
	return &Service{Dependencies: d, vault: vault, pace: newPace()}, err
}
