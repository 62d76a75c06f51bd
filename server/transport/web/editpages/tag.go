package editpages

import (
	"svc/server/domain/repository/tag"
	"svc/server/transport/web/page"
)

// newTag shows the form for a new tag.
// GET /{project}/-/tags/new
func (p *Pages) newTag(v *page.Visit) error { return p.showNewTag(v, nil) }

func (p *Pages) showNewTag(v *page.Visit, refused error) error {
	from := v.QueryParam("ref")
	if from == "" {
		from = v.Project.Project.DefaultBranch
	}
	return showForm(v, "New tag", page.TabTags, &page.FormPage{
		Form: page.Form{Action: at(v, "tags/new"), Submit: "Create tag", Fields: []page.Field{
			{Name: "tag", Label: "Name", Type: "text", Required: true, Focus: true, Hint: "For example v1.0.0", Autocomplete: "off"},
			{Name: "ref", Label: "Points to", Type: "text", Value: from, Required: true, Hint: "A branch, a tag or a commit"},
			{Name: "message", Label: "Message", Type: "textarea", Hint: "With a message, the tag has an author and a date"},
		}},
	}, refused)
}

// createTag makes a tag.
// POST /{project}/-/tags/new
func (p *Pages) createTag(v *page.Visit) error {
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	draft := tag.Draft{Name: v.Value("tag"), Ref: v.Value("ref"), Message: v.Text("message")}
	if _, err := p.Tags.Create(v.Request().Context(), *v.Project, repo, draft); err != nil {
		return p.showNewTag(v, err)
	}
	return v.Done(at(v, "tags/"+page.EscapePath(draft.Name)), "The tag was made.")
}

// deleteTag deletes a tag, and its release.
// POST /{project}/-/tags/delete
func (p *Pages) deleteTag(v *page.Visit) error {
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	if err := p.Tags.Delete(v.Request().Context(), *v.Project, repo, v.Value("name"), nil); err != nil {
		return err
	}
	return v.Done(at(v, "tags"), "The tag "+v.Value("name")+" was deleted.")
}
