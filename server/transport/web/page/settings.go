package page

import (
	"cmp"
	"slices"

	"svc/server/platform/access"
)

// settingsOrder is the order of the links in the side navigations of settings, by their labels. Other links come before the
// last one.
var settingsOrder = []string{
	"General", "Merge requests", "Repository", "CI variables", "Runners", "Trigger tokens", "Webhooks", "Access tokens", "Deploy tokens",
	"Applications", "Advanced",
}

// navOrder is the order of the links in the side navigations of the administration and of the settings of a user.
var navOrder = []string{
	"Users", "Groups", "Projects", "Runners", "CI variables",
	"Profile", "Password", "Two-factor authentication", "Mail addresses", "Notifications", "Access tokens", "SSH keys", "GPG keys",
	"Sessions", "Applications", "Applications of groups", "Authorized applications",
	"Background jobs", "Storages", "Settings in force", "Version and health", "Audit log",
}

// positionIn returns where a label stands in an order.
func positionIn(order []string, label string) int {
	if i := slices.Index(order, label); i >= 0 {
		return 2 * i
	}
	return 2*len(order) - 3 // before the last one
}

// inOrder sorts the links of settings.
func inOrder(links []tabLink) []tabLink {
	slices.SortStableFunc(links, func(a, b tabLink) int {
		return cmp.Compare(positionIn(settingsOrder, a.label), positionIn(settingsOrder, b.label))
	})
	return links
}

// navInOrder sorts the links of a section.
func navInOrder(links []Link) []Link {
	slices.SortStableFunc(links, func(a, b Link) int { return cmp.Compare(positionIn(navOrder, a.Label), positionIn(navOrder, b.Label)) })
	return links
}

// ProjectSettings adds a link to the side navigation of the settings of projects, for callers with an ability. The pattern
// is that of a page, such as "settings/repository".
func (r *Router) ProjectSettings(pattern, label string, ability access.Ability) {
	r.kit.projectSettings = inOrder(append(r.kit.projectSettings, tabLink{Tab(pattern), label, pattern, ability}))
}

// GroupSettings adds a link to the side navigation of the settings of groups.
func (r *Router) GroupSettings(pattern, label string, ability access.Ability) {
	r.kit.groupSettings = inOrder(append(r.kit.groupSettings, tabLink{Tab(pattern), label, pattern, ability}))
}

// GroupSettingsElsewhere is GroupSettings for a page that has its own route, outside of this router.
func (r *Router) GroupSettingsElsewhere(pattern, label string, ability access.Ability) {
	r.kit.groups.elsewhere = append(r.kit.groups.elsewhere, pattern)
	r.GroupSettings(pattern, label, ability)
}

// SettingsNav returns the side navigation of the settings of the project or group of the page. here is the pattern of
// the page.
func (v *Visit) SettingsNav(here string) []NavGroup {
	switch {
	case v.Project != nil:
		path := "/" + v.Project.Project.FullPath
		return []NavGroup{{Title: "Project", Links: v.tabs(v.kit.projectSettings, &v.kit.projects, path, Tab(here))}}
	case v.Group != nil:
		path := groupsPrefix + v.Group.FullPath
		return []NavGroup{{Title: "Group", Links: v.tabs(v.kit.groupSettings, &v.kit.groups, path, Tab(here))}}
	}
	return nil
}
