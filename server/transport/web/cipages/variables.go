package cipages

import (
	"errors"
	"net/http"
	"net/url"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

const adminVariablesPath = "/admin/variables"

func (p *Pages) registerVariables(r *page.Router) {
	for _, form := range []struct {
		method, rest string
		handler      func(v *page.Visit, o variableOwner) error
	}{
		{"GET", "", p.variables},
		{"GET", "/new", p.newVariable},
		{"POST", "/new", p.createVariable},
		{"GET", "/:key/edit", p.editVariable},
		{"POST", "/:key/edit", p.changeVariable},
		{"POST", "/:key/delete", p.deleteVariable},
	} {
		ability := access.AdminProjectVariable
		if form.rest == "" {
			ability = access.ReadProjectVariable
		}
		r.Project(form.method, variablesPath+form.rest, ability, func(v *page.Visit) error {
			return form.handler(v, p.projectVariables(v))
		})
		r.Group(form.method, variablesPath+form.rest, access.AdminGroupVariable, func(v *page.Visit) error {
			return form.handler(v, p.groupVariables(v))
		})
		add := r.Get
		if form.method == http.MethodPost {
			add = r.Post
		}
		add(adminVariablesPath+form.rest, page.Admins, func(v *page.Visit) error { return form.handler(v, p.adminVariables(v)) })
	}
	r.Project("GET", "settings/ci_cd", access.ReadProjectVariable, func(v *page.Visit) error { return v.Redirect(at(v, variablesPath)) })
	r.ProjectSettings(variablesPath, "CI variables", access.ReadProjectVariable)
	r.GroupSettings(variablesPath, "CI variables", access.AdminGroupVariable)
	r.Nav(page.Administration, adminVariablesPath, "CI variables")
}

// variablesView is the content of the list of variables.
type variablesView struct {
	Intro     string
	Variables []variableLine
	Pager     page.Pager
	New       string // path of the form for a new variable; empty for visitors who may not change variables
	Scoped    bool
}

// variableLine is a line of the list of variables. It has no value that is masked or hidden.
type variableLine struct {
	Key, Scope, Description string
	Value                   string
	Secret                  bool // the value is not shown
	File, Protected, Raw    bool
	Masked, Hidden          bool
	Edit                    string
	Remove                  page.Button
}

// variables lists variables. Values that are masked or hidden never leave the service.
// GET /{project}/-/settings/variables
// GET /groups/{group}/-/settings/variables
// GET /admin/variables
func (p *Pages) variables(v *page.Visit, o variableOwner) error {
	pager := v.PagerOf(10)
	rows, total, err := o.list.List(v.Request().Context(), pager.Page)
	if err != nil {
		return err
	}
	view := variablesView{Intro: o.intro, Pager: pager.Of(total.More), Scoped: !o.instance}
	if o.may {
		view.New = o.path + "/new"
	}
	for _, row := range rows {
		view.Variables = append(view.Variables, o.line(row))
	}
	return o.show(page.View{Templates: p.templates, Name: "variables", Title: "CI variables", Data: view})
}

// shownValue is how many bytes of a value the list shows; the form shows the whole value.
const shownValue = 1000

// line returns the line of a variable.
func (o variableOwner) line(row model.OwnedVariable) variableLine {
	line := variableLine{
		Key: row.Key, Scope: row.EnvironmentScope, Description: text(row.Description), Secret: row.Masked || row.Hidden,
		File: row.VariableType == model.VariableFile, Protected: row.Protected, Raw: row.Raw, Masked: row.Masked, Hidden: row.Hidden,
	}
	if !line.Secret {
		if line.Value = row.Value; len(row.Value) > shownValue {
			line.Value = row.Value[:shownValue] + "…"
		}
	}
	if o.may {
		path := o.path + "/" + url.PathEscape(row.Key)
		line.Edit = path + "/edit" + o.scopeQuery(row.EnvironmentScope)
		line.Remove = page.Button{
			Action: path + "/delete", Label: "Remove", Class: "danger", Confirm: "Remove " + row.Key,
			Hidden: []page.Field{{Name: "scope", Value: row.EnvironmentScope}},
		}
	}
	return line
}

// scopeQuery returns the parameter that names the scope of a variable.
func (o variableOwner) scopeQuery(scope string) string {
	if o.instance {
		return ""
	}
	return "?" + url.Values{"scope": {scope}}.Encode()
}

// deleteVariable removes a variable.
// POST /{project}/-/settings/variables/{key}/delete
// POST /groups/{group}/-/settings/variables/{key}/delete
// POST /admin/variables/{key}/delete
func (p *Pages) deleteVariable(v *page.Visit, o variableOwner) error {
	scope, key := v.Value("scope"), v.Param("key")
	if err := o.list.Remove(v.Request().Context(), key, &scope); err != nil {
		return orMissing(err)
	}
	return v.Done(o.path, "The variable "+key+" was removed.")
}

// statusConflict reports whether an error says that several variables have a key.
func statusConflict(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status == http.StatusConflict
}
