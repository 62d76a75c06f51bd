package badges

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
)

// placeholders returns the values of the placeholders that badges can use. It reads the repository only for
// placeholders that one of the badges uses.
func (b *Badges) placeholders(ctx context.Context, in owner, rows ...model.Badge) (present.Placeholders, error) {
	var values present.Placeholders
	if in.group != "" {
		values.Put("group_name", in.group)
	}
	if in.project == nil {
		return values, nil
	}
	p := in.project.Project
	values.Put("project_path", p.FullPath)
	values.Put("project_title", p.Name)
	values.Put("project_name", p.Path)
	values.Put("project_id", strconv.FormatInt(p.ID, 10))
	values.Put("project_namespace", in.project.Place.FullPath)
	if !in.project.ReadsCode() {
		return values, nil
	}
	values.Put("default_branch", p.DefaultBranch)
	named := func(name string) bool {
		return slices.ContainsFunc(rows, func(r model.Badge) bool {
			return strings.Contains(r.LinkURL+" "+r.ImageURL, "%{"+name+"}")
		})
	}
	if !named("commit_sha") && !named("latest_tag") {
		return values, nil
	}
	repo, err := b.repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
	if err != nil {
		return values, err
	}
	if named("commit_sha") {
		if _, id := repo.Head(); id != "" {
			values.Put("commit_sha", id)
		}
	}
	if !named("latest_tag") {
		return values, nil
	}
	tag, err := latestTag(ctx, repo)
	if tag != "" {
		values.Put("latest_tag", tag)
	}
	return values, err
}

// latestTag returns the tag whose commit is the newest.
func latestTag(ctx context.Context, repo git.Repo) (string, error) {
	if !repo.Exists() {
		return "", nil
	}
	tags, err := repo.Tags(ctx)
	if err != nil || len(tags) == 0 {
		return "", err
	}
	tags = slices.DeleteFunc(tags, func(t git.Tag) bool { return t.Commit == "" })
	ids := make([]string, len(tags))
	for i, t := range tags {
		ids[i] = t.Commit
	}
	commits, err := repo.Commits(ctx, ids)
	if err != nil || len(commits) == 0 {
		return "", err
	}
	last := 0
	for i := range commits {
		if commits[i].Committer.When.After(commits[last].Committer.When) {
			last = i
		}
	}
	return tags[last].Name, nil
}
