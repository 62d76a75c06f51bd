package editpages

import "svc/server/transport/web/page"

// newBranch shows the form for a new branch.
// GET /{project}/-/branches/new
func (p *Pages) newBranch(v *page.Visit) error { return p.showNewBranch(v, nil) }

func (p *Pages) showNewBranch(v *page.Visit, refused error) error {
	from := v.QueryParam("ref")
	if from == "" {
		from = v.Project.Project.DefaultBranch
	}
	return showForm(v, "New branch", page.TabBranches, &page.FormPage{
		Form: page.Form{Action: at(v, "branches/new"), Submit: "Create branch", Fields: []page.Field{
			{Name: "branch", Label: "Name", Type: "text", Required: true, Focus: true, Autocomplete: "off"},
			{Name: "ref", Label: "Begins at", Type: "text", Value: from, Required: true, Hint: "A branch, a tag or a commit"},
		}},
	}, refused)
}

// createBranch makes a branch.
// POST /{project}/-/branches/new
func (p *Pages) createBranch(v *page.Visit) error {
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	name := v.Value("branch")
	if _, err := p.Branches.Create(v.Request().Context(), *v.Project, repo, name, v.Value("ref")); err != nil {
		return p.showNewBranch(v, err)
	}
	return v.Done(at(v, "tree/"+page.EscapePath(name)), "The branch was made.")
}

// deleteBranch deletes a branch.
// POST /{project}/-/branches/delete
func (p *Pages) deleteBranch(v *page.Visit) error {
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	if err := p.Branches.Delete(v.Request().Context(), *v.Project, repo, v.Value("name"), nil); err != nil {
		return err
	}
	return v.Done(at(v, "branches"), "The branch "+v.Value("name")+" was deleted.")
}
