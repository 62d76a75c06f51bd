package web

import (
	"net/http"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"

	"github.com/labstack/echo/v4"
)

// failure is the content of an error page.
type failure struct {
	Status    int
	Text      string
	RequestID string
}

var failures = map[int]struct{ title, text string }{
	http.StatusBadRequest: {
		"This request cannot be understood", "Something in it is not as it should be. Go back and try again.",
	},
	http.StatusUnauthorized:          {"You are not signed in", "Sign in and try again."},
	http.StatusForbidden:             {"You may not do this", "Your account does not have the rights for it."},
	http.StatusNotFound:              {"There is no such page", "It may have been moved or deleted, or you may not be allowed to see it."},
	http.StatusMethodNotAllowed:      {"This cannot be done here", "The address does not take this kind of request."},
	http.StatusConflict:              {"Somebody was quicker", "What you wanted to change was changed meanwhile. Load the page again."},
	http.StatusRequestEntityTooLarge: {"This is too large", "A form may hold at most 1 MiB."},
	http.StatusRequestURITooLong:     {"This address is too long", "Go back and try again."},
	http.StatusUnprocessableEntity:   {"The form was not taken", ""},
	http.StatusTooManyRequests:       {"Not so fast", "There were too many requests from your address. Wait a minute and try again."},
	http.StatusServiceUnavailable:    {"The service is busy", "Wait a moment and try again."},
}

// Failure responds to a browser with an error page, and reports whether it did: programs get JSON.
func (w *Web) Failure(c echo.Context, e *apierr.Error) bool {
	if !wantsPage(c.Request()) || e.Status < http.StatusBadRequest {
		return false
	}
	v := &Visit{Context: c, web: w}
	if e.Status < http.StatusInternalServerError { // otherwise the database itself may have failed
		if found, err := w.visit(c); err == nil {
			v = found
		}
	}
	told, known := failures[e.Status]
	if !known {
		told.title, told.text = "Something went wrong", "The fault is ours, and it was noted. Try again later."
	}
	if reason := why(e); reason != "" {
		told.text = reason
	}
	page := failure{Status: e.Status, Text: told.text}
	if e.Status >= http.StatusInternalServerError {
		page.RequestID = reqctx.Of(c.Request().Context()).ID
	}
	return v.Show(e.Status, "failure", told.title, page) == nil
}

// why returns the reason of an error if it is useful to a person.
func why(e *apierr.Error) string {
	text, _ := e.Body.Message.(string)
	if e == errForm {
		return text
	}
	if _, reason, ok := strings.Cut(text, " - "); ok && e.Status < http.StatusInternalServerError {
		return reason
	}
	return ""
}

// wantsPage reports whether a browser requests a page for a person.
func wantsPage(r *http.Request) bool {
	return !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html")
}
