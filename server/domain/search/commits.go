package search

import (
	"context"
	"errors"
	"slices"
	"strings"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Commit is a commit that was found, with what is shown with it.
type Commit struct {
	git.Commit

	Project  model.Project
	Stats    *git.Stats
	Pipeline *model.Pipeline // its last one; nil if there is none or the caller sees no pipelines
}

// Commits finds commits by message or by the beginning of their id: those of a revision of a project, or those on the default
// branches of the projects with the latest activity. The newest commits of a project come first.
func (s *Service) Commits(ctx context.Context, in Place, q Query, p store.Page) ([]Commit, bool, error) {
	if q.term() == "" || in.Project != nil && !readsCode(*in.Project) || p.Offset >= maxFound {
		return nil, false, nil
	}
	if strings.ContainsAny(q.term(), "\r\n") {
		return nil, false, apierr.BadParameter("search is invalid: commits are searched for by one line")
	}
	leave, err := s.turn(ctx)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	if in.Project != nil {
		found, more, err := s.projectCommits(ctx, *in.Project, q, p)
		if err != nil {
			return nil, false, explain(err)
		}
		found, err = s.withPipelines(ctx, found)
		return commitsOf(found), more, err
	}
	rows, err := s.store.Projects.ListWithCode(ctx, in.scope(ctx, q), maxRepos)
	if err != nil {
		return nil, false, err
	}
	found, err := s.commitsOfMany(ctx, rows, q, p.Offset+p.Limit+1)
	if err != nil {
		return nil, false, err
	}
	found = found[min(p.Offset, len(found)):]
	more := len(found) > p.Limit
	found, err = s.withPipelines(ctx, found[:min(p.Limit, len(found))])
	return commitsOf(found), more, err
}

// foundCommit is a commit that was found, and its project as the caller sees it.
type foundCommit struct {
	Commit

	row model.ProjectRow
}

func commitsOf(found []foundCommit) []Commit {
	all := make([]Commit, len(found))
	for i, f := range found {
		all[i] = f.Commit
	}
	return all
}

// commitsOfMany searches several repositories. It stops after a time and returns what it has found until then.
func (s *Service) commitsOfMany(ctx context.Context, rows []model.ProjectRow, q Query, want int) ([]foundCommit, error) {
	limited, stop := context.WithTimeout(ctx, maxTime)
	defer stop()
	var found []foundCommit
	for _, row := range rows {
		some, _, err := s.projectCommits(limited, row, q, store.Page{Limit: want - len(found)})
		if limited.Err() != nil || errors.Is(err, git.ErrTooSlow) {
			break
		}
		if err != nil {
			return nil, err
		}
		if found = append(found, some...); len(found) >= want {
			break
		}
	}
	return found, ctx.Err()
}

// projectCommits returns commits of a project.
func (s *Service) projectCommits(ctx context.Context, row model.ProjectRow, q Query, p store.Page) ([]foundCommit, bool, error) {
	at, exists, err := s.projectPlace(ctx, row.Project, q.Ref)
	if err != nil || !exists {
		return nil, false, err
	}
	ids, err := at.commitIDs(ctx, q.term(), p)
	if err != nil || len(ids) == 0 {
		return nil, false, err
	}
	more := len(ids) > p.Limit
	commits, err := at.repo.Commits(ctx, ids[:min(p.Limit, len(ids))])
	if err != nil {
		return nil, false, err
	}
	stats, err := at.repo.CommitStats(ctx, ids[:len(commits)])
	found := make([]foundCommit, len(commits))
	for i, c := range commits {
		of := stats[c.ID]
		found[i] = foundCommit{Commit{Commit: c, Project: row.Project, Stats: &of}, row}
	}
	return found, more, err
}

// leastID is how many digits of an id are enough to look for it.
const leastID = 7

// commitIDs returns the ids of a page of commits and of the next one: first the commit whose id begins with the text.
func (in place) commitIDs(ctx context.Context, text string, p store.Page) ([]string, error) {
	filter := git.LogFilter{From: in.commit, Message: text}
	prefix := strings.ToLower(text)
	if len(prefix) < leastID || len(prefix) > len(git.Zero) || strings.Trim(prefix, "0123456789abcdef") != "" {
		return in.repo.Log(ctx, filter, p.Offset, p.Limit+1)
	}
	named, err := in.repo.Resolve(ctx, prefix)
	if errors.Is(err, git.ErrNotFound) || err == nil && !strings.HasPrefix(named, prefix) {
		return in.repo.Log(ctx, filter, p.Offset, p.Limit+1)
	}
	if err != nil {
		return nil, err
	}
	ids, err := in.repo.Log(ctx, filter, max(p.Offset-1, 0), p.Limit+1)
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == named })
	if p.Offset == 0 {
		ids = append([]string{named}, ids...)
	}
	return ids[:min(len(ids), p.Limit+1)], err
}

// withPipelines adds the last pipelines, in one statement.
func (s *Service) withPipelines(ctx context.Context, found []foundCommit) ([]foundCommit, error) {
	var wanted []model.ProjectCommit
	for _, f := range found {
		if f.row.ReadsJobs() {
			wanted = append(wanted, model.ProjectCommit{ProjectID: f.Project.ID, SHA: f.ID})
		}
	}
	last, err := s.store.Pipelines.LastOfCommits(ctx, wanted)
	for i, f := range found {
		found[i].Pipeline = last[model.ProjectCommit{ProjectID: f.Project.ID, SHA: f.ID}]
	}
	return found, err
}
