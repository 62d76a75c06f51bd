package environment

import (
	"context"
	"errors"
	"net/http"
	"time"

	"svc/server/domain/ci/protectedenvironment"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"
)

const (
	maxStale      = 100                // environments that one request stops
	leastStale    = 7 * 24 * time.Hour // the shortest time without use
	mostStale     = 10                 // years
	deletionDelay = 7 * 24 * time.Hour
	reviewAppAge  = 30 * 24 * time.Hour
)

// StopStale stops the available environments of a project that were neither changed nor deployed to since a time, on behalf
// of the caller. It leaves out protected environments and those whose stop job the caller may not run. The project is as
// the caller sees it.
func (s *Service) StopStale(ctx context.Context, row model.ProjectRow, before time.Time) error {
	now := clock.Now(ctx).UTC()
	if before.After(now.Add(-leastStale)) || before.Before(now.AddDate(-mostStale, 0, 0)) {
		return apierr.BadRequest("before must be at least one week and at most ten years ago")
	}
	rows, err := s.store.Environments.Stale(ctx, row.Project.ID, before.UTC(), maxStale)
	if err != nil {
		return err
	}
	rules, err := protectedenvironment.Load(ctx, s.store, row.Project.ID, names(rows)...)
	if err != nil {
		return err
	}
	for _, found := range rows {
		if rules.Protects(found.Name) {
			continue
		}
		_, err := s.StopAs(ctx, row, found, false, reqctx.Of(ctx).Actor.User.ID)
		var refused *apierr.Error
		if errors.As(err, &refused) && refused.Status == http.StatusForbidden {
			err = nil // the caller may not run its stop job
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ReviewApps selects stopped review apps to delete.
type ReviewApps struct {
	Before *time.Time // created before this time; nil: 30 days ago
	Most   int
	DryRun bool // only report what would be deleted
}

// DeleteReviewApps schedules the deletion of stopped environments whose name begins with "review/", in one week. It returns
// them, and the protected environments that stay because the caller may not deploy there.
func (s *Service) DeleteReviewApps(
	ctx context.Context, p model.Project, which ReviewApps,
) (scheduled, refused []model.Environment, err error) {
	now := clock.Now(ctx).UTC()
	before := now.Add(-reviewAppAge)
	if which.Before != nil {
		before = which.Before.UTC()
	}
	rows, err := s.store.Environments.StoppedReviewApps(ctx, p.ID, before, which.Most)
	if err != nil {
		return nil, nil, err
	}
	rules, err := protectedenvironment.Load(ctx, s.store, p.ID, names(rows)...)
	if err != nil {
		return nil, nil, err
	}
	var ids []int64
	for _, row := range rows {
		allowed, err := rules.MayDeploy(ctx, row.Name, reqctx.Of(ctx).Actor.User.ID)
		switch {
		case err != nil:
			return nil, nil, err
		case allowed:
			scheduled, ids = append(scheduled, row), append(ids, row.ID)
		default:
			refused = append(refused, row)
		}
	}
	if which.DryRun || len(ids) == 0 {
		return scheduled, refused, nil
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Environments.DeleteAt(ctx, p.ID, ids, now.Add(deletionDelay).Truncate(time.Microsecond))
		return events.Change{
			Type: "review_apps_deletion_scheduled", Entity: events.Project(p), Message: "Scheduled the deletion of stopped review apps",
			Target: events.Target{Type: "Project", ID: p.ID, Details: p.FullPath},
		}, err
	})
	return scheduled, refused, err
}

func names(rows []model.Environment) []string {
	list := make([]string, len(rows))
	for i, row := range rows {
		list[i] = row.Name
	}
	return list
}
