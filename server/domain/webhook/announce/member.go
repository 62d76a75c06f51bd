package announce

import (
	"context"
	"time"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Membership is what is sent to hooks about a member, or about a user who asks for access.
type Membership struct {
	Project              *model.Project // nil for a group
	GroupID              int64
	User                 model.User
	Access               model.Access
	ExpiresAt            *time.Time
	CreatedAt, UpdatedAt time.Time
}

// MemberEvent is an event of a member. It has a name for groups, in hooks of groups and in system hooks, and one for
// projects.
type MemberEvent struct{ group, system, project string }

// The events of members.
var (
	MemberAdded   = MemberEvent{payload.EventUserAddToGroup, payload.EventUserAddToGroup, payload.EventUserAddToTeam}
	MemberUpdated = MemberEvent{payload.EventUserUpdateForGroup, payload.EventUserUpdateForGroup, payload.EventUserUpdateForTeam}
	MemberRemoved = MemberEvent{payload.EventUserRemoveFromGroup, payload.EventUserRemoveFromGroup, payload.EventUserRemoveFromTeam}
	AccessAsked   = MemberEvent{
		payload.EventUserAccessRequestToGroup, payload.EventUserAccessRequestToGroup, payload.EventUserAccessRequestToProject,
	}
	AccessDenied = MemberEvent{
		payload.EventUserAccessRequestDeniedForGroup, payload.EventUserAccessRequestRevokedForGroup,
		payload.EventUserAccessRequestRevokedForProject,
	}
)

// Member announces members: those of groups to the hooks of the groups, and all to system hooks.
func (a *Announcer) Member(ctx context.Context, e MemberEvent, members ...Membership) error {
	if a == nil || len(members) == 0 {
		return nil
	}
	var inProjects []events.HookEvent
	inGroups := map[int64][]Membership{}
	var groups []int64
	for _, m := range members {
		switch {
		case m.Project != nil:
			inProjects = append(inProjects, a.projectMember(e, m))
			continue
		case inGroups[m.GroupID] == nil:
			groups = append(groups, m.GroupID)
		}
		inGroups[m.GroupID] = append(inGroups[m.GroupID], m)
	}
	if err := a.events.Hook(ctx, store.HookScope{}, inProjects...); err != nil {
		return err
	}
	for _, id := range groups {
		if err := a.events.Hook(ctx, events.InGroup(id), a.groupMembers(e, id, inGroups[id])...); err != nil {
			return err
		}
	}
	return nil
}

// projectMember returns what is announced of a member of a project.
func (a *Announcer) projectMember(e MemberEvent, m Membership) events.HookEvent {
	return events.HookEvent{Kind: model.HookInstance, Body: func(context.Context) (any, error) {
		return a.to.SystemProjectMember(payload.ProjectMemberInput{
			Event: e.project, Project: *m.Project, User: m.User, Access: m.Access, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
		}), nil
	}}
}

// groupMembers returns what is announced of members of one group.
func (a *Announcer) groupMembers(e MemberEvent, groupID int64, members []Membership) (announced []events.HookEvent) {
	var group *model.Namespace
	in := func(ctx context.Context, name string, m Membership) (payload.GroupMemberInput, error) {
		if group == nil {
			found, err := a.store.Namespaces.Get(ctx, groupID, "", store.Reader{Admin: true})
			if err != nil {
				return payload.GroupMemberInput{}, err
			}
			group = &found
		}
		return payload.GroupMemberInput{
			Event: name, Group: *group, User: m.User, Access: m.Access, ExpiresAt: m.ExpiresAt, CreatedAt: m.CreatedAt,
			UpdatedAt: m.UpdatedAt,
		}, nil
	}
	for _, m := range members {
		announced = append(
			announced,
			events.HookEvent{Kind: model.HookMembers, Body: func(ctx context.Context) (any, error) {
				member, err := in(ctx, e.group, m)
				return a.to.GroupMember(member), err
			}},
			events.HookEvent{Kind: model.HookInstance, Body: func(ctx context.Context) (any, error) {
				member, err := in(ctx, e.system, m)
				return a.to.SystemGroupMember(member), err
			}},
		)
	}
	return announced
}
