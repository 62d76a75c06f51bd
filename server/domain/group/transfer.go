package group

import (
	"context"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/naming"
	"svc/store/model"
)

// Transfer moves a group into another group, or to the top level. It checks the rules of the new place.
func (s *Service) Transfer(ctx context.Context, group model.Namespace, to Place) error {
	err := s.store.Namespaces.RunWithGroupsLocked(ctx, func(ctx context.Context) error {
		row, _, err := s.store.Namespaces.GetGroup(ctx, group.ID, "", nil)
		if err != nil {
			return err
		}
		if err := s.checkTransfer(ctx, row, to); err != nil {
			return err
		}
		if err := s.store.Namespaces.Move(ctx, row.ID, to.parentID()); err != nil {
			return err
		}
		after, _, err := s.store.Namespaces.GetGroup(ctx, row.ID, "", nil)
		if err != nil {
			return err
		}
		if err := s.hooks.GroupRenamed(ctx, row, after); err != nil {
			return err
		}
		c := events.OfGroup(after, "group_transferred", "Moved group")
		c.Field, c.From, c.To = "full_path", row.FullPath, after.FullPath
		return events.Audit(ctx, s.store, c)
	})
	return explainTransfer(err)
}

// checkTransfer rejects a reserved path at the top level, and a group that is more visible than its new parent group.
func (s *Service) checkTransfer(ctx context.Context, row model.Namespace, to Place) error {
	if to.parent == nil {
		if naming.Reserved(row.Path) {
			return apierr.BadRequest("Transfer failed: " + row.Path + " is a reserved name")
		}
		return nil
	}
	parent, _, err := s.store.Namespaces.GetGroup(ctx, to.parent.ID, "", nil)
	if err != nil {
		return err
	}
	if parent.Visibility < row.Visibility {
		return apierr.BadRequest("Transfer failed: " + tooVisible(row.Visibility, parent.Visibility))
	}
	return nil
}
