package issue

import (
	"context"

	"svc/openapi/wire"
	"svc/store/model"
)

// epicOf finds the epic of a new issue. It returns nil if there is none, or if the caller may not set it.
func (s *Service) epicOf(ctx context.Context, row model.ProjectRow, n New) (*model.EpicRow, error) {
	id := wire.Value(n.EpicID)
	if !s.paid || row.Role() < model.Reporter || id == 0 {
		return nil, nil
	}
	found, err := s.epics.GetToChange(ctx, id)
	return &found, err
}

// compareEpic compares the epic. The caller must be allowed to change the new epic and the epic before.
func (u *update) compareEpic(ctx context.Context) error {
	id, before := wire.Value(u.change.EpicID.Ptr()), wire.Value(u.found.EpicID)
	if !u.paid || !u.change.EpicID.IsSet() || id == before {
		return nil
	}
	var to *model.EpicRow
	for _, epicID := range []int64{before, id} {
		to = nil
		if epicID == 0 {
			continue
		}
		found, err := u.epics.GetToChange(ctx, epicID)
		if err != nil {
			return err
		}
		to = &found
	}
	u.epic = &to
	return nil
}

// setEpic assigns the issue to its new epic, or removes it from its epic.
func (u *update) setEpic(ctx context.Context, i model.Issue) error {
	if u.epic == nil {
		return nil
	}
	if to := *u.epic; to != nil {
		if u.change.Confidential != nil {
			i.Confidential = *u.change.Confidential
		}
		_, err := u.epics.AssignIssue(ctx, *to, u.row.Project, i)
		return err
	}
	assigned, err := u.store.Epics.AssignmentOf(ctx, i.ID)
	if err != nil {
		return err
	}
	from, err := u.epics.GetToChange(ctx, assigned.EpicID)
	if err != nil {
		return err
	}
	return u.epics.RemoveIssue(ctx, from, u.row.Project, i, assigned.ID, nil)
}
