package issuable

import (
	"context"
	"time"

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
	return s.store.Tx(ctx, func(ctx context.Context) error {
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
	return s.store.Tx(ctx, func(ctx context.Context) error {
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
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Timelogs.Reset(ctx, t.Type, t.ID); err != nil {
			return err
		}
		return s.AddSystemNotes(ctx, t, author, TimeSpentNote(0))
	})
}
