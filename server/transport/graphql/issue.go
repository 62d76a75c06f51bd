package graphql

import (
	"context"
	"strconv"
	"strings"
	"time"

	"svc/server/domain/issue"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

// issueNode is an issue with its project as the caller sees it.
type issueNode struct {
	row model.IssueRow
	in  model.ProjectRow
}

func (h *Handler) issueTypes() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{
		"Query":   {"issue": engine.One(h.issueByID)},
		"Project": {"issue": engine.One(h.issueOfProject), "issues": engine.One(h.issuesOfProject)},
		"Group":   {"issues": engine.One(h.issuesOfGroup)},
		"Issue":   h.issueFields(),
		"IssuePermissions": {
			"readIssue":   engine.Value(func(issueNode) any { return true }),
			"createNote":  may[issueNode](access.CreateNote),
			"updateIssue": engine.Seen(mayUpdateIssue),
			"adminIssue":  may[issueNode](access.AdminIssue),
		},
	}
}

// inProject is a value that belongs to a project.
type inProject interface{ project() model.ProjectRow }

func (n issueNode) project() model.ProjectRow { return n.in }

// may reports whether the caller has an ability in the project of a value.
func may[T inProject](ability access.Ability) engine.Resolver {
	return engine.Seen(func(ctx context.Context, v T) any { return access.InProject(ctx, v.project(), ability) == nil })
}

// mayUpdateIssue reports whether the caller can change an issue.
func mayUpdateIssue(ctx context.Context, n issueNode) any {
	_, err := signedIn(ctx)
	return err == nil && access.InProject(ctx, n.in, access.UpdateIssue) == nil && issue.CheckMayChange(ctx, n.in, n.row) == nil
}

func ofIssue(read func(model.Issue) any) engine.Resolver {
	return engine.Value(func(n issueNode) any { return read(n.row.Issue) })
}

func (h *Handler) issueFields() engine.Resolvers {
	return engine.Resolvers{
		"id":               ofIssue(func(i model.Issue) any { return gid("Issue", i.ID) }),
		"iid":              ofIssue(func(i model.Issue) any { return i.IID }),
		"title":            ofIssue(func(i model.Issue) any { return i.Title }),
		"description":      ofIssue(func(i model.Issue) any { return i.Description }),
		"state":            ofIssue(func(i model.Issue) any { return i.State }),
		"type":             ofIssue(func(i model.Issue) any { return strings.ToUpper(i.IssueType) }),
		"confidential":     ofIssue(func(i model.Issue) any { return i.Confidential }),
		"discussionLocked": ofIssue(func(i model.Issue) any { return i.DiscussionLocked != nil && *i.DiscussionLocked }),
		"createdAt":        ofIssue(func(i model.Issue) any { return i.CreatedAt }),
		"updatedAt":        ofIssue(func(i model.Issue) any { return i.UpdatedAt }),
		"closedAt":         ofIssue(func(i model.Issue) any { return i.ClosedAt }),
		"dueDate":          ofIssue(func(i model.Issue) any { return i.DueDate }),
		"upvotes":          ofIssue(func(i model.Issue) any { return i.Upvotes }),
		"downvotes":        ofIssue(func(i model.Issue) any { return i.Downvotes }),
		"userNotesCount":   ofIssue(func(i model.Issue) any { return i.UserNotesCount }),
		"timeEstimate":     ofIssue(func(i model.Issue) any { return i.TimeEstimate }),
		"totalTimeSpent":   ofIssue(func(i model.Issue) any { return i.TotalTimeSpent }),
		"projectId":        ofIssue(func(i model.Issue) any { return i.ProjectID }),
		"weight": ofIssue(func(i model.Issue) any {
			if !h.Paid {
				return nil
			}
			return i.Weight
		}),
		"webUrl": engine.Value(func(n issueNode) any {
			return naming.IssueURL(h.Base, n.in.Project.FullPath, n.row.Issue.IID)
		}),
		"webPath": engine.Value(func(n issueNode) any {
			return naming.IssueURL(h.path(""), n.in.Project.FullPath, n.row.Issue.IID)
		}),
		"reference": engine.Batch(func(_ context.Context, call engine.Call, all []issueNode) ([]any, error) {
			return references(call, all, "#", func(n issueNode) (string, int64) { return n.in.Project.FullPath, n.row.Issue.IID }), nil
		}),
		"author":          engine.Value(func(n issueNode) any { return person(n.row.Author) }),
		"assignees":       sliceOf(func(n issueNode) []any { return people(n.row.Assignees) }),
		"labels":          sliceOf(func(n issueNode) []any { return labels(n.row.Labels) }),
		"milestone":       engine.Value(func(n issueNode) any { return milestoneOf(n.row.Milestone) }),
		"discussions":     engine.One(h.discussionsOfIssue),
		"notes":           engine.One(h.notesOfIssue),
		"userPermissions": engine.Value(func(n issueNode) any { return n }),
	}
}

