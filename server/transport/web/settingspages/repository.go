package settingspages

import (
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// repositoryView is the content of the settings of a repository.
type repositoryView struct {
	Base     string
	Change   bool // the caller may change the settings
	Default  page.Form
	Branches []branchRule
	Branch   page.Form
	Tags     []tagRule
	Tag      page.Form
	Keys     []model.DeployKeyRow
	Key      page.Form
	More     bool // there are further rules or keys, which the API lists
}

// mostRows is the number of rules and keys of each kind that the page shows.
const mostRows = 50

// repository shows the default branch, protected branches and tags, and deploy keys.
// GET /{project}/-/settings/repository
func (p *Pages) repository(v *page.Visit) error { return p.showRepository(v, nil) }

func (p *Pages) showRepository(v *page.Visit, refused error) error {
	view := repositoryView{
		Base: at(v, repository), Change: v.May(access.AdminProject), Branch: branchForm(v), Tag: tagForm(v), Key: keyForm(v),
		Default: page.Form{Action: at(v, repository+"/default_branch"), Submit: "Save", Fields: []page.Field{{
			Name: "default_branch", Label: "Default branch", Type: "text", Value: v.Project.Project.DefaultBranch, Required: true,
			Hint: "What people get who clone the project, and where merge requests go",
		}}},
	}
	if err := p.addRules(v, &view); err != nil {
		return err
	}
	return p.show(v, repository, "repository", "Repository", &view, refused, &view.Default, &view.Branch, &view.Tag, &view.Key)
}

// addRules adds the protected branches and tags, and the deploy keys.
func (p *Pages) addRules(v *page.Visit, view *repositoryView) error {
	ctx, id, window := v.Request().Context(), v.Project.Project.ID, store.Page{Limit: mostRows}
	rules, branches, err := p.Store.Protections.ListBranches(ctx, id, "", window)
	if err != nil {
		return err
	}
	for _, rule := range rules {
		view.Branches = append(view.Branches, branchRule{ProtectedBranch: rule.Branch, Keys: rule.Keys})
	}
	tags, found, err := p.Store.Protections.ListTags(ctx, id, window)
	if err != nil {
		return err
	}
	for _, rule := range tags {
		view.Tags = append(view.Tags, tagRule{rule})
	}
	var deployKeys store.Total
	view.Keys, deployKeys, err = p.Store.DeployKeys.ListByProject(ctx, id, window)
	view.More = branches.More || found.More || deployKeys.More
	return err
}

// setDefaultBranch changes the default branch.
// POST /{project}/-/settings/repository/default_branch
func (p *Pages) setDefaultBranch(v *page.Visit) error {
	name := v.Value("default_branch")
	if err := p.Projects.Apply(v.Request().Context(), *v.Project, project.Change{DefaultBranch: &name}); err != nil {
		return p.showRepository(v, err)
	}
	return v.Done(at(v, repository), "The default branch was saved.")
}
