package apierr

import (
	"net/http"
	"strings"
)

// CodeHeader is the response header that has the Code of an error.
const CodeHeader = "X-Error-Code"

// Code says in one word what is wrong, for programs. The words are a closed list. A code depends on the request, on the
// OpenAPI document and on what the caller may see: a resource that the caller may not see has the code of one that does
// not exist.
type Code string

// The codes. Codes describes each of them.
const (
	ParameterMissing      Code = "parameter_missing"
	ParameterInvalid      Code = "parameter_invalid"
	BodyMalformed         Code = "body_malformed"
	ValidationFailed      Code = "validation_failed"
	GrantInvalid          Code = "grant_invalid"
	TokenMissing          Code = "token_missing"
	TokenInvalid          Code = "token_invalid"
	TokenExpired          Code = "token_expired"
	TokenRevoked          Code = "token_revoked"
	ClientInvalid         Code = "client_invalid"
	ScopeInsufficient     Code = "scope_insufficient"
	AccountInactive       Code = "account_inactive"
	TierRequired          Code = "tier_required"
	NotPermitted          Code = "forbidden"
	Missing               Code = "not_found"
	PathUnknown           Code = "path_unknown"
	NotOffered            Code = "not_offered"
	MethodUnsupported     Code = "method_not_allowed"
	PaginationUnsupported Code = "pagination_unsupported"
	ProjectMoved          Code = "project_moved"
	Unacceptable          Code = "not_acceptable"
	BodyTimeout           Code = "request_timeout"
	InTheWay              Code = "conflict"
	Outdated              Code = "precondition_failed"
	BodyTooLarge          Code = "too_large"
	URLTooLong            Code = "uri_too_long"
	MediaTypeUnsupported  Code = "media_type_unsupported"
	RangeUnsatisfiable    Code = "range_unsatisfiable"
	RateLimited           Code = "rate_limited"
	InternalFailure       Code = "internal"
	TemporarilyAway       Code = "unavailable"
	StorageFull           Code = "storage_full"
)

// CodeRow describes a code: the statuses that it comes with, what it means, and what a program should do.
type CodeRow struct {
	Code   Code
	Status string
	Means  string
	Do     string
}

// Codes lists every code, by status. The document and docs/errors.md have the same list.
var Codes = []CodeRow{
	{ParameterMissing, "400", "A required parameter is missing.", "Send it; the body names it."},
	{ParameterInvalid, "400", "A parameter has a wrong type, format or value.", "Change it; the `hint` says what is allowed."},
	{BodyMalformed, "400", "The body cannot be read: it is cut off, not JSON, or not an object.", "Repair the body."},
	{ValidationFailed, "400, 422", "A rule of the resource is broken.", "Change the values; the body names the rule."},
	{GrantInvalid, "400", "OAuth: the code, the refresh token or the password is not valid.", "Ask the user to sign in again."},
	{TokenMissing, "401", "The request has no credential in a form that the service reads.", "Send a token."},
	{
		TokenInvalid, "400, 401", "The credential is unknown, or this operation does not accept its kind.",
		"Use another token; `WWW-Authenticate` says why.",
	},
	{TokenExpired, "400, 401", "The token has expired.", "Refresh, rotate or replace it."},
	{TokenRevoked, "400, 401", "The token was revoked.", "Ask the user for a new one, and do not try this one again."},
	{ClientInvalid, "401, 403", "OAuth: the application is unknown, or did not authenticate itself.", "Check its ID and secret."},
	{ScopeInsufficient, "403", "The token lacks a scope.", "Use a token with one of the scopes in the member `scope`."},
	{AccountInactive, "403", "The account is blocked, deactivated or not approved.", "Ask an administrator."},
	{TierRequired, "403", "The tier of the instance lacks the feature.", "Do without the feature, on this instance."},
	{
		NotPermitted, "401, 403", "The caller may see the resource, but not do this.",
		"Use a caller with a higher role; a repetition does not help.",
	},
	{
		Missing, "404", "The resource does not exist, or the caller may not see it.",
		"Check the ID, and with `GET /user` who the caller is.",
	},
	{PathUnknown, "404", "The API has no such path.", "Repair the path; the `hint` may name the nearest one."},
	{
		NotOffered, "400, 404, 405, 410", "GitLab has this path or value, but this instance does not offer it.",
		"Do without it; [compatibility](compatibility.md#missing) says what to use instead.",
	},
	{MethodUnsupported, "405", "The path has other methods only, or the method does not apply here.", "Use a method of `Allow`."},
	{
		PaginationUnsupported, "405", "The list does not offer this page or kind of pagination.",
		"Use the other kind, or a smaller page number.",
	},
	{ProjectMoved, "405", "A write was sent to a former path of a project.", "Read the project, and write to its ID."},
	{Unacceptable, "406", "The file or the state cannot be had in this form.", "Download the file, or read the state first."},
	{BodyTimeout, "408", "The body did not arrive in time.", "Repeat the request on a faster connection."},
	{
		InTheWay, "405, 409", "Another resource has the name, or the state of the resource forbids the action.",
		"Read the current state and decide again.",
	},
	{Outdated, "412", "The resource was changed after the given date.", "Read it again and decide again."},
	{BodyTooLarge, "413", "The body or a file is too large.", "Send less; the `hint` says how much is accepted."},
	{URLTooLong, "414", "The URL is too long.", "Send the parameters in a body."},
	{MediaTypeUnsupported, "415", "The operation does not read this `Content-Type`.", "Send JSON, a form or multipart."},
	{RangeUnsatisfiable, "416", "The file does not have the requested part.", "Start at the end that `Content-Range` or `Range` gives."},
	{RateLimited, "429", "A rate limit is reached.", "Wait `Retry-After` seconds and repeat the request."},
	{InternalFailure, "500", "A fault of the service.", "Report the `request_id`."},
	{TemporarilyAway, "503", "The service cannot answer now, and did nothing.", "Wait `Retry-After` seconds and repeat the request."},
	{StorageFull, "507", "The disk of the service is full.", "Tell an administrator."},
}

