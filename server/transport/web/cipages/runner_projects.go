package cipages

import (
	"slices"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// addProjects adds the projects of a project runner to its page, and the form for another one.
func (p *Pages) addProjects(v *page.Visit, o runnerOwner, row model.Runner, view *runnerView) error {
	ctx := v.Request().Context()
	ids, err := p.Store.Runners.ProjectIDs(ctx, row.ID)
	if err != nil {
		return err
	}
	reader := access.Reader(ctx)
	projects, err := p.Store.Runners.ProjectsWithRoles(ctx, ids, reader)
	for _, project := range projects {
		if access.SeesProject(project, reader) && len(view.Projects) < maxProjects {
			view.Projects = append(view.Projects, project.Project)
		}
	}
	if view.Manages && !row.Locked {
		view.Assign = &page.Form{Action: o.runnerPath(row.ID) + "/assign", Submit: "Add the project", Fields: []page.Field{{
			Name: "project", Label: "Another project", Type: "text", Required: true, Autocomplete: "off",
			Hint: "Its path, such as team/roof. You must be a maintainer there. The runner then also runs the jobs of that project.",
		}}}
	}
	return err
}

// maxProjects is how many projects the page of a runner lists.
const maxProjects = 100

// assignRunner lets a project runner work for another project, too.
// POST /{project}/-/settings/runners/{id}/assign, and the same below groups and the administration
func (p *Pages) assignRunner(v *page.Visit, o runnerOwner) error {
	row, err := p.findOwnRunner(v, o)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	project, err := p.Access.Project(ctx, v.Value("project"), access.AssignProjectRunner)
	if page.IsMissing(err) {
		err = page.Broken(map[string][]string{"project": {"does not exist"}})
	}
	var ids []int64
	if err == nil {
		ids, err = p.Store.Runners.ProjectIDs(ctx, row.ID)
	}
	if err == nil && slices.Contains(ids, project.Project.ID) {
		err = page.Broken(map[string][]string{"project": {"has this runner already"}})
	}
	if err == nil {
		err = p.Runners.Assign(ctx, row, project.Project)
	}
	if err != nil {
		return p.showRunner(v, o, row, true, err)
	}
	return v.Done(o.runnerPath(row.ID), "The runner also runs the jobs of "+project.Project.FullPath+".")
}
