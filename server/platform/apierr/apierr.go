// Package apierr is the failures that a caller is told about. One writer turns them into answers.
package apierr

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"svc/store"
)

// Body is the JSON of a failure: error for what is wrong with the request, message for what the service decided.
type Body struct {
	Error            string `json:"error,omitempty"`
	ErrorDescription string `json:"error_description,omitempty"`
	Scope            string `json:"scope,omitempty"`
	Message          any    `json:"message,omitempty"`
	ErrorCode        string `json:"error_code,omitempty"`
	RequestID        string `json:"request_id,omitempty"`
	Hint             string `json:"hint,omitempty"` // last, so that it can be cut off
}

// Error is an answer with a failure status.
type Error struct {
	Status int
	Body   Body
	Text   string // instead of Body, where the contract has plain text
	Header map[string]string
}

func (e *Error) Error() string {
	switch m := e.Body.Message.(type) {
	case string:
		return m
	case nil:
		if e.Text != "" {
			return e.Text
		}
		return e.Body.Error
	}
	return http.StatusText(e.Status)
}

func message(status int, text string, reason []string) *Error {
	if len(reason) > 0 {
		text += " - " + strings.Join(reason, ", ")
	}
	return &Error{Status: status, Body: Body{Message: text}}
}

func plain(status int, text string) *Error { return &Error{Status: status, Body: Body{Error: text}} }

// Moved is a resource that is found under another URL now.
func Moved(to string) error {
	return &Error{
		Status: http.StatusMovedPermanently, Text: "This resource has been moved permanently to " + to,
		Header: map[string]string{"Location": to},
	}
}

// MovedProject is a write to a path that a project had before: who writes may have meant what was there.
func MovedProject() error {
	return message(http.StatusMethodNotAllowed, "Non GET methods are not allowed for moved projects", nil)
}

// BadParameter is wrong input: 400 {"error": text}.
func BadParameter(text string) error { return plain(http.StatusBadRequest, text) }

// BadRequest is a request that cannot be carried out: 400 {"message": "400 Bad request - reason"}.
func BadRequest(reason ...string) error {
	return message(http.StatusBadRequest, "400 Bad request", reason)
}

// Refused is a change that does not fit what is there, told in one text: 400 {"message": text}.
func Refused(text string) error { return message(http.StatusBadRequest, text, nil) }

// RefusedAs is Refused with a code that programs read.
func RefusedAs(code, text string) error {
	return &Error{Status: http.StatusBadRequest, Body: Body{Message: text, ErrorCode: code}}
}

// NotAcceptable is a file that is asked for in a way that it is not for.
func NotAcceptable() error { return message(http.StatusNotAcceptable, "406 Not Acceptable", nil) }

// Invalid is a rule of the resource that a field breaks: 400 {"message": {field: [texts]}}.
func Invalid(field string, texts ...string) error {
	return InvalidFields(map[string][]string{field: texts})
}

// InvalidFields is Invalid for several fields at once.
func InvalidFields(fields map[string][]string) error {
	return &Error{Status: http.StatusBadRequest, Body: Body{Message: fields}}
}

// Conflicts is InvalidFields for what another resource has already: 409.
func Conflicts(fields map[string][]string) error {
	return &Error{Status: http.StatusConflict, Body: Body{Message: fields}}
}

// Failed is an action that a rule of one field stopped, told in one text: 400 {"message": "Failed to … {:field=>[text]}"}.
func Failed(action, field, text string) error {
	return message(http.StatusBadRequest, fmt.Sprintf("Failed to %s {:%s=>[%q]}", action, field, text), nil)
}

// Unauthorized is a missing or unknown credential.
func Unauthorized(reason ...string) error {
	e := message(http.StatusUnauthorized, "401 Unauthorized", reason)
	e.Header = map[string]string{"WWW-Authenticate": bearerRealm}
	return e
}

// WithReason adds the reason of RFC 6750, section 3.1, to the challenge of a refusal; its body stays.
func WithReason(err error, code, description string) error {
	var e *Error
	if !errors.As(err, &e) || e.Status != http.StatusUnauthorized || e.Body.Error != "" {
		return err
	}
	told := *e
	told.Header = maps.Clone(e.Header)
	told.Header["WWW-Authenticate"] = challenge(code, description)
	return &told
}

const bearerRealm = `Bearer realm="The API"` //nolint:gosec // a header, not a secret

func challenge(code, description string) string {
	return bearerRealm + `, error="` + code + `", error_description="` + description + `"`
}

// InvalidToken is a token that is known but no longer good.
func InvalidToken(description string) error {
	return &Error{
		Status: http.StatusUnauthorized,
		Body:   Body{Message: "401 Unauthorized", Error: "invalid_token", ErrorDescription: description},
		Header: map[string]string{"WWW-Authenticate": challenge("invalid_token", description)},
	}
}

// InsufficientScope is a token that lacks every scope that the operation accepts.
func InsufficientScope(accepted ...string) error {
	return &Error{Status: http.StatusForbidden, Body: Body{
		Error:            "insufficient_scope",
		ErrorDescription: "The request requires higher privileges than provided by the access token.",
		Scope:            strings.Join(accepted, " "),
	}}
}

