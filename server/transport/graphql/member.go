package graphql

import (
	"context"
	"strconv"
	"strings"

	"svc/server/platform/access"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

func (h *Handler) memberTypes() map[string]engine.Resolvers {
	fields := func(class string) engine.Resolvers {
		return engine.Resolvers{
			"id":          engine.Value(func(m model.MemberRow) any { return gid(class, m.Member.ID) }),
			"accessLevel": engine.Value(func(m model.MemberRow) any { return m.Member.AccessLevel }),
			"user":        engine.Value(func(m model.MemberRow) any { return m.User }),
			"createdAt":   engine.Value(func(m model.MemberRow) any { return m.Member.CreatedAt }),
			"updatedAt":   engine.Value(func(m model.MemberRow) any { return m.Member.UpdatedAt }),
			"expiresAt":   engine.Value(func(m model.MemberRow) any { return m.Member.ExpiresAt }),
			"createdBy": engine.Value(func(m model.MemberRow) any {
				if m.Maker == nil {
					return nil
				}
				return *m.Maker
			}),
		}
	}
	ofGroup, ofProject := fields("GroupMember"), fields("ProjectMember")
	ofGroup["group"] = engine.Lookup(func(m model.MemberRow) (int64, bool) {
		return m.Member.SourceID, m.Member.SourceType == model.SourceGroup
	}, h.visibleGroups)
	ofProject["project"] = engine.Lookup(func(m model.MemberRow) (int64, bool) {
		return m.Member.SourceID, m.Member.SourceType == model.SourceProject
	}, h.visibleProjects)
	return map[string]engine.Resolvers{"GroupMember": ofGroup, "ProjectMember": ofProject}
}

// relations reads the argument of lists of members.
func relations(args engine.Args) store.MemberRelations {
	var rel store.MemberRelations
	for _, name := range args.Texts("relations") {
		switch strings.ToUpper(name) {
		case "DIRECT":
			rel.Direct = true
		case "INHERITED":
			rel.Inherited = true
		case "DESCENDANTS":
			rel.Descendants = true
		case "SHARED_FROM_GROUPS", "INVITED_GROUPS":
			rel.Shared = true
		}
	}
	return rel
}

func (h *Handler) groupMembers(ctx context.Context, call engine.Call, g model.Namespace) (any, error) {
	if _, _, err := h.Access.Group(ctx, strconv.FormatInt(g.ID, 10), access.ReadGroupMember); err != nil {
		return nil, err
	}
	f := store.MemberFilter{SourceType: model.SourceGroup, SourceID: g.ID, Query: call.Args.Text("search")}
	return h.members(ctx, call, f)
}

func (h *Handler) projectMembers(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadProjectMember); err != nil {
		return nil, err
	}
	f := store.MemberFilter{SourceType: model.SourceProject, SourceID: row.Project.ID, Query: call.Args.Text("search")}
	return h.members(ctx, call, f)
}

func (h *Handler) members(ctx context.Context, call engine.Call, f store.MemberFilter) (any, error) {
	return page(call.Args, func(p store.Page) ([]model.MemberRow, store.Total, error) {
		return h.Store.Members.ListByRelations(ctx, f, relations(call.Args), access.Reader(ctx), p)
	})
}

func (h *Handler) groupMemberships(ctx context.Context, call engine.Call, u model.User) (any, error) {
	return h.memberships(ctx, call, u, model.SourceGroup)
}

func (h *Handler) projectMemberships(ctx context.Context, call engine.Call, u model.User) (any, error) {
	return h.memberships(ctx, call, u, model.SourceProject)
}

func (h *Handler) memberships(ctx context.Context, call engine.Call, u model.User, source string) (any, error) {
	if !isSelfOrAdmin(ctx, u) {
		return nil, nil
	}
	return page(call.Args, func(p store.Page) ([]model.MemberRow, store.Total, error) {
		return h.Store.Members.ListRowsByUser(ctx, u, source, p)
	})
}
