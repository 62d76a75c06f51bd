package issues

import (
	"context"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
)

// filter reads the filter and the order of a list of issues.
func filter(ctx context.Context, q gen.ListIssuesParams, scope gen.ListScope) (store.IssueFilter, error) {
	f := store.IssueFilter{Confidential: q.Confidential}
	f.IssuableFilter = store.IssuableFilter{
		AuthorID: q.AuthorID, Author: wire.Value(q.AuthorUsername), Assignee: wire.Value(q.AssigneeID),
		Assignees: valueOrNil(q.AssigneeUsername), Labels: valueOrNil(q.Labels),
		Milestone: wire.Value(q.Milestone), Emoji: wire.Value(q.MyReactionEmoji), Search: wire.Value(q.Search),
		IIDs:          valueOrNil(q.Iids),
		CreatedAfter:  q.CreatedAfter.Std(),
		CreatedBefore: q.CreatedBefore.Std(),
		UpdatedAfter:  q.UpdatedAfter.Std(),
		UpdatedBefore: q.UpdatedBefore.Std(),
		Asc:           q.Sort != nil && *q.Sort == gen.SortAsc,
	}
	if q.State != nil && *q.State != gen.IssueStateFilterAll {
		f.State = string(*q.State)
	}
	if q.OrderBy != nil {
		f.OrderBy = string(*q.OrderBy)
	}
	if q.IssueType != nil {
		f.IssueType = string(*q.IssueType)
	}
	f.Weight = strings.ToLower(wire.Value(q.Weight))
	f.Iteration, f.Sprint = strings.ToLower(wire.Value(q.IterationID)), wire.Value(q.IterationTitle)
	if q.DueDate != nil {
		f.Due = string(*q.DueDate)
	}
	if q.MilestoneID != nil {
		if f.Milestone != "" {
			return f, apierr.BadParameter("milestone_id, milestone are mutually exclusive")
		}
		f.Milestone = string(*q.MilestoneID)
	}
	if f.Assignee != "" && len(f.Assignees) > 0 {
		return f, apierr.BadParameter("assignee_id, assignee_username are mutually exclusive")
	}
	for _, in := range valueOrNil(q.In) {
		f.InTitle = f.InTitle || in == gen.SearchInTitle
		f.InDescription = f.InDescription || in == gen.SearchInDescription
	}
	except(ctx, &f, q.Not)
	if q.Scope != nil {
		scope = *q.Scope
	}
	return f, applyScope(ctx, &f, scope)
}

func except(ctx context.Context, f *store.IssueFilter, not *gen.ExceptFilter) {
	if not == nil {
		return
	}
	f.Not = store.IssuableExcept{
		Labels: notValues(ctx, "labels"), Milestone: wire.Value(not.Milestone), AuthorID: not.AuthorID,
		Author: wire.Value(not.AuthorUsername), AssigneeID: not.AssigneeID,
		Assignees: notValues(ctx, "assignee_username"), Emoji: wire.Value(not.MyReactionEmoji),
	}
	for _, number := range notValues(ctx, "iids") {
		if iid, err := strconv.ParseInt(number, 10, 64); err == nil {
			f.Not.IIDs = append(f.Not.IIDs, iid)
		}
	}
}

// maxNotValues is the maximum number of values in one list of the parameter not.
const maxNotValues = 100

// notValues returns a list in the parameter not.
func notValues(ctx context.Context, name string) []string {
	return reqctx.Of(ctx).QueryList("not["+name+"]", maxNotValues)
}

// applyScope limits a list to issues that the caller created or is assigned to.
func applyScope(ctx context.Context, f *store.IssueFilter, scope gen.ListScope) error {
	mine := scope == gen.ListScopeCreatedByMe || scope == gen.ListScopeCreatedByMe1
	assigned := scope == gen.ListScopeAssignedToMe || scope == gen.ListScopeAssignedToMe1
	if !mine && !assigned {
		return nil
	}
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return apierr.Unauthorized()
	}
	id := actor.User.ID
	switch {
	case mine && f.AuthorID == nil && f.Author == "":
		f.AuthorID = &id
	case assigned && f.Assignee == "" && len(f.Assignees) == 0:
		f.Assignee = strconv.FormatInt(id, 10)
	}
	return nil
}

func valueOrNil[T any](given *[]T) []T {
	if given == nil {
		return nil
	}
	return *given
}
