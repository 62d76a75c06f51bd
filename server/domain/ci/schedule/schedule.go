// Package schedule creates and changes pipeline schedules: pipelines that run at certain times. Package launch has the
// background jobs that run them.
package schedule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"svc/server/domain/ci/cron"
	"svc/server/domain/ci/launch"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/setting"
)

const maxText = 255 // characters

// Service creates and changes pipeline schedules.
type Service struct {
	store  *store.Store
	launch *launch.Launcher
}

// New returns a Service.
func New(st *store.Store, l *launch.Launcher) *Service { return &Service{store: st, launch: l} }

// Change describes what to change in a schedule. Nil fields stay as they are.
type Change struct {
	Description  *string
	Ref          *string
	Cron         *string
	CronTimezone *string
	Active       *bool
}

// Create creates a schedule in a project, as its owner sees the project. The time zone is UTC and the schedule is active
// if the change does not say otherwise.
func (s *Service) Create(
	ctx context.Context, row model.ProjectRow, ownerID int64, c Change,
) (model.PipelineSchedule, error) {
	made := model.PipelineSchedule{ProjectID: row.Project.ID, OwnerID: &ownerID, CronTimezone: "UTC", Active: true}
	if err := c.apply(ctx, &made); err != nil {
		return made, err
	}
	if err := s.checkRef(ctx, row, made.Ref); err != nil {
		return made, err
	}
	err := s.store.PipelineSchedules.Create(ctx, &made, setting.Most(s.store.Settings.Current().PlanLimits.CIPipelineSchedules))
	var full *store.LimitError
	if errors.As(err, &full) {
		err = apierr.Invalid("base", fmt.Sprintf("Maximum number of pipeline schedules (%d) exceeded", full.Most))
	}
	return made, err
}

// Apply changes a schedule and returns it. The project is as the caller sees it.
func (s *Service) Apply(
	ctx context.Context, row model.ProjectRow, found model.PipelineSchedule, c Change,
) (model.PipelineSchedule, error) {
	if err := c.apply(ctx, &found); err != nil {
		return found, err
	}
	if err := s.checkRef(ctx, row, found.Ref); err != nil {
		return found, err
	}
	err := s.store.PipelineSchedules.Update(ctx, &found)
	return found, err
}

// Play starts the pipeline of a schedule now, on behalf of a user. The project is as that user sees it.
func (s *Service) Play(ctx context.Context, row model.ProjectRow, found model.PipelineSchedule, userID int64) error {
	if err := s.checkRef(ctx, row, found.Ref); err != nil {
		return err
	}
	return s.launch.Play(ctx, found, userID)
}

// TakeOwnership makes a user the owner of a schedule, and returns the schedule.
func (s *Service) TakeOwnership(
	ctx context.Context, project model.Project, found model.PipelineSchedule, userID int64,
) (model.PipelineSchedule, error) {
	before := found.OwnerID
	found.OwnerID = &userID
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(project, "pipeline_schedule_owner_updated", "Took over pipeline schedule")
		c.Target = events.Target{Type: "Ci::PipelineSchedule", ID: found.ID, Details: found.Description}
		c.Field, c.To = "owner_id", userID
		if before != nil {
			c.From = *before
		}
		return c, s.store.PipelineSchedules.Update(ctx, &found)
	})
	return found, err
}

// MayChange reports whether the caller may change a schedule and see its variables: maintainers and the owner of the
// schedule may. The project is as the caller sees it.
func MayChange(ctx context.Context, row model.ProjectRow, s model.PipelineSchedule) bool {
	actor := reqctx.Of(ctx).Actor
	own := actor != nil && s.OwnerID != nil && *s.OwnerID == actor.User.ID
	return row.Role() >= model.Maintainer || own && row.Role() >= model.Developer
}

// checkRef refuses a ref on which the caller may not run jobs.
func (s *Service) checkRef(ctx context.Context, row model.ProjectRow, ref string) error {
	_, err := s.launch.ResolveRef(ctx, launch.Request{Project: row}, ref)
	return launch.APIError(err)
}

// apply copies the given fields into the schedule, checks them, and computes the next run.
func (c Change) apply(ctx context.Context, s *model.PipelineSchedule) error {
	for _, field := range []struct {
		to    *string
		given *string
	}{{&s.Description, c.Description}, {&s.Ref, c.Ref}, {&s.Cron, c.Cron}, {&s.CronTimezone, c.CronTimezone}} {
		if field.given != nil {
			*field.to = strings.TrimSpace(*field.given)
		}
	}
	if c.Active != nil {
		s.Active = *c.Active
	}
	broken := map[string][]string{}
	for name, text := range map[string]string{
		"description": s.Description, "ref": s.Ref, "cron": s.Cron, "cron_timezone": s.CronTimezone,
	} {
		switch {
		case text == "":
			broken[name] = []string{"can't be blank"}
		case utf8.RuneCountInString(text) > maxText:
			broken[name] = []string{"is too long (maximum is 255 characters)"}
		}
	}
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	parsed, err := cron.Parse(s.Cron, s.CronTimezone)
	switch {
	case errors.Is(err, cron.ErrZone):
		return apierr.Invalid("cron_timezone", "is invalid syntax")
	case err != nil:
		return apierr.Invalid("cron", err.Error())
	}
	next := parsed.Next(clock.Now(ctx)).UTC()
	s.NextRunAt = &next
	return nil
}
