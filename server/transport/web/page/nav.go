package page

import (
	"strings"

	"svc/server/platform/access"
	"svc/store/model"
)

// The addresses of fixed pages that the layout links to, once they exist.
const (
	searchPath = "/-/search"
	helpPath   = "/-/help"
)

// menuLinks are the links at the top of every page. A link whose page does not exist yet is left out.
var menuLinks = []struct {
	path, label, key string
	may              Audience
}{
	{"/", "Projects", "h", Members},
	{"/-/groups", "Groups", "", Members},
	{"/-/explore", "Explore", "x", Anyone},
	{"/-/todos", "To-dos", "t", Members},
	{"/-/snippets", "Snippets", "", Members},
}

// menu returns the links at the top of the page.
func (v *Visit) menu() []Link {
	var all []Link
	for _, l := range menuLinks {
		if v.kit.fixed[l.path] && (v.Actor != nil || !l.may.mustSignIn()) {
			all = append(all, Link{Path: l.path, Label: l.label, Key: l.key, Here: v.Request().URL.Path == l.path})
		}
	}
	return all
}

// NavGroup is a part of the side navigation.
type NavGroup struct {
	Title string
	Links []Link
}

// Section is a part of the service with a side navigation.
type Section struct {
	Prefix, Title string
	Audience      Audience
}

// The sections of the service.
var (
	Settings       = Section{"/-/profile", "Settings", Members}
	Administration = Section{"/admin/", "Administration", Admins}
)

type section struct {
	Section

	links []Link
}

func (k *Kit) addNav(s Section, path, label string) {
	for i := range k.sections {
		if k.sections[i].Section == s {
			k.sections[i].links = navInOrder(append(k.sections[i].links, Link{Path: path, Label: label}))
			return
		}
	}
	k.sections = append(k.sections, section{s, []Link{{Path: path, Label: label}}})
}

// sectionNav returns the side navigation of the section that the page is in.
func (v *Visit) sectionNav() []NavGroup {
	path := v.Request().URL.Path
	for _, s := range v.kit.sections {
		if path+"/" != s.Prefix+"/" && !strings.HasPrefix(path, strings.TrimSuffix(s.Prefix, "/")+"/") ||
			s.Audience == Admins && !v.Actor.User.Admin {
			continue
		}
		return []NavGroup{{Title: s.Title, Links: marked(s.links, path, s.Prefix)}}
	}
	return nil
}

// marked marks the link that leads to a path, or to the part of the section that the path is in.
func marked(links []Link, path, root string) []Link {
	all := make([]Link, len(links))
	for i, l := range links {
		l.Here = l.Path == path || strings.HasPrefix(path, l.Path+"/") && l.Path != root
		all[i] = l
	}
	return all
}

// Tab names a tab of a project or group.
type Tab string

// The tabs of projects and groups.
const (
	NoTab         Tab = ""
	TabHome       Tab = "home"
	TabFiles      Tab = "files"
	TabCommits    Tab = "commits"
	TabBranches   Tab = "branches"
	TabTags       Tab = "tags"
	TabIssues     Tab = "issues"
	TabMerge      Tab = "merge_requests"
	TabPipelines  Tab = "pipelines"
	TabPackages   Tab = "packages"
	TabReleases   Tab = "releases"
	TabWiki       Tab = "wiki"
	TabSnippets   Tab = "snippets"
	TabMilestones Tab = "milestones"
	TabIterations Tab = "iterations"
	TabEpics      Tab = "epics"
	TabMonitor    Tab = "monitor"
	TabFlags      Tab = "feature_flags"
	TabMembers    Tab = "members"
	TabSettings   Tab = "settings"
)

// tabLink is a tab: it is shown once its page exists, to callers with the ability.
type tabLink struct {
	tab     Tab
	label   string
	pattern string
	ability access.Ability
}

// projectTabs are the tabs of a project.
var projectTabs = []tabLink{
	{TabHome, "Project", "", access.ReadProject},
	{TabFiles, "Files", "tree/*", access.ReadCode},
	{TabCommits, "Commits", "commits/*", access.ReadCode},
	{TabBranches, "Branches", "branches", access.ReadCode},
	{TabTags, "Tags", "tags", access.ReadCode},
	{TabIssues, "Issues", "issues", access.ReadIssue},
	{TabMerge, "Merge requests", "merge_requests", access.ReadMergeRequest},
	{TabPipelines, "CI", "pipelines", access.ReadPipeline},
	{TabReleases, "Releases", "releases", access.ReadReleases},
	{TabPackages, "Packages", "packages", access.ReadPackage},
	{TabWiki, "Wiki", "wikis", access.ReadWiki},
	{TabSnippets, "Snippets", "snippets", access.ReadProjectSnippet},
	{TabMilestones, "Milestones", "milestones", access.ReadMilestone},
	{TabMonitor, "Monitoring", "alert_management", access.ReadAlert},
	{TabFlags, "Feature flags", "feature_flags", access.ReadFeatureFlag},
	{TabMembers, "Members", "project_members", access.ReadProjectMember},
	{TabSettings, "Settings", "edit", access.ReadProtection}, // also in an archived project
}

