package graphql

import (
	"context"
	"strconv"
	"strings"

	"svc/server/domain/mergerequest/approval"
	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

// mergeRequestNode is a merge request with its project as the caller sees it.
type mergeRequestNode struct {
	row model.MergeRequestRow
	in  model.ProjectRow
}

func (n mergeRequestNode) project() model.ProjectRow { return n.in }

func (h *Handler) mergeRequestTypes() map[string]engine.Resolvers {
	refs := engine.Resolvers{
		"baseSha":  engine.Value(func(r diffRefs) any { return orNull(&r.base) }),
		"headSha":  engine.Value(func(r diffRefs) any { return r.head }),
		"startSha": engine.Value(func(r diffRefs) any { return r.start }),
	}
	return map[string]engine.Resolvers{
		"Query":        {"mergeRequest": engine.One(h.mergeRequestByID)},
		"Project":      {"mergeRequest": engine.One(h.mergeRequestOfProject), "mergeRequests": engine.One(h.mergeRequestsOfProject)},
		"Group":        {"mergeRequests": engine.One(h.mergeRequestsOfGroup)},
		"MergeRequest": h.mergeRequestFields(),
		"DiffRefs":     refs,
		"MergeRequestPermissions": {
			"readMergeRequest": engine.Value(func(mergeRequestNode) any { return true }),
			"createNote":       may[mergeRequestNode](access.CreateNote),
			"updateMergeRequest": engine.Seen(func(ctx context.Context, n mergeRequestNode) any {
				actor, err := signedIn(ctx)
				return err == nil && access.InProject(ctx, n.in, access.UpdateMergeRequest) == nil &&
					(n.in.Role() >= model.Developer || n.row.MergeRequest.AuthorID == actor.User.ID)
			}),
			"adminMergeRequest": may[mergeRequestNode](access.AdminMergeRequest),
			"canApprove":        may[mergeRequestNode](access.ApproveMergeRequest),
		},
	}
}

// diffRefs are the commits that a diff compares.
type diffRefs struct{ base, head, start string }

func ofMergeRequest(read func(model.MergeRequest) any) engine.Resolver {
	return engine.Value(func(n mergeRequestNode) any { return read(n.row.MergeRequest) })
}

func (h *Handler) mergeRequestFields() engine.Resolvers {
	fields := h.mergeRequestRelations()
	for name, resolve := range (engine.Resolvers{
		"id":               ofMergeRequest(func(m model.MergeRequest) any { return gid("MergeRequest", m.ID) }),
		"iid":              ofMergeRequest(func(m model.MergeRequest) any { return strconv.FormatInt(m.IID, 10) }),
		"title":            ofMergeRequest(func(m model.MergeRequest) any { return m.Title }),
		"description":      ofMergeRequest(func(m model.MergeRequest) any { return m.Description }),
		"state":            ofMergeRequest(func(m model.MergeRequest) any { return m.State }),
		"draft":            ofMergeRequest(func(m model.MergeRequest) any { return m.Draft }),
		"sourceBranch":     ofMergeRequest(func(m model.MergeRequest) any { return m.SourceBranch }),
		"targetBranch":     ofMergeRequest(func(m model.MergeRequest) any { return m.TargetBranch }),
		"sourceProjectId":  ofMergeRequest(func(m model.MergeRequest) any { return m.SourceProjectID }),
		"targetProjectId":  ofMergeRequest(func(m model.MergeRequest) any { return m.ProjectID }),
		"diffHeadSha":      ofMergeRequest(func(m model.MergeRequest) any { return orNull(&m.HeadSHA) }),
		"createdAt":        ofMergeRequest(func(m model.MergeRequest) any { return m.CreatedAt }),
		"updatedAt":        ofMergeRequest(func(m model.MergeRequest) any { return m.UpdatedAt }),
		"mergedAt":         ofMergeRequest(func(m model.MergeRequest) any { return m.MergedAt }),
		"closedAt":         ofMergeRequest(func(m model.MergeRequest) any { return m.ClosedAt }),
		"mergeCommitSha":   ofMergeRequest(func(m model.MergeRequest) any { return m.MergeCommitSHA }),
		"squash":           ofMergeRequest(func(m model.MergeRequest) any { return m.Squash }),
		"discussionLocked": ofMergeRequest(func(m model.MergeRequest) any { return m.DiscussionLocked != nil && *m.DiscussionLocked }),
		"upvotes":          ofMergeRequest(func(m model.MergeRequest) any { return m.Upvotes }),
		"downvotes":        ofMergeRequest(func(m model.MergeRequest) any { return m.Downvotes }),
		"userNotesCount":   ofMergeRequest(func(m model.MergeRequest) any { return m.UserNotesCount }),
		"conflicts": ofMergeRequest(func(m model.MergeRequest) any {
			return m.State == model.Opened && m.MergeStatus == model.MergeRefused
		}),
		"diffRefs": ofMergeRequest(func(m model.MergeRequest) any {
			if m.HeadSHA == "" {
				return nil
			}
			return diffRefs{m.BaseSHA, m.HeadSHA, m.StartSHA}
		}),
	}) {
		fields[name] = resolve
	}
	return fields
}

// mergeRequestRelations are the fields that depend on the caller or on other tables.
func (h *Handler) mergeRequestRelations() engine.Resolvers {
	return engine.Resolvers{
		"webUrl": engine.Value(func(n mergeRequestNode) any {
			return naming.MergeRequestURL(h.Base, n.in.Project.FullPath, n.row.MergeRequest.IID)
		}),
		"webPath": engine.Value(func(n mergeRequestNode) any {
			return naming.MergeRequestURL(h.path(""), n.in.Project.FullPath, n.row.MergeRequest.IID)
		}),
		"reference": engine.Batch(func(_ context.Context, call engine.Call, all []mergeRequestNode) ([]any, error) {
			return references(call, all, "!", func(n mergeRequestNode) (string, int64) {
				return n.in.Project.FullPath, n.row.MergeRequest.IID
			}), nil
		}),
		"author":              engine.Value(func(n mergeRequestNode) any { return person(n.row.Author) }),
		"mergeUser":           engine.Value(func(n mergeRequestNode) any { return person(n.row.MergedBy) }),
		"assignees":           sliceOf(func(n mergeRequestNode) []any { return people(n.row.Assignees) }),
		"reviewers":           sliceOf(func(n mergeRequestNode) []any { return people(n.row.Reviewers) }),
		"labels":              sliceOf(func(n mergeRequestNode) []any { return labels(n.row.Labels) }),
		"milestone":           engine.Value(func(n mergeRequestNode) any { return milestoneOf(n.row.Milestone) }),
		"mergeable":           engine.Batch(h.mergeable),
		"detailedMergeStatus": engine.Batch(h.detailedStatus),
		"approved":            engine.Batch(h.approved),
		"approvedBy":          engine.Batch(h.approvedBy),
		"headPipeline": engine.Value(func(n mergeRequestNode) any {
			p := n.row.Pipeline
			if p == nil || p.ProjectID != n.in.Project.ID || !n.in.ReadsJobs() {
				return nil
			}
			return pipelineNode{model.PipelineRow{Pipeline: *p}, n.in, false}
		}),
		"discussions":     engine.One(h.discussionsOfMergeRequest),
		"notes":           engine.One(h.notesOfMergeRequest),
		"userPermissions": engine.Value(func(n mergeRequestNode) any { return n }),
	}
}

func rowsOf(all []mergeRequestNode) []model.MergeRequestRow {
	rows := make([]model.MergeRequestRow, len(all))
	for i, n := range all {
		rows[i] = n.row
	}
	return rows
}

func (h *Handler) statuses(ctx context.Context, all []mergeRequestNode) ([]string, error) {
	details, err := h.Viewer.Details(ctx, rowsOf(all)...)
	out := make([]string, len(all))
	for i, n := range all {
		out[i] = details.Status[n.row.MergeRequest.ID]
	}
	return out, err
}

func (h *Handler) mergeable(ctx context.Context, _ engine.Call, all []mergeRequestNode) ([]any, error) {
	statuses, err := h.statuses(ctx, all)
	values := make([]any, len(all))
	for i, s := range statuses {
		values[i] = s == "mergeable"
	}
	return values, err
}

func (h *Handler) detailedStatus(ctx context.Context, _ engine.Call, all []mergeRequestNode) ([]any, error) {
	statuses, err := h.statuses(ctx, all)
	values := make([]any, len(all))
	for i, s := range statuses {
		values[i] = strings.ToUpper(s)
	}
	return values, err
}

func (h *Handler) approvals(ctx context.Context, all []mergeRequestNode) (map[int64]approval.State, error) {
	rows := make([]model.MergeRequest, len(all))
	for i, n := range all {
		rows[i] = n.row.MergeRequest
	}
	return approval.Load(ctx, h.Store, rows)
}

func (h *Handler) approved(ctx context.Context, _ engine.Call, all []mergeRequestNode) ([]any, error) {
	states, err := h.approvals(ctx, all)
	values := make([]any, len(all))
	for i, n := range all {
		values[i] = states[n.row.MergeRequest.ID].Approved()
	}
	return values, err
}

func (h *Handler) approvedBy(ctx context.Context, call engine.Call, all []mergeRequestNode) ([]any, error) {
	states, err := h.approvals(ctx, all)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, s := range states {
		ids = append(ids, s.ApprovedBy...)
	}
	users, err := h.Store.Users.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	values := make([]any, len(all))
	for i, n := range all {
		found := []any{}
		for _, id := range states[n.row.MergeRequest.ID].ApprovedBy {
			if u, ok := users[id]; ok {
				found = append(found, u)
			}
		}
		if values[i], err = engine.Slice(call.Args, found); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (h *Handler) mergeRequestOfProject(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadMergeRequest); err != nil {
		return nil, err
	}
	iid, err := readIID(call.Args.Text("iid"))
	if err != nil {
		return nil, err
	}
	found, err := h.Store.MergeRequests.GetShown(ctx, row.Project.ID, iid)
	return mergeRequestNode{found, row}, err
}

func (h *Handler) mergeRequestByID(ctx context.Context, call engine.Call, _ root) (any, error) {
	id, err := readGID(call.Args.Text("id"), "MergeRequest")
	if err != nil {
		return nil, err
	}
	return h.findMergeRequest(ctx, id, access.ReadMergeRequest)
}

// findMergeRequest returns a merge request of a project where the caller has the ability.
func (h *Handler) findMergeRequest(ctx context.Context, id int64, ability access.Ability) (mergeRequestNode, error) {
	found, err := h.Store.MergeRequests.Find(ctx, id)
	if err != nil {
		return mergeRequestNode{}, err
	}
	row, err := h.Access.Project(ctx, strconv.FormatInt(found.ProjectID, 10), ability)
	if err != nil {
		return mergeRequestNode{}, err
	}
	shown, err := h.Store.MergeRequests.GetShown(ctx, found.ProjectID, found.IID)
	return mergeRequestNode{shown, row}, err
}

func (h *Handler) mergeRequestsOfProject(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadMergeRequest); err != nil {
		return nil, err
	}
	return h.listMergeRequests(ctx, call.Args, store.InProject(row, access.Reader(ctx)), &row)
}

func (h *Handler) mergeRequestsOfGroup(ctx context.Context, call engine.Call, g model.Namespace) (any, error) {
	if _, _, err := h.Access.Group(ctx, strconv.FormatInt(g.ID, 10), access.ReadGroupMergeRequest); err != nil {
		return nil, err
	}
	return h.listMergeRequests(ctx, call.Args, store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}, nil)
}

