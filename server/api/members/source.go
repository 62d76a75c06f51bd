package members

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// source is the group or project of a request, after the permission check.
type source struct {
	kind                 string // model.SourceGroup or model.SourceProject
	id                   int64
	role                 model.Access // the role of the caller
	requestAccessEnabled bool
	ownerID              *int64 // the user whose personal namespace has the project, or nil
	path                 string
	project              *model.Project // nil for a group
}

// operation is a kind of operation on members.
type operation int

const (
	read operation = iota
	readApplicants
	manage
	leave
	ask
)

// inGroup and inProject map each deed to the ability that it requires.
var (
	inGroup = map[operation]access.Ability{
		read: access.ReadGroupMember, readApplicants: access.ReadGroupApplicants, manage: access.AdminGroupMember,
		leave: access.LeaveGroup, ask: access.RequestGroupAccess,
	}
	inProject = map[operation]access.Ability{
		read: access.ReadProjectMember, readApplicants: access.ReadProjectApplicants, manage: access.AdminProjectMember,
		leave: access.LeaveProject, ask: access.RequestProjectAccess,
	}
)

// finder finds the group or project of a request, and requires the ability for the deed.
type finder func(ctx context.Context, d operation) (source, error)

// group finds a group by ID or full path.
func (m *Members) group(ref string) finder {
	return func(ctx context.Context, d operation) (source, error) {
		g, role, err := m.access.Group(ctx, ref, inGroup[d])
		return source{kind: model.SourceGroup, id: g.ID, role: role, requestAccessEnabled: g.RequestAccessEnabled, path: g.FullPath}, err
	}
}

// project finds a project by ID or full path.
func (m *Members) project(ref string) finder {
	return func(ctx context.Context, d operation) (source, error) {
		row, err := m.access.Project(ctx, ref, inProject[d])
		p := row.Project
		return source{
			kind: model.SourceProject, id: p.ID, role: row.Role(), requestAccessEnabled: p.RequestAccessEnabled,
			ownerID: row.Owner.ID, path: p.FullPath, project: &p,
		}, err
	}
}

// filter selects the direct members of the source, or all members if inherited is true.
func (s source) filter(inherited bool) store.MemberFilter {
	return store.MemberFilter{SourceType: s.kind, SourceID: s.id, Inherited: inherited}
}

// checkGrant rejects a role that the source does not support. It also refuses a role that is higher than the role of
// the caller.
func (s source) checkGrant(role model.Access) error {
	switch {
	case s.kind == model.SourceProject && role < model.Guest:
		return apierr.BadParameter("access_level does not have a valid value")
	case role > s.role:
		return apierr.Forbidden()
	}
	return nil
}

// checkTarget refuses to change the user whose personal namespace has the project.
func (s source) checkTarget(userID int64) error {
	if s.ownerID != nil && *s.ownerID == userID {
		return apierr.Forbidden("The owner of the project's namespace always owns the project")
	}
	return nil
}
