package releasepages

import (
	"net/http"

	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
)

// latest redirects to the latest release, with what follows in the address.
// GET /{project}/-/releases/permalink/latest
func (p *Pages) latest(v *page.Visit) error {
	project := v.Project.Project
	found, err := p.Store.Releases.Latest(v.Request().Context(), project.ID)
	if err != nil {
		return page.Hide(apierr.OrNotFound(err))
	}
	to := address(project, found.Tag)
	if below := v.Param("*"); below != "" {
		to += "/" + page.EscapePath(below)
	}
	if query := v.Request().URL.RawQuery; query != "" {
		to += "?" + query
	}
	return v.Redirect(to)
}

// download redirects to a file that a release links to.
// GET /{project}/-/releases/{tag}/downloads/{file}
func (p *Pages) download(v *page.Visit) error {
	link, err := p.Store.Releases.LinkByPath(v.Request().Context(), v.Project.Project.ID, v.Param("tag"), "/"+v.Param("*"))
	if err != nil {
		return page.Hide(apierr.OrNotFound(err))
	}
	return v.Context.Redirect(http.StatusFound, link.URL)
}
