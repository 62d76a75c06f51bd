package mergerequests

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListMergeRequests lists the merge requests of all projects that the caller can see.
// GET /merge_requests
func (m *MergeRequests) ListMergeRequests(
	ctx context.Context, req gen.ListMergeRequestsRequestObject,
) (gen.ListMergeRequestsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadMergeRequests); err != nil {
		return nil, err
	}
	q := gen.ListProjectMergeRequestsParams(req.Params)
	if q.Scope == nil {
		mine := gen.MergeRequestScope("created_by_me")
		q.Scope = &mine
	}
	rows, window, total, err := m.list(ctx, store.IssuableScope{Reader: access.Reader(ctx), NonArchived: wire.Value(q.NonArchived)}, q, "")
	if err != nil {
		return nil, err
	}
	return gen.ListMergeRequests200JSONResponse{Body: rows, Headers: gen.ListMergeRequests200ResponseHeaders(window.Headers(total))}, nil
}

// ListGroupMergeRequests lists the merge requests of a group.
// GET /groups/{id}/merge_requests
func (m *MergeRequests) ListGroupMergeRequests(
	ctx context.Context, req gen.ListGroupMergeRequestsRequestObject,
) (gen.ListGroupMergeRequestsResponseObject, error) {
	group, _, err := m.access.Group(ctx, req.ID, access.ReadGroupMergeRequest)
	if err != nil {
		return nil, err
	}
	q := gen.ListProjectMergeRequestsParams(req.Params)
	scope := store.IssuableScope{GroupID: &group.ID, Reader: access.Reader(ctx), NonArchived: wire.Value(q.NonArchived)}
	rows, window, total, err := m.list(ctx, scope, q, group.FullPath)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListGroupMergeRequests200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListProjectMergeRequests lists the merge requests of a project.
// GET /projects/{id}/merge_requests
func (m *MergeRequests) ListProjectMergeRequests(
	ctx context.Context, req gen.ListProjectMergeRequestsRequestObject,
) (gen.ListProjectMergeRequestsResponseObject, error) {
	row, err := m.access.Project(ctx, req.ID, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	rows, window, total, err := m.list(ctx, store.InProject(row, access.Reader(ctx)), req.Params, row.Project.FullPath)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequests200ResponseHeaders(window.Headers(total)),
	}, nil
}

// list reads one page. If the request asks for it, list schedules a check of the merge requests that have not been
// checked yet.
func (m *MergeRequests) list(
	ctx context.Context, scope store.IssuableScope, q gen.ListProjectMergeRequestsParams, relative string,
) ([]gen.MergeRequestListed, pagination.Window, store.Total, error) {
	window, err := m.window(ctx, "MergeRequest", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, window, store.Total{}, err
	}
	rows, total, err := m.store.MergeRequests.List(ctx, scope, filter(ctx, q), window.Page)
	if err != nil {
		return nil, window, total, err
	}
	if wire.Value(q.WithMergeStatusRecheck) && scope.Reader != nil {
		err = m.store.Tx(ctx, func(ctx context.Context) error {
			for i := range rows {
				if mr := rows[i].MergeRequest; mr.State == model.Opened && mr.MergeStatus == model.MergeUnchecked {
					if err := m.merger.Enqueue(ctx, mergerequest.CheckJob{ID: mr.ID}); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, window, total, err
		}
	}
	if q.View != nil && *q.View == gen.MergeRequestViewSimple {
		return present.All(rows, m.show.MergeRequestSimple), window, total, nil
	}
	show, err := m.show.List(ctx, rows, wire.Value(q.WithLabelsDetails), relative)
	return present.All(rows, func(row model.MergeRequestRow) gen.MergeRequestListed { return show.MergeRequest(row) }), window, total, err
}

// filter reads the filter and the order of a list of merge requests.
func filter(ctx context.Context, q gen.ListProjectMergeRequestsParams) store.MergeRequestFilter {
	f := store.MergeRequestFilter{
		SourceBranch: wire.Value(q.SourceBranch), TargetBranch: wire.Value(q.TargetBranch), Draft: q.Draft,
		Reviewer: wire.Value(q.ReviewerID), ReviewerName: wire.Value(q.ReviewerUsername),
		MergeUserID: q.MergeUserID, MergeUser: wire.Value(q.MergeUserUsername), SourceProjectID: q.SourceProjectID,
	}
	f.Milestone, f.AuthorID, f.Author, f.Assignee = wire.Value(q.Milestone),
		q.AuthorID, wire.Value(q.AuthorUsername), wire.Value(q.AssigneeID)
	f.Emoji, f.Search, f.Asc = wire.Value(q.MyReactionEmoji), wire.Value(q.Search), q.Sort != nil && *q.Sort == gen.SortAsc
	if q.State != nil && *q.State != "all" {
		f.State = string(*q.State)
	}
	if q.OrderBy != nil {
		f.OrderBy = string(*q.OrderBy)
	}
	if q.Wip != nil {
		draft := *q.Wip == "yes"
		f.Draft = &draft
	}
	f.Labels, f.Assignees, f.IIDs, f.ApprovedByNames = valueOrNil(q.Labels), valueOrNil(q.AssigneeUsername),
		valueOrNil(q.MergeRequestIIDs), valueOrNil(q.ApprovedByUsernames)
	if q.In != nil {
		f.InTitle, f.InDescription = slices.Contains(*q.In, "title"), slices.Contains(*q.In, "description")
	}
	for _, id := range valueOrNil(q.ApprovedByIds) {
		f.ApprovedBy = append(f.ApprovedBy, approver(id))
	}
	times(&f, q)
	except(ctx, &f, q.Not)
	scoped(ctx, &f, q.Scope)
	return f
}

func valueOrNil[T any](given *[]T) []T {
	if given == nil {
		return nil
	}
	return *given
}

// approver parses an approver: a user ID, nobody (0) or anybody (-1).
func approver(text string) int64 {
	switch {
	case strings.EqualFold(text, store.None):
		return 0
	case strings.EqualFold(text, store.Any):
		return -1
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 1<<62 - 1 // no user has this ID
	}
	return id
}

func times(f *store.MergeRequestFilter, q gen.ListProjectMergeRequestsParams) {
	if q.CreatedAfter != nil {
		f.CreatedAfter = &q.CreatedAfter.Time
	}
	if q.CreatedBefore != nil {
		f.CreatedBefore = &q.CreatedBefore.Time
	}
	if q.UpdatedAfter != nil {
		f.UpdatedAfter = &q.UpdatedAfter.Time
	}
	if q.UpdatedBefore != nil {
		f.UpdatedBefore = &q.UpdatedBefore.Time
	}
	if q.MergedAfter != nil {
		f.MergedAfter = &q.MergedAfter.Time
	}
	if q.MergedBefore != nil {
		f.MergedBefore = &q.MergedBefore.Time
	}
}

func except(ctx context.Context, f *store.MergeRequestFilter, not *gen.MergeRequestNot) {
	if not == nil {
		return
	}
	labels, names := notValues(ctx, "labels"), notValues(ctx, "assignee_username")
	var numbers []int64
	for _, text := range notValues(ctx, "iids") {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	f.Not = store.IssuableExcept{
		Labels: labels, Milestone: wire.Value(not.Milestone), AuthorID: not.AuthorID,
		Author: wire.Value(not.AuthorUsername), AssigneeID: not.AssigneeID,
		Assignees: names, Emoji: wire.Value(not.MyReactionEmoji), IIDs: numbers,
	}
	f.NotSource, f.NotTarget = wire.Value(not.SourceBranch), wire.Value(not.TargetBranch)
	f.NotReviewerID, f.NotReviewer = not.ReviewerID, wire.Value(not.ReviewerUsername)
}

// maxNotValues is the maximum number of values in one list of the parameter not.
const maxNotValues = 100

// notValues returns a list in the parameter not.
func notValues(ctx context.Context, name string) []string {
	return reqctx.Of(ctx).QueryList("not["+name+"]", maxNotValues)
}

// scoped limits a list to merge requests that the caller created, is assigned to or reviews.
func scoped(ctx context.Context, f *store.MergeRequestFilter, scope *gen.MergeRequestScope) {
	if scope == nil {
		return
	}
	me := caller(ctx)
	switch strings.ReplaceAll(string(*scope), "-", "_") {
	case "created_by_me":
		if f.AuthorID == nil && f.Author == "" {
			f.AuthorID = &me
		}
	case "assigned_to_me":
		f.Assignee = strconv.FormatInt(me, 10)
		if me == 0 {
			f.Assignee = "-1" // matches nobody
		}
	case "reviews_for_me":
		f.Reviewer = strconv.FormatInt(me, 10)
		if me == 0 {
			f.Reviewer = "-1"
		}
	}
}
