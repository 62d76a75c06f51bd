package announce

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// projectsAtOnce is how many deleted projects are announced together.
const projectsAtOnce = 200

// GroupDeleted announces that a group is deleted, with all groups and projects below it. It is called before the
// deletion. System hooks and the hooks of the groups above get the events: the other hooks are deleted with the group.
func (a *Announcer) GroupDeleted(ctx context.Context, g model.Namespace) error {
	if a == nil {
		return nil
	}
	var above store.HookScope
	if g.ParentID != nil {
		above = events.InGroup(*g.ParentID)
	}
	wanted, err := a.events.HooksWant(ctx, above, model.HookInstance|model.HookProjects|model.HookSubgroups)
	if err != nil || !wanted {
		return err
	}
	groups, err := a.store.Namespaces.WithBelow(ctx, g.ID)
	if err != nil {
		return err
	}
	byID := map[int64]model.Namespace{}
	for _, one := range groups {
		byID[one.ID] = one
	}
	var announced []events.HookEvent
	for _, one := range groups {
		if err := a.projectsDeleted(ctx, above, one.ID); err != nil {
			return err
		}
		announced = append(announced, a.groupEvents(payload.EventGroupDestroy, one, byID)...)
	}
	return a.events.Hook(ctx, above, announced...)
}

// projectsDeleted announces that the projects of a namespace are deleted, to the hooks of a scope.
func (a *Announcer) projectsDeleted(ctx context.Context, in store.HookScope, namespaceID int64) error {
	for after := int64(0); ; {
		ids, err := a.store.Projects.IDsInNamespace(ctx, namespaceID, after, projectsAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		rows, err := a.store.Projects.Rows(ctx, ids, &store.Reader{Admin: true})
		if err != nil {
			return err
		}
		var announced []events.HookEvent
		for _, id := range ids {
			announced = append(announced, a.projectEvents(payload.EventProjectDestroy, "", func(context.Context) (model.ProjectRow, error) {
				return rows[id], nil
			})...)
		}
		if err := a.events.Hook(ctx, in, announced...); err != nil || len(ids) < projectsAtOnce {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// UserDeleted announces that a user is deleted, with their SSH keys and personal projects. It is called before the
// deletion.
func (a *Announcer) UserDeleted(ctx context.Context, u model.User) error {
	if a == nil {
		return nil
	}
	wanted, err := a.events.HooksWant(ctx, store.HookScope{}, model.HookInstance)
	if err != nil || !wanted {
		return err
	}
	if u.NamespaceID != nil {
		if err := a.projectsDeleted(ctx, store.HookScope{}, *u.NamespaceID); err != nil {
			return err
		}
	}
	keys, _, err := a.store.Keys.ListByUser(ctx, u.ID, store.Page{Limit: mostKeys})
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := a.Key(ctx, payload.EventKeyDestroy, k); err != nil {
			return err
		}
	}
	return a.User(ctx, payload.EventUserDestroy, u, "")
}

// mostKeys is how many SSH keys of a deleted user are announced.
const mostKeys = 100