// Forbidden is something that the caller sees but may not do.
func Forbidden(reason ...string) error {
	return message(http.StatusForbidden, "403 Forbidden", reason)
}

// NotFound is a thing that does not exist or that the caller may not see; without a name it is "404 Not Found".
func NotFound(thing string) error {
	if thing != "" {
		thing += " "
	}
	return message(http.StatusNotFound, "404 "+thing+"Not Found", nil)
}

// RecordNotFound is a record that a visible parent does not have.
func RecordNotFound() error { return message(http.StatusNotFound, "404 Not found", nil) }

// OrNotFound turns a missing row into a 404, and returns every other error as it is. thing names what is missing, where
// the answer does.
func OrNotFound(err error, thing ...string) error {
	switch {
	case !store.IsNotFound(err):
		return err
	case len(thing) > 0:
		return NotFound(thing[0])
	}
	return RecordNotFound()
}

// NoRoute is a path that the service does not have.
func NoRoute() error { return plain(http.StatusNotFound, "404 Not Found") }

// NotAllowed is a path that exists for other methods.
func NotAllowed(allow string) error {
	e := plain(http.StatusMethodNotAllowed, "405 Not Allowed")
	if allow != "" {
		e.Header = map[string]string{"Allow": allow}
	}
	return e
}

// MethodNotAllowed is an action that does not apply to this kind of resource or credential.
func MethodNotAllowed() error {
	return message(http.StatusMethodNotAllowed, "405 Method Not Allowed", nil)
}

// Pagination is a window that the list does not offer: 405 {"error": text}.
func Pagination(text string) error { return plain(http.StatusMethodNotAllowed, text) }

// NoKeyset is a list, or an order of it, without keyset pagination.
func NoKeyset() error {
	return Pagination("Keyset pagination is not yet available for this type of request")
}

// Conflict is a resource that exists already.
func Conflict(text string) error { return message(http.StatusConflict, text, nil) }

// Gone is what was removed for good.
func Gone(text string) error { return plain(http.StatusGone, text) }

// PreconditionFailed is a resource that was changed since the caller saw it.
func PreconditionFailed() error {
	return message(http.StatusPreconditionFailed, "412 Precondition Failed", nil)
}

// NoSuchRange is a part that a file of that size does not have.
func NoSuchRange(size int64) error {
	e := plain(http.StatusRequestedRangeNotSatisfiable, "416 Range Not Satisfiable")
	e.Header = map[string]string{"Content-Range": "bytes */" + strconv.FormatInt(size, 10)}
	return e
}

// TooLarge is a body over the operation's limit.
func TooLarge() error {
	return message(http.StatusRequestEntityTooLarge, "413 Request Entity Too Large", nil)
}

// URITooLong is a request line over the limit.
func URITooLong() error {
	return message(http.StatusRequestURITooLong, "414 Request-URI Too Large", nil)
}

// UnsupportedMedia is a body of a type that the operation does not take.
func UnsupportedMedia(contentType string) error {
	return plain(http.StatusUnsupportedMediaType, "The provided content-type '"+contentType+"' is not supported.")
}

// Unprocessable is a rule of the resource that is told as one text.
func Unprocessable(text string) error { return message(http.StatusUnprocessableEntity, text, nil) }

// TooMany is a limit of one operation; without a text it is the general one.
func TooMany(text string, header map[string]string) error {
	if text == "" {
		text = "This endpoint has been requested too many times. Try again later."
	}
	return &Error{Status: http.StatusTooManyRequests, Body: Body{Message: map[string]string{"error": text}}, Header: header}
}

// TooManyUntil is TooMany for who may try again after that many seconds.
func TooManyUntil(seconds int) error {
	e := &Error{Status: http.StatusTooManyRequests, Header: map[string]string{"Retry-After": strconv.Itoa(seconds)}}
	e.Body.Message = map[string]string{"error": "This endpoint has been requested too many times. Try again later."}
	return e
}

// Unavailable is a service that cannot answer now.
func Unavailable() error {
	return message(http.StatusServiceUnavailable, "503 Service Unavailable", nil)
}

// Busy is a service that has too much of this to do, and may be asked again after that many seconds.
func Busy(seconds int) error {
	e := message(http.StatusServiceUnavailable, "503 Service Unavailable", nil)
	e.Header = map[string]string{"Retry-After": strconv.Itoa(seconds)}
	return e
}

// StorageGone is a storage that is not there now, or that another one has taken the place of.
func StorageGone() error {
	return message(http.StatusServiceUnavailable, "503 Service Unavailable", []string{"The storage is not available"})
}

// NoSpace is a disk that is full.
func NoSpace() error {
	return message(http.StatusInsufficientStorage, "507 Insufficient Storage", []string{"The disk of the server is full"})
}

// Damaged is a repository that is missing or cannot be read; the log says which.
func Damaged(requestID string) error {
	return &Error{
		Status: http.StatusInternalServerError,
		Body:   Body{Message: "500 Internal Server Error - The repository is missing or damaged", RequestID: requestID},
	}
}

// Internal is a failure of ours; the caller learns only where to look it up.
func Internal(requestID string) error {
	return &Error{Status: http.StatusInternalServerError, Body: Body{Message: "500 Internal Server Error", RequestID: requestID}}
}
