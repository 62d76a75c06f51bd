package releasepages

import (
	"html/template"
	"strconv"

	"svc/server/platform/access"
	"svc/server/platform/markdown"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// maxNotes is the size in bytes up to which a list shows the notes of a release.
const maxNotes = 3 << 10

// listView is the content of the list of releases.
type listView struct {
	Base      string
	Releases  []listed
	Pager     page.Pager
	MayCreate bool
}

// listed is a release in the list. Readers who cannot read the code see neither its name nor its tag.
type listed struct {
	model.ReleaseRow
	Title    string
	Address  string // empty if the reader cannot open it
	Notes    template.HTML
	Longer   bool // the notes are too long for the list
	Upcoming bool
	Code     bool // the reader can read the code
}

// list lists the releases of a project, the newest first.
// GET /{project}/-/releases
func (p *Pages) list(v *page.Visit) error {
	pager := v.Pager()
	rows, total, err := p.Store.Releases.List(v.Request().Context(), v.Project.Project.ID, store.ReleaseFilter{}, pager.Page)
	if err != nil {
		return err
	}
	view := listView{Base: base(v), Pager: pager.Of(total.More), MayCreate: v.May(access.AdminRelease)}
	for _, row := range rows {
		one := listed{ReleaseRow: row, Upcoming: row.Release.ReleasedAt.After(v.Now()), Code: v.Project.ReadsCode()}
		if one.Title = "Release-" + strconv.FormatInt(row.Release.ID, 10); one.Code {
			one.Title, one.Address = row.Release.Title(), address(v.Project.Project, row.Release.Tag)
		}
		if one.Longer = len(text(row.Release.Description)) > maxNotes; !one.Longer {
			if one.Notes, err = notes(row.Release, 2); err != nil {
				return err
			}
			one.Longer = len(one.Notes) > 2*maxNotes
		}
		view.Releases = append(view.Releases, one)
	}
	return v.Show(page.View{Templates: p.templates, Name: "list", Title: "Releases", Tab: page.TabReleases, Data: view})
}

// notes returns the notes of a release as HTML, below a heading of a level.
func notes(r model.Release, below int) (template.HTML, error) {
	if text(r.Description) == "" {
		return "", nil
	}
	rendered, err := markdown.Render([]byte(*r.Description), markdown.Options{Below: below})
	return rendered.HTML, err
}

func text(t *string) string {
	if t == nil {
		return ""
	}
	return *t
}
