package adminpages

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"svc/server/domain/repository/lifecycle"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// storagesView is the content of the page about storages.
type storagesView struct {
	Storages []lifecycle.StorageState
	Moves    []moveView
	Pager    page.Pager
	Form     *page.Form // nil if there is only one storage
}

// moveView is the move of the repository of a project.
type moveView struct {
	model.StorageMove
	Owner, Address string
}

// storageOptions returns the names of the storages, for forms.
func (p *Pages) storageOptions() []page.Option {
	var all []page.Option
	for _, name := range slices.Sorted(maps.Keys(p.Settings().Roots())) {
		all = append(all, page.Option{Value: name, Label: name})
	}
	return all
}

// storages shows the storages, and the last moves of projects between them.
// GET /admin/storages
func (p *Pages) storages(v *page.Visit) error { return p.showStorages(v, p.moveForm("", "", "")) }

// kinds are the kinds of repositories, with their names.
var kinds = map[string]model.RepositoryKind{
	"projects": model.ProjectRepository, "snippets": model.SnippetRepository, "wikis": model.GroupWikiRepository,
}

// kindOptions returns the kinds of repositories, for forms. Group wikis are moved in paid tiers, as in the API.
func (p *Pages) kindOptions() []page.Option {
	all := []page.Option{{Value: "projects", Label: "Projects"}, {Value: "snippets", Label: "Snippets"}}
	if p.Paid {
		all = append(all, page.Option{Value: "wikis", Label: "Wikis of groups"})
	}
	return all
}

func (p *Pages) moveForm(kind, from, to string) page.Form {
	names := p.storageOptions()
	return page.Form{Action: storagesPath + "/move", Submit: "Move the repositories", Fields: []page.Field{
		page.Select("kind", "Repositories of", kind, p.kindOptions()...),
		page.Select("source", "From", from, names...),
		page.Select("destination", "To", to, append([]page.Option{{Label: "Any other storage"}}, names...)...),
	}}
}

func (p *Pages) showStorages(v *page.Visit, form page.Form) error {
	ctx := v.Request().Context()
	states, err := lifecycle.StorageStates(ctx, p.Store, p.Settings().Roots())
	if err != nil {
		return err
	}
	pager := v.Pager()
	rows, total, err := p.Store.StorageMoves.List(ctx, model.ProjectRepository, 0, pager.Page)
	if err != nil {
		return err
	}
	view := storagesView{Storages: states, Pager: pager.Of(total.More)}
	for _, row := range rows {
		view.Moves = append(view.Moves, moveView{row.Move, row.Project.FullPath, "/" + row.Project.FullPath})
	}
	if len(states) > 1 || form.Broken() {
		view.Form = &form
	}
	status := http.StatusOK
	if form.Broken() {
		status = http.StatusUnprocessableEntity
	}
	return v.Show(page.View{Templates: p.templates, Name: "storages", Status: status, Title: "Storages", Data: view})
}

// moveStorage schedules the move of all repositories of a kind from one storage to another.
// POST /admin/storages/move
func (p *Pages) moveStorage(v *page.Visit) error {
	kind, from, to := v.Value("kind"), v.Value("source"), v.Value("destination")
	form := p.moveForm(kind, from, to)
	roots, broken := p.Settings().Roots(), map[string][]string{}
	of, ok := kinds[kind]
	if !ok || of == model.GroupWikiRepository && !p.Paid {
		broken["kind"] = []string{"is not a kind of repositories"}
	}
	if roots[from] == "" {
		broken["source"] = []string{"is not a storage"}
	}
	if to != "" && roots[to] == "" {
		broken["destination"] = []string{"is not a storage"}
	}
	if to == from || len(roots) < 2 {
		broken["destination"] = []string{"must be another storage"}
	}
	if len(broken) > 0 {
		return p.showStorages(v, form.With(broken))
	}
	ctx := v.Request().Context()
	counts, err := p.Store.Instance.RepositoryCounts(ctx)
	if err != nil {
		return err
	}
	if err := p.Repositories.ScheduleAll(ctx, lifecycle.MoveAll{Of: of, Source: from, Destination: to}); err != nil {
		return err
	}
	return v.Done(storagesPath, "The moves of "+strconv.FormatInt(counts[from][of], 10)+" repositories from "+from+" are scheduled.")
}
