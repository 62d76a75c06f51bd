package mergerequestpages

import (
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// formView is the content of a page with the form of a merge request.
type formView struct {
	Form    page.Form
	Delete  *page.Button
	Compare *comparison // of a new merge request
}

// edit shows the form that changes a merge request.
// GET /{project}/-/merge_requests/{iid}/edit
func (p *Pages) edit(v *page.Visit) error {
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	if may, err := p.mayChange(v, mr); !may {
		if err == nil {
			err = page.NotFound()
		}
		return err
	}
	if err := page.CheckEditable(wire.Value(mr.Description), page.UseAPI); err != nil {
		return err
	}
	return p.showEdit(v, mr, nil)
}

// showEdit shows the form that changes a merge request, after a refusal with its reason.
func (p *Pages) showEdit(v *page.Visit, mr model.MergeRequest, refused error) error {
	ctx, path := v.Request().Context(), v.Project.Project.FullPath
	row, err := p.Store.MergeRequests.GetShown(ctx, v.Project.Project.ID, mr.IID)
	if err != nil {
		return page.Hide(apierr.OrNotFound(err))
	}
	base := kind.Address(path, mr.IID)
	form, err := p.form(ctx, *v.Project, row, base, "Save the merge request")
	if err != nil {
		return err
	}
	if mr.State == model.Opened {
		form.Fields = append(form.Fields, page.Field{
			Name: "target_branch", Label: "Target branch", Type: "text", Value: mr.TargetBranch, Required: true,
		})
	}
	if v.Project.Role() >= model.Developer {
		form.Fields = append(form.Fields, page.Field{
			Name: "discussion_locked", Label: "Lock the discussion: only members can comment", Type: "checkbox",
			Checked: wire.Value(mr.DiscussionLocked),
		})
	}
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	view := formView{Form: form}
	if v.May(access.DestroyMergeRequest) && p.service.CheckMayDelete(ctx, *v.Project, mr) == nil {
		view.Delete = &page.Button{
			Action: base + "/delete", Label: "Delete the merge request", Class: "danger",
			Confirm: "Delete the merge request with its comments for good",
		}
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "edit", Status: status, Title: "Edit merge request " + kind.Reference(mr.IID), Tab: page.TabMerge,
		Crumbs: kind.Crumbs(path, mr.IID), Data: view,
	})
}

// update changes a merge request.
// POST /{project}/-/merge_requests/{iid}
func (p *Pages) update(v *page.Visit) error {
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	if err := p.service.CheckMayChange(ctx, *v.Project, mr); err != nil {
		return err
	}
	change, err := p.changeFrom(v, mr)
	if err == nil {
		_, err = p.service.Apply(ctx, *v.Project, mr, change)
	}
	if err != nil {
		return p.showEdit(v, mr, explained(err))
	}
	return v.Done(kind.Address(v.Project.Project.FullPath, mr.IID), "The merge request was saved.")
}

// changeFrom reads a change of a merge request from the form.
func (p *Pages) changeFrom(v *page.Visit, mr model.MergeRequest) (mergerequest.Change, error) {
	sent, err := issuablepages.ReadFields(v)
	remove := v.Value("remove_source_branch") != ""
	c := mergerequest.Change{Title: &sent.Title, Description: wire.Some(sent.Description), RemoveSourceBranch: wire.Some(remove)}
	project := v.Project.Project
	if mergerequest.Squashes(project, true) && !mergerequest.Squashes(project, false) {
		squash := v.Value("squash") != ""
		c.Squash = &squash
	}
	if mr.SourceProjectID != nil && *mr.SourceProjectID != project.ID {
		allow := v.Value("allow_collaboration") != ""
		c.AllowCollaboration = &allow
	}
	if branch := v.Value("target_branch"); branch != "" {
		c.TargetBranch = &branch
	}
	if v.Project.Role() >= model.Developer {
		c.Parts, c.Locked = partsFrom(sent), wire.Some(v.Value("discussion_locked") != "")
		if (mr.MilestoneID == nil) == (sent.MilestoneID == nil) && wire.Value(mr.MilestoneID) == wire.Value(sent.MilestoneID) {
			c.Parts.Milestone = nil // it stays as it is
		}
	}
	return c, err
}

// remove deletes a merge request.
// POST /{project}/-/merge_requests/{iid}/delete
func (p *Pages) remove(v *page.Visit) error {
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	if err := p.service.CheckMayDelete(ctx, *v.Project, mr); err != nil {
		return err
	}
	if err := p.service.Delete(ctx, v.Project.Project, mr, nil); err != nil {
		return err
	}
	return v.Done(kind.List(v.Project.Project.FullPath), "The merge request was deleted.")
}
