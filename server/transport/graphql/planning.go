package graphql

import (
	"context"
	"strconv"

	"svc/server/platform/access"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

func (h *Handler) planningTypes() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{
		"Project": {
			"labels":     engine.One(h.labelsOfProject),
			"milestones": engine.One(h.milestonesOfProject),
			"boards":     engine.One(h.boardsOfProject),
		},
		"Group": {
			"labels":     engine.One(h.labelsOfGroup),
			"milestones": engine.One(h.milestonesOfGroup),
		},
		"Label": {
			"id":          engine.Value(func(l model.Label) any { return labelID(l) }),
			"title":       engine.Value(func(l model.Label) any { return l.Name }),
			"description": engine.Value(func(l model.Label) any { return l.Description }),
			"color":       engine.Value(func(l model.Label) any { return l.Color }),
			"createdAt":   engine.Value(func(l model.Label) any { return l.CreatedAt }),
			"updatedAt":   engine.Value(func(l model.Label) any { return l.UpdatedAt }),
		},
		"Milestone": h.milestoneFields(),
		"Board": {
			"id":        engine.Value(func(b model.BoardRow) any { return gid("Board", b.Board.ID) }),
			"name":      engine.Value(func(b model.BoardRow) any { return b.Board.Name }),
			"createdAt": engine.Value(func(b model.BoardRow) any { return b.Board.CreatedAt }),
			"updatedAt": engine.Value(func(b model.BoardRow) any { return b.Board.UpdatedAt }),
			"lists":     engine.Value(func(b model.BoardRow) any { return append([]model.BoardListRow{}, b.Lists...) }),
		},
		"BoardList": {
			"id":       engine.Value(func(l model.BoardListRow) any { return gid("List", l.List.ID) }),
			"title":    engine.Value(func(l model.BoardListRow) any { return l.Label.Name }),
			"position": engine.Value(func(l model.BoardListRow) any { return l.List.Position }),
			"label":    engine.Value(func(l model.BoardListRow) any { return l.Label }),
		},
	}
}

func (h *Handler) milestoneFields() engine.Resolvers {
	return engine.Resolvers{
		"id":          engine.Value(func(m model.MilestoneRow) any { return gid("Milestone", m.Milestone.ID) }),
		"iid":         engine.Value(func(m model.MilestoneRow) any { return m.Milestone.IID }),
		"title":       engine.Value(func(m model.MilestoneRow) any { return m.Milestone.Title }),
		"description": engine.Value(func(m model.MilestoneRow) any { return m.Milestone.Description }),
		"state":       engine.Value(func(m model.MilestoneRow) any { return m.Milestone.State }),
		"startDate":   engine.Value(func(m model.MilestoneRow) any { return m.Milestone.StartDate }),
		"dueDate":     engine.Value(func(m model.MilestoneRow) any { return m.Milestone.DueDate }),
		"createdAt":   engine.Value(func(m model.MilestoneRow) any { return m.Milestone.CreatedAt }),
		"updatedAt":   engine.Value(func(m model.MilestoneRow) any { return m.Milestone.UpdatedAt }),
		"webPath": engine.Value(func(m model.MilestoneRow) any {
			at := "/"
			if m.Milestone.GroupID != nil {
				at = "/groups/"
			}
			return h.path(at + m.Place + "/-/milestones/" + strconv.FormatInt(m.Milestone.IID, 10))
		}),
	}
}

func labelID(l model.Label) string {
	if l.GroupID != nil {
		return gid("GroupLabel", l.ID)
	}
	return gid("ProjectLabel", l.ID)
}

func labels(all []model.Label) []any {
	out := []any{}
	for _, l := range all {
		out = append(out, l)
	}
	return out
}

func milestoneOf(m *model.MilestoneRow) any {
	if m == nil {
		return nil
	}
	return *m
}

func (h *Handler) listLabels(ctx context.Context, args engine.Args, owner store.ResourceOwner) (any, error) {
	f := store.LabelFilter{Search: args.Text("searchTerm"), Ancestors: args.Bool("includeAncestorGroups"), Times: true}
	return page(args, func(p store.Page) ([]model.Label, store.Total, error) {
		rows, total, err := h.Store.Labels.List(ctx, owner, f, p)
		out := make([]model.Label, len(rows))
		for i, r := range rows {
			out[i] = r.Label
		}
		return out, total, err
	})
}

func (h *Handler) labelsOfProject(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadLabel); err != nil {
		return nil, err
	}
	return h.listLabels(ctx, call.Args, store.OwnedByProject(row.Project))
}

func (h *Handler) labelsOfGroup(ctx context.Context, call engine.Call, g model.Namespace) (any, error) {
	if _, _, err := h.Access.Group(ctx, strconv.FormatInt(g.ID, 10), access.ReadGroupLabel); err != nil {
		return nil, err
	}
	return h.listLabels(ctx, call.Args, store.OwnedByGroup(g))
}

func (h *Handler) listMilestones(ctx context.Context, args engine.Args, owner store.ResourceOwner) (any, error) {
	f := store.MilestoneFilter{State: args.Text("state"), Title: args.Text("title"), Ancestors: args.Bool("includeAncestors")}
	return page(args, func(p store.Page) ([]model.MilestoneRow, store.Total, error) {
		return h.Store.Milestones.List(ctx, owner, f, p)
	})
}

func (h *Handler) milestonesOfProject(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadMilestone); err != nil {
		return nil, err
	}
	return h.listMilestones(ctx, call.Args, store.OwnedByProject(row.Project))
}

func (h *Handler) milestonesOfGroup(ctx context.Context, call engine.Call, g model.Namespace) (any, error) {
	if _, _, err := h.Access.Group(ctx, strconv.FormatInt(g.ID, 10), access.ReadGroupMilestone); err != nil {
		return nil, err
	}
	return h.listMilestones(ctx, call.Args, store.OwnedByGroup(g))
}

func (h *Handler) boardsOfProject(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadBoard); err != nil {
		return nil, err
	}
	return page(call.Args, func(p store.Page) ([]model.BoardRow, store.Total, error) {
		return h.Store.Boards.List(ctx, store.OwnedByProject(row.Project), p)
	})
}
