package releasepages

import (
	"net/http"

	"svc/server/domain/release"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

const (
	createLabel = "Create the release"
	saveLabel   = "Save the release"
)

// newForm shows the form of a new release.
// GET /{project}/-/releases/new
func (p *Pages) newForm(v *page.Visit) error {
	d := draft{tag: v.QueryParam("tag_name"), ref: v.Project.Project.DefaultBranch}
	return p.showForm(v, "New release", d.form(base(v)+"/new", createLabel, true))
}

// create creates a release, and its tag if it does not exist.
// POST /{project}/-/releases/new
func (p *Pages) create(v *page.Visit) error {
	d := draftOf(v)
	form := d.form(base(v)+"/new", createLabel, true)
	if broken := d.broken(true); len(broken) > 0 {
		return p.showForm(v, "New release", form.With(broken))
	}
	repo, err := p.Pusher.Repo(v.Project.Project)
	if err != nil {
		return err
	}
	at, _ := d.time() // broken has checked it
	made, err := p.Releases.Create(v.Request().Context(), *v.Project, repo, release.Draft{
		Tag: d.tag, Ref: d.ref, TagMessage: d.message, Name: given(d.name), Description: given(d.description), ReleasedAt: at,
		Milestones: d.titles(),
	})
	if refused, ok := form.Refused(err); ok {
		return p.showForm(v, "New release", refused)
	}
	if err != nil {
		return err
	}
	return v.Done(address(v.Project.Project, made.Release.Tag), "The release was created.")
}

// given returns nil for an empty text.
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// editView is the content of the page to change a release.
type editView struct {
	model.ReleaseRow
	Form  page.Form
	Links []linkView
	Link  page.Form
}

// editForm shows the forms to change a release and its links.
// GET /{project}/-/releases/{tag}/edit
func (p *Pages) editForm(v *page.Visit) error {
	row, err := p.changeable(v)
	if err != nil {
		return err
	}
	d := draftFrom(row)
	if err := page.CheckEditable(d.description, page.UseAPI); err != nil {
		return err
	}
	form := d.form(address(v.Project.Project, row.Release.Tag)+"/edit", saveLabel, false)
	return p.showEdit(v, row, form, linkForm(v, row, link{}))
}

// changeable returns the release of an address, if the caller may change it.
func (p *Pages) changeable(v *page.Visit) (model.ReleaseRow, error) {
	row, err := p.Releases.Get(v.Request().Context(), v.Project.Project, v.Param("tag"))
	if err != nil {
		return row, page.Hide(apierr.OrNotFound(err))
	}
	may, err := p.mayChange(v, row)
	if err == nil && !may {
		err = page.Hide(apierr.Forbidden())
	}
	return row, err
}

func (p *Pages) showEdit(v *page.Visit, row model.ReleaseRow, form, link page.Form) error {
	status := http.StatusOK
	if form.Broken() || link.Broken() {
		status = http.StatusUnprocessableEntity
	}
	to := address(v.Project.Project, row.Release.Tag)
	return v.Show(page.View{
		Templates: p.templates, Name: "edit", Status: status, Title: "Edit " + row.Release.Title(), Tab: page.TabReleases,
		Crumbs: crumbs(v, page.Link{Path: to, Label: row.Release.Title()}),
		Data:   editView{ReleaseRow: row, Form: form, Links: linkViews(v, row), Link: link},
	})
}

// edit changes a release.
// POST /{project}/-/releases/{tag}/edit
func (p *Pages) edit(v *page.Visit) error {
	row, err := p.changeable(v)
	if err != nil {
		return err
	}
	d, to := draftOf(v), address(v.Project.Project, row.Release.Tag)
	form := d.form(to+"/edit", saveLabel, false)
	if broken := d.broken(false); len(broken) > 0 {
		return p.showEdit(v, row, form.With(broken), linkForm(v, row, link{}))
	}
	repo, err := p.Pusher.Repo(v.Project.Project)
	if err != nil {
		return err
	}
	change := release.Change{Name: &d.name, Description: &d.description, Milestones: d.titles()}
	if d.releasedAt != draftFrom(row).releasedAt { // the form has no seconds
		change.ReleasedAt, _ = d.time()
	}
	_, err = p.Releases.Apply(v.Request().Context(), *v.Project, repo, row.Release.Tag, change)
	if refused, ok := form.Refused(err); ok {
		return p.showEdit(v, row, refused, linkForm(v, row, link{}))
	}
	if err != nil {
		return err
	}
	return v.Done(to, "The release was saved.")
}

// delete deletes a release. Its tag stays.
// POST /{project}/-/releases/{tag}/delete
func (p *Pages) delete(v *page.Visit) error {
	if _, err := p.Releases.Delete(v.Request().Context(), *v.Project, v.Param("tag"), nil); err != nil {
		return err
	}
	return v.Done(base(v), "The release was deleted. Its tag is still there.")
}
