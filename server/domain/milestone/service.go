// Package milestone creates, changes and deletes the milestones of projects and groups, with their activity events.
package milestone

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Service changes milestones on behalf of the caller of a request.
type Service struct {
	store  *store.Store
	events *events.Recorder
	hooks  *announce.Announcer
}

// NewService returns the Service.
func NewService(st *store.Store, rec *events.Recorder, hooks *announce.Announcer) *Service {
	return &Service{store: st, events: rec, hooks: hooks}
}

// Owner is the project or group that has a milestone.
type Owner struct {
	store.ResourceOwner
	Project *model.Project // nil for a group
}

// Get returns a milestone of a project or group, or a 404.
func (s *Service) Get(ctx context.Context, owner Owner, id int64) (model.MilestoneRow, error) {
	row, err := s.store.Milestones.Get(ctx, owner.ResourceOwner, id)
	return row, apierr.OrNotFound(err)
}

// New describes a milestone to create.
type New struct {
	Title       string
	Description *string
	StartDate   *time.Time
	DueDate     *time.Time
}

// Create creates a milestone.
func (s *Service) Create(ctx context.Context, owner Owner, n New) (model.Milestone, error) {
	made := model.Milestone{
		ProjectID: owner.ProjectID, GroupID: owner.GroupID, Title: strings.TrimSpace(n.Title),
		Description: n.Description, State: model.MilestoneActive, StartDate: n.StartDate, DueDate: n.DueDate,
	}
	if err := check(made); err != nil {
		return made, err
	}
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Milestones.Create(ctx, &made); err != nil {
			return explainTaken(err)
		}
		return s.record(ctx, owner, made, model.EventCreated)
	})
	return made, err
}

// Values of Change.State.
const (
	Close    = "close"
	Activate = "activate"
)

// Change describes what to change in a milestone. Fields that are not set stay as they are.
type Change struct {
	Title       *string
	Description wire.Optional[string]
	StartDate   wire.Optional[time.Time]
	DueDate     wire.Optional[time.Time]
	State       string // Close or Activate
}

// Apply changes a milestone and returns it as it is then.
func (s *Service) Apply(ctx context.Context, owner Owner, id int64, c Change) (model.MilestoneRow, error) {
	row, err := s.Get(ctx, owner, id)
	if err != nil {
		return row, err
	}
	set, after := map[string]any{}, row.Milestone
	if c.Title != nil {
		after.Title = strings.TrimSpace(*c.Title)
		set["title"] = after.Title
	}
	if c.Description.IsSet() {
		set["description"] = c.Description.Ptr()
	}
	if c.StartDate.IsSet() {
		after.StartDate = c.StartDate.Ptr()
		set["start_date"] = after.StartDate
	}
	if c.DueDate.IsSet() {
		after.DueDate = c.DueDate.Ptr()
		set["due_date"] = after.DueDate
	}
	if err := check(after); err != nil {
		return row, err
	}
	state, action := nextState(row.Milestone.State, c.State)
	if action != "" {
		set["state"] = state
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Milestones.Update(ctx, id, set); err != nil {
			return explainTaken(err)
		}
		if row, err = s.Get(ctx, owner, id); err != nil || action == "" {
			return err
		}
		return s.record(ctx, owner, row.Milestone, action)
	})
	return row, err
}

// nextState returns the state after a change of the state, and the action of its event. The action is empty if the
// state stays as it is.
func nextState(state, change string) (after, action string) {
	switch {
	case change == Close && state == model.MilestoneActive:
		return model.MilestoneClosed, model.EventClosed
	case change == Activate && state == model.MilestoneClosed:
		return model.MilestoneActive, model.EventReopened
	}
	return state, ""
}

// Delete deletes a milestone. With unmodifiedSince, it fails if the milestone has changed since then.
func (s *Service) Delete(ctx context.Context, owner Owner, id int64, unmodifiedSince *time.Time) error {
	row, err := s.Get(ctx, owner, id)
	if err != nil {
		return err
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Milestones.Delete(ctx, id, unmodifiedSince); err != nil {
			return err
		}
		return s.record(ctx, owner, row.Milestone, model.EventDestroyed)
	})
}

// hookActions holds the names that webhooks give to actions.
var hookActions = map[string]string{
	model.EventCreated: "create", model.EventClosed: "close", model.EventReopened: "reopen", model.EventDestroyed: "delete",
}

// record records an activity event and announces it to webhooks.
func (s *Service) record(ctx context.Context, owner Owner, m model.Milestone, action string) error {
	if err := s.recordActivity(ctx, owner, m.ID, action); err != nil {
		return err
	}
	return s.hooks.Milestone(ctx, owner.Project, m, hookActions[action])
}

// recordActivity records an activity event for a project milestone. Groups have no activity of their own.
func (s *Service) recordActivity(ctx context.Context, owner Owner, id int64, action string) error {
	if owner.Project == nil {
		return nil
	}
	return s.events.Activity(
		ctx, *owner.Project, events.On(reqctx.Of(ctx).Actor.User.ID, action, model.OnMilestone, id),
	)
}

func explainTaken(err error) error {
	var conflict *store.ConflictError
	if errors.As(err, &conflict) {
		return apierr.Invalid("title", "already being used for another group or project milestone.")
	}
	return err
}
