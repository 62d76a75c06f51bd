package load

import (
	"context"
	"errors"

	"svc/server/domain/mergerequest/approval"
	"svc/server/domain/mergerequest/mergestatus"
	"svc/server/domain/mergerequest/statuscheck"
	"svc/server/domain/webhook/payload"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Issue reads an issue with its people and labels. Call it before and after a change to compare both.
func (l *Loader) Issue(ctx context.Context, id int64) (model.IssueRow, error) {
	return l.store.Issues.GetByID(ctx, id, everything)
}

// MergeRequest reads a merge request with everything that bodies show of it. Call it before and after a change to
// compare both.
func (l *Loader) MergeRequest(ctx context.Context, projectID, iid int64) (payload.MergeRequestState, error) {
	var s payload.MergeRequestState
	var err error
	if s.Row, err = l.store.MergeRequests.GetShown(ctx, projectID, iid); err != nil {
		return s, err
	}
	m := s.Row.MergeRequest
	if s.Row.Project == nil {
		return s, &store.NotFoundError{Resource: "Project"} // it was deleted in this moment
	}
	target := *s.Row.Project
	facts := mergestatus.Facts{Project: target, Pipeline: s.Row.Pipeline, Unresolved: s.Row.Unresolved}
	approvals, err := approval.Load(ctx, l.store, []model.MergeRequest{m})
	if err != nil {
		return s, err
	}
	approvals[m.ID].Describe(&facts)
	if target.OnlyAllowMergeIfAllStatusChecksPassed {
		missing, err := statuscheck.Missing(ctx, l.store, m)
		if err != nil {
			return s, err
		}
		facts.ChecksPending = missing[m.ID]
	}
	s.DetailedStatus = mergestatus.Detailed(m, facts)
	if len(s.Row.Reviewers) > 0 {
		if s.Reviewers, err = l.store.MergeRequests.Reviewers(ctx, m.ID); err != nil {
			return s, err
		}
	}
	if m.SourceProjectID != nil && *m.SourceProjectID == m.ProjectID {
		s.Source = &target
	} else if s.Source, err = l.projectOrNil(ctx, m.SourceProjectID); err != nil {
		return s, err
	}
	if s.FirstContribution, err = l.store.MergeRequests.IsFirstContribution(ctx, m); err != nil {
		return s, err
	}
	protected, err := l.Protections(ctx, m.ProjectID)
	if err != nil {
		return s, err
	}
	s.TargetProtected = protected.Protect(branchPrefix + m.TargetBranch)
	s.LastCommit, err = l.head(ctx, s)
	return s, err
}

// head reads the head of the source branch. A merge request of a fork has it in the fork, and soon in the target, too.
func (l *Loader) head(ctx context.Context, s payload.MergeRequestState) (*git.Commit, error) {
	sha := s.Row.MergeRequest.HeadSHA
	if s.Source != nil && s.Source.ID != s.Row.Project.ID {
		if c, err := l.commitOrNil(ctx, *s.Source, sha); err != nil || c != nil {
			return c, err
		}
	}
	return l.commitOrNil(ctx, *s.Row.Project, sha)
}

// NoteTarget reads what a note is on.
func (l *Loader) NoteTarget(ctx context.Context, project model.Project, n model.Note) (payload.Target, error) {
	id, commit := int64(0), ""
	if n.NoteableID != nil {
		id = *n.NoteableID
	}
	if n.CommitID != nil {
		commit = *n.CommitID
	}
	return l.target(ctx, project, n.NoteableType, id, commit)
}

// EmojiTarget reads what an emoji is on: if that is a note, the note and what the note is on.
func (l *Loader) EmojiTarget(ctx context.Context, project model.Project, a model.AwardEmoji) (*model.Note, payload.Target, error) {
	if a.AwardableType != model.OnNote {
		target, err := l.target(ctx, project, a.AwardableType, a.AwardableID, "")
		return nil, target, err
	}
	note, err := l.store.Notes.Find(ctx, a.AwardableID)
	if err != nil {
		return nil, payload.Target{}, err
	}
	target, err := l.NoteTarget(ctx, project, note)
	return &note, target, err
}

func (l *Loader) target(ctx context.Context, project model.Project, kind string, id int64, commit string) (payload.Target, error) {
	var t payload.Target
	var err error
	switch kind {
	case model.OnIssue:
		issue, err := l.Issue(ctx, id)
		t.Issue = &issue
		return t, err
	case model.OnMergeRequest:
		row, err := l.store.MergeRequests.Find(ctx, id)
		if err != nil {
			return t, err
		}
		state, err := l.MergeRequest(ctx, row.ProjectID, row.IID)
		t.MergeRequest = &state
		return t, err
	case model.OnSnippet:
		t.Snippet, err = l.snippet(ctx, id)
		return t, err
	}
	t.Commit, err = l.commitOrNil(ctx, project, commit)
	if t.Commit == nil {
		t.Commit = &git.Commit{ID: commit}
	}
	return t, err
}

// maxFile is how many bytes of a snippet's file or a wiki page bodies show. A larger one is shown empty.
const maxFile = 1 << 20

// snippet reads a snippet and its first file.
func (l *Loader) snippet(ctx context.Context, id int64) (*payload.SnippetFile, error) {
	row, err := l.store.Snippets.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	file := &payload.SnippetFile{Snippet: row.Snippet}
	if paths := row.Snippet.Paths(); len(paths) > 0 && row.Snippet.Head != "" {
		repo := l.repos.Snippet(row.Snippet.RepositoryStorage, row.Snippet.ID)
		file.Content, err = content(ctx, repo, row.Snippet.Head, paths[0])
	}
	return file, err
}

// WikiContent reads a page of a project's wiki. version is the id of a commit, path the file of the page.
func (l *Loader) WikiContent(ctx context.Context, p model.Project, version, path string) (string, error) {
	return content(ctx, l.repos.ProjectWiki(p.RepositoryStorage, p.ID), version, path)
}

// content reads a file; one that is gone or too large is empty.
func content(ctx context.Context, repo git.Repo, commit, path string) (string, error) {
	entry, err := repo.TreeAt(ctx, commit, path)
	var data []byte
	if err == nil {
		_, data, err = repo.Object(ctx, entry.ID, maxFile)
	}
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrTooLarge) {
		return "", nil
	}
	return string(data), err
}
