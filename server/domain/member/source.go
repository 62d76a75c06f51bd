package member

import (
	"context"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Source is the group or project of a request, after the permission check.
type Source struct {
	Type                 string // model.SourceGroup or model.SourceProject
	ID                   int64
	Role                 model.Access // the role of the caller
	RequestAccessEnabled bool
	OwnerID              *int64 // the user whose personal namespace has the project, or nil
	Path                 string
	Project              *model.Project // nil for a group
}

// Filter selects the direct members of the source, or all members if inherited is true.
func (s Source) Filter(inherited bool) store.MemberFilter {
	return store.MemberFilter{SourceType: s.Type, SourceID: s.ID, Inherited: inherited}
}

// NewMember returns a member with the given role and last day, but without the user. It checks that the caller may give
// that role.
func (s Source) NewMember(ctx context.Context, role model.Access, expires *time.Time) (model.Member, error) {
	if err := s.checkGrant(role); err != nil {
		return model.Member{}, err
	}
	return model.Member{
		SourceType: s.Type, SourceID: s.ID, AccessLevel: role, ExpiresAt: expires,
		CreatedByID: &reqctx.Of(ctx).Actor.User.ID,
	}, checkExpiry(ctx, expires)
}

// checkGrant rejects a role that the source does not support. It also refuses a role that is higher than the role of
// the caller.
func (s Source) checkGrant(role model.Access) error {
	switch {
	case s.Type == model.SourceProject && role < model.Guest:
		return apierr.BadParameter("access_level does not have a valid value")
	case role > s.Role:
		return apierr.Forbidden()
	}
	return nil
}

// checkTarget refuses to change the user whose personal namespace has the project.
func (s Source) checkTarget(userID int64) error {
	if s.OwnerID != nil && *s.OwnerID == userID {
		return apierr.Forbidden("The owner of the project's namespace always owns the project")
	}
	return nil
}

// checkExpiry checks an expiry date, which must be in the future. nil means no expiry.
func checkExpiry(ctx context.Context, day *time.Time) error {
	if day == nil {
		return nil
	}
	return access.CheckExpiry(ctx, *day)
}
