package docs

import (
	"slices"
	"strings"

	"svc/server/platform/markdown"
)

// link is a link of the navigation. A link without a path is the page itself.
type link struct {
	Path, Label string
	Here        bool   // the link leads to this page
	Inside      []link // parts of this page
}

// navGroup is a part of the navigation.
type navGroup struct {
	Title  string
	Path   string // of a page about the group, if there is one
	Folds  bool   // the group is long, and closed until somebody opens it
	Open   bool
	Links  []link
	IsHere bool
}

// nav returns the navigation as the page of a path shows it, with the headings of the page.
func (c *content) nav(path string, headings []markdown.Heading) []navGroup {
	var groups []navGroup
	for _, group := range c.groups {
		shown := navGroup{Title: group.Title}
		for _, g := range group.Guides {
			l := link{Path: g.Link(), Label: g.title, Here: g.Link() == Root+path}
			if l.Here {
				l.Inside = sections(headings)
			}
			shown.Links = append(shown.Links, l)
		}
		groups = append(groups, shown)
	}
	name, inAPI := strings.CutPrefix(path, "/api")
	name = strings.TrimPrefix(name, "/")
	all := navGroup{Title: "Reference of the API", Path: Root + "/api", Folds: true, Open: inAPI, IsHere: inAPI && name == ""}
	for _, area := range c.reference.Areas {
		here := slices.Contains(area.Pages, name)
		l := link{Path: Root + "/api/" + area.Name, Label: area.Title, Here: here && name == area.Name}
		if here && len(area.Pages) > 1 {
			for _, other := range area.Pages[1:] {
				label := strings.TrimPrefix(c.pages[other].Title, area.Title+" API, ")
				l.Inside = append(l.Inside, link{Path: Root + "/api/" + other, Label: label, Here: other == name})
			}
		}
		all.Links = append(all.Links, l)
	}
	return append(groups, all)
}

// sections returns links to the sections of a page.
func sections(headings []markdown.Heading) []link {
	var links []link
	for _, h := range headings {
		if h.Level == 2 {
			links = append(links, link{Path: "#" + h.ID, Label: h.Text})
		}
	}
	return links
}
