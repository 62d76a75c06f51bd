package alert

import (
	"context"
	"errors"
	"slices"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Change describes what to change in an alert; nil fields stay as they are.
type Change struct {
	Status      *string
	AssigneeIDs *[]int64
}

// ChangeAlert changes an alert on behalf of the caller and returns its new state. A new status is noted on the incident
// of the alert.
func (s *Service) ChangeAlert(ctx context.Context, p model.Project, a model.Alert, c Change) (model.AlertRow, error) {
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		locked, err := s.store.Alerts.Lock(ctx, a.ID)
		if err != nil {
			return err
		}
		if c.Status != nil {
			if locked, err = s.store.Alerts.SetStatus(ctx, locked, *c.Status); err != nil {
				return err
			}
			if _, err = s.incidents.Update(ctx, p, locked, reqctx.Of(ctx).Actor.User.ID); err != nil {
				return err
			}
		}
		if c.AssigneeIDs != nil {
			return s.assign(ctx, p, locked.ID, *c.AssigneeIDs)
		}
		return nil
	})
	var second *store.ConflictError
	if errors.As(err, &second) {
		return model.AlertRow{}, apierr.Conflict("An alert with the same fingerprint is already open")
	}
	if err != nil {
		return model.AlertRow{}, apierr.OrNotFound(err)
	}
	row, err := s.store.Alerts.Get(ctx, p.ID, a.IID)
	return row, apierr.OrNotFound(err)
}

// assign replaces the assignees of an alert. It ignores users who have no role of at least Developer in the project.
func (s *Service) assign(ctx context.Context, p model.Project, alertID int64, ids []int64) error {
	slices.Sort(ids)
	readers, err := s.store.Projects.Readers(ctx, p.ID, slices.Compact(ids), nil)
	if err != nil {
		return err
	}
	var users []int64
	for _, r := range readers {
		if r.Row(p).Role() >= model.Developer {
			users = append(users, r.UserID)
		}
	}
	return s.store.Alerts.Assign(ctx, alertID, users)
}
