package member

import (
	"context"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// CheckRole returns the custom role with an ID, if the caller may give it to members of the source: owners and administrators
// give the roles of the instance and of the groups above the source. The usual role of the member must be that of the custom
// role.
func (s *Service) CheckRole(ctx context.Context, in Source, id int64, level model.Access) error {
	if in.Role < model.Owner {
		return apierr.Forbidden("Only owners give custom roles")
	}
	place := in.ID
	if in.Project != nil {
		place = in.Project.NamespaceID
	}
	role, err := s.store.MemberRoles.Usable(ctx, place, id)
	if err != nil {
		return apierr.OrNotFound(err)
	}
	if role.BaseAccessLevel != level {
		return apierr.Invalid("access_level", "does not match the base access level of the custom role")
	}
	return nil
}
