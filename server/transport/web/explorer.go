package web

import (
	"net/http"
	"strings"
	"time"

	"svc/openapi/operations"
	"svc/server/domain/token"
	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

const (
	explorerPath = "/-/explorer"
	// maxFound is the number of operations that a search shows.
	maxFound = 80
)

// explorer adds the explorer of the API.
func (w *Web) explorer(e *echo.Echo) {
	w.get(e, explorerPath, w.listOperations, anyone)
	w.get(e, explorerPath+"/", func(v *Visit) error { return v.Redirect(explorerPath) }, anyone)
	w.get(e, explorerPath+"/:operation", w.operation, anyone)
	w.post(e, explorerPath+"/:operation/token", w.explorerToken, members)
}

// operationsPage lists areas, the operations of one area, or those that a search has found.
type operationsPage struct {
	Query   string
	Areas   []operations.Area
	Area    *operations.Area // nil unless the page shows one area
	Found   int
	More    bool
	Results bool // Areas are what a search has found
}

// listOperations lists the operations of the API. The parameter q searches them; area chooses an area.
func (w *Web) listOperations(v *Visit) error {
	index, err := w.index()
	if err != nil {
		return err
	}
	page := operationsPage{Query: strings.TrimSpace(v.QueryParam("q"))}
	title := "API explorer"
	switch name := v.QueryParam("area"); {
	case page.Query != "":
		page.Areas, page.Found, page.More = index.Search(page.Query, maxFound)
		page.Results = true
	case name != "":
		area, ok := index.Area(name)
		if !ok {
			return apierr.NotFound("")
		}
		page.Area, title = &area, area.Title+" · API explorer"
	default:
		page.Areas = index.Areas()
	}
	v.Policy += fetching
	return v.Show(http.StatusOK, "explorer", title, page)
}

// operationPage shows an operation with a form to send it.
type operationPage struct {
	operations.Operation
	Title    string   // of its area
	Base     string   // the URL of the instance
	CSRF     string   // for writes with the session; empty for an anonymous visitor
	Needs    []string // the scopes of a token that is made for this operation
	Required []operations.Field
	Optional []operations.Field
	Rows     int // height of the text of the body
}

// Reference returns the path of the operation in the documentation.
func (p operationPage) Reference() string {
	return "/-/docs/api/" + p.Area + "#" + strings.ToLower(p.ID)
}

// HeadersGiven reports whether a header is required, so that the page shows the headers at once.
func (p operationPage) HeadersGiven() bool {
	for _, f := range p.Headers {
		if f.Required {
			return true
		}
	}
	return false
}

// operation shows one operation.
func (w *Web) operation(v *Visit) error {
	o, err := w.findOperation(v)
	if err != nil {
		return err
	}
	page := operationPage{
		Operation: o, Base: w.url, Needs: leastScopes(o), Title: o.Area,
	}
	if index, err := w.index(); err == nil {
		if area, ok := index.Area(o.Area); ok {
			page.Title = area.Title
		}
	}
	if v.Actor != nil {
		page.CSRF = v.Token()
	}
	for _, f := range o.Fields {
		if f.Required || f.In == "path" {
			page.Required = append(page.Required, f)
		} else {
			page.Optional = append(page.Optional, f)
		}
	}
	if o.Body != nil {
		page.Rows = min(max(strings.Count(o.Body.Text, "\n")+2, 5), 24)
	}
	v.Policy += fetching
	return v.Show(http.StatusOK, "operation", o.ID+" · API explorer", page)
}

func (w *Web) findOperation(v *Visit) (operations.Operation, error) {
	index, err := w.index()
	if err != nil {
		return operations.Operation{}, err
	}
	o, ok, err := index.Operation(v.Param("operation"))
	if err == nil && !ok {
		err = apierr.NotFound("")
	}
	return o, err
}

// leastScopes returns the scopes with which a token can call an operation and as little else as possible; none if the
// operation accepts no tokens.
func leastScopes(o operations.Operation) []string {
	switch {
	case !o.Token:
		return nil
	case len(o.Scopes) == 0:
		return []string{"read_user"} // any scope is enough
	}
	return o.Scopes[len(o.Scopes)-1:]
}

// explorerToken makes a personal access token with the scopes that an operation needs. It expires tomorrow, and only
// this answer contains it.
func (w *Web) explorerToken(v *Visit) error {
	o, err := w.findOperation(v)
	if err != nil {
		return err
	}
	scopes := leastScopes(o)
	if scopes == nil {
		return apierr.NotFound("")
	}
	tomorrow := v.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	made, broken, err := w.createToken(v, token.Request{Name: "API explorer: " + o.ID, Scopes: scopes, Expires: &tomorrow}, nil)
	if err != nil {
		return err
	}
	v.Response().Header().Set("Cache-Control", "no-store")
	if len(broken) > 0 {
		return v.JSON(http.StatusUnprocessableEntity, map[string]any{"errors": broken})
	}
	return v.JSON(http.StatusCreated, map[string]any{
		"token": made, "scopes": scopes, "expires_at": tomorrow.Format(time.DateOnly),
	})
}
