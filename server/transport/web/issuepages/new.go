package issuepages

import (
	"svc/server/domain/issue"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// formView is the content of a page with the form of an issue.
type formView struct {
	Form   page.Form
	Delete *page.Button
}

// newIssue shows the form for a new issue. The address can fill in the title and the description.
// GET /{project}/-/issues/new
func (p *Pages) newIssue(v *page.Visit) error {
	if v.Actor == nil {
		return v.AskToSignIn()
	}
	return p.showNew(v, nil)
}

// showNew shows the form for a new issue, after a refusal with its reason.
func (p *Pages) showNew(v *page.Visit, refused error) error {
	description := v.QueryParam("issue[description]")
	draft := model.IssueRow{Issue: model.Issue{Title: v.QueryParam("issue[title]"), Description: &description}}
	list := kind.List(v.Project.Project.FullPath)
	form, err := p.form(v.Request().Context(), *v.Project, draft, list, "Create the issue")
	if err != nil {
		return err
	}
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "edit", Status: status, Title: "New issue", Tab: page.TabIssues,
		Crumbs: kind.Crumbs(v.Project.Project.FullPath, 0), Data: formView{Form: form},
	})
}

// create creates an issue.
// POST /{project}/-/issues
func (p *Pages) create(v *page.Visit) error {
	made, err := p.createFrom(v)
	if err != nil {
		return p.showNew(v, err)
	}
	return v.Done(kind.Address(v.Project.Project.FullPath, made.Issue.IID), "The issue was created.")
}

func (p *Pages) createFrom(v *page.Visit) (model.IssueRow, error) {
	sent, err := issuablepages.ReadFields(v)
	if err != nil {
		return model.IssueRow{}, err
	}
	due, err := issuablepages.ReadDay(v, "due_date")
	if err != nil {
		return model.IssueRow{}, err
	}
	return p.issues.Create(v.Request().Context(), *v.Project, issue.New{
		Title: sent.Title, Description: &sent.Description, Confidential: v.Value("confidential") != "", Labels: &sent.Labels,
		AssigneeIDs: sent.Assignees, MilestoneID: sent.MilestoneID, DueDate: due,
	})
}