// references returns #1 or group/project#1.
func references[T any](call engine.Call, all []T, sign string, of func(T) (path string, iid int64)) []any {
	values := make([]any, len(all))
	for i, one := range all {
		path, iid := of(one)
		if !call.Args.Bool("full") {
			path = ""
		}
		values[i] = path + sign + strconv.FormatInt(iid, 10)
	}
	return values
}

// person returns a user; null if it is gone.
func person(u *model.User) any {
	if u == nil {
		return nil
	}
	return *u
}

func people(all []*model.User) []any {
	out := []any{}
	for _, u := range all {
		out = append(out, *u)
	}
	return out
}

// sliceOf makes a connection of a list that each parent has.
func sliceOf[T any](read func(T) []any) engine.Resolver {
	return engine.Batch(func(_ context.Context, call engine.Call, all []T) ([]any, error) {
		values := make([]any, len(all))
		for i, one := range all {
			page, err := engine.Slice(call.Args, read(one))
			if err != nil {
				return nil, err
			}
			values[i] = page
		}
		return values, nil
	})
}

// readIID reads the number of an issue or merge request.
func readIID(text string) (int64, error) {
	iid, err := strconv.ParseInt(text, 10, 64)
	if err != nil || iid <= 0 {
		return 0, apierr.RecordNotFound()
	}
	return iid, nil
}

func (h *Handler) issueOfProject(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadIssue); err != nil {
		return nil, err
	}
	iid, err := readIID(call.Args.Text("iid"))
	if err != nil {
		return nil, err
	}
	found, err := h.Store.Issues.Get(ctx, store.InProject(row, access.Reader(ctx)), iid)
	return issueNode{found, row}, err
}

func (h *Handler) issueByID(ctx context.Context, call engine.Call, _ root) (any, error) {
	id, err := readGID(call.Args.Text("id"), "Issue", "WorkItem")
	if err != nil {
		return nil, err
	}
	return h.findIssue(ctx, id, access.ReadIssue)
}

// findIssue returns an issue that the caller can see, in a project where the caller has the ability.
func (h *Handler) findIssue(ctx context.Context, id int64, ability access.Ability) (issueNode, error) {
	found, err := h.Store.Issues.GetByID(ctx, id, access.Reader(ctx))
	if err != nil {
		return issueNode{}, err
	}
	row, err := h.Access.Project(ctx, strconv.FormatInt(found.Issue.ProjectID, 10), ability)
	return issueNode{found, row}, err
}

