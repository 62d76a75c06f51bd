package apierr

import (
	"errors"
	"fmt"
	"strings"
)

// The hints of error responses: help for people who mistype. A hint depends only on the request and the OpenAPI
// document, never on stored data, so it reveals nothing that the caller cannot see.
const (
	// HintSlash is for a path of a project or group whose slashes are not encoded.
	HintSlash = "Give a project or group by its ID or its full path. Encode / in the path as %2F, as in group%2Fname."
	// HintJSON is for a JSON body with another content type, or none.
	HintJSON = "This looks like JSON: send Content-Type: application/json."
	// HintCredential is for an Authorization header in a form that the service does not read.
	HintCredential = "Send a token as Authorization: Bearer TOKEN or as PRIVATE-TOKEN: TOKEN." //nolint:gosec // no secret
)

// mostValues is the largest number of values that a hint lists.
const mostValues = 40

// HintValues lists the values that a parameter accepts; empty if there are too many.
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
	return name + " must be one of: " + strings.Join(texts, ", ") + "."
}

// WithHint adds a hint to an error that has none.
func WithHint(err error, hint string) error {
	var e *Error
	if !errors.As(err, &e) || hint == "" || e.Body.Hint != "" {
		return err
	}
	hinted := *e
	hinted.Body.Hint = hint
	return &hinted
}
