package middleware

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

// spec is a document with one operation of each kind that the steps distinguish.
const spec = `{
"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "/api/v4/"}],
"components": {"securitySchemes": {
	"oauth": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/t", "scopes": {"api": "", "read_user": ""}}}},
	"jobToken": {"type": "apiKey", "in": "header", "name": "JOB-TOKEN"}}},
"paths": {
	"/version": {"get": {"operationId": "getVersion", "security": [{"oauth": ["api"]}, {"oauth": ["read_api"]}, {"oauth": ["read_user"]}],
		"responses": {"200": {"description": "ok"}}}},
	"/open": {"get": {"operationId": "getOpen", "security": [{}, {"oauth": ["api"]}, {"oauth": ["read_api"]}],
		"responses": {"200": {"description": "ok"}}}},
	"/job": {"get": {"operationId": "getJob", "security": [{"jobToken": []}],
		"responses": {"200": {"description": "ok"}}}},
	"/export.json": {"get": {"operationId": "getExport", "security": [{}],
		"responses": {"200": {"description": "ok"}}}},
	"/things/{id}/archive": {"get": {"operationId": "getArchive", "security": [{}], "x-limit": "archive",
		"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
		"responses": {"200": {"description": "ok"}}}},
	"/things/{id}": {
		"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer", "minimum": 1}}],
		"get": {"operationId": "getThing", "security": [{}],
			"parameters": [
				{"name": "per_page", "in": "query", "schema": {"type": "integer", "minimum": 1, "not": {"enum": [0]}}},
				{"name": "scope[]", "in": "query", "schema": {"type": "array", "x-comma-separated": true,
				"items": {"type": "string", "enum": ["a", "b"]}}},
				{"name": "ref", "in": "query", "required": true, "schema": {"type": "string"}}],
			"responses": {"200": {"description": "ok"}}},
		"put": {"operationId": "updateThing", "security": [{"oauth": ["api"]}], "x-max-body": 100,
			"requestBody": {"content": {"application/json": {"schema": {"type": "object",
				"required": ["name", "email"],
				"properties": {"name": {"type": "string", "minLength": 1}, "email": {"type": "string"}, "size": {"type": "integer"}}}}}},
			"responses": {"200": {"description": "ok"}}}},
	"/-/health": {"servers": [{"url": "/"}], "get": {"operationId": "getHealth", "security": [{}],
		"responses": {"200": {"description": "ok"}}}}
}}`

func operations(t testing.TB) *Operations {
	t.Helper()
	ops, err := LoadOperations([]byte(spec))
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func quietLogger() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// server is Echo with our error writer, the steps of a test after Begin, and every operation of the document. Each
// operation responds with its own name.
func server(t testing.TB, steps ...echo.MiddlewareFunc) *echo.Echo {
	t.Helper()
	e := echo.New()
	e.HTTPErrorHandler = WriteError(quietLogger(), operations(t), nil)
	e.Use(Begin("https://svc.example.com", nil))
	e.Use(steps...)
	for key, op := range operations(t).byRoute {
		e.Add(key.method, key.path, func(c echo.Context) error { return c.String(http.StatusOK, op.ID) })
	}
	return e
}

// ask makes a request; headers are pairs of name and value.
func ask(e http.Handler, method, uri, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, uri, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return serve(e, r)
}

// wantAnswer checks the status and the body of a response. It compares the member hint, which comes last, only if the
// wanted body has one.
func wantAnswer(t testing.TB, rec *httptest.ResponseRecorder, status int, body string) {
	t.Helper()
	got := strings.TrimSuffix(rec.Body.String(), "\n")
	if at := strings.LastIndex(got, `,"hint":`); at >= 0 && !strings.Contains(body, `"hint"`) {
		got = got[:at] + "}"
	}
	if rec.Code != status || got != body {
		t.Errorf("answer is %d %s\nwant      %d %s", rec.Code, got, status, body)
	}
}

func serve(e http.Handler, r *http.Request) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	e.ServeHTTP(rec, r)
	return rec
}
