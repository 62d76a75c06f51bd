// Package manage creates, changes and deletes external status checks, asks their services about merge requests, and keeps what
// they respond.
//
//	change.go   create, change and delete checks
//	respond.go  what the services respond, and asking again
//	call.go     the requests to the services
package manage

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/outbound"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const (
	maxName   = 255  // characters
	maxURL    = 2048 // bytes
	maxSecret = 1024 // bytes
	maxChecks = 50   // of a project
)

// Payload is a background job, as defined by server/platform/worker.
type Payload interface{ Kind() string }

// Dependencies are the dependencies of a Service.
type Dependencies struct {
	Store     *store.Store
	Client    *outbound.Client
	Bodies    *announce.Announcer
	Vault     secret.Vault // encrypts the shared secrets
	UserAgent string
	URL       string // of this service
	Logger    *slog.Logger
	// Enqueue queues a job, in the caller's transaction.
	Enqueue func(ctx context.Context, job Payload) error
}

// Service manages external status checks.
type Service struct{ Dependencies }

// New returns a Service.
func New(d Dependencies) *Service { return &Service{d} }

// Change describes a new check, or what to change in one. Nil fields stay as they are.
type Change struct {
	Name      *string
	URL       *string
	Secret    *string // empty: none
	BranchIDs *[]int64
}

// Create adds a check to a project.
func (s *Service) Create(ctx context.Context, p model.Project, c Change) (model.ExternalStatusCheck, error) {
	check := model.ExternalStatusCheck{ProjectID: p.ID}
	branches, err := s.apply(ctx, &check, c)
	if err != nil {
		return check, err
	}
	err = events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		err := s.Store.StatusChecks.Create(ctx, &check, maxChecks)
		if err == nil {
			err = s.Store.StatusChecks.SetBranches(ctx, check.ID, branches)
		}
		return change(p, check, "external_status_check_created", "Added an external status check"), err
	})
	return check, explain(err)
}

// Apply changes a check and returns it.
func (s *Service) Apply(
	ctx context.Context, p model.Project, check model.ExternalStatusCheck, c Change,
) (model.ExternalStatusCheck, error) {
	changed := check
	branches, err := s.apply(ctx, &changed, c)
	if err != nil {
		return check, err
	}
	err = events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		err := s.Store.StatusChecks.Save(ctx, &changed)
		if err == nil && c.BranchIDs != nil {
			err = s.Store.StatusChecks.SetBranches(ctx, check.ID, branches)
		}
		return change(p, changed, "external_status_check_updated", "Changed an external status check"), err
	})
	return changed, explain(err)
}

// Delete deletes a check. With unmodifiedSince, it fails if the check has changed since then.
func (s *Service) Delete(ctx context.Context, p model.Project, check model.ExternalStatusCheck, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		err := s.Store.StatusChecks.Delete(ctx, check, unmodifiedSince)
		return change(p, check, "external_status_check_deleted", "Removed an external status check"), err
	})
}

// apply copies the given fields into a check and checks them. It returns the IDs of the protected branches.
func (s *Service) apply(ctx context.Context, check *model.ExternalStatusCheck, c Change) ([]int64, error) {
	if c.Name != nil {
		check.Name = strings.TrimSpace(*c.Name)
	}
	if c.URL != nil {
		check.ExternalURL = strings.TrimSpace(*c.URL)
	}
	_, wrong := outbound.Parse(check.ExternalURL)
	switch {
	case check.Name == "":
		return nil, apierr.Invalid("name", "can't be blank")
	case utf8.RuneCountInString(check.Name) > maxName:
		return nil, apierr.Invalid("name", "is too long (maximum is 255 characters)")
	case wrong != nil || len(check.ExternalURL) > maxURL:
		return nil, apierr.Invalid("external_url", "must be a valid URL")
	case c.Secret != nil && len(*c.Secret) > maxSecret:
		return nil, apierr.Invalid("shared_secret", "is too long (maximum is 1024 bytes)")
	}
	if c.Secret != nil {
		check.Sealed = nil
		if *c.Secret != "" {
			check.Sealed = s.Vault.Seal([]byte(*c.Secret), sealOwner(check.ProjectID))
		}
	}
	if c.BranchIDs == nil {
		return nil, nil
	}
	ids := slices.Compact(slices.Sorted(slices.Values(*c.BranchIDs)))
	known, err := s.Store.Protections.Branches(ctx, check.ProjectID)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(known, func(b model.ProtectedBranch) bool { return b.ID == id }) {
			return nil, apierr.Invalid("protected_branch_ids", "has an unknown element")
		}
	}
	return ids, nil
}

// sealOwner is the owner under which the vault encrypts the secrets of a project.
func sealOwner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// explain turns what the database refuses into a 400.
func explain(err error) error {
	var taken *store.ConflictError
	var limit *store.LimitError
	switch {
	case errors.As(err, &taken) && strings.Contains(taken.Constraint, "url"):
		return apierr.Invalid("external_url", "has already been taken")
	case errors.As(err, &taken):
		return apierr.Invalid("name", "has already been taken")
	case errors.As(err, &limit):
		return apierr.Invalid("base", "Maximum number of external status checks (50) exceeded")
	case store.IsNotFound(err):
		return apierr.Invalid("protected_branch_ids", "has an unknown element")
	}
	return err
}

// change describes a change of a check for the audit log.
func change(p model.Project, check model.ExternalStatusCheck, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "ExternalStatusCheck", ID: check.ID, Details: check.Name},
	}
}
