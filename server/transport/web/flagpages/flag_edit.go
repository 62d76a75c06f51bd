package flagpages

import (
	"svc/openapi/wire"
	"svc/server/domain/featureflag"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// flagForm is the form of a flag.
func flagForm(f model.FeatureFlag, action, submit string) page.Form {
	return page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{
			Name: "name", Label: "Name", Type: "text", Value: f.Name, Required: true, Focus: true, Autocomplete: "off",
			Hint: "Lowercase letters, digits, “_” and “-”. Programs ask for the flag with this name.",
		},
		{Name: "description", Label: "Description", Type: "text", Value: wire.Value(f.Description)},
		{Name: "active", Label: "Switched on", Type: "checkbox", Checked: f.Active},
	}}
}

// sentFlag reads the form of a flag.
func sentFlag(v *page.Visit) featureflag.Change {
	return featureflag.Change{
		Name: new(v.Value("name")), Description: new(v.Value("description")), Active: new(v.Value("active") != ""),
	}
}

// newFlag shows the form for a new flag.
// GET /{project}/-/feature_flags/new
func (p *Pages) newFlag(v *page.Visit) error { return p.showNewFlag(v, nil) }

func (p *Pages) showNewFlag(v *page.Visit, refused error) error {
	form := flagForm(model.FeatureFlag{Active: true}, address(v, flagsPattern), "Create the flag")
	return p.showForm(v, refused, formView{Form: form}, "New feature flag", flagCrumbs(v))
}

// createFlag creates a flag that is on for everybody; the next page can change this.
// POST /{project}/-/feature_flags
func (p *Pages) createFlag(v *page.Visit) error {
	c := sentFlag(v)
	c.Strategies = []featureflag.StrategyChange{{Name: new("default")}}
	made, err := p.Flags.Create(v.Request().Context(), v.Project.Project, c)
	if err != nil {
		return p.showNewFlag(v, err)
	}
	return v.Done(flagAddress(v, made.Name)+"/edit", "The flag was created, for everybody in all environments.")
}

// editView is the content of the page that changes a flag.
type editView struct {
	formView
	Strategies []strategyView
	Add        page.Form
}

// editFlag shows the forms that change a flag.
// GET /{project}/-/feature_flags/{name}/edit
func (p *Pages) editFlag(v *page.Visit) error {
	row, err := p.findFlag(v)
	if err != nil {
		return err
	}
	return p.showFlag(v, row, nil)
}

func (p *Pages) showFlag(v *page.Visit, row model.FeatureFlagRow, refused error) error {
	at := flagAddress(v, row.Name)
	lists, err := p.Store.FeatureFlagUserLists.OfProject(v.Request().Context(), v.Project.Project.ID)
	if err != nil {
		return err
	}
	view := editView{Add: strategyForm(at+"/strategies", lists), Strategies: strategiesOf(row)}
	view.Form = flagForm(row.FeatureFlag, at, "Save the flag")
	view.Form.Fields[0].Focus = false
	view.Delete = &page.Button{
		Action: at + "/delete", Label: "Delete the flag", Class: "danger", Confirm: "Delete the flag for good; programs then see it as off",
	}
	for i := range view.Strategies {
		s := &view.Strategies[i]
		s.Remove = page.Button{Action: at + "/strategies/" + s.ID + "/delete", Label: "Remove", Class: "quiet"}
	}
	status, err := v.Fill(refused, &view.Form, &view.Add)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "flag", Status: status, Title: row.Name, Tab: page.TabFlags, Crumbs: flagCrumbs(v), Data: view,
	})
}

// updateFlag changes a flag.
// POST /{project}/-/feature_flags/{name}
func (p *Pages) updateFlag(v *page.Visit) error {
	changed, err := p.apply(v, sentFlag(v))
	if err != nil {
		return p.refused(v, err)
	}
	return v.Done(flagAddress(v, changed.Name)+"/edit", "The flag was saved.")
}

// switchFlag switches a flag on or off.
// POST /{project}/-/feature_flags/{name}/state
func (p *Pages) switchFlag(v *page.Visit) error {
	active := v.Value("active") != ""
	changed, err := p.apply(v, featureflag.Change{Active: &active})
	if err != nil {
		return page.Hide(err)
	}
	if active {
		return v.Done(address(v, flagsPattern), "The flag "+changed.Name+" is on.")
	}
	return v.Done(address(v, flagsPattern), "The flag "+changed.Name+" is off.")
}

// deleteFlag deletes a flag.
// POST /{project}/-/feature_flags/{name}/delete
func (p *Pages) deleteFlag(v *page.Visit) error {
	gone, err := p.Flags.Delete(v.Request().Context(), v.Project.Project, v.Param("name"), nil)
	if err != nil {
		return page.Hide(err)
	}
	return v.Done(address(v, flagsPattern), "The flag "+gone.Name+" was deleted.")
}

// apply changes the flag of a page.
func (p *Pages) apply(v *page.Visit, c featureflag.Change) (model.FeatureFlagRow, error) {
	return p.Flags.Apply(v.Request().Context(), v.Project.Project, v.Param("name"), c, v.Actor.User.ID)
}

// refused shows the forms of a flag again, with the reason of a refusal.
func (p *Pages) refused(v *page.Visit, why error) error {
	if page.IsMissing(why) {
		return page.NotFound()
	}
	row, err := p.findFlag(v)
	if err != nil {
		return err
	}
	return p.showFlag(v, row, why)
}
