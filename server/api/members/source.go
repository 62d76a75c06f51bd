package members

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// source is a group or project that has members, as the caller finds it.
type source struct {
	kind          string // model.SourceGroup or model.SourceProject
	id            int64
	role          model.Access // of the caller
	takesRequests bool
	ownerID       *int64 // whose own namespace a project lies in
	path          string
	project       *model.Project // unless it is a group
}

// deed is what a caller wants to do with members.
type deed int

const (
	read deed = iota
	readApplicants
	manage
	leave
	ask
)

// What each takes in a group, and in a project.
var (
	inGroup = map[deed]access.Ability{
		read: access.ReadGroupMember, readApplicants: access.ReadGroupApplicants, manage: access.AdminGroupMember,
		leave: access.LeaveGroup, ask: access.RequestGroupAccess,
	}
	inProject = map[deed]access.Ability{
		read: access.ReadProjectMember, readApplicants: access.ReadProjectApplicants, manage: access.AdminProjectMember,
		leave: access.LeaveProject, ask: access.RequestProjectAccess,
	}
)

// finder returns the source that a path names, if the caller may do the deed there.
type finder func(ctx context.Context, d deed) (source, error)

// group finds a group by id or full path.
func (m *Members) group(ref string) finder {
	return func(ctx context.Context, d deed) (source, error) {
		g, role, err := m.access.Group(ctx, ref, inGroup[d])
		return source{kind: model.SourceGroup, id: g.ID, role: role, takesRequests: g.RequestAccessEnabled, path: g.FullPath}, err
	}
}

// project finds a project by id or full path.
func (m *Members) project(ref string) finder {
	return func(ctx context.Context, d deed) (source, error) {
		row, err := m.access.Project(ctx, ref, inProject[d])
		p := row.Project
		return source{kind: model.SourceProject, id: p.ID, role: row.Role(), takesRequests: p.RequestAccessEnabled, ownerID: row.Owner.ID, path: p.FullPath, project: &p}, err
	}
}

// filter is the members of the source itself or, inherited, all that count in it.
func (s source) filter(inherited bool) store.MemberFilter {
	return store.MemberFilter{SourceType: s.kind, SourceID: s.id, Inherited: inherited}
}

// checkGrant refuses a role that the source does not know, or that is more than the caller has.
func (s source) checkGrant(role model.Access) error {
	switch {
	case s.kind == model.SourceProject && role < model.Guest:
		return apierr.BadParameter("access_level does not have a valid value")
	case role > s.role:
		return apierr.Forbidden()
	}
	return nil
}

// checkTarget refuses to touch the user whose own namespace a project lies in.
func (s source) checkTarget(userID int64) error {
	if s.ownerID != nil && *s.ownerID == userID {
		return apierr.Forbidden("The owner of the namespace that a project lies in stays its owner")
	}
	return nil
}
