package graphql

import (
	"context"

	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

func (h *Handler) groupTypes() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{
		"Query": {
			"group":     engine.One(h.group),
			"groups":    engine.One(h.groups),
			"namespace": engine.One(h.namespace),
		},
		"Group":     h.groupFields(),
		"Namespace": h.namespaceFields(),
		"GroupPermissions": {
			"readGroup": engine.Value(func(groupRole) any { return true }),
			"adminGroup": engine.Seen(func(ctx context.Context, r groupRole) any {
				return access.InGroup(ctx, r.role, access.AdminGroup) == nil
			}),
			"createProjects": engine.Value(func(r groupRole) any {
				return r.role == model.Owner || project.MayCreateWith(r.group.ProjectCreationLevel, r.role)
			}),
		},
	}
}

func (h *Handler) groupFields() engine.Resolvers {
	return engine.Resolvers{
		"id":                             engine.Value(func(g model.Namespace) any { return gid("Group", g.ID) }),
		"name":                           engine.Value(func(g model.Namespace) any { return g.Name }),
		"path":                           engine.Value(func(g model.Namespace) any { return g.Path }),
		"fullName":                       engine.Value(func(g model.Namespace) any { return g.FullName }),
		"fullPath":                       engine.Value(func(g model.Namespace) any { return g.FullPath }),
		"description":                    engine.Value(func(g model.Namespace) any { return g.Description }),
		"visibility":                     engine.Value(func(g model.Namespace) any { return g.Visibility.String() }),
		"webUrl":                         engine.Value(func(g model.Namespace) any { return h.Base + "/groups/" + g.FullPath }),
		"avatarUrl":                      engine.Value(func(g model.Namespace) any { return h.avatar(model.AvatarGroup, g.ID, g.Avatar) }),
		"createdAt":                      engine.Value(func(g model.Namespace) any { return g.CreatedAt }),
		"updatedAt":                      engine.Value(func(g model.Namespace) any { return g.UpdatedAt }),
		"emailsEnabled":                  engine.Value(func(g model.Namespace) any { return !g.EmailsDisabled }),
		"emailsDisabled":                 engine.Value(func(g model.Namespace) any { return g.EmailsDisabled }),
		"lfsEnabled":                     engine.Value(func(g model.Namespace) any { return g.LfsEnabled }),
		"mentionsDisabled":               engine.Value(func(g model.Namespace) any { return g.MentionsDisabled }),
		"projectCreationLevel":           engine.Value(func(g model.Namespace) any { return g.ProjectCreationLevel }),
		"subgroupCreationLevel":          engine.Value(func(g model.Namespace) any { return g.SubgroupCreationLevel }),
		"requestAccessEnabled":           engine.Value(func(g model.Namespace) any { return g.RequestAccessEnabled }),
		"requireTwoFactorAuthentication": engine.Value(func(g model.Namespace) any { return g.RequireTwoFactorAuthentication }),
		"twoFactorGracePeriod":           engine.Value(func(g model.Namespace) any { return g.TwoFactorGracePeriod }),
		"shareWithGroupLock":             engine.Value(func(g model.Namespace) any { return g.ShareWithGroupLock }),
		"autoDevopsEnabled":              engine.Value(func(g model.Namespace) any { return g.AutoDevopsEnabled }),
		"parent":                         h.groupBy(func(g model.Namespace) *int64 { return g.ParentID }),
		"descendantGroups":               engine.One(h.descendantGroups),
		"projects":                       engine.One(h.projectsOfNamespace),
		"groupMembers":                   engine.One(h.groupMembers),
		"memberRoles":                    empty(),
		"maxAccessLevel": engine.One(func(ctx context.Context, _ engine.Call, g model.Namespace) (any, error) {
			role, err := h.roleIn(ctx, g)
			return role.role, err
		}),
		"userPermissions": engine.One(func(ctx context.Context, _ engine.Call, g model.Namespace) (any, error) {
			return h.roleIn(ctx, g)
		}),
	}
}

