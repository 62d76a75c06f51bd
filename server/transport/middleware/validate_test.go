package middleware

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"
)

const patience = time.Minute

func TestValidationErrorsReadLikeTheContract(t *testing.T) {
	t.Parallel()
	const schema = `{"type": "object", "required": ["name", "email", "age"], "properties": {
		"name": {"type": "string", "minLength": 1}, "email": {"type": "string", "pattern": "@"},
		"age": {"type": "integer", "minimum": 1, "not": {"enum": [0]}},
		"state": {"type": "string", "enum": ["on", "off"]}, "states": {"type": "array", "items": {"type": "string",
		"enum": ["on", "off"]}}, "tags": {"type": "array", "minItems": 1, "items": {"type": "string"}},
		"variables": {"type": "array", "items": {"type": "object", "required": ["key"],
		"properties": {"key": {"type": "string"}, "kind": {"type": "string", "enum": ["a"]}}}}}}`
	var s openapi3.Schema
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, body string
		want       []string
	}{
		{"good", `{"name": "a", "email": "a@b", "age": 1}`, nil},
		{"missing, in the order of the document", `{}`, []string{"name is missing", "email is missing", "age is missing"}},
		{"missing before wrong", `{"name": 1, "age": 1}`, []string{"email is missing", "name is invalid"}},
		{"empty", `{"name": "", "email": "a@b", "age": 1}`, []string{"name is empty"}},
		{"an empty list", `{"name": "a", "email": "a@b", "age": 1, "tags": []}`, []string{"tags is empty"}},
		{"of another type", `{"name": "a", "email": "a@b", "age": "x"}`, []string{"age is invalid"}},
		{"against its pattern", `{"name": "a", "email": "ab", "age": 1}`, []string{"email is invalid"}},
		{
			"not one of the values", `{"name": "a", "email": "a@b", "age": 1, "state": "maybe"}`,
			[]string{"state does not have a valid value"},
		},
		{"below its minimum", `{"name": "a", "email": "a@b", "age": -1}`, []string{"age does not have a valid value"}},
		{"refused by name as well", `{"name": "a", "email": "a@b", "age": 0}`, []string{"age has a value not allowed"}},
		{
			"several, by name", `{"name": 1, "email": 1, "age": 1, "state": 1}`,
			[]string{"email is invalid", "name is invalid", "state does not have a valid value"},
		},
		{
			"inside a list", `{"name": "a", "email": "a@b", "age": 1, "variables": [{"key": "k"}, {"kind": "b"}]}`,
			[]string{"variables[1][key] is missing", "variables[1][kind] does not have a valid value"},
		},
		{"a list of others", `{"name": "a", "email": "a@b", "age": 1, "tags": ["x", 1]}`, []string{"tags[1] is invalid"}},
		{
			"a list with a value that is not allowed",
			`{"name": "a", "email": "a@b", "age": 1, "states": ["on", "x", "y"]}`,
			[]string{"states does not have a valid value"},
		},
		{"not an object", `[]`, []string{"The request body is invalid"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var body any
			if err := json.Unmarshal([]byte(c.body), &body); err != nil {
				t.Fatal(err)
			}
			got := explain(s.VisitJSON(body, openapi3.VisitAsRequest(), openapi3.MultiErrors()), "", &s)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOneTextPerParameterTheOneThatSaysMost(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, want []string }{
		{nil, []string{}},
		{[]string{"a is invalid"}, []string{"a is invalid"}},
		{[]string{"a does not have a valid value", "a has a value not allowed"}, []string{"a has a value not allowed"}},
		{[]string{"a does not have a valid value", "a is invalid"}, []string{"a does not have a valid value"}},
		{[]string{"a is empty", "a is invalid", "b is invalid"}, []string{"a is empty", "b is invalid"}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, onePerName(c.in)); diff != "" {
			t.Error(diff)
		}
	}
}

// things responds with the input that reaches the operation: the query after Fold, and the checked body as JSON.
func things(t testing.TB) *echo.Echo {
	t.Helper()
	ops := operations(t)
	e := server(t, Fold(ops, patience), Validate(ops))
	e.GET("/api/v4/things/:id", func(c echo.Context) error { return c.JSON(http.StatusOK, c.QueryParams()) })
	e.PUT("/api/v4/things/:id", func(c echo.Context) error {
		body, ok := c.Request().Body.(interface{ ValidatedValue() any })
		if !ok || c.Request().Header.Get("Content-Type") != "application/json" {
			return c.String(http.StatusTeapot, "the body was not checked")
		}
		if data, err := io.ReadAll(c.Request().Body); err == nil {
			return c.String(http.StatusTeapot, "the checked body reads as "+string(data))
		}
		return c.JSON(http.StatusOK, body.ValidatedValue())
	})
	return e
}

func TestAQueryIsFoldedAndChecked(t *testing.T) {
	t.Parallel()
	e := things(t)
	missing := `{"error":"404 Not Found"}`
	cases := []struct {
		name, uri string
		status    int
		body      string
	}{
		{"canonical", "/1?ref=x&scope[]=a&scope[]=b&per_page=5", 200, `{"per_page":["5"],"ref":["x"],"scope[]":["a","b"]}`},
		{"a list by commas", "/1?ref=x&scope=a,b", 200, `{"ref":["x"],"scope[]":["a","b"]}`},
		{"unknown parameters are let be", "/1?ref=x&other=1", 200, `{"other":["1"],"ref":["x"]}`},
		{"missing", "/1", 400, `{"error":"ref is missing"}`},
		{"not an integer", "/1?ref=x&per_page=many", 400, `{"error":"per_page is invalid"}`},
		{"zero", "/1?ref=x&per_page=0", 400, `{"error":"per_page has a value not allowed"}`},
		{"below one", "/1?ref=x&per_page=-1", 400, `{"error":"per_page does not have a valid value"}`},
		{"several", "/1?per_page=x&scope[]=c", 400, `{"error":"per_page is invalid, scope does not have a valid value, ref is missing"}`},
		{"a bad escape", "/1?ref=%zz", 400, `{"error":"ref is invalid"}`},
		{"NUL", "/1?ref=%00", 400, `{"error":"ref is invalid"}`},
		{"not UTF-8", "/1?ref=%ff", 400, `{"error":"ref is invalid"}`},
		{"an id that is none", "/x?ref=x", 404, missing},
		{"an id below one", "/0?ref=x", 404, missing},
		{"an id with a suffix", "/1.json?ref=x", 200, `{"ref":["x"]}`},
		{"an id too large", "/99999999999999999999?ref=x", 404, missing},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wantAnswer(t, ask(e, "GET", "/api/v4/things"+c.uri, ""), c.status, c.body)
		})
	}
}

