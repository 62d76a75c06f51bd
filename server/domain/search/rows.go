package search

import (
	"context"
	"strconv"
	"strings"

	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// Projects finds projects by name, path and description.
func (s *Service) Projects(ctx context.Context, in Place, q Query, p store.Page) ([]model.ProjectRow, store.Total, error) {
	if q.term() == "" || in.Project != nil {
		return nil, store.Total{}, nil
	}
	f := store.ProjectFilter{Search: q.term(), SearchTexts: true}
	if archived := false; !q.IncludeArchived {
		f.Archived = &archived
	}
	if in.Group != nil {
		f.Below = &in.Group.ID
	}
	return s.store.Projects.List(ctx, f, store.ProjectOrder{Column: "created_at", Desc: !q.Oldest}, access.Reader(ctx), p)
}

// Groups finds groups by name and path.
func (s *Service) Groups(ctx context.Context, q Query, p store.Page) ([]model.Namespace, store.Total, error) {
	if q.term() == "" {
		return nil, store.Total{}, nil
	}
	return s.store.Namespaces.ListGroups(ctx, store.GroupFilter{Search: q.term()}, access.Reader(ctx), p)
}

// Issues finds issues by title and description, or one by its number if the text is like #12.
func (s *Service) Issues(ctx context.Context, in Place, q Query, p store.Page) ([]model.IssueRow, store.Total, error) {
	if q.term() == "" || in.Project != nil && !in.Project.ReadsIssues() {
		return nil, store.Total{}, nil
	}
	return s.store.Issues.List(ctx, in.scope(ctx, q), store.IssueFilter{
		IssuableFilter: q.issuables("#"), Confidential: q.Confidential,
	}, p)
}

// MergeRequests finds merge requests by title and description, or one by its number if the text is like !12.
func (s *Service) MergeRequests(ctx context.Context, in Place, q Query, p store.Page) ([]model.MergeRequestRow, store.Total, error) {
	if q.term() == "" || in.Project != nil && !in.Project.ReadsMergeRequests() {
		return nil, store.Total{}, nil
	}
	return s.store.MergeRequests.List(ctx, in.scope(ctx, q), store.MergeRequestFilter{IssuableFilter: q.issuables("!")}, p)
}

// issuables returns the filter of issues or merge requests, whose numbers follow a sign.
func (q Query) issuables(sign string) store.IssuableFilter {
	f := store.IssuableFilter{State: q.State, Asc: q.Oldest}
	if digits, isNumber := strings.CutPrefix(q.term(), sign); isNumber {
		if number, err := strconv.ParseInt(digits, 10, 64); err == nil {
			f.IIDs = []int64{number}
			return f
		}
	}
	f.Search, f.InTitle = q.term(), q.InTitle
	return f
}

// Milestones finds milestones by title and description. Those of a project are for people who see its issues or merge
// requests.
func (s *Service) Milestones(ctx context.Context, in Place, q Query, p store.Page) ([]model.MilestoneRow, store.Total, error) {
	if q.term() == "" {
		return nil, store.Total{}, nil
	}
	return s.store.Milestones.Search(ctx, in.scope(ctx, q), q.term(), q.Oldest, p)
}

// Snippets finds snippets of the instance by title, description and file name.
func (s *Service) Snippets(ctx context.Context, q Query, p store.Page) ([]model.SnippetRow, store.Total, error) {
	if q.term() == "" {
		return nil, store.Total{}, nil
	}
	return s.store.Snippets.List(ctx, store.SnippetFilter{Search: q.term(), Asc: q.Oldest}, access.Reader(ctx), p)
}

// Users finds active users by name, username and whole address: all users, the members of a project, or those of a group and
// of everything below it. Administrators also find users by their private addresses on the instance.
func (s *Service) Users(ctx context.Context, in Place, q Query, p store.Page) ([]model.User, store.Total, error) {
	if q.term() == "" {
		return nil, store.Total{}, nil
	}
	if in.Project != nil || in.Group != nil {
		return s.store.Users.SearchMembers(ctx, in.scope(ctx, q), q.term(), q.Oldest, p)
	}
	reader := access.Reader(ctx)
	f := store.UserFilter{
		Search: q.term(), Active: true, WithoutProjectBots: true, ExcludeInternal: true,
		SearchPrivateEmail: reader != nil && reader.Admin,
	}
	return s.store.Users.List(ctx, f, store.UserOrder{Column: "id", Desc: !q.Oldest}, p)
}

// Notes finds comments on issues, merge requests and commits. System notes are not found.
func (s *Service) Notes(ctx context.Context, in Place, q Query, p store.Page) ([]model.FoundNote, store.Total, error) {
	if q.term() == "" {
		return nil, store.Total{}, nil
	}
	return s.store.Notes.Search(ctx, in.scope(ctx, q), q.term(), q.Oldest, p)
}
