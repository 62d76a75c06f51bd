package issuepages

import (
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/issue"
	"svc/server/platform/access"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// edit shows the form that changes an issue.
// GET /{project}/-/issues/{iid}/edit
func (p *Pages) edit(v *page.Visit) error {
	row, err := p.find(v)
	if err != nil {
		return err
	}
	if !p.mayChange(v, row) {
		return page.NotFound()
	}
	if err := page.CheckEditable(wire.Value(row.Issue.Description), page.UseAPI); err != nil {
		return err
	}
	return p.showEdit(v, row, nil)
}

// showEdit shows the form that changes an issue, after a refusal with its reason.
func (p *Pages) showEdit(v *page.Visit, row model.IssueRow, refused error) error {
	path := v.Project.Project.FullPath
	base := kind.Address(path, row.Issue.IID)
	form, err := p.form(v.Request().Context(), *v.Project, row, base, "Save the issue")
	if err != nil {
		return err
	}
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	view := formView{Form: form}
	if v.May(access.DestroyIssue) {
		view.Delete = &page.Button{
			Action: base + "/delete", Label: "Delete the issue", Class: "danger", Confirm: "Delete the issue with its comments for good",
		}
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "edit", Status: status, Title: "Edit issue " + kind.Reference(row.Issue.IID), Tab: page.TabIssues,
		Crumbs: kind.Crumbs(path, row.Issue.IID), Data: view,
	})
}

// update changes an issue.
// POST /{project}/-/issues/{iid}
func (p *Pages) update(v *page.Visit) error {
	row, err := p.find(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	if err := issue.CheckMayChange(ctx, *v.Project, row); err != nil {
		return err
	}
	change, err := p.changeFrom(v)
	if err == nil {
		_, err = p.issues.Apply(ctx, *v.Project, row, change)
	}
	if err != nil {
		return p.showEdit(v, row, err)
	}
	return v.Done(kind.Address(v.Project.Project.FullPath, row.Issue.IID), "The issue was saved.")
}

// changeFrom reads a change of an issue from the form.
func (p *Pages) changeFrom(v *page.Visit) (issue.Change, error) {
	sent, err := issuablepages.ReadFields(v)
	if err != nil {
		return issue.Change{}, err
	}
	c := issue.Change{Title: &sent.Title, Description: wire.Some(sent.Description)}
	if v.Project.Role() < model.Reporter { // the form has no more fields
		return c, nil
	}
	due, err := issuablepages.ReadDay(v, "due_date")
	confidential, locked := v.Value("confidential") != "", v.Value("discussion_locked") != ""
	c.Labels, c.AssigneeIDs = issuable.LabelInput{Set: &sent.Labels}, &sent.Assignees
	c.MilestoneID, c.DueDate = wire.Maybe(sent.MilestoneID), wire.Maybe(due)
	c.Confidential, c.DiscussionLocked = &confidential, &locked
	return c, err
}

// remove deletes an issue.
// POST /{project}/-/issues/{iid}/delete
func (p *Pages) remove(v *page.Visit) error {
	row, err := p.find(v)
	if err != nil {
		return err
	}
	if err := p.issues.Delete(v.Request().Context(), *v.Project, row.Issue, nil); err != nil {
		return err
	}
	return v.Done(kind.List(v.Project.Project.FullPath), "The issue was deleted.")
}
