package cipages

import (
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/ci/environment"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// tiers are the kinds of environments.
var tiers = choices{
	{Label: "By its name"},
	{Value: "production", Label: "Production"},
	{Value: "staging", Label: "Staging"},
	{Value: "testing", Label: "Testing"},
	{Value: "development", Label: "Development"},
	{Value: "other", Label: "Other"},
}

// environmentForm returns the form of an environment; a new one has no ID.
func environmentForm(action string, e model.Environment) page.Form {
	form := page.Form{Action: action, Submit: "Save", Fields: []page.Field{
		{Name: "external_url", Label: "Address", Type: "url", Value: text(e.ExternalURL), Hint: "Where people open it."},
		{Name: "tier", Label: "Tier", Type: "select", Options: tiers.marked(e.Tier)},
		{Name: "description", Label: "Description", Type: "textarea", Value: text(e.Description)},
	}}
	if e.ID == 0 {
		name := page.Field{Name: "name", Label: "Name", Type: "text", Value: e.Name, Required: true, Autocomplete: "off"}
		form.Submit, form.Fields = "Create the environment", append([]page.Field{name}, form.Fields...)
	} else {
		form.Fields[1].Options = form.Fields[1].Options[1:] // the tier is known
	}
	return form
}

func (p *Pages) showEnvironmentForm(v *page.Visit, title string, form page.Form, refused error) error {
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "form_page", Status: status, Title: title, Tab: page.TabPipelines, Nav: nav(v, environmentsPath),
		Crumbs: []page.Link{{Path: at(v, environmentsPath), Label: "Environments"}}, Data: page.FormPage{Form: form},
	})
}

// newEnvironment shows the form for a new environment.
// GET /{project}/-/environments/new
func (p *Pages) newEnvironment(v *page.Visit) error { return p.showNewEnvironment(v, nil) }

func (p *Pages) showNewEnvironment(v *page.Visit, refused error) error {
	return p.showEnvironmentForm(v, "New environment", environmentForm(at(v, environmentsPath+"/new"), model.Environment{}), refused)
}

// createEnvironment creates an environment.
// POST /{project}/-/environments/new
func (p *Pages) createEnvironment(v *page.Visit) error {
	given := environment.Settings{Name: strings.TrimSpace(v.Value("name")), Tier: v.Value("tier")}
	given.ExternalURL, given.Description = optional(v, "external_url"), optional(v, "description")
	err := tiers.check("tier", given.Tier)
	if err == nil && given.Name == "" {
		err = page.Broken(map[string][]string{"name": {"can't be blank"}})
	}
	var made model.Environment
	if err == nil {
		made, err = p.Environments.Create(v.Request().Context(), v.Project.Project.ID, given)
	}
	if err != nil {
		return p.showNewEnvironment(v, err)
	}
	return v.Done(numbered(v.Project.Project, environmentsPath, made.ID), "The environment was created.")
}

// optional returns a field of the form, or nil if it is empty.
func optional(v *page.Visit, name string) *string {
	given := strings.TrimSpace(v.Value(name))
	if given == "" {
		return nil
	}
	return &given
}

// editEnvironment shows the form of an environment.
// GET /{project}/-/environments/{id}/edit
func (p *Pages) editEnvironment(v *page.Visit) error {
	found, err := p.findEnvironment(v)
	if err != nil {
		return err
	}
	return p.showEditEnvironment(v, found, nil)
}

func (p *Pages) showEditEnvironment(v *page.Visit, found model.Environment, refused error) error {
	action := numbered(v.Project.Project, environmentsPath, found.ID) + "/edit"
	return p.showEnvironmentForm(v, "Change "+found.Name, environmentForm(action, found), refused)
}

// changeEnvironment changes an environment.
// POST /{project}/-/environments/{id}/edit
func (p *Pages) changeEnvironment(v *page.Visit) error {
	found, err := p.findEnvironment(v)
	if err != nil {
		return err
	}
	tier := v.Value("tier")
	if err = tiers[1:].check("tier", tier); err == nil {
		_, err = p.Environments.Apply(v.Request().Context(), found, environment.Change{
			ExternalURL: wire.Maybe(optional(v, "external_url")), Description: wire.Maybe(optional(v, "description")), Tier: &tier,
		})
	}
	if err != nil {
		return p.showEditEnvironment(v, found, err)
	}
	return v.Done(numbered(v.Project.Project, environmentsPath, found.ID), "The environment was saved.")
}
