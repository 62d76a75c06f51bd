package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

func keysOf(v any) []string {
	m, _ := v.(map[string]any)
	return slices.Sorted(maps.Keys(m))
}

func TestPartsAreJoinedUnderTheirOwnNames(t *testing.T) {
	t.Parallel()
	doc := document().run(t).published
	if diff := cmp.Diff([]string{"/things", "/things/{id}"}, keysOf(doc["paths"])); diff != "" {
		t.Errorf("paths:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Error", "Owner", "Thing", "ThingCreate"}, keysOf(at(doc, "components", "schemas"))); diff != "" {
		t.Errorf("schemas:\n%s", diff)
	}
	parameters, _ := at(doc, "paths", "/things/{id}", "parameters").([]any)
	if diff := cmp.Diff([]any{map[string]any{"$ref": "#/components/parameters/ID"}}, parameters); diff != "" {
		t.Errorf("a reference to a parameter:\n%s", diff)
	}
	owner := at(doc, "components", "schemas", "Thing", "properties", "owner", "allOf")
	if diff := cmp.Diff([]any{map[string]any{"$ref": "#/components/schemas/Owner"}}, owner); diff != "" {
		t.Errorf("a reference inside its own file:\n%s", diff)
	}
}

func TestJSONKeepsOrderAndKinds(t *testing.T) {
	t.Parallel()
	var doc yaml.Node
	if err := yaml.Unmarshal(
		[]byte("z: [1, 1.5, true, null, '4', 2026-01-02]\na:\n  y: <b>\n  200: |\n    two\n    lines\n"), &doc,
	); err != nil {
		t.Fatal(err)
	}
	got, err := toJSON(&doc)
	want := `{"z":[1,1.5,true,null,"4","2026-01-02"],"a":{"y":"<b>","200":"two\nlines\n"}}`
	if err != nil || string(got) != want {
		t.Errorf("%s %v", got, err)
	}
}

func TestTwoRunsWriteTheSame(t *testing.T) {
	t.Parallel()
	folder := document().in(t)
	var texts []string
	for range 2 {
		view := filepath.Join(t.TempDir(), "view.yaml")
		if err := run(filepath.Join(folder, "openapi.yaml"), filepath.Join(folder, "gen"), view); err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, path := range []string{filepath.Join(folder, "gen", "openapi.json"), view} {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(data)
		}
		texts = append(texts, all.String())
	}
	if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
		t.Error(diff)
	}
}

func TestWhatFollowsFromAnOperationIsSpelledOut(t *testing.T) {
	t.Parallel()
	doc := document().run(t).published
	cases := []struct {
		name, path, method string
		statuses           []string
		security           []any
	}{
		// No parameters, no body, no JSON: only the responses that are always possible.
		{"an open list", "/things", "get", []string{"200", "401", "414", "429", "500", "503"}, []any{map[string]any{}}},
		{
			"a write", "/things", "post",
			[]string{"201", "400", "401", "403", "404", "405", "408", "413", "414", "415", "429", "500", "503", "507"},
			[]any{map[string]any{"oauth": []any{"api"}}, map[string]any{"accessToken": []any{}}, map[string]any{"session": []any{}}},
		},
		{
			"a read of one", "/things/{id}", "get",
			[]string{"200", "304", "400", "401", "403", "404", "405", "414", "429", "500", "503"},
			[]any{
				map[string]any{},
				map[string]any{"oauth": []any{"api"}},
				map[string]any{"oauth": []any{"read_api"}},
				map[string]any{"accessToken": []any{}},
				map[string]any{"session": []any{}},
			},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			op := at(doc, "paths", c.path, c.method)
			if diff := cmp.Diff(c.statuses, keysOf(at(op, "responses"))); diff != "" {
				t.Errorf("answers:\n%s", diff)
			}
			if diff := cmp.Diff(c.security, at(op, "security")); diff != "" {
				t.Errorf("credentials:\n%s", diff)
			}
		})
	}
	if got := at(doc, "paths", "/things/{id}", "get", "responses", "404", "$ref"); got != "#/components/responses/NotFound" {
		t.Errorf("404 is %v", got)
	}
}

