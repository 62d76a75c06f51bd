package members

import (
	"context"

	"svc/server/domain/member"
	"svc/server/platform/access"
	"svc/store/model"
)

// operation is a kind of operation on members.
type operation int

const (
	read operation = iota
	readApplicants
	manage
	leave
	ask
)

// inGroup and inProject map each operation to the ability that it requires.
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

// finder finds the group or project of a request, and requires the ability for the operation.
type finder func(ctx context.Context, op operation) (member.Source, error)

// group finds a group by ID or full path.
func (m *Members) group(ref string) finder {
	return func(ctx context.Context, op operation) (member.Source, error) {
		g, role, err := m.access.Group(ctx, ref, inGroup[op])
		return member.Source{
			Type: model.SourceGroup, ID: g.ID, Role: role, RequestAccessEnabled: g.RequestAccessEnabled, Path: g.FullPath,
		}, err
	}
}

// project finds a project by ID or full path.
func (m *Members) project(ref string) finder {
	return func(ctx context.Context, op operation) (member.Source, error) {
		row, err := m.access.Project(ctx, ref, inProject[op])
		p := row.Project
		return member.Source{
			Type: model.SourceProject, ID: p.ID, Role: row.Role(), RequestAccessEnabled: p.RequestAccessEnabled,
			OwnerID: row.Owner.ID, Path: p.FullPath, Project: &p,
		}, err
	}
}
