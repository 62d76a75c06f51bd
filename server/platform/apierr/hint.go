package apierr

import (
	"errors"
	"fmt"
	"strings"
)

// The hints of error responses: help for people who mistype. A hint depends only on the request, the OpenAPI document and
// the limits of the instance, never on stored data, so it reveals nothing that the caller cannot see.
const (
	// HintSlash is for a path of a project or group whose slashes are not encoded.
	HintSlash = "Give a project or group by its ID or its full path. Encode / in the path as %2F, as in group%2Fname."
	// HintJSON is for a JSON body with another content type, or none.
	HintJSON = "This looks like JSON: send Content-Type: application/json."
	// HintCredential is for an Authorization header in a form that the service does not read.
	HintCredential = "Send a token as Authorization: Bearer TOKEN or as PRIVATE-TOKEN: TOKEN." //nolint:gosec // no secret
	// HintSession is for a session cookie that is refused.
	HintSession = "Sign in again. A request that writes with the session cookie also needs the header X-CSRF-Token."
	// HintJobToken is for a job token where it is not accepted.
	HintJobToken = "Send a personal, project or group access token: few operations accept job tokens."
	// HintDeployToken is for a deploy token in the API.
	HintDeployToken = "Deploy tokens work for git over HTTP only: send an access token." //nolint:gosec // no secret
	// HintNotOffered is for a path that GitLab has and this service does not.
	HintNotOffered = "This instance does not offer this part of the GitLab API. " +
		"/-/docs/compatibility lists what is missing, and what to use instead."
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
	return change(err, func(e *Error) { e.Body.Hint = hint })
}
