package tags

import (
	"context"

	"svc/gen"
	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
)

// presentAll presents tags. It reads the protection rules, the commits and the releases once for all tags.
func (t *Tags) presentAll(ctx context.Context, row model.ProjectRow, repo git.Repo, tags []git.Tag) ([]gen.Tag, error) {
	rules, err := t.pusher.Protection(ctx, row)
	if err != nil {
		return nil, err
	}
	commits, err := commitsOf(ctx, repo, tags)
	if err != nil {
		return nil, err
	}
	releases, err := t.releasesOf(ctx, row, tags)
	if err != nil {
		return nil, err
	}
	out := make([]gen.Tag, len(tags))
	for i, tag := range tags {
		state := present.TagState{Commit: commits[tag.Commit], Protected: rules.Tag(tag.Name)}
		if release, ok := releases[tag.Name]; ok {
			state.Release = &release
		}
		out[i] = t.show.Tag(row.Project, tag, state)
	}
	return out, nil
}

// releasesOf reads the releases of the tags, if the caller can see releases.
func (t *Tags) releasesOf(ctx context.Context, row model.ProjectRow, tags []git.Tag) (map[string]model.Release, error) {
	if !row.ReadsReleases() {
		return nil, nil
	}
	names := make([]string, len(tags))
	for i, tag := range tags {
		names[i] = tag.Name
	}
	return t.store.Releases.ByTags(ctx, row.Project.ID, names)
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
