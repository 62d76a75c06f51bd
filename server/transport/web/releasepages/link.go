package releasepages

import (
	"strconv"
	"strings"

	"svc/server/domain/release"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// link is the form of a link as it was sent.
type link struct{ name, url, path, kind string }

// linkView is a link of a release, with the button that deletes it.
type linkView struct {
	model.ReleaseLink
	Delete page.Button
}

func linkViews(v *page.Visit, row model.ReleaseRow) []linkView {
	var all []linkView
	for _, l := range row.Links {
		action := address(v.Project.Project, row.Release.Tag) + "/links/" + strconv.FormatInt(l.ID, 10) + "/delete"
		all = append(all, linkView{l, page.Button{Action: action, Label: "Delete", Class: "danger"}})
	}
	return all
}

func linkForm(v *page.Visit, row model.ReleaseRow, l link) page.Form {
	return page.Form{Action: address(v.Project.Project, row.Release.Tag) + "/links", Submit: "Add the link", Fields: []page.Field{
		{Name: "link_name", Label: "Name", Type: "text", Value: l.name, Required: true, Autocomplete: "off"},
		{Name: "url", Label: "Address", Type: "url", Value: l.url, Required: true, Autocomplete: "off"},
		{
			Name: "filepath", Label: "Path below the downloads of the release", Type: "text", Value: l.path, Autocomplete: "off",
			Hint: "Optional. For example /bin/tool.",
		},
		page.Select(
			"link_type", "Kind", l.kind, page.Option{Value: model.LinkOther, Label: "Other"},
			page.Option{Value: "package", Label: "Package"}, page.Option{Value: "image", Label: "Image"},
			page.Option{Value: "runbook", Label: "Runbook"},
		),
	}}
}

// kinds are the kinds of links.
var kinds = map[string]bool{model.LinkOther: true, "package": true, "image": true, "runbook": true}

// addLink adds a link to a release.
// POST /{project}/-/releases/{tag}/links
func (p *Pages) addLink(v *page.Visit) error {
	row, err := p.changeable(v)
	if err != nil {
		return err
	}
	l := link{
		name: strings.TrimSpace(v.Value("link_name")), url: strings.TrimSpace(v.Value("url")),
		path: strings.TrimSpace(v.Value("filepath")), kind: v.Value("link_type"),
	}
	to := address(v.Project.Project, row.Release.Tag)
	edit, form := draftFrom(row).form(to+"/edit", saveLabel, false), linkForm(v, row, l)
	if !kinds[l.kind] {
		return p.showEdit(v, row, edit, form.With(map[string][]string{"link_type": {"is not a kind of links"}}))
	}
	_, err = p.Releases.AddLink(v.Request().Context(), *v.Project, row.Release.Tag, release.Link{
		Name: l.name, URL: l.url, FilePath: given(l.path), LinkType: l.kind,
	})
	if refused, ok := form.Refused(err); ok {
		return p.showEdit(v, row, edit, refused)
	}
	if err != nil {
		return err
	}
	return v.Done(to+"/edit", "The link was added.")
}

// deleteLink deletes a link of a release.
// POST /{project}/-/releases/{tag}/links/{link}/delete
func (p *Pages) deleteLink(v *page.Visit) error {
	id, err := v.Number("link")
	if err != nil {
		return page.NotFound()
	}
	if _, err := p.Releases.DeleteLink(v.Request().Context(), *v.Project, v.Param("tag"), id, nil); err != nil {
		return err
	}
	return v.Done(address(v.Project.Project, v.Param("tag"))+"/edit", "The link was deleted.")
}
