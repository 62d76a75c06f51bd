// Package freeze manages freeze periods: recurring times in which a project does not want deployments. A freeze period
// blocks nothing by itself. Pipelines that are created in one get the variable CI_DEPLOY_FREEZE, which the CI file reads.
package freeze

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"svc/server/domain/ci/cron"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

const maxPeriods = 100 // per project

// Service creates, changes and deletes freeze periods.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Change describes what to change in a freeze period. Nil fields stay as they are.
type Change struct {
	Start, End, Zone *string
}

// Create adds a freeze period to a project. The time zone is UTC if the change has none.
func (s *Service) Create(ctx context.Context, p model.Project, c Change) (model.FreezePeriod, error) {
	made, err := c.apply(model.FreezePeriod{ProjectID: p.ID, CronTimezone: "UTC"})
	if err != nil {
		return made, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.FreezePeriods.Create(ctx, &made, maxPeriods)
		return change(p, made, "freeze_period_created", "Added freeze period"), err
	})
	var full *store.LimitError
	if errors.As(err, &full) {
		err = apierr.Invalid("base", fmt.Sprintf("Maximum number of freeze periods (%d) exceeded", full.Most))
	}
	return made, err
}

// Apply changes a freeze period and returns it.
func (s *Service) Apply(ctx context.Context, p model.Project, found model.FreezePeriod, c Change) (model.FreezePeriod, error) {
	changed, err := c.apply(found)
	if err != nil {
		return found, err
	}
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		err := s.store.FreezePeriods.Save(ctx, &changed)
		return events.Differences(found, changed, change(p, found, "freeze_period_updated", "")), err
	})
	return changed, err
}

// Delete deletes a freeze period. With unmodifiedSince, it fails if the period has changed since then.
func (s *Service) Delete(ctx context.Context, p model.Project, found model.FreezePeriod, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.FreezePeriods.Delete(ctx, found, unmodifiedSince)
		return change(p, found, "freeze_period_deleted", "Removed freeze period"), err
	})
}

// change describes a change of a freeze period for the audit log.
func change(p model.Project, f model.FreezePeriod, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "Ci::FreezePeriod", ID: f.ID, Details: f.FreezeStart + " to " + f.FreezeEnd},
	}
}

// apply returns a freeze period with the changes, or what is wrong with it.
func (c Change) apply(f model.FreezePeriod) (model.FreezePeriod, error) {
	for _, field := range []struct{ to, given *string }{
		{&f.FreezeStart, c.Start}, {&f.FreezeEnd, c.End}, {&f.CronTimezone, c.Zone},
	} {
		if field.given != nil {
			*field.to = strings.TrimSpace(*field.given)
		}
	}
	broken := map[string][]string{}
	for name, expression := range map[string]string{"freeze_start": f.FreezeStart, "freeze_end": f.FreezeEnd} {
		switch _, err := cron.Parse(expression, f.CronTimezone); {
		case errors.Is(err, cron.ErrZone):
			broken["cron_timezone"] = []string{"is invalid syntax"}
		case err != nil:
			broken[name] = []string{"is invalid syntax"}
		}
	}
	if len(broken) > 0 {
		return f, apierr.InvalidFields(broken)
	}
	return f, nil
}

// Active reports whether a time is in one of the freeze periods: the period ends before it begins again.
func Active(periods []model.FreezePeriod, now time.Time) bool {
	for _, p := range periods {
		start, err := cron.Parse(p.FreezeStart, p.CronTimezone)
		if err != nil {
			continue // only a stored row of another version can be wrong
		}
		end, err := cron.Parse(p.FreezeEnd, p.CronTimezone)
		if err == nil && end.Next(now).Before(start.Next(now)) {
			return true
		}
	}
	return false
}
