package apierr

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const realm = `Bearer realm="The API"`

func TestEachFailureHasItsStatusBodyAndHeader(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		err    error
		status int
		body   string
		header map[string]string
	}{
		{"bad parameter", BadParameter("name is missing, email is missing"), 400, `{"error":"name is missing, email is missing"}`, nil},
		{"bad request", BadRequest(), 400, `{"message":"400 Bad request"}`, nil},
		{"bad request with reason", BadRequest(`"title" not given`), 400, `{"message":"400 Bad request - \"title\" not given"}`, nil},
		{"refused", Refused("Provide at least 2 refs"), 400, `{"message":"Provide at least 2 refs"}`, nil},
		{"refused with texts", RefusedAll("one", "two"), 400, `{"message":["one","two"]}`, nil},
		{"conflict with texts", ConflictAll("in use"), 409, `{"message":["in use"]}`, nil},
		{"not acceptable", NotAcceptable(), 406, `{"message":"406 Not Acceptable"}`, nil},
		{"invalid", Invalid("key", "(FOO) has already been taken"), 400, `{"message":{"key":["(FOO) has already been taken"]}}`, nil},
		{"invalid twice", Invalid("key", "one", "two"), 400, `{"message":{"key":["one","two"]}}`, nil},
		{
			"invalid fields", InvalidFields(map[string][]string{"value": {"is invalid"}, "key": {"is too long"}}), 400,
			`{"message":{"key":["is too long"],"value":["is invalid"]}}`, nil,
		},
		{"unauthorized", Unauthorized(), 401, `{"message":"401 Unauthorized"}`, map[string]string{"WWW-Authenticate": realm}},
		{
			"unauthorized with reason", Unauthorized("why"), 401, `{"message":"401 Unauthorized - why"}`,
			map[string]string{"WWW-Authenticate": realm},
		},
		{
			"invalid token", InvalidToken("Token is expired."), 401,
			`{"error":"invalid_token","error_description":"Token is expired.","message":"401 Unauthorized"}`,
			map[string]string{"WWW-Authenticate": realm + `, error="invalid_token", error_description="Token is expired."`},
		},
		{
			"insufficient scope", InsufficientScope("api", "read_user"), 403,
			`{"error":"insufficient_scope","error_description":"The request requires higher privileges than provided ` +
				`by the access token.","scope":"api read_user"}`,
			map[string]string{"WWW-Authenticate": realm + `, error="insufficient_scope", error_description="The request ` +
				`requires higher privileges than provided by the access token.", scope="api read_user"`},
		},
		{"forbidden", Forbidden(), 403, `{"message":"403 Forbidden"}`, nil},
		{
			"forbidden with reason", Forbidden("Must be admin to use sudo"), 403,
			`{"message":"403 Forbidden - Must be admin to use sudo"}`, nil,
		},
		{"not found", NotFound(""), 404, `{"message":"404 Not Found"}`, nil},
		{"thing not found", NotFound("InstanceVariable"), 404, `{"message":"404 InstanceVariable Not Found"}`, nil},
		{"record not found", RecordNotFound(), 404, `{"message":"404 Not found"}`, nil},
		{"no route", NoRoute(), 404, `{"error":"404 Not Found"}`, nil},
		{"not allowed", NotAllowed("OPTIONS, GET"), 405, `{"error":"405 Not Allowed"}`, map[string]string{"Allow": "OPTIONS, GET"}},
		{"not allowed anywhere", NotAllowed(""), 405, `{"error":"405 Not Allowed"}`, nil},
		{"pagination", Pagination("no such page"), 405, `{"error":"no such page"}`, nil},
		{"conflict", Conflict("409 Conflict"), 409, `{"message":"409 Conflict"}`, nil},
		{"gone", Gone("API V3 is no longer supported."), 410, `{"error":"API V3 is no longer supported."}`, nil},
		{"precondition failed", PreconditionFailed(), 412, `{"message":"412 Precondition Failed"}`, nil},
		{"too large", TooLarge(), 413, `{"message":"413 Request Entity Too Large"}`, nil},
		{"URI too long", URITooLong(), 414, `{"message":"414 Request-URI Too Large"}`, nil},
		{"unsupported media", UnsupportedMedia("text/xml"), 415, `{"error":"The provided content-type 'text/xml' is not supported."}`, nil},
		{
			"too many", TooMany("", nil), 429,
			`{"message":{"error":"This endpoint has been requested too many times. Try again later."}}`, nil,
		},
		{
			"too many with text", TooMany("This archive has been requested too many times. Try again later.", nil), 429,
			`{"message":{"error":"This archive has been requested too many times. Try again later."}}`, nil,
		},
		{"timeout", Timeout(), 408, `{"message":"408 Request Timeout"}`, nil},
		{"internal", Internal("01ab"), 500, `{"message":"500 Internal Server Error","request_id":"01ab"}`, nil},
		{"unavailable", Unavailable(), 503, `{"message":"503 Service Unavailable"}`, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var e *Error
			if !errors.As(fmt.Errorf("while testing: %w", c.err), &e) {
				t.Fatalf("%T is not an *Error", c.err)
			}
			if e.Status != c.status {
				t.Errorf("status is %d, want %d", e.Status, c.status)
			}
			data, err := json.Marshal(e.Body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.body, string(data)); diff != "" {
				t.Errorf("body differs:\n%s", diff)
			}
			if diff := cmp.Diff(c.header, e.Header); diff != "" {
				t.Errorf("header differs:\n%s", diff)
			}
		})
	}
}

func TestAFailureReadsAsItsText(t *testing.T) {
	t.Parallel()
	cases := []struct {
		err  error
		want string
	}{
		{NotFound("Job"), "404 Job Not Found"},
		{BadParameter("page is invalid"), "page is invalid"},
		{&Error{Status: http.StatusTooManyRequests, Text: "Retry later"}, "Retry later"},
		{Invalid("key", "is too long"), "Bad Request"},
	}
	for _, c := range cases {
		if got := c.err.Error(); got != c.want {
			t.Errorf("error reads %q, want %q", got, c.want)
		}
	}
}
