package epic

import (
	"context"
	"fmt"
	"slices"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// MaxLevels is how many levels of epics can be nested.
const MaxLevels = 7

// newParent finds the parent that a change gives to an epic. It returns nil if the parent stays as it is, and a pointer
// to nil if the change removes the parent.
func (s *Service) newParent(
	ctx context.Context, found model.EpicRow, change wire.Optional[int64],
) (**model.EpicRow, error) {
	before := wire.Value(found.Epic.ParentID)
	id := wire.Value(change.Ptr())
	if !change.IsSet() || id == before {
		return nil, nil
	}
	if before != 0 {
		if _, err := s.GetToChange(ctx, before); err != nil {
			return nil, err
		}
	}
	var parent *model.EpicRow
	if id == 0 {
		return &parent, nil
	}
	row, err := s.GetToChange(ctx, id)
	parent = &row
	return &parent, err
}

// Assign makes an epic the last child of another one. The caller must have the ability to change both.
func (s *Service) Assign(ctx context.Context, parent, child model.EpicRow) error {
	if child.Epic.ParentID != nil && *child.Epic.ParentID == parent.Epic.ID {
		return apierr.Conflict("Epic(s) already assigned")
	}
	return s.setParent(ctx, child.Epic, &parent)
}

// Unassign removes a child from its epic. It fails if the child has another parent by now.
func (s *Service) Unassign(ctx context.Context, child model.EpicRow) error {
	return s.store.Exclusive(ctx, parentsLock, func(ctx context.Context) error {
		now, err := s.store.Epics.Lock(ctx, child.Epic.ID)
		if err == nil && wire.Value(now.ParentID) != wire.Value(child.Epic.ParentID) {
			err = apierr.RecordNotFound()
		}
		if err != nil {
			return err
		}
		return s.store.Epics.SetParent(ctx, child.Epic.ID, nil)
	})
}

// parentsLock is the lock of changes of parents.
const parentsLock = "parents of epics"

// setParent gives an epic another parent, or none. Changes of parents wait for each other, so that no epic becomes its
// own ancestor.
func (s *Service) setParent(ctx context.Context, e model.Epic, parent *model.EpicRow) error {
	return s.store.Exclusive(ctx, parentsLock, func(ctx context.Context) error {
		if parent == nil {
			return s.store.Epics.SetParent(ctx, e.ID, nil)
		}
		above, levels, err := s.store.Epics.Nesting(ctx, parent.Epic.ID, e.ID)
		switch {
		case err != nil:
			return err
		case slices.Contains(above, e.ID):
			return apierr.Refused("This epic cannot be added. An epic cannot be its own ancestor.")
		case int64(len(above))+levels > MaxLevels:
			return apierr.Refused(fmt.Sprintf("This epic cannot be added. Epics can be nested at most %d levels deep.", MaxLevels))
		case parent.Epic.Confidential && !e.Confidential:
			return apierr.Refused("This epic cannot be added. The children of a confidential epic must be confidential.")
		}
		return s.store.Epics.SetParent(ctx, e.ID, &parent.Epic.ID)
	})
}

// Place is a place in the order of the issues or the children of an epic: directly before or after another one.
type Place struct {
	Before *int64
	After  *int64 // ignored if Before is set
}

// anchor returns the ID of the other one, and whether the place is after it.
func (p Place) anchor() (int64, bool, error) {
	switch {
	case p.Before != nil:
		return *p.Before, false, nil
	case p.After != nil:
		return *p.After, true, nil
	}
	return 0, false, apierr.BadParameter(
		"move_before_id, move_after_id are missing, at least one parameter must be provided",
	)
}

// MoveChild changes the place of a child of an epic.
func (s *Service) MoveChild(ctx context.Context, parent model.EpicRow, childID int64, to Place) error {
	return s.move(ctx, parent.Epic.ID, childID, to, s.store.Epics.MoveChild)
}

// move changes the place of an issue or a child of an epic with a function of the store.
func (s *Service) move(
	ctx context.Context, epicID, id int64, to Place, move func(ctx context.Context, epicID, id, anchor int64, after bool) error,
) error {
	anchor, after, err := to.anchor()
	if err != nil {
		return err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if _, err := s.store.Epics.Lock(ctx, epicID); err != nil {
			return err
		}
		return move(ctx, epicID, id, anchor, after)
	})
	return apierr.OrNotFound(err)
}
