package announce

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// instance announces an event of the instance to system hooks.
func (a *Announcer) instance(ctx context.Context, body func(ctx context.Context) (any, error)) error {
	return a.events.Hook(ctx, store.HookScope{}, events.HookEvent{Kind: model.HookInstance, Body: body})
}

// Project announces an event of a project to system hooks, and a new or deleted project to the hooks of the groups above it.
// A deleted project must still exist. oldPath is the former path of a project that was renamed or moved.
func (a *Announcer) Project(ctx context.Context, event string, id int64, oldPath string) error {
	if a == nil {
		return nil
	}
	announced := a.projectEvents(event, oldPath, func(ctx context.Context) (model.ProjectRow, error) {
		return a.store.Projects.Get(ctx, id, "", &store.Reader{Admin: true})
	})
	return a.events.Hook(ctx, store.HookScope{ProjectID: id}, announced...)
}

// projectEvents returns what is announced of an event of a project. Its bodies share one reading of the project.
func (a *Announcer) projectEvents(
	event, oldPath string, row func(ctx context.Context) (model.ProjectRow, error),
) []events.HookEvent {
	var in *payload.SystemProjectInput
	read := func(ctx context.Context) (payload.SystemProjectInput, error) {
		if in != nil {
			return *in, nil
		}
		found, err := row(ctx)
		if err != nil {
			return payload.SystemProjectInput{}, err
		}
		loaded, err := a.loader.SystemProject(ctx, event, found)
		loaded.OldPath, in = oldPath, &loaded
		return loaded, err
	}
	announced := []events.HookEvent{{Kind: model.HookInstance, Body: func(ctx context.Context) (any, error) {
		in, err := read(ctx)
		return a.to.SystemProject(in), err
	}}}
	if event == payload.EventProjectCreate || event == payload.EventProjectDestroy {
		announced = append(announced, events.HookEvent{Kind: model.HookProjects, Body: func(ctx context.Context) (any, error) {
			in, err := read(ctx)
			return a.to.GroupProject(in), err
		}})
	}
	return announced
}

// ProjectCreated announces a new project, and its owner if it is a personal one.
func (a *Announcer) ProjectCreated(ctx context.Context, id int64) error {
	if a == nil {
		return nil
	}
	if err := a.Project(ctx, payload.EventProjectCreate, id, ""); err != nil {
		return err
	}
	wanted, err := a.events.HooksWant(ctx, store.HookScope{}, model.HookInstance)
	if err != nil || !wanted {
		return err
	}
	row, err := a.store.Projects.Get(ctx, id, "", &store.Reader{Admin: true})
	if err != nil || row.Owner.ID == nil {
		return err
	}
	owner, err := a.store.Users.Get(ctx, *row.Owner.ID)
	if err != nil {
		return err
	}
	return a.Member(ctx, MemberAdded, Membership{
		Project: &row.Project, User: owner, Access: model.Owner, CreatedAt: row.Project.CreatedAt, UpdatedAt: row.Project.CreatedAt,
	})
}

// ProjectChanged announces to system hooks that a project has another path, or else that something else in it has changed.
func (a *Announcer) ProjectChanged(ctx context.Context, before model.Project) error {
	if a == nil {
		return nil
	}
	wanted, err := a.events.HooksWant(ctx, store.HookScope{}, model.HookInstance)
	if err != nil || !wanted {
		return err
	}
	after, err := a.loader.Project(ctx, before.ID)
	switch {
	case err != nil:
		return err
	case after.Path != before.Path:
		return a.Project(ctx, payload.EventProjectRename, before.ID, before.FullPath)
	case after.Version == before.Version:
		return nil
	}
	return a.Project(ctx, payload.EventProjectUpdate, before.ID, "")
}

// GroupCreated announces a new group to system hooks, and a subgroup to the hooks of the groups above it.
func (a *Announcer) GroupCreated(ctx context.Context, g model.Namespace) error {
	if a == nil {
		return nil
	}
	var above store.HookScope
	if g.ParentID != nil {
		above = events.InGroup(*g.ParentID)
	}
	return a.events.Hook(ctx, above, a.groupEvents(payload.EventGroupCreate, g, nil)...)
}

// groupEvents returns what is announced of a new or deleted group. Parents that are not among the known groups are read.
func (a *Announcer) groupEvents(event string, g model.Namespace, known map[int64]model.Namespace) []events.HookEvent {
	announced := []events.HookEvent{{Kind: model.HookInstance, Body: func(context.Context) (any, error) {
		return a.to.SystemGroup(payload.SystemGroupInput{Event: event, Group: g}), nil
	}}}
	if g.ParentID == nil {
		return announced
	}
	subgroup := payload.EventSubgroupCreate
	if event == payload.EventGroupDestroy {
		subgroup = payload.EventSubgroupDestroy
	}
	return append(announced, events.HookEvent{Kind: model.HookSubgroups, Body: func(ctx context.Context) (_ any, err error) {
		parent, found := known[*g.ParentID]
		if !found {
			parent, err = a.store.Namespaces.Get(ctx, *g.ParentID, "", store.Reader{Admin: true})
		}
		return a.to.Subgroup(payload.SubgroupInput{Event: subgroup, Group: g, Parent: parent}), err
	}})
}

// GroupRenamed announces to system hooks that a group has another path.
func (a *Announcer) GroupRenamed(ctx context.Context, before, after model.Namespace) error {
	if a == nil || before.FullPath == after.FullPath {
		return nil
	}
	return a.instance(ctx, func(context.Context) (any, error) {
		return a.to.SystemGroup(payload.SystemGroupInput{
			Event: payload.EventGroupRename, Group: after, OldPath: before.Path, OldFullPath: before.FullPath,
		}), nil
	})
}

// User announces an event of a user to system hooks. oldUsername is that of a user who was renamed.
func (a *Announcer) User(ctx context.Context, event string, u model.User, oldUsername string) error {
	if a == nil {
		return nil
	}
	return a.instance(ctx, func(context.Context) (any, error) {
		return a.to.SystemUser(payload.SystemUserInput{Event: event, User: u, OldUsername: oldUsername}), nil
	})
}

// Key announces a new or deleted SSH key of a user to system hooks.
func (a *Announcer) Key(ctx context.Context, event string, k model.Key) error {
	if a == nil {
		return nil
	}
	return a.instance(ctx, func(ctx context.Context) (any, error) {
		u, err := a.store.Users.Get(ctx, k.UserID)
		return a.to.SystemKey(payload.SystemKeyInput{Event: event, Key: k, User: &u}), err
	})
}

// DeployKey announces a new or deleted deploy key to system hooks.
func (a *Announcer) DeployKey(ctx context.Context, event string, k model.DeployKey) error {
	if a == nil {
		return nil
	}
	return a.instance(ctx, func(context.Context) (any, error) {
		key := model.Key{ID: k.ID, Key: k.Key, CreatedAt: k.CreatedAt, UpdatedAt: k.UpdatedAt}
		return a.to.SystemKey(payload.SystemKeyInput{Event: event, Key: key}), nil
	})
}

// FailedLogin announces to system hooks that a blocked user has tried to sign in with the right password.
func (a *Announcer) FailedLogin(ctx context.Context, u model.User) error {
	return a.User(ctx, payload.EventUserFailedLogin, u, "")
}
