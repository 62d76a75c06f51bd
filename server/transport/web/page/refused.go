package page

import (
	"errors"
	"net/http"
	"strings"

	"svc/server/platform/apierr"
)

// correctable are the statuses of refusals that a person can avoid with other input.
var correctable = map[int]bool{
	http.StatusBadRequest: true, http.StatusConflict: true, http.StatusPreconditionFailed: true, http.StatusUnprocessableEntity: true,
}

// Refused adds the reason of a refusal to the form, and reports whether there is one. Every other error is not about the
// input, and ends in an error page.
func (f Form) Refused(err error) (Form, bool) {
	var e *apierr.Error
	if !errors.As(err, &e) || !correctable[e.Status] {
		return f, false
	}
	if fields, ok := e.Body.Message.(map[string][]string); ok {
		if general := fields["base"]; len(general) > 0 {
			f.Mistakes = append(f.Mistakes, general...)
		}
		rest := map[string][]string{}
		for name, texts := range fields {
			if name != "base" {
				rest[name] = texts
			}
		}
		return f.With(rest), true
	}
	text, isText := e.Body.Message.(string)
	if !isText {
		text = e.Body.Error
	}
	if _, reason, ok := strings.Cut(text, " - "); ok {
		text = reason
	}
	f.Mistakes = append(f.Mistakes, text)
	return f, true
}

// Select returns a field with options, of which the one with the value is chosen.
func Select(name, label, value string, options ...Option) Field {
	all := make([]Option, len(options))
	for i, o := range options {
		o.Chosen = o.Value == value
		all[i] = o
	}
	return Field{Name: name, Label: label, Type: "select", Value: value, Options: all}
}
