package graphql

import (
	"context"
	"net/url"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/platform/reqctx"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

func (h *Handler) userTypes() map[string]engine.Resolvers {
	users := h.userFields()
	return map[string]engine.Resolvers{
		"Query": {
			"currentUser": engine.One(h.currentUser),
			"user":        engine.One(h.user),
			"users":       engine.One(h.users),
		},
		"UserCore":    users,
		"CurrentUser": users,
		"UserPermissions": {
			"createSnippet": engine.Seen(func(ctx context.Context, u model.User) any { return isSelf(ctx, u) }),
		},
	}
}

func (h *Handler) userFields() engine.Resolvers {
	// known shows a value to signed-in users, as the API does.
	known := func(read func(model.User) any) engine.Resolver {
		return engine.Seen(func(ctx context.Context, u model.User) any {
			if reqctx.Of(ctx).Actor == nil {
				return nil
			}
			return read(u)
		})
	}
	return engine.Resolvers{
		"id":           engine.Value(func(u model.User) any { return gid("User", u.ID) }),
		"username":     engine.Value(func(u model.User) any { return u.Username }),
		"name":         engine.Value(func(u model.User) any { return u.Name }),
		"state":        engine.Value(func(u model.User) any { return string(u.State) }),
		"active":       engine.Value(func(u model.User) any { return u.State == model.UserActive }),
		"bot":          engine.Value(func(u model.User) any { return u.Kind != model.UserHuman }),
		"human":        engine.Value(func(u model.User) any { return u.Kind == model.UserHuman }),
		"webUrl":       engine.Value(func(u model.User) any { return h.Base + "/" + u.Username }),
		"webPath":      engine.Value(func(u model.User) any { return h.path("/" + u.Username) }),
		"avatarUrl":    engine.Value(func(u model.User) any { return h.avatar(model.AvatarUser, u.ID, u.Avatar) }),
		"publicEmail":  known(func(u model.User) any { return orNull(u.PublicEmail) }),
		"bio":          known(func(u model.User) any { return u.Bio }),
		"location":     known(func(u model.User) any { return u.Location }),
		"jobTitle":     known(func(u model.User) any { return u.JobTitle }),
		"organization": known(func(u model.User) any { return u.Organization }),
		"pronouns":     known(func(u model.User) any { return u.Pronouns }),
		"commitEmail": engine.Seen(func(ctx context.Context, u model.User) any {
			if !isSelfOrAdmin(ctx, u) {
				return nil
			}
			return u.CommitAddress(h.Base)
		}),
		"createdAt": engine.Seen(func(ctx context.Context, u model.User) any {
			if reqctx.Of(ctx).Actor == nil || u.PrivateProfile && !isSelfOrAdmin(ctx, u) {
				return nil
			}
			return u.CreatedAt
		}),
		"groupCount":         engine.One(h.groupCount),
		"groups":             engine.One(h.groupsOfUser),
		"groupMemberships":   engine.One(h.groupMemberships),
		"projectMemberships": engine.One(h.projectMemberships),
		"userPermissions":    engine.Value(func(u model.User) any { return u }),
	}
}

// orNull returns a text; null if it is empty.
func orNull(text *string) any {
	if text == nil || *text == "" {
		return nil
	}
	return *text
}

// path returns the path of a page, below the path of the service's own URL.
func (h *Handler) path(page string) string {
	if u, err := url.Parse(h.Base); err == nil {
		return u.Path + page
	}
	return page
}

func (h *Handler) avatar(kind model.AvatarKind, id int64, file *string) any {
	return naming.AvatarURL(h.Base, string(kind), id, file)
}

func isSelf(ctx context.Context, u model.User) bool {
	actor := reqctx.Of(ctx).Actor
	return actor != nil && actor.User.ID == u.ID
}

func isSelfOrAdmin(ctx context.Context, u model.User) bool {
	actor := reqctx.Of(ctx).Actor
	return actor != nil && (actor.User.ID == u.ID || actor.User.Admin)
}

func (h *Handler) currentUser(ctx context.Context, _ engine.Call, _ root) (any, error) {
	actor, err := access.Allow(ctx, access.ReadSelf)
	if err != nil {
		return nil, err
	}
	u, err := h.Store.Users.Get(ctx, actor.User.ID)
	return u, err
}

func (h *Handler) user(ctx context.Context, call engine.Call, _ root) (any, error) {
	actor, err := access.Allow(ctx, access.ReadUser)
	if err != nil {
		return nil, err
	}
	switch {
	case call.Args.Text("username") != "":
		u, err := h.Store.Users.GetByUsername(ctx, call.Args.Text("username"))
		return u, err
	case call.Args.Text("id") == "":
		return nil, &engine.Error{Message: "Provide either 'id' or 'username'"}
	case actor == nil: // anonymous callers know users by their names only
		return nil, apierr.Unauthorized()
	}
	id, err := readGID(call.Args.Text("id"), "User")
	if err != nil {
		return nil, err
	}
	u, err := h.Store.Users.Get(ctx, id)
	return u, err
}

func (h *Handler) users(ctx context.Context, call engine.Call, _ root) (any, error) {
	actor, err := access.Allow(ctx, access.ReadUser)
	if err != nil {
		return nil, err
	}
	args := call.Args
	names, ids := args.Texts("usernames"), args.Texts("ids")
	if actor == nil && (len(names) == 0 || len(ids) > 0 || args.Text("search") != "") {
		return nil, apierr.Unauthorized()
	}
	if len(names) > 0 || len(ids) > 0 {
		return h.namedUsers(ctx, args, names, ids)
	}
	admin := actor.User.Admin
	f := store.UserFilter{Search: args.Text("search"), SearchPrivateEmail: admin, Admins: admin && args.Bool("admins")}
	return pageUpTo(args, int(h.Pages), func(p store.Page) ([]model.User, store.Total, error) {
		return h.Store.Users.List(ctx, f, store.UserOrder{Column: "id", Desc: true}, p)
	})
}

// namedUsers returns the users with some names or IDs.
func (h *Handler) namedUsers(ctx context.Context, args engine.Args, names, gids []string) (any, error) {
	ids, err := readGIDs(gids, "User")
	if err != nil {
		return nil, err
	}
	if len(names) > maxIDs {
		return nil, &engine.Error{Message: "Too many usernames"}
	}
	found, seen := []model.User{}, map[int64]bool{}
	add := func(u model.User, ok bool) {
		if ok && !seen[u.ID] {
			seen[u.ID] = true
			found = append(found, u)
		}
	}
	if len(names) > 0 {
		byName, err := h.Store.Users.ByUsername(ctx, names)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			u, ok := byName[name]
			add(u, ok)
		}
	}
	byID, err := h.Store.Users.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		u, ok := byID[id]
		add(u, ok)
	}
	return engine.Slice(args, found)
}

func (h *Handler) groupCount(ctx context.Context, _ engine.Call, u model.User) (any, error) {
	if !isSelfOrAdmin(ctx, u) {
		return nil, nil
	}
	groups, _, err := h.Store.Members.CountByUser(ctx, u.ID)
	return groups, err
}

func (h *Handler) groupsOfUser(ctx context.Context, call engine.Call, u model.User) (any, error) {
	if !isSelf(ctx, u) {
		return nil, nil
	}
	f := store.GroupFilter{MemberOnly: true, Search: call.Args.Text("search")}
	return pageUpTo(call.Args, int(h.Pages), func(p store.Page) ([]model.Namespace, store.Total, error) {
		return h.Store.Namespaces.ListGroups(ctx, f, access.Reader(ctx), p)
	})
}
