package projectpages

import (
	"html/template"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/git"
)

// treeView is the content of the page of a folder.
type treeView struct {
	At       place
	Entries  []entryView
	Pager    page.Pager
	Latest   *git.Commit
	Archives []page.Link
	Readme   template.HTML
	ReadmeAt string
	Pushes   bool
}

// entryView is an entry of a folder.
type entryView struct {
	git.ListEntry

	Address string // empty if there is no page for it
	Note    string // what it is, unless it is a file or a folder
	Last    *git.Commit
	LastAt  string // the address of the commit
}

// maxPath is the length of a path up to which pages link to a file, in bytes.
const maxPath = 300

// treeEntries is how many entries a page shows.
const treeEntries = 100

// tree shows a folder.
// GET /{project}/-/tree/{ref}/{path}
func (p *Pages) tree(v *page.Visit) error {
	ctx := v.Request().Context()
	at, err := p.place(v, "tree")
	if err != nil {
		return err
	}
	folder, err := at.repo.TreeAt(ctx, at.Commit, at.Path)
	if err != nil {
		return orNotFound(err)
	}
	if folder.Kind() != git.KindTree { // old links to files
		return v.Redirect(at.To("blob"))
	}
	pager := v.PagerOf(treeEntries)
	entries, more, err := p.entries(v, at, pager, treeEntries)
	if err != nil {
		return err
	}
	view := treeView{
		At: at, Entries: entries, Pager: pager.Of(more), Archives: at.Archives(v.Project.Project), Pushes: v.May(access.PushCode),
	}
	if id, err := at.repo.LastCommit(ctx, at.Commit, at.Path); err == nil {
		latest, err := at.repo.Commit(ctx, id)
		if err != nil {
			return err
		}
		view.Latest = &latest
	}
	var home homeView
	if err := p.addReadme(v, at, entries, &home); err != nil {
		return err
	}
	view.Readme, view.ReadmeAt = home.Readme, home.ReadmeAt
	title := at.Path
	if title == "" {
		title = at.Ref
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "tree", Title: title, Tab: page.TabFiles, Crumbs: at.crumbs(), Data: view,
	})
}

// entries returns one page of the entries of a folder, each with its last commit, and whether there are more.
func (p *Pages) entries(v *page.Visit, at place, pager page.Pager, most int) ([]entryView, bool, error) {
	ctx := v.Request().Context()
	list, err := at.repo.List(ctx, at.Commit, git.ListOptions{Path: at.Path, Offset: pager.Page.Offset, Limit: most})
	if err != nil {
		return nil, false, orNotFound(err)
	}
	last, err := at.repo.LastCommits(ctx, at.Commit, at.Path, list.Entries)
	if err != nil {
		return nil, false, err
	}
	ids := make([]string, 0, len(last))
	for _, id := range last {
		ids = append(ids, id)
	}
	commits, err := byID(ctx, at.repo, ids)
	if err != nil {
		return nil, false, err
	}
	all := make([]entryView, len(list.Entries))
	for i, e := range list.Entries {
		all[i] = at.entry(e)
		if c, ok := commits[last[e.Name]]; ok {
			all[i].Last, all[i].LastAt = &c, at.Show(c.ID)
		}
	}
	return all, list.More, nil
}

// entry returns an entry as a page shows it.
func (at place) entry(e git.ListEntry) entryView {
	shown := entryView{ListEntry: e}
	switch {
	case e.Kind() == git.KindTree:
		shown.Address = at.Of("tree", e.Path)
	case e.Kind() == git.KindBlob:
		shown.Address = at.Of("blob", e.Path)
		if isLink(e.Entry) {
			shown.Note = "symbolic link"
		}
	default:
		shown.Note = "submodule at " + page.Short(e.ID)
	}
	if len(e.Path) > maxPath {
		shown.Address, shown.Note = "", "the path is too long; clone the repository to read it"
	}
	if e.Odd {
		shown.Address, shown.Note = "", "the name is not UTF-8; clone the repository to read it"
	}
	return shown
}

// isLink reports whether an entry is a symbolic link.
func isLink(e git.Entry) bool { return e.ModeText() == "120000" }