// issuableFilter reads the arguments that lists of issues and of merge requests share.
func issuableFilter(args engine.Args) (store.IssuableFilter, error) {
	f := store.IssuableFilter{
		Search: args.Text("search"), Labels: args.Texts("labelName"), Author: args.Text("authorUsername"), OrderBy: "created_at",
	}
	if state := args.Text("state"); state != "all" {
		f.State = state
	}
	if names := args.Texts("milestoneTitle"); len(names) > 0 {
		f.Milestone = names[0]
	}
	if name := args.Text("assigneeUsername"); name != "" {
		f.Assignees = []string{name}
	}
	numbers := args.Texts("iids")
	if one := args.Text("iid"); one != "" {
		numbers = append(numbers, one)
	}
	if len(numbers) > maxIDs {
		return f, &engine.Error{Message: "Too many numbers"}
	}
	for _, text := range numbers {
		iid, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return f, &engine.Error{Message: "'iids' must be numbers"}
		}
		f.IIDs = append(f.IIDs, iid)
	}
	for name, to := range map[string]**time.Time{
		"createdAfter": &f.CreatedAfter, "createdBefore": &f.CreatedBefore, "updatedAfter": &f.UpdatedAfter,
		"updatedBefore": &f.UpdatedBefore,
	} {
		var err error
		if *to, err = args.Time(name); err != nil {
			return f, &engine.Error{Message: err.Error()}
		}
	}
	if sort := args.Text("sort"); sort != "" {
		column, desc, err := sortOf(sort, issuableSorts)
		if err != nil {
			return f, err
		}
		f.OrderBy, f.Asc = column, !desc
	}
	return f, nil
}

var issuableSorts = map[string]string{
	"created": "created_at", "created_at": "created_at", "updated": "updated_at", "updated_at": "updated_at", "title": "title",
	"popularity": "popularity", "due_date": "due_date", "merged_at": "merged_at", "relative_position": "relative_position",
}

func (h *Handler) issuesOfProject(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadIssue); err != nil {
		return nil, err
	}
	return h.listIssues(ctx, call.Args, store.InProject(row, access.Reader(ctx)), &row)
}

func (h *Handler) issuesOfGroup(ctx context.Context, call engine.Call, g model.Namespace) (any, error) {
	if _, _, err := h.Access.Group(ctx, strconv.FormatInt(g.ID, 10), access.ReadGroupIssue); err != nil {
		return nil, err
	}
	return h.listIssues(ctx, call.Args, store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}, nil)
}

// listIssues lists issues. row is their project, if all have the same.
func (h *Handler) listIssues(ctx context.Context, args engine.Args, scope store.IssuableScope, row *model.ProjectRow) (any, error) {
	common, err := issuableFilter(args)
	if err != nil {
		return nil, err
	}
	f := store.IssueFilter{IssuableFilter: common, Confidential: args.BoolPtr("confidential")}
	if kinds := args.Texts("types"); len(kinds) == 1 {
		f.IssueType = strings.ToLower(kinds[0])
	} else if len(kinds) > 1 {
		return nil, &engine.Error{Message: "'types' can have one type"}
	}
	return page(args, func(p store.Page) ([]issueNode, store.Total, error) {
		rows, total, err := h.Store.Issues.List(ctx, scope, f, p)
		if err != nil {
			return nil, total, err
		}
		in, err := projectsOf(ctx, h, row, rows, func(r model.IssueRow) int64 { return r.Issue.ProjectID })
		nodes := make([]issueNode, len(rows))
		for i, r := range rows {
			nodes[i] = issueNode{r, in(r.Issue.ProjectID)}
		}
		return nodes, total, err
	})
}

// projectsOf returns a function that finds the project of a row. If all rows are in one project, it reads nothing.
func projectsOf[T any](
	ctx context.Context, h *Handler, one *model.ProjectRow, rows []T, id func(T) int64,
) (func(int64) model.ProjectRow, error) {
	if one != nil {
		return func(int64) model.ProjectRow { return *one }, nil
	}
	ids, known := []int64{}, map[int64]bool{}
	for _, r := range rows {
		if !known[id(r)] {
			known[id(r)] = true
			ids = append(ids, id(r))
		}
	}
	found, err := h.visibleProjects(ctx, ids)
	return func(id int64) model.ProjectRow { return found[id] }, err
}
