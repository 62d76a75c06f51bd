// Package apierr defines the errors that callers of the API see. The middleware writes them as responses.
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

// Body is the JSON of an error response: error describes what is wrong with the request, message what the service
// decided.
type Body struct {
	Error            string `json:"error,omitempty"`
	ErrorDescription string `json:"error_description,omitempty"`
	Scope            string `json:"scope,omitempty"`
	Message          any    `json:"message,omitempty"`
	ErrorCode        string `json:"error_code,omitempty"`
	RequestID        string `json:"request_id,omitempty"`
	Hint             string `json:"hint,omitempty"` // the last field, so that the service can cut it off
}

// Error is a response with a failure status.
type Error struct {
	Status int
	Body   Body
	Text   string // replaces Body where the contract has plain text
	Header map[string]string
	Code   Code // for programs; empty for the usual code of the status
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

// as gives a new error its code.
func (e *Error) as(code Code) *Error {
	e.Code = code
	return e
}

// change returns a changed copy of an error; other errors stay as they are.
func change(err error, edit func(e *Error)) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	changed := *e
	edit(&changed)
	return &changed
}

// Moved redirects to the new URL of a resource: 301.
func Moved(to string) error {
	return &Error{
		Status: http.StatusMovedPermanently, Text: "This resource has been moved permanently to " + to,
		Header: map[string]string{"Location": to},
	}
}

// MovedProject refuses a write to a former path of a project, because the client may have meant the project that had
// the path before: 405.
func MovedProject() error {
	return message(http.StatusMethodNotAllowed, "Non GET methods are not allowed for moved projects", nil).as(ProjectMoved)
}

// BadParameter refuses wrong input: 400 {"error": text}.
func BadParameter(text string) error {
	return plain(http.StatusBadRequest, text).as(parameterCode(text))
}

// Malformed refuses a body that cannot be read: 400 {"error": text}.
func Malformed(text string) error { return plain(http.StatusBadRequest, text).as(BodyMalformed) }

// Timeout refuses a body that comes too slowly: 408.
func Timeout() error { return message(http.StatusRequestTimeout, "408 Request Timeout", nil) }

// BadRequest refuses a request that cannot be carried out: 400 {"message": "400 Bad request - reason"}.
func BadRequest(reason ...string) error {
	return message(http.StatusBadRequest, "400 Bad request", reason)
}

// Refused refuses a change that does not fit the current state, with one text: 400 {"message": text}.
func Refused(text string) error { return message(http.StatusBadRequest, text, nil) }

// RefusedAs is Refused with a code for programs.
func RefusedAs(code, text string) error {
	return &Error{Status: http.StatusBadRequest, Body: Body{Message: text, ErrorCode: code}}
}

// RefusedAll is Refused with several texts: 400 {"message": [texts]}.
func RefusedAll(texts ...string) error {
	return &Error{Status: http.StatusBadRequest, Body: Body{Message: texts}}
}

// ConflictAll is RefusedAll for a state that does not allow the request: 409.
func ConflictAll(texts ...string) error {
	return &Error{Status: http.StatusConflict, Body: Body{Message: texts}}
}

// NotAcceptable refuses to send a file in the requested way, for which the file is not meant: 406.
func NotAcceptable() error { return message(http.StatusNotAcceptable, "406 Not Acceptable", nil) }

// Invalid says that a field breaks a rule of the resource: 400 {"message": {field: [texts]}}.
func Invalid(field string, texts ...string) error {
	return InvalidFields(map[string][]string{field: texts})
}

// InvalidFields is Invalid for several fields.
func InvalidFields(fields map[string][]string) error {
	return &Error{Status: http.StatusBadRequest, Body: Body{Message: fields}}
}

// ConflictFields is InvalidFields for values that another resource already has: 409.
func ConflictFields(fields map[string][]string) error {
	return &Error{Status: http.StatusConflict, Body: Body{Message: fields}}
}

// Failed says that a rule about one field stopped an action, in one text: 400 {"message": "Failed to …
// {:field=>[text]}"}.
func Failed(action, field, text string) error {
	return message(http.StatusBadRequest, fmt.Sprintf("Failed to %s {:%s=>[%q]}", action, field, text), nil)
}

// Unauthorized refuses a missing credential: 401. WithReason says more about one that is there.
func Unauthorized(reason ...string) error {
	e := message(http.StatusUnauthorized, "401 Unauthorized", reason)
	e.Header = map[string]string{"WWW-Authenticate": bearerRealm}
	return e
}

