package group

import (
	"context"
	"strconv"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// Place is a group, or the top level, in which the caller may create groups. MayCreateIn returns it.
type Place struct {
	parent *model.Namespace // nil at the top level
}

// parentID returns the id of the parent group, or nil at the top level.
func (p Place) parentID() *int64 {
	if p.parent == nil {
		return nil
	}
	return &p.parent.ID
}

// MayCreateIn returns the place in a group, or at the top level without an id. It refuses callers who may not create
// groups there.
func (s *Service) MayCreateIn(ctx context.Context, parentID *int64) (Place, error) {
	if parentID == nil {
		return Place{}, s.mayCreateAtTop(ctx)
	}
	parent, role, err := s.access.Group(ctx, strconv.FormatInt(*parentID, 10), access.ReadGroup)
	if err != nil {
		return Place{}, err
	}
	if parent.MarkedForDeletionAt != nil {
		return Place{}, apierr.Forbidden("The group is marked for deletion")
	}
	if !MayCreateWith(parent, role) {
		return Place{}, apierr.Forbidden()
	}
	return Place{&parent}, nil
}

// MayCreateWith reports whether a role suffices for making subgroups in a group.
func MayCreateWith(parent model.Namespace, role model.Access) bool {
	if parent.SubgroupCreationLevel == "maintainer" {
		return role >= model.Maintainer
	}
	return role >= model.Owner
}

func (s *Service) mayCreateAtTop(ctx context.Context) error {
	actor := reqctx.Of(ctx).Actor
	u, err := s.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return err
	}
	if !u.Admin && (!u.CanCreateGroup || u.External) {
		return apierr.Forbidden()
	}
	return nil
}
