package issuable

import (
	"context"
	"time"

	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/server/platform/duration"
	"svc/store/model"
)

// Estimate sets the time estimate of a target from a text such as "3h 30m", and writes a system note.
func (s *Service) Estimate(ctx context.Context, t Target, author int64, text string) error {
	seconds, ok := duration.Parse(text)
	if !ok || seconds < 0 {
		return apierr.BadParameter("duration is invalid")
	}
	return s.estimate(ctx, t, author, seconds)
}

// ResetEstimate removes the time estimate of a target.
func (s *Service) ResetEstimate(ctx context.Context, t Target, author int64) error {
	return s.estimate(ctx, t, author, 0)
}

func (s *Service) estimate(ctx context.Context, t Target, author, seconds int64) error {
	return s.track(ctx, t, author, 0, func(ctx context.Context) error {
		if err := s.store.Timelogs.Estimate(ctx, t.Type, t.ID, seconds); err != nil {
			return err
		}
		return s.AddSystemNotes(ctx, t, author, EstimateNote(seconds))
	})
}

// Spend adds time spent on a target from a text such as "3h 30m", and writes a system note. Negative time is
// subtracted.
func (s *Service) Spend(ctx context.Context, t Target, author int64, text string, summary *string, at time.Time) error {
	seconds, ok := duration.Parse(text)
	if !ok || seconds == 0 {
		return apierr.BadParameter("duration is invalid")
	}
	return s.track(ctx, t, author, seconds, func(ctx context.Context) error {
		log := model.Timelog{
			TargetType: t.Type, TargetID: t.ID, UserID: author, Seconds: seconds, Summary: summary, SpentAt: at.UTC(),
		}
		enough, err := s.store.Timelogs.Add(ctx, &log)
		if err == nil && !enough {
			err = apierr.Invalid("time_spent", "Time to subtract exceeds the total time spent")
		}
		if err != nil {
			return err
		}
		return s.AddSystemNotes(ctx, t, author, TimeSpentNote(seconds))
	})
}

// ResetSpent removes all time spent on a target.
func (s *Service) ResetSpent(ctx context.Context, t Target, author int64) error {
	return s.track(ctx, t, author, 0, func(ctx context.Context) error {
		if err := s.store.Timelogs.Reset(ctx, t.Type, t.ID); err != nil {
			return err
		}
		return s.AddSystemNotes(ctx, t, author, TimeSpentNote(0))
	})
}

// track changes the times of a target in one transaction, and announces it to webhooks. spent is the time that the change adds.
func (s *Service) track(
	ctx context.Context, t Target, author, spent int64, change func(ctx context.Context) error,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if t.Type == model.OnMergeRequest {
			return s.trackMergeRequest(ctx, t, author, spent, change)
		}
		watch, err := s.Hooks.WatchIssue(ctx, t.Project, t.ID)
		if err != nil {
			return err
		}
		if err := change(ctx); err != nil {
			return err
		}
		return watch.Announce(ctx, author, spent)
	})
}

func (s *Service) trackMergeRequest(
	ctx context.Context, t Target, author, spent int64, change func(ctx context.Context) error,
) error {
	watch, err := s.Hooks.WatchMergeRequest(ctx, t.Project, t.ID)
	if err != nil {
		return err
	}
	if err := change(ctx); err != nil {
		return err
	}
	return watch.Announce(ctx, announce.MergeRequestChange{UserID: author, TimeChange: spent})
}
