package cipages

import (
	"slices"
	"strings"

	"svc/server/domain/ci/status"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
)

// choices are the values of a filter with their words. The empty value means all.
type choices []page.Option

// statuses are the statuses of jobs and pipelines.
var statuses = func() choices {
	all := choices{{Label: "Any status"}}
	for _, s := range status.All {
		all = append(all, page.Option{Value: string(s), Label: badgeOf(string(s)).Text})
	}
	return all
}()

// sources are the reasons for pipelines.
var sources = choices{
	{Label: "Any source"},
	{Value: "push", Label: "push"},
	{Value: "web", Label: "web"},
	{Value: "api", Label: "API"},
	{Value: "schedule", Label: "schedule"},
	{Value: "trigger", Label: "trigger token"},
	{Value: "pipeline", Label: "another pipeline"},
	{Value: "parent_pipeline", Label: "parent pipeline"},
	{Value: "merge_request_event", Label: "merge request"},
	{Value: "external", Label: "external"},
}

// read returns the value of a filter in the address, and the choices with it marked. Any other value is a 400.
func (c choices) read(v *page.Visit, name string) (string, []page.Option, error) {
	value := v.QueryParam(name)
	if !slices.ContainsFunc(c, func(o page.Option) bool { return o.Value == value }) {
		return "", nil, apierr.BadRequest(strings.ReplaceAll(name, "_", " ") + " does not have a valid value")
	}
	return value, c.marked(value), nil
}

// marked returns the choices with one of them marked.
func (c choices) marked(value string) []page.Option {
	all := slices.Clone(c)
	for i := range all {
		all[i].Chosen = all[i].Value == value
	}
	return all
}

// sourceText returns a source of pipelines for people.
func sourceText(source string) string {
	for _, o := range sources {
		if o.Value == source {
			return o.Label
		}
	}
	return strings.ReplaceAll(source, "_", " ")
}

// check refuses a value of a form that is none of the choices.
func (c choices) check(name, value string) error {
	if slices.ContainsFunc(c, func(o page.Option) bool { return o.Value == value }) {
		return nil
	}
	return apierr.Invalid(name, "does not have a valid value")
}
