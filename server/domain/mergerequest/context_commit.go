package mergerequest

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// maxContextCommits is the largest number of context commits of a merge request.
const maxContextCommits = 100

// badContextCommit is the text of the error about a commit that does not exist or is no context commit.
const badContextCommit = "One or more context commits' sha is not valid."

var commitID = regexp.MustCompile(`^[0-9a-fA-F]{7,40}$`)

// AddContextCommits adds commits of the repository of a project to the context of a merge request. If one of them cannot
// be added, none is.
func (s *Service) AddContextCommits(
	ctx context.Context, p model.Project, mr model.MergeRequest, ids []string,
) ([]git.Commit, error) {
	commits, err := s.findCommits(ctx, p, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]model.ContextCommit, len(commits))
	for i, c := range commits {
		content, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		rows[i] = model.ContextCommit{MergeRequestID: mr.ID, SHA: c.ID, Content: string(content), CommittedAt: c.Committer.When.UTC()}
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		done := contextChange(p, mr, "merge_request_context_commits_added", "Added context commits")
		return done, s.addContextCommits(ctx, mr, rows)
	})
	return commits, err
}

// findCommits finds the commits that a caller names, without repetitions.
func (s *Service) findCommits(ctx context.Context, p model.Project, ids []string) ([]git.Commit, error) {
	repo, err := s.merger.Repo(p)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, id := range ids {
		if !commitID.MatchString(id) {
			return nil, apierr.Refused(badContextCommit)
		}
		full, err := repo.Resolve(ctx, strings.ToLower(id))
		unknown := errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrBadName)
		if unknown || err == nil && !strings.HasPrefix(full, strings.ToLower(id)) {
			return nil, apierr.Refused(badContextCommit)
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(found, full) {
			found = append(found, full)
		}
	}
	return repo.Commits(ctx, found)
}

// addContextCommits writes the rows, unless the merge request has one of them or would have too many.
func (s *Service) addContextCommits(ctx context.Context, mr model.MergeRequest, rows []model.ContextCommit) error {
	known, err := s.store.ContextCommits.SHAs(ctx, mr.ID)
	if err != nil {
		return err
	}
	var twice []string
	for _, row := range rows {
		if slices.Contains(known, row.SHA) {
			twice = append(twice, row.SHA)
		}
	}
	if len(twice) > 0 {
		return apierr.Refused("Context commits: " + strings.Join(twice, ", ") + " are already created")
	}
	if len(known)+len(rows) > maxContextCommits {
		return apierr.Refused("A merge request can have at most 100 context commits")
	}
	err = s.store.ContextCommits.Create(ctx, rows)
	var conflict *store.ConflictError
	if errors.As(err, &conflict) { // another request has just added it
		return apierr.Refused("Context commits are already created")
	}
	return err
}

// RemoveContextCommits removes commits from the context of a merge request. If one of them is not part of it, none is
// removed.
func (s *Service) RemoveContextCommits(ctx context.Context, p model.Project, mr model.MergeRequest, ids []string) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		done := contextChange(p, mr, "merge_request_context_commits_removed", "Removed context commits")
		known, err := s.store.ContextCommits.SHAs(ctx, mr.ID)
		if err != nil {
			return done, err
		}
		var gone []string
		for _, id := range ids {
			at := slices.IndexFunc(known, func(sha string) bool { return strings.HasPrefix(sha, strings.ToLower(id)) })
			if at < 0 || !commitID.MatchString(id) {
				return done, apierr.Refused(badContextCommit)
			}
			gone = append(gone, known[at])
		}
		return done, s.store.ContextCommits.Delete(ctx, mr.ID, gone)
	})
}

func contextChange(p model.Project, mr model.MergeRequest, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: model.OnMergeRequest, ID: mr.ID, Details: mr.Title},
	}
}

// ContextCommits returns one page of the context commits of a merge request, newest first.
func (v *Viewer) ContextCommits(ctx context.Context, mr model.MergeRequest, p store.Page) ([]git.Commit, store.Total, error) {
	rows, total, err := v.store.ContextCommits.List(ctx, mr.ID, p)
	if err != nil {
		return nil, total, err
	}
	commits := make([]git.Commit, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal([]byte(row.Content), &commits[i]); err != nil {
			return nil, total, err
		}
	}
	return commits, total, nil
}