func (h *Handler) namespaceFields() engine.Resolvers {
	return engine.Resolvers{
		"id":          engine.Value(func(n model.Namespace) any { return namespaceID(n.Kind, n.ID) }),
		"name":        engine.Value(func(n model.Namespace) any { return n.Name }),
		"path":        engine.Value(func(n model.Namespace) any { return n.Path }),
		"fullName":    engine.Value(func(n model.Namespace) any { return n.FullName }),
		"fullPath":    engine.Value(func(n model.Namespace) any { return n.FullPath }),
		"description": engine.Value(func(n model.Namespace) any { return n.Description }),
		"visibility":  engine.Value(func(n model.Namespace) any { return n.Visibility.String() }),
		"webUrl": engine.Value(func(n model.Namespace) any {
			if n.Kind == model.NamespaceGroup {
				return h.Base + "/groups/" + n.FullPath
			}
			return h.Base + "/" + n.FullPath
		}),
		"projects": engine.One(h.projectsOfNamespace),
	}
}

// namespaceID returns the global ID of a namespace.
func namespaceID(kind string, id int64) string {
	if kind == model.NamespaceGroup {
		return gid("Group", id)
	}
	return gid("Namespaces::UserNamespace", id)
}

// groupRole is the role of the caller in a group.
type groupRole struct {
	group model.Namespace
	role  model.Access
}

func (h *Handler) roleIn(ctx context.Context, g model.Namespace) (groupRole, error) {
	_, role, err := h.Store.Namespaces.GetGroup(ctx, g.ID, "", access.Reader(ctx))
	return groupRole{g, role.Access}, err
}

// groupBy returns the groups that the parents name by ID, if the caller can see them.
func (h *Handler) groupBy(id func(model.Namespace) *int64) engine.Resolver {
	return engine.Lookup(func(g model.Namespace) (int64, bool) {
		if found := id(g); found != nil {
			return *found, true
		}
		return 0, false
	}, h.visibleGroups)
}

func (h *Handler) visibleGroups(ctx context.Context, ids []int64) (map[int64]model.Namespace, error) {
	return h.Store.Namespaces.VisibleGroups(ctx, ids, access.Reader(ctx))
}

func (h *Handler) group(ctx context.Context, call engine.Call, _ root) (any, error) {
	g, _, err := h.Access.GroupAt(ctx, call.Args.Text("fullPath"), access.ReadGroup)
	return g, err
}

func (h *Handler) groups(ctx context.Context, call engine.Call, _ root) (any, error) {
	args := call.Args
	ids, err := readGIDs(args.Texts("ids"), "Group")
	if err != nil {
		return nil, err
	}
	f := store.GroupFilter{
		Search: args.Text("search"), TopLevelOnly: args.Bool("topLevelOnly"), Owned: args.Bool("ownedOnly"), IDs: ids,
		MemberOnly: !args.Bool("allAvailable"),
	}
	if sort := args.Text("sort"); sort != "" {
		f.OrderBy, f.Desc, err = sortOf(sort, map[string]string{"name": "name", "path": "path", "id": "id"})
		if err != nil {
			return nil, err
		}
	}
	return pageUpTo(args, int(h.Pages), func(p store.Page) ([]model.Namespace, store.Total, error) {
		return h.Store.Namespaces.ListGroups(ctx, f, access.Reader(ctx), p)
	})
}

func (h *Handler) descendantGroups(ctx context.Context, call engine.Call, g model.Namespace) (any, error) {
	f := store.GroupFilter{Below: &g.ID, Search: call.Args.Text("search"), Owned: call.Args.Bool("owned")}
	return pageUpTo(call.Args, int(h.Pages), func(p store.Page) ([]model.Namespace, store.Total, error) {
		return h.Store.Namespaces.ListGroups(ctx, f, access.Reader(ctx), p)
	})
}

// namespace returns a group that the caller can see or, for signed-in users, their own namespace. Administrators see all.
func (h *Handler) namespace(ctx context.Context, call engine.Call, _ root) (any, error) {
	path := call.Args.Text("fullPath")
	reader := access.Reader(ctx)
	if reader == nil {
		g, _, err := h.Access.GroupAt(ctx, path, access.ReadGroup)
		return g, err
	}
	if path == "" {
		return nil, nil
	}
	n, err := h.Store.Namespaces.Get(ctx, 0, path, *reader)
	return n, err
}
