package access

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Access checks what callers are allowed to do, by their roles.
type Access struct{ store *store.Store }

// New returns the access checks.
func New(st *store.Store) *Access { return &Access{store: st} }

// Group returns a group, given by id or full path, and the caller's role in it, if the caller has the ability in the
// group. A group that the caller cannot see is a 404; a missing ability is a 403.
func (a *Access) Group(ctx context.Context, ref string, ability Ability) (model.Namespace, model.Access, error) {
	if id, err := strconv.ParseInt(ref, 10, 64); err == nil {
		return a.group(ctx, id, "", ability)
	}
	return a.group(ctx, 0, ref, ability)
}

// GroupAt is Group for pages, which identify a group by its full path only: a path of digits is not an id.
func (a *Access) GroupAt(ctx context.Context, path string, ability Ability) (model.Namespace, model.Access, error) {
	return a.group(ctx, 0, path, ability)
}

func (a *Access) group(ctx context.Context, id int64, path string, ability Ability) (model.Namespace, model.Access, error) {
	need, known := Abilities[Group][ability]
	if !known {
		return model.Namespace{}, 0, apierr.Forbidden()
	}
	g, role, err := a.store.Namespaces.GetGroupAhead(ctx, reqctx.Of(ctx).Ahead, id, path, Reader(ctx))
	switch {
	case store.IsNotFound(err) || (err == nil && !role.Visible):
		return model.Namespace{}, 0, apierr.NotFound("Group")
	case err != nil:
		return model.Namespace{}, 0, err
	}
	own := role.Access
	if r := Reader(ctx); r != nil && r.Admin {
		own = model.Access(Administrator)
	}
	if err := need.check(ctx, own); err != nil {
		if err = a.grantedInGroup(ctx, g.ID, role.Access, ability, err); err != nil {
			return model.Namespace{}, 0, err
		}
	}
	if g.MarkedForDeletionAt != nil && !existsWhileMarked(ctx, ability) {
		return model.Namespace{}, 0, apierr.Forbidden("The group is marked for deletion")
	}
	return g, role.Access, nil
}

// existsWhileMarked reports whether callers keep an ability in a group that is marked for deletion, which is read-only.
func existsWhileMarked(ctx context.Context, ability Ability) bool {
	switch ability {
	case RemoveGroup, RestoreGroup, LeaveGroup, UpdateGroupNotifications:
		return true
	}
	method := reqctx.Of(ctx).Method
	return strings.HasPrefix(string(ability), "read_") || method == http.MethodGet || method == http.MethodHead
}

// InGroup checks one more ability in a group that the caller can see, by their role in it.
func InGroup(ctx context.Context, role model.Access, ability Ability) error {
	need, known := Abilities[Group][ability]
	if !known {
		return apierr.Forbidden()
	}
	return need.check(ctx, role)
}

// Reader returns the caller in the form that the store uses to filter lists; nil for an anonymous caller.
func Reader(ctx context.Context) *store.Reader {
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return nil
	}
	return &store.Reader{UserID: actor.User.ID, Admin: actor.User.Admin, External: actor.User.External}
}
