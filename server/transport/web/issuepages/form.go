package issuepages

import (
	"context"
	"time"

	"svc/openapi/wire"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// form returns the form of an issue. Callers who are not reporters may only write the title, the description and whether the
// issue is confidential.
func (p *Pages) form(ctx context.Context, row model.ProjectRow, i model.IssueRow, action, submit string) (page.Form, error) {
	f := page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{Name: "title", Label: "Title", Type: "text", Value: i.Issue.Title, Required: true, Focus: true, Autocomplete: "off"},
		{
			Name: "description", Label: "Description", Type: "textarea", Rows: 12, Value: wire.Value(i.Issue.Description),
			Hint: "Markdown. #12, !3 and @name become links.",
		},
	}}
	confidential := page.Field{
		Name: "confidential", Label: "Confidential: only the author, the assignees and members from Reporter upward see the issue",
		Type: "checkbox", Checked: i.Issue.Confidential,
	}
	if row.Role() < model.Reporter {
		if i.Issue.ID == 0 {
			f.Fields = append(f.Fields, confidential)
		}
		return f, nil
	}
	fields, err := p.Fields(ctx, kind, row.Project, issuablepages.Chosen{Labels: i.Labels, Assignees: i.Assignees, Milestone: i.Milestone})
	due := ""
	if i.Issue.DueDate != nil {
		due = i.Issue.DueDate.Format(time.DateOnly)
	}
	f.Fields = append(append(f.Fields, fields...), page.Field{Name: "due_date", Label: "Due date", Type: "date", Value: due}, confidential)
	if i.Issue.ID != 0 {
		f.Fields = append(f.Fields, page.Field{
			Name: "discussion_locked", Label: "Lock the discussion: only members can comment", Type: "checkbox",
			Checked: wire.Value(i.Issue.DiscussionLocked),
		})
	}
	return f, err
}
