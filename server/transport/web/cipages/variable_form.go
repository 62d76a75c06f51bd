package cipages

import (
	"strings"

	"svc/server/domain/ci/variablestore"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// variableTypes are the types of variables.
var variableTypes = choices{{Value: model.VariableEnv, Label: "Variable"}, {Value: model.VariableFile, Label: "File"}}

// The values of the field that says which people see a value.
const (
	visibleValue = "visible"
	maskedValue  = "masked"
	hiddenValue  = "hidden"
)

// visibilities say which people see the value of a variable.
var visibilities = choices{
	{Value: visibleValue, Label: "Visible here and in logs"},
	{Value: maskedValue, Label: "Masked: not shown here, and replaced in logs"},
	{Value: hiddenValue, Label: "Masked and hidden: nobody can read it again, not even through the API"},
}

// variableForm returns the form of a variable. The value of a masked or hidden variable is not in it.
func (o variableOwner) variableForm(action string, row model.OwnedVariable, isNew bool) page.Form {
	value := page.Field{Name: "value", Label: "Value", Type: "textarea", Value: row.Value, Rows: 3}
	visibility, options := visibleValue, visibilities
	switch {
	case row.Hidden:
		visibility, options = hiddenValue, visibilities[2:]
	case row.Masked:
		visibility, options = maskedValue, visibilities[:2]
	case !isNew || o.instance:
		options = visibilities[:2]
	}
	if row.Masked {
		value.Value, value.Hint = "", "The value is not shown. Leave this empty to keep it."
	}
	form := page.Form{Action: action, Submit: "Save", Fields: []page.Field{
		value,
		{
			Name: "visibility", Label: "Visibility", Type: "select", Options: options.marked(visibility),
			Hint: "A masked value has one line and at least 8 letters, digits or characters of _+=/@:.~-",
		},
		{
			Name: "variable_type", Label: "Type", Type: "select", Options: variableTypes.marked(row.VariableType),
			Hint: "Jobs get a file with the value, or the value itself.",
		},
		{Name: "description", Label: "Description", Type: "text", Value: text(row.Description)},
		{Name: "protected", Label: "Only for jobs on protected branches and tags", Type: "checkbox", Checked: row.Protected},
		{Name: "expanded", Label: "Replace $NAME in the value by other variables", Type: "checkbox", Checked: !row.Raw},
	}}
	if !o.instance {
		form.Fields = append(form.Fields, page.Field{
			Name: "environment_scope", Label: "Environments", Type: "text", Value: row.EnvironmentScope, Required: true,
			Hint: "The name of an environment, a pattern such as review/*, or * for all jobs.",
		})
	}
	if isNew {
		key := page.Field{
			Name: "key", Label: "Key", Type: "text", Required: true, Autocomplete: "off", Hint: "Letters, digits and _",
		}
		form.Submit, form.Fields = "Add the variable", append([]page.Field{key}, form.Fields...)
	}
	return form
}

// readVariable copies the form into a variable. The empty value keeps that of a masked variable.
func (o variableOwner) readVariable(v *page.Visit, row *model.OwnedVariable) {
	value := strings.ReplaceAll(v.Value("value"), "\r\n", "\n")
	if !row.Masked || value != "" {
		row.Value = value
	}
	row.Description, row.VariableType = optional(v, "description"), v.Value("variable_type")
	row.Protected, row.Raw = v.Value("protected") != "", v.Value("expanded") == ""
	row.Masked = v.Value("visibility") != visibleValue
	if !o.instance {
		row.EnvironmentScope = strings.TrimSpace(v.Value("environment_scope"))
	}
}

// checkVariable refuses values that no form has.
func checkVariable(v *page.Visit) error {
	if err := variableTypes.check("variable_type", v.Value("variable_type")); err != nil {
		return err
	}
	return visibilities.check("visibility", v.Value("visibility"))
}

func (p *Pages) showVariable(v *page.Visit, o variableOwner, title string, form page.Form, refused error) error {
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	return o.show(page.View{
		Templates: p.templates, Name: "form_page", Status: status, Title: title, Data: page.FormPage{Form: form},
		Crumbs: o.crumbs(),
	})
}

// crumbs returns the link to the list, which the administration has in its side navigation.
func (o variableOwner) crumbs() []page.Link {
	if o.instance {
		return nil
	}
	return []page.Link{{Path: o.path, Label: "CI variables"}}
}

// newVariable shows the form for a new variable.
// GET /{project}/-/settings/variables/new
// GET /groups/{group}/-/settings/variables/new
// GET /admin/variables/new
func (p *Pages) newVariable(v *page.Visit, o variableOwner) error {
	return p.showNewVariable(v, o, nil)
}

func (p *Pages) showNewVariable(v *page.Visit, o variableOwner, refused error) error {
	row := model.OwnedVariable{VariableType: model.VariableEnv, EnvironmentScope: variablestore.AllScopes}
	return p.showVariable(v, o, "New variable", o.variableForm(o.path+"/new", row, true), refused)
}

// createVariable adds a variable.
// POST /{project}/-/settings/variables/new
// POST /groups/{group}/-/settings/variables/new
// POST /admin/variables/new
func (p *Pages) createVariable(v *page.Visit, o variableOwner) error {
	row := model.OwnedVariable{Key: strings.TrimSpace(v.Value("key"))}
	o.readVariable(v, &row)
	row.Hidden = v.Value("visibility") == hiddenValue && !o.instance
	err := checkVariable(v)
	if err == nil {
		err = o.list.Create(v.Request().Context(), &row)
	}
	if err != nil {
		return p.showNewVariable(v, o, err)
	}
	return v.Done(o.path, "The variable "+row.Key+" was added.")
}

// editVariable shows the form of a variable.
// GET /{project}/-/settings/variables/{key}/edit
// GET /groups/{group}/-/settings/variables/{key}/edit
// GET /admin/variables/{key}/edit
func (p *Pages) editVariable(v *page.Visit, o variableOwner) error {
	var scope *string
	if given, named := v.QueryParams()["scope"]; named {
		scope = &given[0]
	}
	row, err := o.list.Get(v.Request().Context(), v.Param("key"), scope)
	if err != nil {
		return orMissing(err)
	}
	return p.showEditVariable(v, o, row, nil)
}

func (p *Pages) showEditVariable(v *page.Visit, o variableOwner, row model.OwnedVariable, refused error) error {
	form := o.variableForm(v.Request().URL.EscapedPath(), row, false)
	form.Hidden = []page.Field{{Name: "scope", Value: row.EnvironmentScope}}
	return p.showVariable(v, o, "Change "+row.Key, form, refused)
}

// changeVariable changes a variable.
// POST /{project}/-/settings/variables/{key}/edit
// POST /groups/{group}/-/settings/variables/{key}/edit
// POST /admin/variables/{key}/edit
func (p *Pages) changeVariable(v *page.Visit, o variableOwner) error {
	scope, ctx := v.Value("scope"), v.Request().Context()
	row, err := o.list.Get(ctx, v.Param("key"), &scope)
	if err != nil {
		return orMissing(err)
	}
	if err = checkVariable(v); err == nil {
		_, err = o.list.Change(ctx, row.Key, &scope, func(row *model.OwnedVariable) { o.readVariable(v, row) })
	}
	if err != nil {
		return p.showEditVariable(v, o, row, err)
	}
	return v.Done(o.path, "The variable "+row.Key+" was saved.")
}
