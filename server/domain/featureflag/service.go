// Package featureflag manages the feature flags of projects: switches that programs read while they run.
//
//	service.go    the service, creation and deletion of flags
//	change.go     changes of flags, their strategies and scopes
//	check.go      the rules for names, parameters and scopes
//	user_list.go  lists of users that strategies can name
//	client.go     what programs read, and the instance ID that they send
package featureflag

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const (
	maxFlags      = 200 // per project
	maxLists      = 200 // per project
	maxStrategies = 50  // per flag
	maxScopes     = 50  // per strategy
)

// Service manages feature flags.
type Service struct {
	store *store.Store
	vault secret.Vault // encrypts instance IDs
	hooks *announce.Announcer
}

// New returns the service.
func New(st *store.Store, vault secret.Vault, hooks *announce.Announcer) *Service {
	return &Service{store: st, vault: vault, hooks: hooks}
}

// Create adds a feature flag to a project. A flag without a given state is switched on. The first flag also creates the
// instance ID of the project.
func (s *Service) Create(ctx context.Context, p model.Project, c Change) (model.FeatureFlagRow, error) {
	made := model.FeatureFlagRow{FeatureFlag: model.FeatureFlag{ProjectID: p.ID, Active: true}}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.FeatureFlags.Lock(ctx, p.ID); err != nil {
			return events.Change{}, err
		}
		var err error
		if made, err = s.apply(ctx, made, c); err != nil {
			return events.Change{}, err
		}
		if err := s.store.FeatureFlags.Create(ctx, &made.FeatureFlag, maxFlags); err != nil {
			return events.Change{}, err
		}
		if err := s.store.FeatureFlags.SetStrategies(ctx, made.ID, made.Strategies); err != nil {
			return events.Change{}, err
		}
		if err := s.store.FeatureFlags.AddClient(ctx, s.newClient(p.ID)); err != nil {
			return events.Change{}, err
		}
		return change(p, made.FeatureFlag, "feature_flag_created", "Created feature flag"), nil
	})
	return made, refusal(err, "feature flags")
}

// Apply changes a feature flag and returns it. Hooks are called if it was switched on or off.
func (s *Service) Apply(ctx context.Context, p model.Project, name string, c Change, userID int64) (model.FeatureFlagRow, error) {
	var changed model.FeatureFlagRow
	err := events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		if err := s.store.FeatureFlags.Lock(ctx, p.ID); err != nil {
			return nil, err
		}
		found, err := s.store.FeatureFlags.Get(ctx, p.ID, name)
		if err != nil {
			return nil, apierr.OrNotFound(err)
		}
		if changed, err = s.apply(ctx, found, c); err != nil {
			return nil, err
		}
		like := change(p, found.FeatureFlag, "feature_flag_updated", "")
		changes := events.Differences(found.FeatureFlag, changed.FeatureFlag, like)
		if len(c.Strategies) > 0 {
			like.Message = "Changed strategies"
			changes = append(changes, like)
		}
		if len(changes) == 0 {
			return nil, nil
		}
		if err := s.store.FeatureFlags.Save(ctx, &changed.FeatureFlag); err != nil {
			return nil, err
		}
		if len(c.Strategies) > 0 {
			if err := s.store.FeatureFlags.SetStrategies(ctx, changed.ID, changed.Strategies); err != nil {
				return nil, err
			}
		}
		if found.Active != changed.Active {
			err = s.hooks.FeatureFlag(ctx, p, changed.FeatureFlag, userID)
		}
		return changes, err
	})
	return changed, refusal(err, "feature flags")
}

// Delete deletes a feature flag and returns it. With unmodifiedSince, it fails if the flag has changed since then.
func (s *Service) Delete(
	ctx context.Context, p model.Project, name string, unmodifiedSince *time.Time,
) (model.FeatureFlagRow, error) {
	found, err := s.store.FeatureFlags.Get(ctx, p.ID, name)
	if err != nil {
		return found, apierr.OrNotFound(err)
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.FeatureFlags.Delete(ctx, found.FeatureFlag, unmodifiedSince)
		return change(p, found.FeatureFlag, "feature_flag_deleted", "Deleted feature flag"), err
	})
	return found, apierr.OrNotFound(err)
}

// change describes a change of a feature flag for the audit log.
func change(p model.Project, f model.FeatureFlag, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "Operations::FeatureFlag", ID: f.ID, Details: f.Name},
	}
}

// refusal turns a name that is taken and a limit that is reached into errors for the caller.
func refusal(err error, things string) error {
	var taken *store.ConflictError
	var full *store.LimitError
	switch {
	case errors.As(err, &taken):
		return apierr.RefusedAll("Name has already been taken")
	case errors.As(err, &full):
		return apierr.RefusedAll(fmt.Sprintf("Maximum number of %s (%d) exceeded", things, full.Most))
	}
	return err
}
