package projectpages

import (
	"errors"
	"fmt"
	"html/template"

	"svc/server/domain/repository/browse"
	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store/git"
	"svc/store/model"
)

// homeView is the content of the page of a project.
type homeView struct {
	Project   model.Project
	Topics    []string
	HTTP, SSH string // addresses to clone
	Root      string
	At        *place // nil if the caller may not read the code, or there is none
	Entries   []entryView
	More      string // the address of all entries, if not all are shown
	Latest    *git.Commit
	Languages []language
	Readme    template.HTML
	ReadmeAt  string // its address
	NoDefault bool   // there are branches, but not the default branch
	Reads     bool   // the caller may read the code
	Pushes    bool

	Copying    bool   // the repository is still being copied
	CopyFailed bool   // the repository could not be copied
	CopyError  string // the reason, for maintainers
	Import     string // the address of the page of the import, for maintainers
}

// language is the share of a programming language.
type language struct{ Name, Share string }

// homeEntries is how many entries of the root the page of a project shows.
const homeEntries = 100

// home shows a project.
// GET /{project}
func (p *Pages) home(v *page.Visit) error {
	project := v.Project.Project
	view := homeView{
		Project: project, Topics: project.TopicList(), HTTP: p.URL + "/" + project.FullPath + ".git", Root: root(project),
		Reads: v.May(access.ReadCode), Pushes: v.May(access.PushCode),
	}
	view.addImport(v)
	if p.SSH {
		view.SSH = naming.SSHURL(p.URL, p.SSHPort, project.FullPath)
	}
	if view.Reads && !project.EmptyRepo {
		if err := p.addCode(v, &view); err != nil {
			return err
		}
	}
	return v.Show(page.View{Templates: p.templates, Name: "home", Title: project.Name, Tab: page.TabHome, Data: view})
}

// addImport adds how far the import of the repository is.
func (h *homeView) addImport(v *page.Visit) {
	project := v.Project.Project
	h.Copying = project.ImportStatus == model.ImportScheduled || project.ImportStatus == model.ImportStarted
	h.CopyFailed = project.ImportStatus == model.ImportFailed && project.EmptyRepo
	if project.ImportError != nil && v.May(access.ReadProjectImport) {
		h.CopyError = *project.ImportError
	}
	if (h.Copying || h.CopyFailed) && v.May(access.ReadProjectImport) {
		h.Import = root(project) + "/-/import"
	}
}

// addCode adds what the default branch has.
func (p *Pages) addCode(v *page.Visit, view *homeView) error {
	ctx := v.Request().Context()
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	commit, err := repo.Resolve(ctx, "")
	if errors.Is(err, git.ErrNotFound) {
		view.NoDefault = true
		return nil
	}
	if err != nil {
		return err
	}
	at := place{Place: browse.Place{Ref: view.Project.DefaultBranch, Kind: browse.Branch, Commit: commit}, Root: view.Root, repo: repo}
	if at.Refs, err = at.offered("tree"); err != nil {
		return err
	}
	view.At = &at
	entries, more, err := p.entries(v, at, page.Pager{}, homeEntries)
	if err != nil {
		return err
	}
	view.Entries = entries
	if more {
		view.More = at.Of("tree", "")
	}
	latest, err := repo.Commit(ctx, commit)
	if err != nil {
		return err
	}
	view.Latest = &latest
	if err := p.addLanguages(v, view); err != nil {
		return err
	}
	return p.addReadme(v, at, entries, view)
}

// addLanguages adds the languages of the code.
func (p *Pages) addLanguages(v *page.Visit, view *homeView) error {
	rows, err := p.Store.Projects.Languages(v.Request().Context(), view.Project.ID)
	for _, l := range rows {
		view.Languages = append(view.Languages, language{l.Name, fmt.Sprintf("%.1f %%", l.Share)})
	}
	return err
}