// WithReason adds the reason of RFC 6750, section 3.1, to the challenge of a 401. The body does not change.
func WithReason(err error, reason, description string) error {
	var e *Error
	if !errors.As(err, &e) || e.Status != http.StatusUnauthorized || e.Body.Error != "" {
		return err
	}
	return change(err, func(e *Error) {
		e.Header = maps.Clone(e.Header)
		e.Header["WWW-Authenticate"] = challenge(reason, description)
		if reason == invalidToken {
			e.Code = TokenInvalid
		}
	})
}

const bearerRealm = `Bearer realm="The API"` //nolint:gosec // a header, not a secret

const invalidToken = "invalid_token"

func challenge(reason, description string) string {
	return bearerRealm + `, error="` + reason + `", error_description="` + description + `"`
}

// InvalidToken refuses a token that exists but is no longer valid: 401.
func InvalidToken(description string) error {
	return &Error{
		Status: http.StatusUnauthorized,
		Body:   Body{Message: "401 Unauthorized", Error: invalidToken, ErrorDescription: description},
		Header: map[string]string{"WWW-Authenticate": challenge(invalidToken, description)},
		Code:   TokenInvalid,
	}
}

// ExpiredToken is InvalidToken for a token that has expired.
func ExpiredToken() error {
	return WithCode(InvalidToken("Token is expired. You can either do re-authorization or token refresh."), TokenExpired)
}

// RevokedToken is InvalidToken for a token that was revoked.
func RevokedToken() error {
	return WithCode(InvalidToken("Token was revoked. You have to re-authorize from the user."), TokenRevoked)
}

// InsufficientScope refuses a token that has none of the scopes that the operation accepts: 403.
func InsufficientScope(accepted ...string) error {
	const reason, description = "insufficient_scope", "The request requires higher privileges than provided by the access token."
	scope := strings.Join(accepted, " ")
	return &Error{
		Status: http.StatusForbidden, Body: Body{Error: reason, ErrorDescription: description, Scope: scope},
		Header: map[string]string{"WWW-Authenticate": challenge(reason, description) + `, scope="` + scope + `"`},
		Code:   ScopeInsufficient,
	}
}

// Forbidden refuses an action on something that the caller can see: 403.
func Forbidden(reason ...string) error {
	return message(http.StatusForbidden, "403 Forbidden", reason)
}

// Denied is Forbidden with one text: 403 {"message": text}.
func Denied(text string) error { return message(http.StatusForbidden, text, nil) }

// Inactive refuses a caller whose account is blocked, deactivated or not approved: 403.
func Inactive(reason string) error { return WithCode(Forbidden(reason), AccountInactive) }

// TierTooLow says that the tier of the instance lacks the feature: 403.
func TierTooLow(reason ...string) error { return WithCode(Forbidden(reason...), TierRequired) }

// NotFound says that something does not exist or that the caller cannot see it: 404. An empty name gives "404 Not
// Found".
func NotFound(thing string) error {
	if thing != "" {
		thing += " "
	}
	return message(http.StatusNotFound, "404 "+thing+"Not Found", nil)
}

// RecordNotFound says that a visible parent does not have such a record: 404.
func RecordNotFound() error { return message(http.StatusNotFound, "404 Not found", nil) }

// NotThere is NotFound with one text: 404 {"message": text}.
func NotThere(text string) error { return message(http.StatusNotFound, text, nil) }

// OrNotFound turns a missing row into a 404, and returns every other error as it is. thing names the missing resource
// if the response should name it.
func OrNotFound(err error, thing ...string) error {
	switch {
	case !store.IsNotFound(err):
		return err
	case len(thing) > 0:
		return NotFound(thing[0])
	}
	return RecordNotFound()
}

// NoRoute says that the service does not have the path: 404.
func NoRoute() error { return plain(http.StatusNotFound, "404 Not Found").as(PathUnknown) }

// NotAllowed says that the path exists for other methods only: 405.
func NotAllowed(allow string) error {
	e := plain(http.StatusMethodNotAllowed, "405 Not Allowed")
	if allow != "" {
		e.Header = map[string]string{"Allow": allow}
	}
	return e
}

// MethodNotAllowed says that the action does not apply to this kind of resource or credential: 405.
func MethodNotAllowed() error {
	return message(http.StatusMethodNotAllowed, "405 Method Not Allowed", nil)
}

