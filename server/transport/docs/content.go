package docs

import (
	"fmt"
	"html/template"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	guides "svc/docs"
	"svc/openapi/reference"
	"svc/server/platform/markdown"
)

// guide is a text written by hand.
type guide struct {
	name, title, about string
	text               []byte
}

// content is everything that the pages show.
type content struct {
	groups     []guideGroup
	guides     map[string]guide
	reference  *reference.Reference
	pages      map[string]reference.Page // of the reference, by name
	areas      map[string]reference.Area
	operations map[string]reference.Operation // by their IDs in lower case
	index      func() *index
}

type guideGroup struct {
	Title  string
	Guides []guide
}

func newContent(o Options) (*content, error) {
	ref, err := reference.New(o.Document, reference.Options{
		BaseURL: o.URL, WhoMay: o.WhoMay, Try: func(id string) string { return "/-/explorer/" + id },
	})
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	c := &content{
		guides: map[string]guide{}, reference: ref, pages: map[string]reference.Page{},
		areas: map[string]reference.Area{}, operations: map[string]reference.Operation{},
	}
	c.index = sync.OnceValue(func() *index { return newIndex(c) })
	for _, p := range ref.Pages {
		c.pages[p.Name] = p
	}
	for _, area := range ref.Areas {
		c.areas[area.Name] = area
	}
	for _, op := range ref.Operations {
		c.operations[op.Anchor] = op
	}
	return c, c.readGuides()
}

// readGuides reads the guides and puts them into their groups.
func (c *content) readGuides() error {
	files, err := fs.Glob(guides.Guides, "*.md")
	if err != nil {
		return err
	}
	var rest []string
	for _, file := range files {
		data, err := guides.Guides.ReadFile(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(file, ".md")
		g := guide{name: name, title: name, text: data}
		g.title, g.about = opening(string(data))
		c.guides[name] = g
		if !slices.ContainsFunc(guides.Groups, func(group guides.Group) bool { return slices.Contains(group.Guides, name) }) {
			rest = append(rest, name)
		}
	}
	for _, group := range append(slices.Clone(guides.Groups), guides.Group{Title: "More", Guides: rest}) {
		shown := guideGroup{Title: group.Title}
		for _, name := range group.Guides {
			if g, ok := c.guides[name]; ok {
				shown.Guides = append(shown.Guides, g)
			}
		}
		if len(shown.Guides) > 0 {
			c.groups = append(c.groups, shown)
		}
	}
	return nil
}

var (
	comment  = regexp.MustCompile(`(?s)<!--.*?-->`)
	sentence = regexp.MustCompile(`^.*?[.:](\s|$)`)
)

// opening returns the title of a text and its first sentence.
func opening(text string) (title, about string) {
	for block := range strings.SplitSeq(comment.ReplaceAllString(text, ""), "\n\n") {
		block = strings.TrimSpace(block)
		if heading, ok := strings.CutPrefix(block, "# "); ok {
			title = plainText(heading)
			continue
		}
		if block != "" && about == "" && !strings.ContainsAny(block[:1], "#|`-") {
			words := strings.Join(strings.Fields(plainText(block)), " ")
			if first := sentence.FindString(words); first != "" {
				words = first
			}
			about = strings.TrimRight(strings.TrimSpace(words), ".:") + "."
			if rest, ok := strings.CutPrefix(about, "This page "); ok {
				about = strings.ToUpper(rest[:1]) + rest[1:]
			}
			break
		}
	}
	return title, about
}

// view is what the layout shows.
type view struct {
	Title, Query                   string
	Style, DocsStyle, Script, Icon string
	Crumbs                         []link
	Nav                            []navGroup
	Name                           string // of the template inside the layout
	Text                           template.HTML
	Start                          *startView
	Search                         *searchView
	Missing                        string // the path of a page that does not exist
}

// startView is the content of the start page.
type startView struct {
	Groups []guideGroup
	Areas  []reference.Area
	Count  int
}

// Link returns the URL of a guide.
func (g guide) Link() string { return Root + "/" + g.name }

// Title returns the title of a guide.
func (g guide) Title() string { return g.title }

// About returns the first sentence of a guide.
func (g guide) About() string { return g.about }

var home = link{Path: Root, Label: "Documentation"}

// view returns what a page shows, and whether there is such a page.
func (c *content) view(path string) (view, bool, error) {
	if path == "" {
		return view{
			Title: "Documentation", Name: "start", Nav: c.nav("", nil),
			Start: &startView{Groups: c.groups, Areas: c.reference.Areas, Count: len(c.reference.Operations)},
		}, true, nil
	}
	name := strings.TrimPrefix(path, "/")
	if name == "api" {
		name = "api/README"
	}
	if g, ok := c.guides[name]; ok {
		p, err := markdown.Render(g.text, markdown.Options{Trusted: true, Link: c.linksFrom("")})
		return view{
			Title: g.title, Name: "text", Text: p.HTML, Crumbs: []link{home, {Label: g.title}}, Nav: c.nav(path, p.Headings),
		}, true, err
	}
	name, inAPI := strings.CutPrefix(name, "api/")
	ref, ok := c.pages[name]
	if !inAPI || !ok {
		return view{}, false, nil
	}
	p, err := markdown.Render(ref.Text, markdown.Options{Trusted: true, Link: c.linksFrom("api")})
	v := view{Title: ref.Title, Name: "text", Text: p.HTML, Crumbs: []link{home}, Nav: c.nav(path, nil)}
	if ref.Area != "" {
		v.Crumbs = append(v.Crumbs, link{Path: Root + "/api", Label: "Reference"})
	}
	if area := c.areas[ref.Area]; ref.Name != ref.Area && ref.Area != "" {
		v.Crumbs = append(v.Crumbs, link{Path: Root + "/api/" + area.Name, Label: area.Title})
	}
	v.Crumbs = append(v.Crumbs, link{Label: ref.Title})
	return v, true, err
}

// missingView is the page for a path that does not exist: with what a search for its words finds.
func (c *content) missingView(path string) view {
	found := c.index().find(path)
	return view{
		Title: "Page not found", Name: "missing", Nav: c.nav("", nil), Missing: Root + path,
		Search: &searchView{Results: found[:min(len(found), 5)]},
	}
}
