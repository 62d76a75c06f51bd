package tell

import (
	"context"
	"time"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// instance tells system hooks of an event of the instance.
func (t *Teller) instance(ctx context.Context, body func(ctx context.Context) (any, error)) error {
	return t.events.Hook(ctx, store.HookScope{}, events.HookEvent{Kind: model.HookInstance, Body: body})
}

// Project tells system hooks of an event of a project, and the hooks of the groups above it of a new or deleted project.
// A deleted project must still exist. oldPath is the former path of a project that was renamed or moved.
func (t *Teller) Project(ctx context.Context, event string, id int64, oldPath string) error {
	if t == nil {
		return nil
	}
	read := func(ctx context.Context) (payload.SystemProjectInput, error) {
		row, err := t.store.Projects.Get(ctx, id, "", &store.Reader{Admin: true})
		if err != nil {
			return payload.SystemProjectInput{}, err
		}
		in, err := t.loader.SystemProject(ctx, event, row)
		in.OldPath = oldPath
		return in, err
	}
	told := []events.HookEvent{{Kind: model.HookInstance, Body: func(ctx context.Context) (any, error) {
		in, err := read(ctx)
		return t.to.SystemProject(in), err
	}}}
	if event == payload.EventProjectCreate || event == payload.EventProjectDestroy {
		told = append(told, events.HookEvent{Kind: model.HookProjects, Body: func(ctx context.Context) (any, error) {
			in, err := read(ctx)
			return t.to.GroupProject(in), err
		}})
	}
	return t.events.Hook(ctx, store.HookScope{ProjectID: id}, told...)
}

// ProjectChanged tells system hooks that a project has another path, or else that something else in it has changed.
func (t *Teller) ProjectChanged(ctx context.Context, before model.Project) error {
	if t == nil {
		return nil
	}
	wanted, err := t.events.HooksWant(ctx, store.HookScope{}, model.HookInstance)
	if err != nil || !wanted {
		return err
	}
	after, err := t.loader.Project(ctx, before.ID)
	switch {
	case err != nil:
		return err
	case after.Path != before.Path:
		return t.Project(ctx, payload.EventProjectRename, before.ID, before.FullPath)
	case after.Version == before.Version:
		return nil
	}
	return t.Project(ctx, payload.EventProjectUpdate, before.ID, "")
}

// Group tells system hooks of a new or deleted group, and the hooks of the groups above it of a subgroup.
func (t *Teller) Group(ctx context.Context, event string, g model.Namespace) error {
	if t == nil {
		return nil
	}
	err := t.instance(ctx, func(context.Context) (any, error) {
		return t.to.SystemGroup(payload.SystemGroupInput{Event: event, Group: g}), nil
	})
	if err != nil || g.ParentID == nil {
		return err
	}
	subgroup := payload.EventSubgroupCreate
	if event == payload.EventGroupDestroy {
		subgroup = payload.EventSubgroupDestroy
	}
	return t.events.Hook(ctx, events.InGroup(*g.ParentID), events.HookEvent{
		Kind: model.HookSubgroups, Body: func(ctx context.Context) (any, error) {
			parent, err := t.store.Namespaces.Get(ctx, *g.ParentID, "", store.Reader{Admin: true})
			return t.to.Subgroup(payload.SubgroupInput{Event: subgroup, Group: g, Parent: parent}), err
		},
	})
}

// GroupRenamed tells system hooks that a group has another path.
func (t *Teller) GroupRenamed(ctx context.Context, before, after model.Namespace) error {
	if t == nil || before.FullPath == after.FullPath {
		return nil
	}
	return t.instance(ctx, func(context.Context) (any, error) {
		return t.to.SystemGroup(payload.SystemGroupInput{
			Event: payload.EventGroupRename, Group: after, OldPath: before.Path, OldFullPath: before.FullPath,
		}), nil
	})
}

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

// Member tells hooks of a member: those of groups of members of groups, and system hooks of all members.
func (t *Teller) Member(ctx context.Context, e MemberEvent, m Membership) error {
	if t == nil {
		return nil
	}
	if m.Project != nil {
		return t.instance(ctx, func(context.Context) (any, error) {
			return t.to.SystemProjectMember(payload.ProjectMemberInput{
				Event: e.project, Project: *m.Project, User: m.User, Access: m.Access, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
			}), nil
		})
	}
	in := func(ctx context.Context, name string) (payload.GroupMemberInput, error) {
		group, err := t.store.Namespaces.Get(ctx, m.GroupID, "", store.Reader{Admin: true})
		return payload.GroupMemberInput{
			Event: name, Group: group, User: m.User, Access: m.Access, ExpiresAt: m.ExpiresAt, CreatedAt: m.CreatedAt,
			UpdatedAt: m.UpdatedAt,
		}, err
	}
	return t.events.Hook(
		ctx, events.InGroup(m.GroupID),
		events.HookEvent{Kind: model.HookMembers, Body: func(ctx context.Context) (any, error) {
			told, err := in(ctx, e.group)
			return t.to.GroupMember(told), err
		}},
		events.HookEvent{Kind: model.HookInstance, Body: func(ctx context.Context) (any, error) {
			told, err := in(ctx, e.system)
			return t.to.SystemGroupMember(told), err
		}},
	)
}

// User tells system hooks of an event of a user. oldUsername is that of a user who was renamed.
func (t *Teller) User(ctx context.Context, event string, u model.User, oldUsername string) error {
	if t == nil {
		return nil
	}
	return t.instance(ctx, func(context.Context) (any, error) {
		return t.to.SystemUser(payload.SystemUserInput{Event: event, User: u, OldUsername: oldUsername}), nil
	})
}

// Key tells system hooks of a new or deleted SSH key of a user.
func (t *Teller) Key(ctx context.Context, event string, k model.Key) error {
	if t == nil {
		return nil
	}
	return t.instance(ctx, func(ctx context.Context) (any, error) {
		u, err := t.store.Users.Get(ctx, k.UserID)
		return t.to.SystemKey(payload.SystemKeyInput{Event: event, Key: k, User: &u}), err
	})
}
