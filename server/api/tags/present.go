package tags

import (
	"context"

	"svc/gen"
	"svc/store/git"
	"svc/store/model"
)

// presentAll presents tags. It reads the protection rules and the commits once for all tags.
func (t *Tags) presentAll(ctx context.Context, row model.ProjectRow, repo git.Repo, tags []git.Tag) ([]gen.Tag, error) {
	rules, err := t.pusher.Protection(ctx, row)
	if err != nil {
		return nil, err
	}
	commits, err := commitsOf(ctx, repo, tags)
	if err != nil {
		return nil, err
	}
	out := make([]gen.Tag, len(tags))
	for i, tag := range tags {
		out[i] = t.show.Tag(row.Project, tag, commits[tag.Commit], rules.Tag(tag.Name))
	}
	return out, nil
}

// commitsOf reads the commits that the tags point to. A tag need not point to a commit.
func commitsOf(ctx context.Context, repo git.Repo, tags []git.Tag) (map[string]*git.Commit, error) {
	var ids []string
	for _, tag := range tags {
		if tag.Commit != "" {
			ids = append(ids, tag.Commit)
		}
	}
	rows, err := repo.Commits(ctx, ids)
	if err != nil {
		return nil, err
	}
	commits := make(map[string]*git.Commit, len(rows))
	for i := range rows {
		commits[rows[i].ID] = &rows[i]
	}
	return commits, nil
}