func TestAnAnswerThatIsWrittenOutIsKept(t *testing.T) {
	t.Parallel()
	p := document().replace(t, "paths/things.yaml", `responses: {"201":`, `responses: {"403": {description: ours}, "201":`)
	if got := at(p.run(t).published, "paths", "/things", "post", "responses", "403", "description"); got != "ours" {
		t.Errorf("403 is %v", got)
	}
}

func TestAJSONBodyMayComeAsAForm(t *testing.T) {
	t.Parallel()
	content := at(document().run(t).published, "paths", "/things", "post", "requestBody", "content")
	want := []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data"}
	if diff := cmp.Diff(want, keysOf(content)); diff != "" {
		t.Fatal(diff)
	}
	for _, media := range want {
		if got := at(content, media, "schema", "$ref"); got != "#/components/schemas/ThingCreate" {
			t.Errorf("%s is %v", media, got)
		}
	}
}

func TestTheViewHasJSONBodiesAndNoCommonErrors(t *testing.T) {
	t.Parallel()
	p := document().replace(t, "paths/things.yaml", `responses: {"201":`, `responses: {"409": {description: ours}, "201":`)
	view := p.run(t).view
	post := at(view, "paths", "/things", "post")
	if diff := cmp.Diff([]string{"application/json"}, keysOf(at(post, "requestBody", "content"))); diff != "" {
		t.Errorf("body:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"201", "409"}, keysOf(at(post, "responses"))); diff != "" {
		t.Errorf("answers:\n%s", diff)
	}
	if got := at(view, "components", "responses"); got != nil {
		t.Errorf("common answers are left: %v", got)
	}
}

func TestSudoIsPublishedWhereATokenIsTakenAndKeptFromTheCode(t *testing.T) {
	t.Parallel()
	w := document().run(t)
	sudo := []any{map[string]any{"$ref": "#/components/parameters/Sudo"}}
	if diff := cmp.Diff(sudo, at(w.published, "paths", "/things", "post", "parameters")); diff != "" {
		t.Errorf("a write:\n%s", diff)
	}
	if got := at(w.published, "paths", "/things", "get", "parameters"); got != nil {
		t.Errorf("an open list takes %v", got)
	}
	if got := at(w.view, "paths", "/things", "post", "parameters"); got != nil {
		t.Errorf("the view has %v", got)
	}
}

func TestABodyThatIsNotJSONIsLeftAlone(t *testing.T) {
	t.Parallel()
	p := document().replace(t, "paths/things.yaml", "content: {application/json: {schema: {$ref: ../schemas/thing.yaml#/ThingCreate}}}",
		"content: {application/octet-stream: {schema: {type: string, format: binary}}}")
	w := p.run(t)
	for name, doc := range map[string]any{"published": w.published, "view": w.view} {
		got := keysOf(at(doc, "paths", "/things", "post", "requestBody", "content"))
		if diff := cmp.Diff([]string{"application/octet-stream"}, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestMembersOfTheViewKeepTheirOrderAndTellNullFromAbsent(t *testing.T) {
	t.Parallel()
	const optional = "x-go-type"
	properties := at(document().run(t).view, "components", "schemas", "Thing", "properties")
	for name, want := range map[string]float64{"id": 1, "owner": 2, "bio": 3} {
		if got := at(properties, name, "x-order"); got != want {
			t.Errorf("%s is number %v, want %v", name, got, want)
		}
	}
	if got := at(properties, "owner", optional); got != nil { // required: null or value, never absent
		t.Errorf("owner is a %v", got)
	}
	bio := at(properties, "bio")
	want := map[string]any{
		"type": "string", "nullable": true, optional: "wire.Optional[string]",
		"x-go-type-import":                map[string]any{"path": "svc/openapi/wire"},
		"x-go-type-skip-optional-pointer": true, "x-omitzero": true, "x-order": 3.0,
	}
	if diff := cmp.Diff(want, bio); diff != "" {
		t.Errorf("bio:\n%s", diff)
	}
}

func TestTheGoTypeOfANullableMember(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{type: string}":                        "string",
		"{type: string, format: date-time}":     "wire.Time",
		"{type: string, format: date}":          "wire.Date",
		"{type: integer}":                       "int64",
		"{type: number}":                        "float64",
		"{type: boolean}":                       "bool",
		"{type: object}":                        "any",
		"{}":                                    "any",
		"{type: array, items: {type: integer}}": "[]int64",
		"{allOf: [{$ref: '#/components/schemas/UserBasic'}]}":    "UserBasic",
		"{$ref: '#/components/schemas/UserBasic'}":               "UserBasic",
		"{type: array, items: {$ref: '#/components/schemas/A'}}": "[]A",
	} {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			t.Fatal(err)
		}
		if got := goType(n.Content[0]); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestAListHasTheHeadersOfPagesAndAConditionalDeleteHas412(t *testing.T) {
	t.Parallel()
	parts := document().
		replace(t, "paths/things.yaml", "    operationId: listThings\n", "    operationId: listThings\n"+
			"    parameters: [{$ref: ../parameters/pagination.yaml#/Page}]\n").
		replace(t, "paths/things.yaml", "    operationId: getThing\n", "    operationId: getThing\n"+
			"    parameters: [{$ref: ../parameters/request.yaml#/IfUnmodifiedSince}]\n")
	parts["parameters/pagination.yaml"] = "Page: {name: page, in: query, schema: {type: integer}}\n"
	parts["parameters/request.yaml"] += "IfUnmodifiedSince: {name: If-Unmodified-Since, in: header, schema: {type: string}}\n"
	parts["responses.yaml"] += "PreconditionFailed: {description: PreconditionFailed}\n"
	for _, h := range pageHeaders {
		parts["headers.yaml"] += h[1] + ": {schema: {type: string}}\n"
	}
	doc := parts.run(t).published
	headers := at(doc, "paths", "/things", "get", "responses", "200", "headers")
	if diff := cmp.Diff([]string{
		"Link", "X-Next-Page", "X-Page", "X-Per-Page", "X-Prev-Page", "X-Total", "X-Total-Pages",
	}, keysOf(headers)); diff != "" {
		t.Errorf("headers of a list:\n%s", diff)
	}
	if at(doc, "paths", "/things", "get", "responses", "412") != nil {
		t.Error("an operation without a condition has 412")
	}
	if got := at(doc, "paths", "/things/{id}", "get", "responses", "412", "$ref"); got != "#/components/responses/PreconditionFailed" {
		t.Errorf("412 is %v", got)
	}
}

func TestEveryErrorResponseHasTheHeaderOfItsCodeAndTheGeneratedCodeDoesNot(t *testing.T) {
	t.Parallel()
	parts := document().replace(t, "paths/things.yaml", `content: {text/plain: {schema: {type: string}}}}}
  post:`, `content: {text/plain: {schema: {type: string}}}}, "410": {description: gone}, "302": {description: elsewhere}}
  post:`)
	made := parts.run(t)
	want := map[string]any{"X-Error-Code": map[string]any{"$ref": "#/components/headers/XErrorCode"}}
	for _, response := range []any{
		at(made.published, "components", "responses", "NotFound"), at(made.published, "components", "responses", "ServerError"),
		at(made.published, "paths", "/things", "get", "responses", "410"),
	} {
		if diff := cmp.Diff(want, at(response, "headers")); diff != "" {
			t.Error(diff)
		}
	}
	for _, response := range []any{
		at(made.published, "components", "responses", "NotModified"), at(made.published, "paths", "/things", "get", "responses", "302"),
		at(made.published, "paths", "/things", "get", "responses", "200"), at(made.view, "paths", "/things", "get", "responses", "410"),
	} {
		if at(response, "headers") != nil || response == nil {
			t.Errorf("%v has the header, or is not there", response)
		}
	}
}
