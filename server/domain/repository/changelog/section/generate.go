package section

import (
	"context"
	"strings"

	"svc/server/domain/repository/changelog"
	"svc/store/git"
	"svc/store/model"
)

// Generate generates a section without committing it.
func (s *Service) Generate(ctx context.Context, row model.ProjectRow, r Request) (string, error) {
	repo, err := s.pusher.Repo(row.Project)
	if err != nil {
		return "", err
	}
	notes, err := s.notes(ctx, row, repo, r)
	return notes, apiError(err)
}

// notes generates a section of the changelog.
func (s *Service) notes(ctx context.Context, row model.ProjectRow, repo git.Repo, r Request) (string, error) {
	config, err := configOf(ctx, repo, r)
	if err != nil {
		return "", err
	}
	from, to, err := rangeOf(ctx, repo, config, r)
	if err != nil {
		return "", err
	}
	most, err := s.maxCommits(ctx, repo, from, to)
	if err != nil {
		return "", err
	}
	picker := changelog.NewPicker(r.Trailer)
	if err := repo.EachWithTrailers(ctx, from, to, most, func(t git.CommitTrailers) {
		picker.Add(changelog.Commit{ID: t.ID, Message: t.Message, Email: t.Email, Trailers: t.Trailers})
	}); err != nil {
		return "", err
	}
	authors, err := s.authors(ctx, row, config, picker.Picked)
	if err != nil {
		return "", err
	}
	entries := make([]changelog.Entry, len(picker.Picked))
	for i, p := range picker.Picked {
		entries[i] = changelog.Entry{
			Title: p.Title, Category: p.Category, Trailers: p.Trailers, Author: authors[strings.ToLower(p.Email)],
			Reference: row.Project.FullPath + "@" + p.ID, WebURL: s.baseURL + "/" + row.Project.FullPath + "/-/commit/" + p.ID,
		}
	}
	return config.Section(r.Version, r.Date, entries)
}

// maxCommits returns the maximum number of commits to read. It refuses a range with more commits than that. Without the limit
// it returns -1, and git reads all commits.
func (s *Service) maxCommits(ctx context.Context, repo git.Repo, from, to string) (int, error) {
	if !s.limited {
		return -1, nil
	}
	n, err := repo.CountRange(ctx, from, to, changelog.MaxCommits+1)
	if err == nil && n > changelog.MaxCommits {
		err = changelog.ErrTooMany
	}
	return changelog.MaxCommits, err
}
