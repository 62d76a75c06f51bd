package page

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
	Hint      bool // signing in may help; nothing says whether it does
}

var failures = map[int]struct{ title, text string }{
	http.StatusBadRequest: {
		"The request is invalid", "Go back, check your input and try again.",
	},
	http.StatusUnauthorized:          {"You are not signed in", "Sign in and try again."},
	http.StatusForbidden:             {"You are not allowed to do this", "Your account does not have the necessary permissions."},
	http.StatusNotFound:              {"Page not found", "It was moved or deleted, or you are not allowed to see it."},
	http.StatusMethodNotAllowed:      {"Method not allowed", "This address does not support this kind of request."},
	http.StatusConflict:              {"This was changed meanwhile", "Reload the page to see the current state, and try again."},
	http.StatusRequestEntityTooLarge: {"The request is too large", "A form can have at most 1 MiB."},
	http.StatusRequestURITooLong:     {"The address is too long", "Go back and try again."},
	http.StatusUnprocessableEntity:   {"The form was not accepted", ""},
	http.StatusTooManyRequests:       {"Too many requests", "Your address sent too many requests. Wait a minute and try again."},
	http.StatusServiceUnavailable:    {"The service is busy", "Wait a moment and try again."},
}

// Failure responds to a browser with an error page, and reports whether it did: programs get JSON.
func (k *Kit) Failure(c echo.Context, e *apierr.Error) bool {
	if !wantsPage(c.Request()) || e.Status < http.StatusBadRequest {
		return false
	}
	v := &Visit{Context: c, kit: k}
	if e.Status < http.StatusInternalServerError { // otherwise the database itself may have failed
		if found, err := k.Visit(c); err == nil {
			v = found
		}
	}
	title, text := failures[e.Status].title, failures[e.Status].text
	if title == "" {
		title, text = "Something went wrong", "This is an error of the service. It was logged. Try again later."
	}
	if reason := why(e); reason != "" {
		text = reason
	}
	page := failure{Status: e.Status, Text: text, Hint: v.Actor == nil && e.Status == http.StatusNotFound}
	if e.Status >= http.StatusInternalServerError {
		page.RequestID = reqctx.Of(c.Request().Context()).ID
	}
	return v.Show(View{Name: "failure", Status: e.Status, Title: title, Data: page}) == nil
}

// why returns the reason of an error if it is useful to a person.
func why(e *apierr.Error) string {
	text, _ := e.Body.Message.(string)
	if e == ErrForm {
		return text
	}
	if _, reason, ok := strings.Cut(text, " - "); ok && e.Status < http.StatusInternalServerError {
		return reason
	}
	fields, why, ok := explain(e) // of a button that was refused
	for name, texts := range fields {
		why += sentence(name, strings.Join(texts, ", ")) + ". "
	}
	if !ok || why == failures[e.Status].title {
		return ""
	}
	return strings.TrimSpace(why)
}

// wantsPage reports whether a browser requests a page for a person.
func wantsPage(r *http.Request) bool {
	return !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html")
}
