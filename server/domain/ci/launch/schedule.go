package launch

import (
	"context"
	"fmt"
	"time"

	"svc/server/domain/ci/cron"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Schedules is the background job that looks for due schedules.
type Schedules struct{}

// Kind returns the name of the background job.
func (Schedules) Kind() string { return "ci_schedules" }

// Scheduled is the background job that creates the pipeline of a schedule that is due or that a user plays.
type Scheduled struct {
	ScheduleID int64     `json:"schedule_id"`
	UserID     int64     `json:"user_id"`
	At         time.Time `json:"at"`
	Played     bool      `json:"played,omitempty"`
}

// Kind returns the name of the background job.
func (Scheduled) Kind() string { return "ci_scheduled" }

// scheduleBatch is how many schedules one run handles. The next run handles the rest.
const scheduleBatch = 200

// Schedules queues the pipelines of due schedules. If no server ran for some time, a schedule runs once for all the
// times that it missed.
func (l *Launcher) Schedules(ctx context.Context, _ Schedules) error {
	now := clock.Now(ctx).UTC()
	due, err := l.Store.PipelineSchedules.Due(ctx, now, scheduleBatch)
	if err != nil {
		return err
	}
	for _, s := range due {
		next, err := cron.Parse(s.Cron, s.CronTimezone)
		if err != nil {
			return fmt.Errorf("schedule %d: %w", s.ID, err) // the expression was checked when it was stored
		}
		err = l.Store.Tx(ctx, func(ctx context.Context) error {
			first, err := l.Store.PipelineSchedules.Advance(ctx, s.ID, *s.NextRunAt, next.Next(now).UTC())
			if err != nil || !first || s.OwnerID == nil {
				return err
			}
			return l.enqueue(ctx, Scheduled{ScheduleID: s.ID, UserID: *s.OwnerID, At: *s.NextRunAt})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Play queues the pipeline of a schedule now, on behalf of a user.
func (l *Launcher) Play(ctx context.Context, s model.PipelineSchedule, userID int64) error {
	return l.enqueue(ctx, Scheduled{ScheduleID: s.ID, UserID: userID, At: clock.Now(ctx).UTC(), Played: true})
}

// Scheduled creates the pipeline of a schedule.
func (l *Launcher) Scheduled(ctx context.Context, due Scheduled) error {
	s, err := l.Store.PipelineSchedules.Find(ctx, due.ScheduleID)
	if store.IsNotFound(err) || err == nil && !s.Active && !due.Played {
		return nil
	}
	if err != nil {
		return err
	}
	o, err := l.order(ctx, s.ProjectID, due.UserID)
	if err != nil || o == nil {
		return err
	}
	if o.Project.Role() < model.Developer {
		return nil
	}
	given, err := l.Store.PipelineSchedules.Variables(ctx, s.ID)
	if err != nil {
		return err
	}
	for _, v := range given {
		o.Variables = append(o.Variables, model.PipelineVariable{Key: v.Key, Value: v.Value, VariableType: v.VariableType, Raw: v.Raw})
	}
	if o.VariablesTrusted, err = l.variablesTrusted(ctx, s, *o); err != nil {
		return err
	}
	o.Source, o.Schedule, o.Keep = "schedule", &s, true
	o.Origin = fmt.Sprintf("schedule %d %s %d", s.ID, due.At.Format(time.RFC3339Nano), due.UserID)
	ready, err := l.ResolveRef(ctx, *o, s.Ref)
	if err == nil {
		_, err = l.Launch(ctx, ready)
	}
	return ignoreRefused(err)
}

// variablesTrusted reports whether the owner of a schedule may pass variables, if another user plays it who may not. The
// variables come from the owner, not from that user.
func (l *Launcher) variablesTrusted(ctx context.Context, s model.PipelineSchedule, o Request) (bool, error) {
	if len(o.Variables) == 0 || MaySetVariables(o.Project) || s.OwnerID == nil || *s.OwnerID == o.User.ID {
		return false, nil
	}
	owner, err := l.order(ctx, s.ProjectID, *s.OwnerID)
	return err == nil && owner != nil && MaySetVariables(owner.Project), err
}
