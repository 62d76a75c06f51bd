package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// oldWords begin the addresses of pages that once had no separator. Programs and old texts still link to them.
var oldWords = []string{
	"blame", "blob", "branches", "commit", "commits", "compare", "issues", "jobs", "merge_requests", "milestones", "pipelines",
	"raw", "releases", "tags", "tree",
}

// maxOldPlaces limits how many projects are looked up for an address without a separator.
const maxOldPlaces = 3

// oldPage leads from an address without a separator to the page of the project.
func (k *Kit) oldPage(c echo.Context, at place) (*Route, Handler) {
	if at.group || at.rest != "" || !reads(c.Request().Method) {
		return nil, nil
	}
	places := k.oldPlaces(c.Request().URL.EscapedPath())
	if len(places) == 0 {
		return nil, nil
	}
	return &Route{maxForm: maxForm}, func(v *Visit) error {
		for _, old := range places {
			route, _ := k.projects.find(http.MethodGet, old.rest)
			row, err := k.access.Project(v.Request().Context(), old.path, route.ability)
			switch status := statusOf(err); {
			case status == http.StatusMovedPermanently:
				return v.moved(old)
			case err == nil:
				return v.moveTo("/"+row.Project.FullPath, old)
			case !hides(v, status):
				return err
			}
		}
		return errUnknown
	}
}

// oldPlaces returns what an address without a separator can mean.
func (k *Kit) oldPlaces(escaped string) []place {
	var places []place
	segments := strings.Split(strings.Trim(escaped, "/"), "/")
	for i := 2; i < len(segments) && len(places) < maxOldPlaces; i++ {
		if !slices.Contains(oldWords, segments[i]) {
			continue
		}
		path, err := url.PathUnescape(strings.Join(segments[:i], "/"))
		rest := strings.Join(segments[i:], "/")
		if route, _ := k.projects.find(http.MethodGet, rest); err == nil && route != nil {
			places = append(places, place{path: path, rest: rest})
		}
	}
	return places
}
