package page

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// What the patterns of pages below projects, groups and users begin with.
const (
	projectRoot = "/{project}"
	groupRoot   = "/groups/{group}"
	userRoot    = "/{user}"
)

// Addresses returns the patterns of all pages that people open, sorted. Those below projects, groups and users begin with
// "/{project}", "/groups/{group}" and "/{user}".
func (k *Kit) Addresses() []string {
	all := slices.Collect(maps.Keys(k.fixed))
	for root, table := range k.tables() {
		for _, r := range table.routes {
			if r.method == http.MethodGet {
				all = append(all, below(root, r.path))
			}
		}
	}
	slices.Sort(all)
	return all
}

// AddressOf returns the pattern of the page that people open at an address, or an empty text if there is none.
func (k *Kit) AddressOf(r *http.Request) string {
	at, ok := k.locate(r)
	if !ok {
		return k.fixedAddress(r.URL.EscapedPath())
	}
	root := userRoot
	switch {
	case at.group:
		root = groupRoot
	case strings.Contains(at.path, "/"):
		root = projectRoot
	}
	if route, _ := k.tables()[root].find(http.MethodGet, at.rest); route != nil {
		return below(root, route.path)
	}
	return ""
}

// fixedAddress returns the most exact pattern of the fixed pages at a path.
func (k *Kit) fixedAddress(path string) string {
	best := ""
	for pattern := range k.fixed {
		if _, ok := match(split(pattern), split(path)); ok && (best == "" || moreExact(split(pattern), split(best))) {
			best = pattern
		}
	}
	return best
}

func (k *Kit) tables() map[string]*routeTable {
	return map[string]*routeTable{projectRoot: &k.projects, groupRoot: &k.groups, userRoot: &k.users}
}

// below returns the pattern of a page below a project, group or user.
func below(root, pattern string) string {
	if pattern == "" {
		return root
	}
	return root + separator + pattern
}
