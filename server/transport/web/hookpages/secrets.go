package hookpages

import (
	"context"

	"svc/server/domain/webhook"
	"svc/server/transport/web/page"
)

// The words for the two kinds of secrets, which are also the beginnings of the names of their fields.
const (
	header   = "header"
	variable = "variable"
)

// pairForm returns the form that sets a custom header or a URL variable. Their fields have different names, because both are on
// one page.
func pairForm(action, what string) page.Form {
	return page.Form{Action: action, Submit: "Set the " + what, Fields: []page.Field{
		{Name: what + "_key", Label: "Name of the " + what, Type: "text", Required: true, Autocomplete: "off"},
		{Name: what + "_value", Label: "Value of the " + what, Type: "password", Required: true, Autocomplete: "new-password"},
	}}
}

// setPair sets a custom header or a URL variable of a hook.
func (p *Pages) setPair(
	v *page.Visit, o owner, what string, set func(ctx context.Context, in webhook.Owner, id int64, pair webhook.Pair) error,
) error {
	found, err := p.find(v, o)
	if err != nil {
		return err
	}
	pair := webhook.Pair{Key: v.Value(what + "_key"), Value: v.Value(what + "_value")}
	if err := set(v.Request().Context(), o.Owner, found.ID, pair); err != nil {
		return p.showHook(v, o, found, err)
	}
	return v.Done(o.hookPath(found.ID), "The "+what+" was set.")
}

// setHeader sets a custom header of a hook.
// POST /{project}/-/hooks/{id}/headers
// POST /groups/{group}/-/hooks/{id}/headers
func (p *Pages) setHeader(v *page.Visit, o owner) error {
	return p.setPair(v, o, header, p.Hooks.SetHeader)
}

// setVariable sets a URL variable of a hook.
// POST /{project}/-/hooks/{id}/variables
// POST /groups/{group}/-/hooks/{id}/variables
func (p *Pages) setVariable(v *page.Visit, o owner) error {
	return p.setPair(v, o, variable, p.Hooks.SetVariable)
}

// deletePair removes a custom header or a URL variable of a hook.
func (p *Pages) deletePair(
	v *page.Visit, o owner, remove func(ctx context.Context, in webhook.Owner, id int64, key string) error, text string,
) error {
	found, err := p.find(v, o)
	if err != nil {
		return err
	}
	if err := remove(v.Request().Context(), o.Owner, found.ID, v.Param("key")); err != nil {
		return err
	}
	return v.Done(o.hookPath(found.ID), text)
}

// deleteHeader removes a custom header of a hook.
// POST /{project}/-/hooks/{id}/headers/{key}/delete
// POST /groups/{group}/-/hooks/{id}/headers/{key}/delete
func (p *Pages) deleteHeader(v *page.Visit, o owner) error {
	return p.deletePair(v, o, p.Hooks.DeleteHeader, "The header was removed.")
}

// deleteVariable removes a URL variable of a hook.
// POST /{project}/-/hooks/{id}/variables/{key}/delete
// POST /groups/{group}/-/hooks/{id}/variables/{key}/delete
func (p *Pages) deleteVariable(v *page.Visit, o owner) error {
	return p.deletePair(v, o, p.Hooks.DeleteVariable, "The variable was removed.")
}
