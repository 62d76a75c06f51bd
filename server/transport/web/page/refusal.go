package page

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
)

// Fill prepares the forms of a page. If one of them was sent and refused, it gets what the person typed and the reason
// of the refusal, and the status is 422. An error that no form can explain is returned: a failure, something that the
// caller may not see, or a refused button.
func (v *Visit) Fill(refused error, forms ...*Form) (status int, err error) {
	if refused == nil {
		return http.StatusOK, nil
	}
	fields, text, ok := explain(refused)
	if !ok {
		return 0, refused
	}
	for _, form := range forms {
		if form.Action != v.Request().URL.EscapedPath() && form.Action != v.Request().URL.Path {
			continue
		}
		for i := range form.Fields {
			v.fillField(&form.Fields[i])
		}
		*form = form.With(fields)
		if text != "" {
			form.Mistakes = append(form.Mistakes, text)
		}
		return http.StatusUnprocessableEntity, nil
	}
	return 0, refused
}

// fillField gives a field the value that was sent.
func (v *Visit) fillField(f *Field) {
	sent := v.Values(f.Name)
	switch f.Type {
	case "password", "file":
	case "checkbox":
		f.Checked = len(sent) > 0
	case "checkboxes", "select":
		options := slices.Clone(f.Options)
		for i := range options {
			options[i].Chosen = slices.Contains(sent, options[i].Value)
		}
		f.Options = options
	default:
		if len(sent) > 0 {
			f.Value = sent[0]
		}
	}
}

// Broken is the refusal of a form by the page itself: texts by field.
func Broken(fields map[string][]string) error {
	if len(fields) == 0 {
		return nil
	}
	return apierr.InvalidFields(fields)
}

// IsMissing reports whether an error says that something does not exist or that the caller may not see it.
func IsMissing(err error) bool { return statusOf(err) == http.StatusNotFound }

// explain returns the broken rules of a refusal by field, or its reason in one text. It reports false for errors that
// people cannot correct in a form.
func explain(err error) (fields map[string][]string, text string, ok bool) {
	var e *apierr.Error
	if !errors.As(err, &e) {
		return nil, "", false
	}
	switch e.Status {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity:
	default:
		return nil, "", false
	}
	if fields, ok := e.Body.Message.(map[string][]string); ok {
		return renamed(fields), "", true
	}
	if texts, ok := e.Body.Message.([]string); ok {
		return nil, strings.Join(texts, ". "), true
	}
	if found := failedFormat.FindStringSubmatch(e.Error()); found != nil {
		if why, err := strconv.Unquote(found[2]); err == nil {
			return renamed(map[string][]string{found[1]: {why}}), "", true
		}
	}
	return nil, reason(e), true
}

// failedFormat is the text of apierr.Failed: the name of a field, and why it is refused.
var failedFormat = regexp.MustCompile(`^Failed to [a-z ]+ \{:([a-z_]+)=>\[(".*")\]\}$`)

// renamed gives fields the names that forms have for them.
func renamed(fields map[string][]string) map[string][]string {
	all := map[string][]string{}
	for name, texts := range fields {
		if name == "visibility_level" {
			name = fieldVisibility
		}
		all[name] = texts
	}
	return all
}

// reason returns the text of a refusal without its status.
func reason(e *apierr.Error) string {
	text := e.Error()
	if _, why, found := strings.Cut(text, " - "); found {
		return why
	}
	if strings.HasPrefix(text, strconv.Itoa(e.Status)) {
		return failures[e.Status].title
	}
	return text
}
