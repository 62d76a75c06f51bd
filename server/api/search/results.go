package search

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/search"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// results finds and presents one page of a scope.
func (s *Search) results(
	ctx context.Context, scope gen.SearchScope, in search.Place, q search.Query, p store.Page,
) ([]gen.SearchResult, store.Total, error) {
	switch scope {
	case gen.SearchScopeProjects:
		rows, total, err := s.search.Projects(ctx, in, q, p)
		return shown(rows, s.show.ProjectSimple), total, err
	case gen.SearchScopeIssues:
		rows, total, err := s.search.Issues(ctx, in, q, p)
		presenter := present.IssuePresenter{Presenter: s.show, Now: clock.Now(ctx), From: pathOf(in)}
		return shown(rows, presenter.Issue), total, err
	case gen.SearchScopeMergeRequests:
		return s.mergeRequests(ctx, in, q, p)
	case gen.SearchScopeMilestones:
		rows, total, err := s.search.Milestones(ctx, in, q, p)
		return shown(rows, s.show.Milestone(clock.Now(ctx))), total, err
	case gen.SearchScopeSnippetTitles:
		rows, total, err := s.search.Snippets(ctx, q, p)
		reader := access.Reader(ctx)
		return shown(rows, s.show.Snippet(reader != nil && reader.Admin)), total, err
	case gen.SearchScopeUsers:
		rows, total, err := s.search.Users(ctx, in, q, p)
		return shown(rows, s.show.UserBasic), total, err
	case gen.SearchScopeNotes:
		rows, total, err := s.search.Notes(ctx, in, q, p)
		return shown(rows, s.note), total, err
	case gen.SearchScopeCommits:
		rows, more, err := s.search.Commits(ctx, in, q, p)
		return shown(rows, s.commit), store.Total{More: more}, err
	case gen.SearchScopeWikiBlobs:
		rows, more, err := s.search.WikiBlobs(ctx, in, q, p)
		return shown(rows, wikiBlob), store.Total{More: more}, err
	default:
		rows, more, err := s.search.Blobs(ctx, in, q, p)
		return shown(rows, blob), store.Total{More: more}, err
	}
}

// shown presents rows.
func shown[T, U any](rows []T, show func(T) U) []gen.SearchResult {
	return present.All(rows, func(row T) gen.SearchResult { return show(row) })
}

// pathOf returns the path of the project or group; empty for the instance.
func pathOf(in search.Place) string {
	switch {
	case in.Project != nil:
		return in.Project.Project.FullPath
	case in.Group != nil:
		return in.Group.FullPath
	}
	return ""
}

func (s *Search) mergeRequests(
	ctx context.Context, in search.Place, q search.Query, p store.Page,
) ([]gen.SearchResult, store.Total, error) {
	rows, total, err := s.search.MergeRequests(ctx, in, q, p)
	if err != nil {
		return nil, total, err
	}
	details, err := s.merges.Details(ctx, rows...)
	presenter := s.show.MergeRequests(present.MergeRequestDetails(details), pathOf(in), clock.Now(ctx))
	return shown(rows, presenter.MergeRequest), total, err
}

// note presents a comment.
func (s *Search) note(n model.FoundNote) gen.Note {
	return present.NotePresenter{Presenter: s.show, On: model.Noteable{IID: n.IID}}.Note(n.NoteRow)
}

// commit presents a commit with its last pipeline.
func (s *Search) commit(c search.Commit) gen.CommitDetail {
	detail := s.show.CommitDetail(c.Project, c.Commit, c.Stats)
	s.show.CommitPipeline(&detail, c.Project, c.Pipeline)
	return detail
}

// blob presents a part of a file.
func blob(b search.Blob) gen.SearchBlob {
	return gen.SearchBlob{
		Basename: b.Basename(), Data: b.Text, Path: b.Path, Filename: b.Path, Ref: b.Ref, Startline: int64(b.Line), ProjectID: b.ProjectID,
	}
}

// wikiBlob presents a part of a page of a wiki.
func wikiBlob(b search.Blob) gen.SearchBlob {
	found := blob(b)
	found.GroupID = wire.Maybe(b.GroupID)
	return found
}
