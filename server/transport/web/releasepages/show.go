package releasepages

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

const (
	maxRendered = 100_000 // bytes up to which the notes of a release are rendered, before and after it
	maxPlain    = 20_000  // characters of longer notes that are shown as they are
)

// releaseView is the content of the page of a release.
type releaseView struct {
	model.ReleaseRow
	Address    string
	Commit     string // address of the commit; empty if the tag had none
	Tag        string // address of the tag
	Upcoming   bool
	Notes      template.HTML
	Plain      string // the beginning of notes that are too long to be rendered
	Links      []file
	Sources    []file
	Milestones []page.Link
	MayChange  bool
	Delete     page.Button
}

// file is a file of a release.
type file struct{ Name, URL, Kind string }

// show shows a release with its notes and files.
// GET /{project}/-/releases/{tag}
func (p *Pages) show(v *page.Visit) error {
	row, err := p.Releases.Get(v.Request().Context(), v.Project.Project, v.Param("tag"))
	if err != nil {
		return page.Hide(apierr.OrNotFound(err))
	}
	project, r := v.Project.Project, row.Release
	to := address(project, r.Tag)
	view := releaseView{
		ReleaseRow: row, Address: to, Tag: "/" + project.FullPath + "/-/tags/" + page.EscapePath(r.Tag),
		Upcoming: r.ReleasedAt.After(v.Now()), Links: links(project, row), Sources: sources(project, r.Tag),
		Delete: page.Button{Action: to + "/delete", Label: "Delete this release", Class: "danger", Confirm: "Delete it; the tag stays"},
	}
	if r.SHA != "" {
		view.Commit = "/" + project.FullPath + "/-/commit/" + r.SHA
	}
	if v.Project.ReadsIssues() || v.Project.ReadsMergeRequests() {
		view.Milestones = milestones(row)
	}
	if len(text(r.Description)) <= maxRendered {
		if view.Notes, err = notes(r, 1); err != nil {
			return err
		}
	}
	if view.Notes == "" || len(view.Notes) > maxRendered {
		view.Notes, view.Plain = "", page.Clip(maxPlain, text(r.Description))
	}
	if view.MayChange, err = p.mayChange(v, row); err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "show", Title: r.Title(), Tab: page.TabReleases, Crumbs: crumbs(v), Data: view,
	})
}

// links returns the files that a release links to.
func links(project model.Project, row model.ReleaseRow) []file {
	var all []file
	for _, link := range row.Links {
		all = append(all, file{link.Name, link.URL, link.LinkType})
		if link.FilePath != nil {
			all[len(all)-1].URL = address(project, row.Release.Tag) + "/downloads" + *link.FilePath
		}
	}
	return all
}

// sources returns the archives of the repository at a tag.
func sources(project model.Project, tag string) []file {
	name := project.Path + "-" + strings.ReplaceAll(tag, "/", "-")
	var all []file
	for _, format := range []string{"zip", "tar.gz", "tar.bz2", "tar"} {
		to := "/" + project.FullPath + "/-/archive/" + page.EscapePath(tag) + "/" + url.PathEscape(name) + "." + format
		all = append(all, file{Name: "Source code (" + format + ")", URL: to})
	}
	return all
}

// milestones returns links to the milestones of a release: those of the project, and those of groups above it.
func milestones(row model.ReleaseRow) []page.Link {
	var all []page.Link
	for _, m := range row.Milestones {
		place := "/groups/" + m.Place
		if m.Milestone.ProjectID != nil {
			place = "/" + m.Place
		}
		all = append(all, page.Link{Path: place + "/-/milestones/" + strconv.FormatInt(m.Milestone.IID, 10), Label: m.Milestone.Title})
	}
	return all
}
