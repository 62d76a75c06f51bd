package mergerequestpages

import (
	"context"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// form returns the form of a merge request into a project. Callers who are not developers of that project may not choose people,
// labels and the milestone.
func (p *Pages) form(ctx context.Context, target model.ProjectRow, m model.MergeRequestRow, action, submit string) (page.Form, error) {
	mr := m.MergeRequest
	f := page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{
			Name: "title", Label: "Title", Type: "text", Value: mr.Title, Required: true, Focus: true, Autocomplete: "off",
			Hint: "Begin it with “Draft:” if it must not be merged yet.",
		},
		{
			Name: "description", Label: "Description", Type: "textarea", Rows: 12, Value: wire.Value(mr.Description),
			Hint: "Markdown. “Closes #12” closes the issue when the merge request is merged.",
		},
	}}
	if target.Role() >= model.Developer {
		fields, err := p.Fields(ctx, kind, target.Project, issuablepages.Chosen{
			Labels: m.Labels, Assignees: m.Assignees, Reviewers: m.Reviewers, Milestone: m.Milestone,
		})
		if err != nil {
			return f, err
		}
		f.Fields = append(f.Fields, fields...)
	}
	if mergerequest.Squashes(target.Project, true) && !mergerequest.Squashes(target.Project, false) {
		f.Fields = append(f.Fields, page.Field{
			Name: "squash", Label: "Squash the commits into one when merging", Type: "checkbox", Checked: mr.Squash,
		})
	}
	f.Fields = append(f.Fields, page.Field{
		Name: "remove_source_branch", Label: "Delete the source branch when merging", Type: "checkbox",
		Checked: wire.Value(mr.RemoveSourceBranch),
	})
	if mr.SourceProjectID != nil && *mr.SourceProjectID != target.Project.ID {
		f.Fields = append(f.Fields, page.Field{
			Name: "allow_collaboration", Label: "Members of the target project may push to the source branch", Type: "checkbox",
			Checked: mr.AllowCollaboration,
		})
	}
	return f, nil
}

// partsFrom returns the people, labels and milestone that a form sends.
func partsFrom(sent issuablepages.Sent) mergerequest.Parts {
	milestone := sent.MilestoneID
	return mergerequest.Parts{
		Assignees: &sent.Assignees, Reviewers: &sent.Reviewers, Labels: issuable.LabelInput{Set: &sent.Labels}, Milestone: &milestone,
	}
}
