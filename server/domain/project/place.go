package project

import (
	"context"
	"strconv"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// Place is a namespace in which the caller may create projects. MayCreateIn returns it.
type Place struct {
	namespaceID int64
	limit       *int64           // how many projects the namespace may have; nil for no limit
	most        model.Visibility // the most visible that a project in the namespace can be
}

// MayCreateIn returns the place for a project in a namespace, named by id or full path. It refuses callers who may not
// create projects there. Without a name, the namespace is the owner's own.
func (s *Service) MayCreateIn(ctx context.Context, owner model.User, namespace string) (Place, error) {
	if namespace == "" {
		return ownPlace(ctx, owner)
	}
	n, err := s.access.Namespace(ctx, namespace, access.CreateProject)
	if err != nil {
		return Place{}, err
	}
	if n.MarkedForDeletionAt != nil {
		return Place{}, apierr.Forbidden("The group is marked for deletion")
	}
	admin := reqctx.Of(ctx).Actor.User.Admin
	switch {
	case owner.NamespaceID != nil && n.ID == *owner.NamespaceID:
		return ownPlace(ctx, owner)
	case admin:
	case n.Kind != model.NamespaceGroup: // the personal namespace of another user
		return Place{}, apierr.Forbidden()
	default:
		_, role, err := s.access.Group(ctx, strconv.FormatInt(n.ID, 10), access.ReadGroup)
		if err != nil {
			return Place{}, err
		}
		if !MayCreateWith(n.ProjectCreationLevel, role) {
			return Place{}, apierr.Forbidden()
		}
	}
	to := Place{namespaceID: n.ID, most: model.Public}
	if n.Kind == model.NamespaceGroup {
		to.most = n.Visibility
	}
	return to, nil
}

// ownPlace returns a user's personal namespace. External users may not create projects there; administrators may do so
// for them.
func ownPlace(ctx context.Context, owner model.User) (Place, error) {
	admin := reqctx.Of(ctx).Actor.User.Admin
	if owner.NamespaceID == nil || (owner.External && !admin) {
		return Place{}, apierr.Forbidden()
	}
	to := Place{namespaceID: *owner.NamespaceID, most: model.Public}
	if !admin {
		to.limit = &owner.ProjectsLimit
	}
	return to, nil
}

// MayCreateWith reports whether a role suffices for a group's project_creation_level.
func MayCreateWith(level string, role model.Access) bool {
	switch level {
	case "developer":
		return role >= model.Developer
	case "maintainer":
		return role >= model.Maintainer
	}
	return false
}
