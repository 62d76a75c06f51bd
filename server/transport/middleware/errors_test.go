package middleware

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/secret"

	"github.com/labstack/echo/v4"
)

func TestEveryFailureBecomesItsAnswer(t *testing.T) {
	t.Parallel()
	const internal = `{"message":"500 Internal Server Error","request_id":"the-id"}`
	cases := []struct {
		name   string
		err    error
		status int
		body   string
	}{
		{"ours", apierr.Forbidden(), 403, `{"message":"403 Forbidden"}`},
		{"ours, wrapped", fmt.Errorf("while: %w", apierr.NotFound("Job")), 404, `{"message":"404 Job Not Found"}`},
		{"plain text", &apierr.Error{Status: 429, Text: "Retry later"}, 429, "Retry later"},
		{
			"a row that is not there", &store.NotFoundError{Resource: "InstanceVariable"}, 404,
			`{"message":"404 InstanceVariable Not Found"}`,
		},
		{"a row without a name", &store.NotFoundError{}, 404, `{"message":"404 Not Found"}`},
		{"a row that was changed", &store.ChangedError{Resource: "Job"}, 412, `{"message":"412 Precondition Failed"}`},
		{"a unique clash", &store.ConflictError{Constraint: "users_email"}, 409, `{"message":"409 Conflict"}`},
		{"no route", echo.ErrNotFound, 404, `{"error":"404 Not Found"}`},
		{"a body over the limit", &http.MaxBytesError{Limit: 1}, 413, `{"message":"413 Request Entity Too Large"}`},
		{
			"a body over the limit, wrapped", echo.NewHTTPError(400, "x").SetInternal(&http.MaxBytesError{}), 413,
			`{"message":"413 Request Entity Too Large"}`,
		},
		{
			"a parameter that does not bind", echo.NewHTTPError(400, "Invalid format for parameter page: overflow"),
			400, `{"error":"page is invalid"}`,
		},
		{
			"a list that does not bind", echo.NewHTTPError(400, "Invalid format for parameter scope[]: no"), 400,
			`{"error":"scope is invalid"}`,
		},
		{
			"a body that does not bind", echo.NewHTTPError(400, "the secret thing"), 400,
			`{"error":"The request body does not match the declared format"}`,
		},
		{"another error of Echo", echo.NewHTTPError(418, "the secret thing"), 500, internal},
		{"a timeout", fmt.Errorf("query: %w", context.DeadlineExceeded), 503, `{"message":"503 Service Unavailable"}`},
		{
			"a database that is away",
			fmt.Errorf("query: %w", &store.UnavailableError{Cause: errors.New("dial 10.0.0.1")}), 503,
			`{"message":"503 Service Unavailable"}`,
		},
		{"a caller who left", fmt.Errorf("query: %w", context.Canceled), 499, `{"message":"Client Closed Request"}`},
		{"anything else", errors.New("dial 10.0.0.1: password is 1234"), 500, internal},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			e := server(t)
			e.HTTPErrorHandler = WriteError(slog.New(slog.NewTextHandler(&out, nil)), operations(t), nil)
			e.GET("/fail", func(echo.Context) error { return c.err })
			rec := ask(e, "GET", "/fail", "", "X-Request-Id", "the-id")
			wantAnswer(t, rec, c.status, c.body)
			if got := rec.Header().Get("Cache-Control"); got != "no-cache" {
				t.Errorf("Cache-Control is %q", got)
			}
			if got := rec.Header().Get("Retry-After"); (got != "") != (c.status == 503) {
				t.Errorf("Retry-After is %q", got)
			}
			contentType := "application/json"
			if c.body == "Retry later" {
				contentType = "text/plain; charset=utf-8"
			}
			if got := rec.Header().Get("Content-Type"); got != contentType {
				t.Errorf("Content-Type is %q, want %q", got, contentType)
			}
			// Errors of the service are logged with their cause and the request id of the response; others are not.
			if logged := strings.Contains(out.String(), "request failed") &&
				strings.Contains(out.String(), "the-id"); logged != (c.status >= 500) {
				t.Errorf("logged: %s", out.String())
			}
		})
	}
}

func TestAMethodThatIsNotAllowedNamesTheOthers(t *testing.T) {
	t.Parallel()
	rec := ask(server(t), "DELETE", "/api/v4/things/1", "")
	wantAnswer(t, rec, 405, `{"error":"405 Not Allowed"}`)
	allow := rec.Header().Get("Allow")
	for _, method := range []string{"GET", "HEAD", "PUT"} {
		if !strings.Contains(allow, method) {
			t.Errorf("Allow is %q, without %s", allow, method)
		}
	}
	if strings.Contains(allow, "DELETE") {
		t.Errorf("Allow is %q", allow)
	}
}

func TestAnAnswerThatHasBegunIsNotFollowedByAnError(t *testing.T) {
	t.Parallel()
	e := server(t)
	e.GET("/half", func(c echo.Context) error {
		if err := c.String(http.StatusOK, "half"); err != nil {
			return err
		}
		return errors.New("too late")
	})
	wantAnswer(t, ask(e, "GET", "/half", ""), 200, "half")
}

func TestHeadersOfAFailureAreSent(t *testing.T) {
	t.Parallel()
	e := server(t)
	e.GET("/who", func(echo.Context) error { return apierr.InvalidToken("Token is expired.") })
	want := `Bearer realm="The API", error="invalid_token", error_description="Token is expired."`
	if got := ask(e, "GET", "/who", "").Header().Get("WWW-Authenticate"); got != want {
		t.Errorf("WWW-Authenticate is %q", got)
	}
}

func TestTooManyPasswordsAtOnceAreToldWhenToComeBack(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	e := server(t)
	e.HTTPErrorHandler = WriteError(slog.New(slog.NewTextHandler(&out, nil)), operations(t), nil)
	e.GET("/sign-in", func(echo.Context) error {
		return fmt.Errorf("sign in: %w", &secret.BusyError{RetryAfter: 1500 * time.Millisecond})
	})
	rec := ask(e, "GET", "/sign-in", "")
	wantAnswer(t, rec, 503, `{"message":"503 Service Unavailable"}`)
	if got := rec.Header().Get("Retry-After"); got != "2" || out.Len() > 0 {
		t.Errorf("Retry-After is %q; logged: %s", got, out.String())
	}
}
