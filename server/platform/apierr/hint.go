package apierr

import (
	"errors"
	"fmt"
	"strings"
)

// The hints of failures: help for people who mistype. They follow from the request and the document alone, never from
// what there is, so they say nothing about things that the caller may not see.
const (
	// HintSlash is for a path of a project or group whose slashes are not encoded.
	HintSlash = "A project or group is named by its ID or by its full path: encode / as %2F, as in group%2Fname."
	// HintJSON is for a JSON body that is declared as something else, or as nothing.
	HintJSON = "This looks like JSON: send Content-Type: application/json."
	// HintCredential is for an Authorization header that has no form that is read.
	HintCredential = "Send a token as Authorization: Bearer TOKEN or as PRIVATE-TOKEN: TOKEN." //nolint:gosec // no secret
)

// mostValues is how many values a hint lists.
const mostValues = 40

// HintValues lists the values that a parameter takes; it is empty where there are too many.
func HintValues(name string, values []any) string {
	if len(values) > mostValues {
		return ""
	}
	texts := make([]string, 0, len(values))
	for _, v := range values {
		if v != nil && v != "" {
			texts = append(texts, fmt.Sprint(v))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return name + " takes one of: " + strings.Join(texts, ", ") + "."
}

// WithHint adds a hint to a failure that has none.
func WithHint(err error, hint string) error {
	var e *Error
	if !errors.As(err, &e) || hint == "" || e.Body.Hint != "" {
		return err
	}
	hinted := *e
	hinted.Body.Hint = hint
	return &hinted
}
