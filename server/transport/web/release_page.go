package web

import (
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/markdown"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// releaseAddress matches the escaped path of a page of a release: the project's path, and what follows /-/releases/.
var releaseAddress = regexp.MustCompile(`^/(.+?)/-/releases/(.+)$`)

// latestRelease is what follows /-/releases/ in the addresses that lead to the latest release.
const latestRelease = "permalink/latest"

// releaseView is the content of the page of a release.
type releaseView struct {
	Project  model.Project
	Release  model.Release
	Author   *model.User
	Upcoming bool
	Notes    template.HTML
	Links    []releaseFile
	Sources  []releaseFile
}

// releaseFile is a file of a release.
type releaseFile struct{ Name, URL string }

// releases answers the addresses of releases that programs and people follow: the page of a release, its files, and the
// latest release.
func (w *Web) releases(project, rest string) Handler {
	return func(v *Visit) error {
		if err := w.useToken(v); err != nil {
			return err
		}
		row, err := w.open(v, project, access.ReadRelease)
		if row == nil {
			return err
		}
		if rest == latestRelease || strings.HasPrefix(rest, latestRelease+"/") {
			return w.toLatest(v, row.Project, strings.TrimPrefix(rest, latestRelease))
		}
		name, below, _ := strings.Cut(rest, "/")
		tag, err := url.PathUnescape(name)
		if err != nil {
			return apierr.NotFound("")
		}
		switch file, isFile := strings.CutPrefix(below, "downloads/"); {
		case isFile:
			return w.toFile(v, row.Project, tag, file)
		case below == "":
			return w.releasePage(v, row.Project, tag)
		}
		return apierr.NotFound("")
	}
}

// useToken identifies a program that sends an access token instead of a session.
func (w *Web) useToken(v *Visit) error {
	r := v.Request()
	token := v.QueryParam("private_token")
	if token == "" {
		token = r.Header.Get("PRIVATE-TOKEN")
	}
	if token == "" {
		token, _ = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	if token == "" {
		return nil
	}
	actor, err := w.auth.Bearer(r.Context(), token)
	if err != nil {
		return err
	}
	if err := access.CheckScope(actor, []string{"api", "read_api"}); err != nil {
		return err
	}
	v.Actor, reqctx.Of(r.Context()).Actor = actor, actor
	return nil
}

// toLatest redirects to the latest release, with what follows in the address.
func (w *Web) toLatest(v *Visit, p model.Project, below string) error {
	found, err := w.store.Releases.Latest(v.Request().Context(), p.ID)
	if err != nil {
		return apierr.OrNotFound(err, "")
	}
	to := releasePath(p, found.Tag) + below
	if query := v.Request().URL.RawQuery; query != "" {
		to += "?" + query
	}
	return v.Context.Redirect(http.StatusFound, to)
}

// toFile redirects to a file that a release links to.
func (w *Web) toFile(v *Visit, p model.Project, tag, file string) error {
	path, err := url.PathUnescape(file)
	if err != nil {
		return apierr.NotFound("")
	}
	link, err := w.store.Releases.LinkByPath(v.Request().Context(), p.ID, tag, "/"+path)
	if err != nil {
		return apierr.OrNotFound(err, "")
	}
	return v.Context.Redirect(http.StatusFound, link.URL)
}

// releasePage shows a release with its notes and files.
func (w *Web) releasePage(v *Visit, p model.Project, tag string) error {
	row, err := w.store.Releases.Get(v.Request().Context(), p.ID, tag)
	if err != nil {
		return apierr.OrNotFound(err, "")
	}
	view := releaseView{Project: p, Release: row.Release, Author: row.Author, Upcoming: row.Release.ReleasedAt.After(v.now())}
	if row.Release.Description != nil {
		page, err := markdown.Render([]byte(*row.Release.Description), markdown.Options{})
		if err != nil {
			return err
		}
		view.Notes = page.HTML
	}
	for _, link := range row.Links {
		view.Links = append(view.Links, releaseFile{link.Name, link.URL})
	}
	file := p.Path + "-" + strings.ReplaceAll(tag, "/", "-")
	for _, format := range []string{"zip", "tar.gz", "tar.bz2", "tar"} {
		address := "/" + p.FullPath + "/-/archive/" + url.PathEscape(tag) + "/" + url.PathEscape(file) + "." + format
		view.Sources = append(view.Sources, releaseFile{"Source code (" + format + ")", address})
	}
	return v.Show(http.StatusOK, "release", row.Release.Title(), view)
}

func releasePath(p model.Project, tag string) string {
	return "/" + p.FullPath + "/-/releases/" + url.PathEscape(tag)
}
