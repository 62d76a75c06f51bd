package hookpages

import (
	"svc/server/transport/web/page"
	"svc/store/model"
)

// hooksView is the content of the list of hooks.
type hooksView struct {
	Title string
	Intro string
	Hooks []hookLine
	Pager page.Pager
	New   string
}

// hookLine is a line of the list of hooks.
type hookLine struct {
	model.Hook
	Path, State string
	Kinds       []string
}

// hooks lists the hooks of a project or group, or the system hooks.
// GET /{project}/-/hooks
// GET /groups/{group}/-/hooks
// GET /admin/hooks
func (p *Pages) hooks(v *page.Visit, o owner) error {
	pager := v.Pager()
	rows, total, err := p.Store.Hooks.List(v.Request().Context(), o.HookOwner, pager.Page)
	if err != nil {
		return err
	}
	view := hooksView{Title: o.title(), Intro: o.intro, Pager: pager.Of(total.More), New: o.path + "/new"}
	for _, row := range rows {
		line := hookLine{Hook: row, Path: o.hookPath(row.ID), State: stateText(v, row)}
		for _, kind := range o.kinds() {
			if row.Events.Has(kind.Event) {
				line.Kinds = append(line.Kinds, kindText(kind.Flag))
			}
		}
		view.Hooks = append(view.Hooks, line)
	}
	return p.show(v, o, page.View{Name: "hooks", Title: o.title(), Data: view})
}

// stateText returns the state of a hook for people; empty if it works.
func stateText(v *page.Visit, h model.Hook) string {
	switch h.State(v.Now()) {
	case model.HookDisabled:
		return "disabled after too many failures; a test that succeeds enables it"
	case model.HookTemporarilyDisabled:
		return "paused after failures until " + h.DisabledUntil.UTC().Format("15:04 UTC")
	}
	return ""
}

// newHook shows the form for a new hook.
// GET /{project}/-/hooks/new
// GET /groups/{group}/-/hooks/new
func (p *Pages) newHook(v *page.Visit, o owner) error { return p.showNew(v, o, nil) }

func (p *Pages) showNew(v *page.Visit, o owner, refused error) error {
	fresh := model.Hook{Events: model.HookPush, EnableSSLVerification: true, BranchFilterStrategy: model.FilterWildcard}
	if o.system {
		fresh.Events = model.HookRepositoryUpdate
	}
	form := o.form(o.path+"/new", "Create the webhook", fresh, nil)
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	return p.show(v, o, page.View{
		Name: "form_page", Status: status, Title: "New webhook", Data: page.FormPage{Intro: []string{o.intro}, Form: form},
	})
}

// createHook creates a hook.
// POST /{project}/-/hooks/new
// POST /groups/{group}/-/hooks/new
func (p *Pages) createHook(v *page.Visit, o owner) error {
	change, err := o.change(v)
	var made model.Hook
	if err == nil {
		made, err = p.Hooks.Create(v.Request().Context(), o.Owner, change)
	}
	if err != nil {
		return p.showNew(v, o, err)
	}
	return v.Done(o.hookPath(made.ID), "The webhook was created.")
}
