package mergerequests

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store"
)

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
	readTimes(&f, q)
	readNot(ctx, &f, q.Not)
	readScope(ctx, &f, q.Scope)
	return f
}

// valueOrNil returns the list, or nil if it is not given.
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

// readTimes reads the filters by time.
func readTimes(f *store.MergeRequestFilter, q gen.ListProjectMergeRequestsParams) {
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
