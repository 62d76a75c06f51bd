package oauth

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/store"

	"github.com/ory/fosite"
)

// Error is a refusal in the format of RFC 6749 §5.2.
type Error struct {
	Status      int
	Code        string
	Description string
	RetryAfter  int  // seconds, 0 for never
	missing     bool // a required parameter is not given
}

func (e *Error) Error() string { return e.Code + ": " + e.Description }

// descriptions are the texts of the error codes.
var descriptions = map[string]string{
	"invalid_request": "The request is missing a required parameter, includes an unsupported parameter " +
		"value, or is otherwise malformed.",
	"invalid_client": "Client authentication failed due to unknown client, no client authentication " +
		"included, or unsupported authentication method.",
	"invalid_grant": "The provided authorization grant is invalid, expired, revoked, does not match the " +
		"redirection URI used in the authorization request, or was issued to another client.",
	"unauthorized_client":       "The client is not authorized to perform this request using this method.",
	"unsupported_grant_type":    "The authorization grant type is not supported by the authorization server.",
	"invalid_scope":             "The requested scope is invalid, unknown, or malformed.",
	"access_denied":             "The resource owner or authorization server denied the request.",
	"unsupported_response_type": "The authorization server does not support this response type.",
	"unsupported_response_mode": "The authorization server does not support this response mode.",
	"invalid_redirect_uri":      "The requested redirect uri is malformed or doesn't match client redirect URI.",
	"login_required":            "The authorization server requires end-user authentication.",
	"consent_required":          "The authorization server requires end-user consent.",
	"request_not_supported":     "The authorization server does not support the request parameter.",
	"request_uri_not_supported": "The authorization server does not support the request_uri parameter.",

	"invalid_code_challenge_method": "The code challenge method must be S256.",
}

// refuse returns a refusal with the usual text of its code.
func refuse(code string) *Error {
	status := http.StatusBadRequest
	if code == "invalid_client" || code == "unauthorized_client" {
		status = http.StatusUnauthorized
	}
	return &Error{Status: status, Code: code, Description: descriptions[code]}
}

func missing(name string) *Error {
	e := refuse("invalid_request")
	e.Description, e.missing = "Missing required parameter: "+name+".", true
	return e
}

// tooMany returns the refusal of a client that must wait some seconds before the next attempt, RFC 6585 §4.
func tooMany(wait int) *Error {
	return &Error{
		Status: http.StatusTooManyRequests, Code: "temporarily_unavailable", RetryAfter: wait,
		Description: "There were too many attempts with passwords from this address. Try again later.",
	}
}

// refusal translates an error of fosite for the caller; nil means that it is an internal error.
func refusal(err error) *Error {
	var ours *Error
	var theirs *fosite.RFC6749Error
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.Is(err, errAlreadyUsed) || errors.Is(err, fosite.ErrInvalidatedAuthorizeCode):
		return refuse("invalid_grant")
	case store.IsNotFound(err) || errors.Is(err, fosite.ErrNotFound): // deleted, blocked or expired meanwhile
		return refuse("invalid_grant")
	case errors.As(err, &theirs) && theirs.CodeField < http.StatusInternalServerError:
		if descriptions[theirs.ErrorField] == "" {
			return refuse("invalid_request")
		}
		return refuse(theirs.ErrorField)
	}
	return nil
}

// cause returns the error behind one of fosite, which hides it.
func cause(err error) error {
	var theirs *fosite.RFC6749Error
	if errors.As(err, &theirs) && theirs.Cause() != nil {
		return theirs.Cause()
	}
	return err
}

// realm names this service in responses about tokens.
const realm = `Bearer realm="Doorkeeper"`

func (e *Error) challenge() string {
	return realm + `, error="` + e.Code + `", error_description="` + strings.ReplaceAll(e.Description, `"`, `'`) + `"`
}

// word returns the value of X-Error-Code, one of the words that every error of the service has. The test of the contract
// compares them with the list.
func (e *Error) word() string {
	switch {
	case e.Status == http.StatusTooManyRequests:
		return "rate_limited"
	case e.missing:
		return "parameter_missing"
	case strings.HasPrefix(e.Description, "The access token "): // GET /oauth/token/info answers 400
		return tokenWord(e.Description)
	}
	switch e.Code {
	case "invalid_client", "unauthorized_client":
		return "client_invalid"
	case "invalid_grant", "access_denied", "login_required", "consent_required":
		return "grant_invalid"
	case "invalid_token":
		return tokenWord(e.Description)
	case "insufficient_scope":
		return "scope_insufficient"
	}
	return "parameter_invalid"
}

// tokenWord returns why a token is not valid, as far as the description says it.
func tokenWord(description string) string {
	switch {
	case strings.Contains(description, "expired"):
		return "token_expired"
	case strings.Contains(description, "revoked"):
		return "token_revoked"
	}
	return "token_invalid"
}

// respond writes the response of an endpoint, or the refusal. It returns internal errors.
func respond(w http.ResponseWriter, body any, err error) error {
	status := http.StatusOK
	if err != nil {
		refused := refusal(err)
		if refused == nil {
			return cause(err)
		}
		if refused.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(refused.RetryAfter))
		} else {
			w.Header().Set("WWW-Authenticate", refused.challenge())
		}
		w.Header().Set("X-Error-Code", refused.word())
		status, body = refused.Status, map[string]string{"error": refused.Code, "error_description": refused.Description}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Pragma", "no-cache")
	h.Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	w.Write(data) //nolint:errcheck // the caller is gone
	return nil
}

// validText reports whether a text can be used in a database query: valid UTF-8 without NUL.
func validText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