// listMergeRequests lists merge requests. row is their project, if all have the same.
func (h *Handler) listMergeRequests(
	ctx context.Context, args engine.Args, scope store.IssuableScope, row *model.ProjectRow,
) (any, error) {
	common, err := issuableFilter(args)
	if err != nil {
		return nil, err
	}
	f := store.MergeRequestFilter{IssuableFilter: common, Draft: args.BoolPtr("draft"), ReviewerName: args.Text("reviewerUsername")}
	for name, to := range map[string]*string{"sourceBranches": &f.SourceBranch, "targetBranches": &f.TargetBranch} {
		if names := args.Texts(name); len(names) == 1 {
			*to = names[0]
		} else if len(names) > 1 {
			return nil, &engine.Error{Message: "'" + name + "' can have one branch"}
		}
	}
	if f.MergedAfter, err = args.Time("mergedAfter"); err == nil {
		f.MergedBefore, err = args.Time("mergedBefore")
	}
	if err != nil {
		return nil, &engine.Error{Message: err.Error()}
	}
	return page(args, func(p store.Page) ([]mergeRequestNode, store.Total, error) {
		rows, total, err := h.Store.MergeRequests.List(ctx, scope, f, p)
		if err != nil {
			return nil, total, err
		}
		in, err := projectsOf(ctx, h, row, rows, func(r model.MergeRequestRow) int64 { return r.MergeRequest.ProjectID })
		nodes := make([]mergeRequestNode, len(rows))
		for i, r := range rows {
			nodes[i] = mergeRequestNode{r, in(r.MergeRequest.ProjectID)}
		}
		return nodes, total, err
	})
}