// groupTabs are the tabs of a group.
var groupTabs = []tabLink{
	{TabHome, "Group", "", access.ReadGroup},
	{TabIssues, "Issues", "issues", access.ReadGroupIssue},
	{TabMerge, "Merge requests", "merge_requests", access.ReadGroupMergeRequest},
	{TabEpics, "Epics", "epics", access.ReadEpic},
	{TabMilestones, "Milestones", "milestones", access.ReadGroupMilestone},
	{TabIterations, "Iterations", "iterations", access.ReadGroupMilestone},
	{TabPackages, "Packages", "packages", access.ReadGroupPackage},
	{TabWiki, "Wiki", "wikis", access.ReadGroupWiki},
	{TabMembers, "Members", "group_members", access.ReadGroupMember},
	{TabSettings, "Settings", "edit", access.AdminGroup},
}

// heading is what the layout shows above the pages of a project or group.
type heading struct {
	Name, Path string
	Visibility string
	Archived   bool
	Marked     bool // marked for deletion
	Crumbs     []Link
	Tabs       []Link
	Label      string // of the tabs, for screen readers
}

// heading returns the heading of the project or group of the page, or nil.
func (v *Visit) heading(view View) *heading {
	switch {
	case v.Project != nil:
		p := v.Project.Project
		h := &heading{
			Name: p.Name, Path: "/" + p.FullPath, Visibility: p.Visibility.String(), Archived: p.Archived, Label: "Project",
			Marked: p.MarkedForDeletionAt != nil,
			Crumbs: append(v.placeCrumbs(), Link{Path: "/" + p.FullPath, Label: p.Name}),
		}
		h.Crumbs = append(h.Crumbs, view.Crumbs...)
		h.Tabs = v.tabs(projectTabs, &v.kit.projects, h.Path, view.Tab)
		return h
	case v.Group != nil:
		g := v.Group.Namespace
		h := &heading{
			Name: g.Name, Path: groupsPrefix + g.FullPath, Visibility: g.Visibility.String(), Label: "Group",
			Marked: g.MarkedForDeletionAt != nil,
		}
		h.Crumbs = append(crumbsOfGroup(g.FullPath, g.FullName), view.Crumbs...)
		h.Tabs = v.tabs(groupTabs, &v.kit.groups, h.Path, view.Tab)
		return h
	case len(view.Crumbs) > 0:
		return &heading{Crumbs: view.Crumbs}
	}
	return nil
}

// tabKeys are the keyboard shortcuts of tabs.
var tabKeys = map[Tab]string{
	TabHome: "g p", TabFiles: "g f", TabCommits: "g c", TabBranches: "g b", TabIssues: "g i", TabMerge: "g m", TabPipelines: "g j",
	TabReleases: "g r", TabWiki: "g w", TabSnippets: "g s", TabSettings: "g e",
}

// Shortcut is a keyboard shortcut with what it does.
type Shortcut struct{ Keys, What string }

// Shortcuts returns the keyboard shortcuts of all pages, for the help page.
func Shortcuts() []Shortcut {
	all := []Shortcut{
		{"?", "Open this help"},
		{"/", "Search the service"},
		{"s", "Search the project"},
		{"n", "Make a new one of what the page lists"},
		{"e", "Edit what the page shows"},
		{"y", "Change the address of a file to one that always shows the same"},
	}
	for _, l := range menuLinks {
		if l.key != "" {
			all = append(all, Shortcut{l.key, "Go to: " + l.label})
		}
	}
	for _, t := range projectTabs {
		if key := tabKeys[t.tab]; key != "" {
			all = append(all, Shortcut{key, "In a project: " + t.label})
		}
	}
	return all
}

// tabs returns the tabs whose pages exist and that the caller may open.
func (v *Visit) tabs(all []tabLink, routes *routeTable, path string, here Tab) []Link {
	var shown []Link
	for _, t := range all {
		noCode := t.ability == access.ReadCode && v.Project.Project.EmptyRepo
		if !routes.has(t.pattern) || !v.May(t.ability) || noCode {
			continue
		}
		to := path
		if t.pattern != "" {
			to += separator + t.pattern
		}
		if ref, needsRef := strings.CutSuffix(to, "/*"); needsRef {
			to = ref + "/" + EscapePath(v.Project.Project.DefaultBranch)
		}
		shown = append(shown, Link{Path: to, Label: t.label, Here: t.tab == here, Key: tabKeys[t.tab]})
	}
	return shown
}

// placeCrumbs returns the groups above a project, or its user.
func (v *Visit) placeCrumbs() []Link {
	place := v.Project.Place
	if place.Kind == model.NamespaceUser {
		return []Link{{Path: "/" + place.FullPath, Label: place.Name}}
	}
	above, _ := strings.CutSuffix(v.Project.Project.FullName, " / "+v.Project.Project.Name)
	return crumbsOfGroup(place.FullPath, above)
}

// crumbsOfGroup returns a group and those above it. Names are joined by " / ", and paths by slashes.
func crumbsOfGroup(path, name string) []Link {
	paths, names := strings.Split(path, "/"), strings.Split(name, " / ")
	all := make([]Link, len(paths))
	for i := range paths {
		label := paths[i]
		if len(names) == len(paths) {
			label = names[i]
		}
		all[i] = Link{Path: groupsPrefix + strings.Join(paths[:i+1], "/"), Label: label}
	}
	return all
}
