package operations

import (
	"strings"
	"testing"

	"svc/openapi/examples"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const small = `{
	"servers": [{"url": "/api/v4"}],
	"tags": [{"name": "things", "x-displayName": "Things", "description": "All things."}, {"name": "probes"}],
	"paths": {
		"/things/{id}": {
			"parameters": [{"$ref": "#/components/parameters/ID"}],
			"delete": {"operationId": "deleteThing", "summary": "Delete a thing.", "tags": ["things"], "security": [{"oauth": ["api"]}]},
			"post": {
				"operationId": "blockThing", "summary": "Block a thing.", "tags": ["things"], "x-tier": "premium",
				"description": "Needs \u0060x\u0060.\n\nThen:\n- one\n- two",
				"security": [{"oauth": ["api"]}, {}, {"accessToken": []}, {"session": []}],
				"parameters": [
					{"name": "sudo", "in": "query", "schema": {"type": "string"}},
					{"name": "labels", "in": "query", "schema": {"type": "array", "items": {"type": "string"}, "x-comma-separated": true}},
					{"name": "ids[]", "in": "query", "required": true,
						"schema": {"type": "array", "items": {"type": "integer"}, "example": [1, 2]}},
					{"name": "not", "in": "query", "style": "deepObject",
						"schema": {"properties": {"state": {"$ref": "#/components/schemas/State"}}}},
					{"name": "more", "in": "query", "schema": {"type": "object", "additionalProperties": {"type": "string"}}}
				],
				"requestBody": {"required": true, "content": {
					"application/json": {"schema": {"$ref": "#/components/schemas/New"}}, "multipart/form-data": {}
				}},
				"responses": {"201": {"description": "Done."}}
			}
		},
		"/-/health": {"servers": [{"url": "/"}], "get": {
			"operationId": "getHealth", "summary": "Health.", "tags": ["probes"], "security": [{}]}}
	},
	"components": {
		"parameters": {"ID": {"name": "id", "in": "path", "required": true, "example": 42, "schema": {"type": "integer"}}},
		"schemas": {
			"State": {"type": "string", "enum": ["on", "off"], "description": "The state."},
			"New": {"type": "object", "required": ["name", "state", "parts"], "properties": {
				"name": {"type": "string", "example": "a \u003cthing\u003e"}, "state": {"allOf": [{"$ref": "#/components/schemas/State"}]},
				"parts": {"type": "array", "items": {
					"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}, "o": {"type": "string"}}
				}},
				"note": {"type": "string"}, "picture": {"type": "string", "format": "binary"}
			}}
		}
	}
}`

func read(t *testing.T) *Index {
	t.Helper()
	x, err := Read([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestAnOperationIsReadInFull(t *testing.T) {
	t.Parallel()
	o, ok, err := read(t).Operation("blockThing")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if o.URL != "/api/v4/things/{id}" || o.Tier != "premium" || !o.Token || !o.Session || !o.Anonymous || !o.Destructive || o.Reads {
		t.Errorf("%+v", o)
	}
	wantAbout := []Prose{{{Text: "Needs "}, {Text: "x", Code: true}, {Text: "."}}, {{Text: "Then:"}}, {{Text: "• one"}}, {{Text: "• two"}}}
	if diff := cmp.Diff(wantAbout, o.About); diff != "" {
		t.Error(diff)
	}
	wantFields := []Field{
		{In: "path", Name: "id", Kind: Number, Required: true, Type: "integer", Value: "42", Hint: "42"},
		{In: "query", Name: "ids[]", Kind: Lines, Required: true, Type: "list of integer, one a line", Value: "1\n2", Hint: "1\n2"},
		{In: "query", Name: "labels", Kind: Text, Comma: true, Type: "list of string, separated by commas"},
		{In: "query", Name: "not[state]", Kind: Choice, Type: "string", Options: []string{"on", "off"}, About: Prose{{Text: "The state."}}},
		{In: "query", Name: "more", Kind: Pairs, Type: "object"},
	}
	if diff := cmp.Diff(wantFields, o.Fields, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if len(o.Headers) != 1 || o.Headers[0].Name != "sudo" || o.Headers[0].Value != "" {
		t.Errorf("%+v", o.Headers)
	}
	const body = "{\n  \"name\": \"a <thing>\",\n  \"state\": \"on\",\n  \"parts\": [\n    {\n      \"n\": 1\n    }\n  ]\n}"
	if o.Body == nil || o.Body.Kind != JSON || o.Body.Text != body || len(o.Body.Files) != 1 || len(o.Body.Members) != 4 {
		t.Errorf("%+v", o.Body)
	}
}

func TestOperationsAreFoundByAllWords(t *testing.T) {
	t.Parallel()
	x := read(t)
	ids := func(text string, max int) string {
		var found []string
		areas, n, more := x.Search(text, max)
		for _, a := range areas {
			for _, e := range a.Operations {
				found = append(found, e.ID)
			}
		}
		if n != len(found) {
			t.Errorf("%q finds %d of %q", text, n, found)
		}
		if more {
			found = append(found, "…")
		}
		return strings.Join(found, " ")
	}
	for text, want := range map[string]string{
		"": "blockThing deleteThing getHealth", "THING": "blockThing deleteThing", "delete thing": "deleteThing",
		"/api/v4/things/{id} post": "blockThing", "health thing": "", "/-/health": "getHealth",
	} {
		if got := ids(text, 10); got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
	if got := ids("", 1); got != "blockThing …" {
		t.Errorf("one of them is %q", got)
	}
	if area, ok := x.Area("things"); !ok || area.Title != "Things" {
		t.Errorf("%+v", area)
	}
	if o, _, err := x.Operation("getHealth"); err != nil || o.URL != "/-/health" || o.Token || !o.Anonymous || o.Body != nil {
		t.Errorf("%+v %v", o, err)
	}
	if _, ok, err := x.Operation("none"); ok || err != nil {
		t.Error(ok, err)
	}
}

func TestABrokenDocumentIsRefused(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]string{
		"no JSON": "{", "no operationId": `{"paths": {"/a": {"get": {"tags": ["a"]}}}}`,
		"an unknown tag": `{"paths": {"/a": {"get": {"operationId": "a", "tags": ["a"]}}}}`,
	} {
		if _, err := Read([]byte(doc)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	x, err := Read([]byte(strings.Replace(small, "#/components/parameters/ID", "#/components/parameters/No", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := x.Operation("blockThing"); err == nil {
		t.Error("a reference to nothing is read")
	}
}

func TestTheValuesOfACallAreFound(t *testing.T) {
	t.Parallel()
	got := valuesOf("/api/v4/projects/{id}/files/{file_path}", "/api/v4/projects/a%2Fb/files/c%20d?ref=main&x=1&x=2")
	want := map[string]string{"path.id": "a/b", "path.file_path": "c d", "query.ref": "main", "query.x": "1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := valuesOf("/api/v4/{id}", ""); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestALongExampleIsCutAtALine(t *testing.T) {
	t.Parallel()
	long := examples.Example{Status: 200, Response: []byte("[" + strings.Repeat("\"äöü\",", 3000) + "1]")}
	e, err := trueAnswer(long)
	if err != nil || !e.Cut || len(e.Text) > maxExample || !strings.HasSuffix(e.Text, "\"äöü\",") {
		t.Errorf("%v %v %.40s", err, e.Cut, e.Text)
	}
	e, err = trueAnswer(examples.Example{Status: 200, Text: strings.Repeat("ä", maxExample)})
	if err != nil || !e.Cut || len(e.Text) > maxExample || strings.ContainsRune(e.Text, '\uFFFD') {
		t.Errorf("%v %v", err, e.Cut)
	}
	if e, err := trueAnswer(examples.Example{Status: 204}); err != nil || e.Cut || e.Text != "" {
		t.Errorf("%v %v", err, e)
	}
}
