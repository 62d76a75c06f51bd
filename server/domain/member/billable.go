package member

import (
	"context"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Billable returns a person who takes part in a group, its subgroups or its projects.
func (s *Service) Billable(ctx context.Context, in Source, userID int64) (model.BillableMember, error) {
	rows, _, err := s.store.Members.ListBillable(ctx, in.ID, store.BillableFilter{UserID: userID}, store.Page{Limit: 1})
	if err == nil && len(rows) == 0 {
		err = apierr.RecordNotFound()
	}
	if err != nil {
		return model.BillableMember{}, err
	}
	return rows[0], nil
}

// RemoveEverywhere ends all direct memberships of a person in a group, its subgroups and its projects. It refuses members of
// invited groups.
func (s *Service) RemoveEverywhere(ctx context.Context, in Source, userID int64) error {
	found, err := s.Billable(ctx, in, userID)
	if err != nil {
		return err
	}
	if found.MembershipType == model.ByGroupInvite || found.MembershipType == model.ByProjectInvite {
		return apierr.Forbidden("The user takes part through an invited group")
	}
	_, err = s.store.Members.Get(ctx, in.Filter(false), userID)
	switch {
	case err == nil:
		return s.Remove(ctx, in, Removal{UserID: userID, Below: true})
	case !store.IsNotFound(err):
		return err
	}
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := in.change(found.User, "member_destroyed", "Removed member from the subgroups and projects of the group")
		return c, explain(s.leaveBelow(ctx, in, found.User))
	})
}