// byStatus has the code of an error that has none of its own.
var byStatus = map[int]Code{
	http.StatusBadRequest:                   ValidationFailed,
	http.StatusUnauthorized:                 TokenMissing,
	http.StatusForbidden:                    NotPermitted,
	http.StatusNotFound:                     Missing,
	http.StatusMethodNotAllowed:             MethodUnsupported,
	http.StatusNotAcceptable:                Unacceptable,
	http.StatusRequestTimeout:               BodyTimeout,
	http.StatusConflict:                     InTheWay,
	http.StatusGone:                         NotOffered,
	http.StatusPreconditionFailed:           Outdated,
	http.StatusRequestEntityTooLarge:        BodyTooLarge,
	http.StatusRequestURITooLong:            URLTooLong,
	http.StatusUnsupportedMediaType:         MediaTypeUnsupported,
	http.StatusRequestedRangeNotSatisfiable: RangeUnsatisfiable,
	http.StatusUnprocessableEntity:          ValidationFailed,
	http.StatusTooManyRequests:              RateLimited,
	http.StatusServiceUnavailable:           TemporarilyAway,
	http.StatusInsufficientStorage:          StorageFull,
}

// CodeOf returns the code of an answer about which nothing but the status is known; empty if it is no error.
func CodeOf(status int) Code {
	code, known := byStatus[status]
	switch {
	case known || status < http.StatusBadRequest:
		return code
	case status < http.StatusInternalServerError:
		return ValidationFailed
	}
	return InternalFailure
}

// HeaderCode returns the code that the response has: that of the error, or else that of its status.
func (e *Error) HeaderCode() Code {
	if e.Code != "" {
		return e.Code
	}
	return CodeOf(e.Status)
}

// SetCode writes the header with the code of an error, unless the response already has one.
func SetCode(h http.Header, code Code) {
	if code != "" && h.Get(CodeHeader) == "" {
		h.Set(CodeHeader, string(code))
	}
}

// WithCode gives an error a code that says more than that of its constructor.
func WithCode(err error, code Code) error {
	return change(err, func(e *Error) { e.Code = code })
}

// parameterCode distinguishes a missing parameter from a wrong one, by the text of the contract.
func parameterCode(text string) Code {
	if strings.Contains(text, " is missing") || strings.Contains(text, " are missing") {
		return ParameterMissing
	}
	return ParameterInvalid
}
