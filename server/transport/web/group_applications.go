package web

import (
	"net/http"
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

const (
	groupsPath      = "/groups/"
	groupShelfPath  = "/-/settings/applications" // after the path of a group
	ownedGroupsPath = "/-/profile/group_applications"
)

// groupApplications adds the pages for applications of groups.
func (w *Web) groupApplications(e *echo.Echo) {
	w.get(e, ownedGroupsPath, w.ownedGroups, members)
	w.get(e, groupsPath+"*", w.groupApplicationPages, anyone)
	w.post(e, groupsPath+"*", w.groupApplicationPages, anyone)
}

// groupApplicationPages serves the pages of one group, for its owners. The path of a group contains slashes, so the router cannot
// split the URL.
func (w *Web) groupApplicationPages(v *Visit) error {
	path, rest, ok := strings.Cut(v.Param("*"), groupShelfPath)
	if !ok || path == "" {
		return apierr.NotFound("")
	}
	if v.Actor == nil {
		return v.AskToSignIn()
	}
	if id, verb, deeper := strings.Cut(strings.TrimPrefix(rest, "/"), "/"); id != "" {
		v.SetParamNames("id")
		v.SetParamValues(id)
		rest = strings.TrimSuffix("/:id/"+verb, "/")
		if deeper && verb == "" {
			return apierr.NotFound("")
		}
	}
	method := v.Request().Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, page := range applicationPages {
		if page.method != method || page.under != rest {
			continue
		}
		g, _, err := w.access.GroupAt(v.Request().Context(), path, access.AdminGroup)
		if err != nil {
			return err
		}
		v.group = &g
		return page.handle(v, applicationOwner{
			path: groupApplicationsPath(g), title: "Applications of " + g.FullName,
			owner: store.OAuthOwner{NamespaceID: &g.ID},
		})
	}
	return apierr.NotFound("")
}

// groupApplicationsPath returns the path of the page with a group's applications.
func groupApplicationsPath(g model.Namespace) string { return groupsPath + g.FullPath + groupShelfPath }

// ownedGroupsPage lists the groups whose applications a user manages.
type ownedGroupsPage struct {
	Groups []navLink
	Pager  pager
}

// ownedGroups links to the applications of the groups that the current user owns.
func (w *Web) ownedGroups(v *Visit) error {
	ctx, at := v.Request().Context(), v.Pager()
	rows, total, err := w.store.Namespaces.ListGroups(ctx, store.GroupFilter{Owned: true}, access.Reader(ctx), at.Page)
	if err != nil {
		return err
	}
	page := ownedGroupsPage{Pager: at.Of(total.More)}
	for _, g := range rows {
		page.Groups = append(page.Groups, navLink{Path: groupApplicationsPath(g), Label: g.FullName})
	}
	return v.Show(http.StatusOK, "owned_groups", "Applications of your groups", page)
}