// Pagination says that the list does not offer the requested page: 405 {"error": text}.
func Pagination(text string) error {
	return plain(http.StatusMethodNotAllowed, text).as(PaginationUnsupported)
}

// NoKeyset says that the list, or the requested order, has no keyset pagination.
func NoKeyset() error {
	return Pagination("Keyset pagination is not yet available for this type of request")
}

// Conflict says that the resource already exists: 409.
func Conflict(text string) error { return message(http.StatusConflict, text, nil) }

// Gone says that the resource was removed for good: 410.
func Gone(text string) error { return plain(http.StatusGone, text) }

// PreconditionFailed says that the resource has changed since the caller read it: 412.
func PreconditionFailed() error {
	return message(http.StatusPreconditionFailed, "412 Precondition Failed", nil)
}

// NoSuchRange says that a file of that size does not have the requested range: 416.
func NoSuchRange(size int64) error {
	e := plain(http.StatusRequestedRangeNotSatisfiable, "416 Range Not Satisfiable")
	e.Header = map[string]string{"Content-Range": "bytes */" + strconv.FormatInt(size, 10)}
	return e
}

// TooLarge refuses a body over the operation's limit: 413.
func TooLarge() error {
	return message(http.StatusRequestEntityTooLarge, "413 Request Entity Too Large", nil)
}

// URITooLong refuses a request line over the limit: 414.
func URITooLong() error {
	return message(http.StatusRequestURITooLong, "414 Request-URI Too Large", nil)
}

// UnsupportedMedia refuses a body of a type that the operation does not accept: 415.
func UnsupportedMedia(contentType string) error {
	return plain(http.StatusUnsupportedMediaType, "The provided content-type '"+contentType+"' is not supported.")
}

// Unprocessable says in one text which rule of the resource is broken: 422.
func Unprocessable(text string) error { return message(http.StatusUnprocessableEntity, text, nil) }

// UnprocessableParameter is Unprocessable for wrong input: 422 {"error": text}.
func UnprocessableParameter(text string) error { return plain(http.StatusUnprocessableEntity, text) }

// InvalidUnprocessable is Invalid with 422: {"message": {field: [texts]}}.
func InvalidUnprocessable(field string, texts ...string) error {
	return &Error{Status: http.StatusUnprocessableEntity, Body: Body{Message: map[string][]string{field: texts}}}
}

// TooMany says that the caller has reached the rate limit of one operation: 429. An empty text gives the general
// message.
func TooMany(text string, header map[string]string) error {
	if text == "" {
		text = "This endpoint has been requested too many times. Try again later."
	}
	return &Error{Status: http.StatusTooManyRequests, Body: Body{Message: map[string]string{"error": text}}, Header: header}
}

// TooManyUntil is TooMany with the number of seconds after which the caller may try again.
func TooManyUntil(seconds int) error {
	e := &Error{Status: http.StatusTooManyRequests, Header: map[string]string{"Retry-After": strconv.Itoa(seconds)}}
	e.Body.Message = map[string]string{"error": "This endpoint has been requested too many times. Try again later."}
	return e
}

// Unavailable says that the service cannot answer now: 503.
func Unavailable() error {
	return message(http.StatusServiceUnavailable, "503 Service Unavailable", nil)
}

// Busy says that the service has too many such requests. The caller may try again after that many seconds.
func Busy(seconds int) error {
	e := message(http.StatusServiceUnavailable, "503 Service Unavailable", nil)
	e.Header = map[string]string{"Retry-After": strconv.Itoa(seconds)}
	return e
}

// StorageGone says that a storage is missing now, or that another one is mounted in its place: 503.
func StorageGone() error {
	return message(http.StatusServiceUnavailable, "503 Service Unavailable", []string{"The storage is not available"})
}

// NoSpace says that the disk is full: 507.
func NoSpace() error {
	return message(http.StatusInsufficientStorage, "507 Insufficient Storage", []string{"The disk of the server is full"})
}

// Damaged says that a repository is missing or unreadable: 500. The log says which.
func Damaged(requestID string) error {
	return &Error{
		Status: http.StatusInternalServerError,
		Body:   Body{Message: "500 Internal Server Error - The repository is missing or damaged", RequestID: requestID},
	}
}

// Internal is an error of the service itself: 500. The caller only gets the request id, to look the error up.
func Internal(requestID string) error {
	return &Error{Status: http.StatusInternalServerError, Body: Body{Message: "500 Internal Server Error", RequestID: requestID}}
}