func TestABodyOfAnyFormIsFoldedAndChecked(t *testing.T) {
	t.Parallel()
	e := things(t)
	const form, good = "application/x-www-form-urlencoded", `{"email":"e","name":"n","size":3}`
	multi := strings.NewReplacer("\n", "\r\n").Replace("--b\nContent-Disposition: form-data; name=\"name\"\n\nn\n--b\n" +
		"Content-Disposition: form-data; name=\"email\"; filename=\"e.txt\"\n\ne\n--b\nContent-Disposition: " +
		"form-data; name=\"size\"\n\n3\n--b--\n")
	cases := []struct {
		name, query, contentType, body string
		status                         int
		want                           string
	}{
		{"JSON", "", "application/json", `{"name":"n","email":"e","size":3}`, 200, good},
		{"JSON with a charset", "", "application/json; charset=utf-8", `{"name":"n","email":"e","size":"3"}`, 200, good},
		{"a form", "", form, "name=n&email=e&size=3", 200, good},
		{"multipart", "", "multipart/form-data; boundary=b", multi, 200, good},
		{"a query alone", "?name=n&email=e&size=3", "", "", 200, good},
		{"the body wins over the query", "?name=q&size=3", "application/json", `{"name":"n","email":"e"}`, 200, good},
		{"nothing", "", "", "", 400, `{"error":"name is missing, email is missing"}`},
		{"an empty name", "", form, "name=&email=e", 400, `{"error":"name is empty"}`},
		{"a wrong type", "", form, "name=n&email=e&size=many", 400, `{"error":"size is invalid"}`},
		{"not an object", "", "application/json", `[1]`, 400, `{"error":"The request body must be an object"}`},
		{"no content type", "", "", `{"name":"n"}`, 415, `{"error":"The provided content-type '' is not supported."}`},
		{"another content type", "", "text/xml", `<name/>`, 415, `{"error":"The provided content-type 'text/xml' is not supported."}`},
		{"multipart without a boundary", "", "multipart/form-data", "x", 400, `{"error":"The multipart body has no boundary"}`},
		{
			"multipart broken off", "", "multipart/form-data; boundary=b", multi[:strings.LastIndex(multi, "Content-")],
			400, `{"error":"The request body could not be read"}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wantAnswer(t, ask(e, "PUT", "/api/v4/things/1"+c.query, c.body, "Content-Type", c.contentType), c.status, c.want)
		})
	}
}

func TestADayThatIsNoneIsNamed(t *testing.T) {
	t.Parallel()
	var s openapi3.Schema
	const schema = `{"type": "object", "properties": {"until": {"type": "string", "format": "date", "nullable": ` +
		`true}, "at": {"type": "string", "format": "date-time"}}}`
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		body map[string]any
		want []string
	}{
		{map[string]any{"until": "2026-02-28", "at": "2026-02-28T10:00:00Z"}, nil},
		{map[string]any{"until": "2026-02-28T10:00:00.123+02:00", "at": "2026-02-28"}, nil},
		{map[string]any{"until": nil, "other": "soon"}, nil},
		{map[string]any{"until": "2026-02-30"}, []string{"until is invalid"}},
		{map[string]any{"until": "", "at": "soon"}, []string{"at is invalid", "until is empty"}},
	} {
		if diff := cmp.Diff(c.want, explain(s.VisitJSON(c.body, rules...), "", &s)); diff != "" {
			t.Errorf("%v:\n%s", c.body, diff)
		}
	}
}
