package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// filterFrom adds the query parameters to a filter.
func filterFrom(ctx context.Context, f store.ProjectFilter, q gen.ListProjectsParams) store.ProjectFilter {
	actor := reqctx.Of(ctx).Actor
	if q.Search != nil {
		f.Search, f.SearchNamespaces = *q.Search, wire.Value(q.SearchNamespaces)
	}
	if wire.Value(q.Membership) {
		f.MinAccess = model.Guest
	}
	if q.MinAccessLevel != nil {
		f.MinAccess = max(f.MinAccess, model.Access(*q.MinAccessLevel))
	}
	if wire.Value(q.Owned) {
		f.MinAccess = model.Owner
	}
	if wire.Value(q.Starred) {
		f.StarredBy = new(int64) // no user has this id, so an anonymous caller gets an empty list
		if actor != nil {
			f.StarredBy = &actor.User.ID
		}
	}
	f.Visibility = visibilityFrom(q.Visibility)
	if q.Topic != nil {
		f.Topics = *q.Topic
	}
	f.Language = wire.Value(q.WithProgrammingLanguage)
	if actor != nil && actor.User.Admin {
		f.Storage, f.CustomAttributes = wire.Value(q.RepositoryStorage), attributes(q.CustomAttributes)
	}
	f.Archived, f.WithIssues, f.WithMerges = q.Archived, q.WithIssuesEnabled, q.WithMergeRequestsEnabled
	f.IDAfter, f.IDBefore = q.IDAfter, q.IDBefore
	f.ActiveAfter, f.ActiveBefore = q.LastActivityAfter.Std(), q.LastActivityBefore.Std()
	return f
}

func attributes(given *gen.ProjectCustomAttributes) map[string]string {
	if given == nil {
		return nil
	}
	return *given
}
