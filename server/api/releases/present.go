package releases

import (
	"context"
	"errors"
	"maps"
	"slices"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/markdown"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// presentOne presents a release of a project.
func (r *Releases) presentOne(ctx context.Context, row model.ProjectRow, one model.ReleaseRow, html bool) (gen.Release, error) {
	shown, err := r.presentAll(ctx, row, []model.ReleaseRow{one}, html)
	if err != nil {
		return gen.Release{}, err
	}
	return shown[0], nil
}

// presentAll presents releases of one project. It reads the commits and the rules for tags once for all releases.
func (r *Releases) presentAll(
	ctx context.Context, row model.ProjectRow, rows []model.ReleaseRow, html bool,
) ([]gen.Release, error) {
	view, err := r.view(ctx, row, rows)
	if err != nil {
		return nil, err
	}
	if html {
		if view.HTML, err = renderAll(rows); err != nil {
			return nil, err
		}
	}
	return present.All(rows, func(one model.ReleaseRow) gen.Release { return r.show.Release(one, view) }), nil
}

// renderAll returns the notes of releases as HTML, by the id of the release.
func renderAll(rows []model.ReleaseRow) (map[int64]string, error) {
	all := make(map[int64]string, len(rows))
	for _, row := range rows {
		page, err := markdown.Render([]byte(wire.Value(row.Release.Description)), markdown.Options{})
		if err != nil {
			return nil, err
		}
		all[row.Release.ID] = string(page.HTML)
	}
	return all, nil
}

// presentOfProjects presents releases of several projects, in their order. The rules for tags are not read, so a release
// of a project that has some shows no edit_url.
func (r *Releases) presentOfProjects(ctx context.Context, rows []model.ReleaseRow, simple bool) ([]gen.Release, error) {
	byProject := map[int64][]model.ReleaseRow{}
	for _, row := range rows {
		byProject[row.Release.ProjectID] = append(byProject[row.Release.ProjectID], row)
	}
	projects, err := r.store.Projects.Rows(ctx, slices.Collect(maps.Keys(byProject)), access.Reader(ctx))
	if err != nil {
		return nil, err
	}
	views := make(map[int64]present.ReleaseView, len(projects))
	for id, project := range projects {
		view := present.ReleaseView{Project: project, Now: clock.Now(ctx)}
		may := isDeveloper(project) && !byProject[id][0].Protected
		view.MayChange = func(model.Release) bool { return may }
		if !simple && project.ReadsCode() {
			if view.Commits, err = r.commitsOf(ctx, project.Project, byProject[id]); err != nil {
				return nil, err
			}
		}
		views[id] = view
	}
	rows = slices.DeleteFunc(rows, func(row model.ReleaseRow) bool {
		_, known := projects[row.Release.ProjectID]
		return !known // the project was deleted meanwhile
	})
	return present.All(rows, func(row model.ReleaseRow) gen.Release {
		view := views[row.Release.ProjectID]
		if simple {
			return r.show.ReleaseSimple(row.Release, view)
		}
		return r.show.Release(row, view)
	}), nil
}

// view reads what the presentation of releases of one project needs.
func (r *Releases) view(ctx context.Context, row model.ProjectRow, rows []model.ReleaseRow) (present.ReleaseView, error) {
	view := present.ReleaseView{Project: row, Now: clock.Now(ctx)}
	may, err := r.mayChange(ctx, row, rows)
	if err != nil {
		return view, err
	}
	view.MayChange = may
	if row.ReadsCode() {
		view.Commits, err = r.commitsOf(ctx, row.Project, rows)
	}
	return view, err
}

// mayChange returns a function that reports whether the caller may change a release. The rules for tags are read only
// if the project has some.
func (r *Releases) mayChange(
	ctx context.Context, row model.ProjectRow, rows []model.ReleaseRow,
) (func(model.Release) bool, error) {
	may := isDeveloper(row)
	if !may || len(rows) == 0 || !rows[0].Protected {
		return func(model.Release) bool { return may }, nil
	}
	rules, err := r.pusher.Protection(ctx, row)
	return func(one model.Release) bool { return rules.MayCreateTag(one.Tag) }, err
}

// isDeveloper reports whether the role of the caller lets them change releases.
func isDeveloper(row model.ProjectRow) bool {
	return row.Role() >= model.Developer && row.ReadsCode() && !row.Project.Archived
}

// commitsOf reads the commits of releases. The commit of a tag that was deleted can be missing.
func (r *Releases) commitsOf(
	ctx context.Context, p model.Project, rows []model.ReleaseRow,
) (map[string]git.Commit, error) {
	found := map[string]git.Commit{}
	var ids []string
	for _, row := range rows {
		if row.Release.SHA != "" {
			ids = append(ids, row.Release.SHA)
		}
	}
	if len(ids) == 0 {
		return found, nil
	}
	repo, err := r.pusher.Repo(p)
	if err != nil {
		return nil, err
	}
	commits, err := repo.Commits(ctx, ids)
	if err == nil {
		for _, commit := range commits {
			found[commit.ID] = commit
		}
		return found, nil
	}
	for _, id := range ids {
		commit, err := repo.Commit(ctx, id)
		if errors.Is(err, git.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found[id] = commit
	}
	return found, nil
}
