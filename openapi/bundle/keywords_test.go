package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const thingCreate = "ThingCreate: {type: object, required: [name], properties: {name: {type: string}}}"

// views returns the three files that run writes for the parts.
func (p parts) views(t testing.TB) (published, requests, view map[string]any) {
	t.Helper()
	folder := p.in(t)
	out := filepath.Join(folder, "gen")
	path := filepath.Join(folder, "openapi.yaml")
	if err := run(path, out, filepath.Join(folder, "view.yaml")); err != nil {
		t.Fatal(err)
	}
	w := p.run(t)
	return w.published, read(t, filepath.Join(out, "requests.json"), json.Unmarshal), w.view
}

// bodyOf returns the members of the JSON body in the requests.
func bodyOf(requests map[string]any) any {
	return at(requests, "paths", "/things", "post", "requestBody", "content", "application/json", "schema", "properties")
}

func TestKeywordsForReadersAreNeitherValidatedNorGenerated(t *testing.T) {
	t.Parallel()
	p := document().replace(t, "schemas/thing.yaml", thingCreate, `
ThingCreate:
  type: object
  properties:
    name: {type: string, minLength: 1, maxLength: 9, pattern: '^a', x-not-validated: [maxLength, pattern], default: ab}
    mail: {type: string, format: email}
    owner: {allOf: [{$ref: "#/Kind"}], default: a}
    default: {type: boolean}
Kind: {type: string, enum: [a, b]}`)
	published, requests, view := p.views(t)
	want := map[string]any{"type": "string", "minLength": 1.0, "maxLength": 9.0, "pattern": "^a", "default": "ab"}
	if diff := cmp.Diff(any(want), at(published, "components", "schemas", "ThingCreate", "properties", "name")); diff != "" {
		t.Errorf("published:\n%s", diff)
	}
	for name, got := range map[string]any{
		"requests": bodyOf(requests), "view": at(view, "components", "schemas", "ThingCreate", "properties"),
	} {
		for _, keyword := range []string{"maxLength", "pattern", "default", notValidated} {
			if value := at(got, "name", keyword); value != nil {
				t.Errorf("%s has %s: %v", name, keyword, value)
			}
		}
		if at(got, "name", "minLength") != 1.0 {
			t.Errorf("%s has no minLength", name)
		}
		if at(got, "mail", "format") != nil || at(got, "owner", "allOf") != nil || at(got, "default") == nil {
			t.Errorf("%s has %v", name, got)
		}
	}
}

func TestXNotValidatedNamesWhatIsBesideIt(t *testing.T) {
	t.Parallel()
	folder := document().replace(t, "schemas/thing.yaml", "bio: {", "bio: {x-not-validated: [maxLength], ").in(t)
	err := run(filepath.Join(folder, "openapi.yaml"), filepath.Join(folder, "gen"), filepath.Join(folder, "view.yaml"))
	if err == nil || !strings.Contains(err.Error(), `x-not-validated names "maxLength"`) {
		t.Errorf("error is %v", err)
	}
}

func TestFilesAreBase64InJSONAndFilesInMultipartBodies(t *testing.T) {
	t.Parallel()
	p := document().replace(t, "schemas/thing.yaml", thingCreate, `
ThingCreate:
  type: object
  properties:
    picture: {type: string, format: binary}
    key: {type: string, x-file-in-multipart: true}`)
	published, requests, view := p.views(t)
	formats := func(members any) []any { return []any{at(members, "picture", "format"), at(members, "key", "format")} }
	schemas := at(published, "components", "schemas")
	for name, c := range map[string]struct {
		members any
		want    []any
	}{
		"JSON":      {at(schemas, "ThingCreate", "properties"), []any{"byte", nil}},
		"multipart": {at(schemas, "ThingCreateMultipart", "properties"), []any{"binary", "binary"}},
		"requests":  {bodyOf(requests), []any{"binary", nil}},
		"view":      {at(view, "components", "schemas", "ThingCreate", "properties"), []any{"binary", nil}},
	} {
		if diff := cmp.Diff(c.want, formats(c.members)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	content := at(published, "paths", "/things", "post", "requestBody", "content")
	if got := at(content, "multipart/form-data", "schema", "$ref"); got != "#/components/schemas/ThingCreateMultipart" {
		t.Errorf("the multipart body is %v", got)
	}
	if got := at(content, "application/x-www-form-urlencoded", "schema", "$ref"); got != "#/components/schemas/ThingCreate" {
		t.Errorf("the form is %v", got)
	}
	if text, _ := json.Marshal(published); strings.Contains(string(text), fileInMultipart) {
		t.Error("the extension is published")
	}
}

const headers = `
Deprecation: {schema: {type: string}}
Sunset: {schema: {type: string}}
DeprecationLink: {schema: {type: string}}
`

func TestDeprecatedPartsHaveTheirHeadersAndReachTheServer(t *testing.T) {
	t.Parallel()
	p := document().
		replace(t, "paths/things.yaml", "    operationId: getThing\n",
			"    operationId: getThing\n    deprecated: true\n    x-deprecated-since: 2026-01-02\n    x-sunset: 2027-01-02\n").
		replace(t, "schemas/thing.yaml", thingCreate, "ThingCreate: {type: object, properties: "+
			"{name: {type: string, deprecated: true, x-deprecated-since: 2026-01-02}}}")
	p["headers.yaml"] += headers
	published, requests, view := p.views(t)
	names := func(path, method, status string) []string {
		return keysOf(at(published, "paths", path, method, "responses", status, "headers"))
	}
	if diff := cmp.Diff([]string{"Deprecation", "Link", "Sunset"}, names("/things/{id}", "get", "200")); diff != "" {
		t.Errorf("a deprecated operation:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Deprecation", "Link"}, names("/things", "post", "201")); diff != "" {
		t.Errorf("a deprecated member:\n%s", diff)
	}
	if got := names("/things", "get", "200"); got != nil {
		t.Errorf("another operation has %v", got)
	}
	op := at(requests, "paths", "/things/{id}", "get")
	if at(op, "deprecated") != true || at(op, "x-deprecated-since") != "2026-01-02" || at(op, "x-sunset") != "2027-01-02" {
		t.Errorf("the server gets %v", op)
	}
	if at(bodyOf(requests), "name", "deprecated") != true {
		t.Error("the server does not know the deprecated member")
	}
	if got := at(view, "components", "schemas", "ThingCreate", "properties", "name", "deprecated"); got != nil {
		t.Error("the generated code would warn the server itself")
	}
}

func TestADeprecatedPartNeedsADay(t *testing.T) {
	t.Parallel()
	for edit, want := range map[string]string{
		"bio: {deprecated: true, ":                                              "belong together",
		"bio: {x-deprecated-since: 2026-01-02, ":                                "belong together",
		"bio: {deprecated: true, x-deprecated-since: soon, ":                    `"soon" is not a day`,
		"bio: {x-sunset: 2026-01-02, ":                                          "belongs to deprecated",
		"bio: {deprecated: true, x-deprecated-since: 2026-01-02, x-sunset: 5, ": `"5" is not a day`,
	} {
		folder := document().replace(t, "schemas/thing.yaml", "bio: {", edit).in(t)
		err := run(filepath.Join(folder, "openapi.yaml"), filepath.Join(folder, "gen"), filepath.Join(folder, "view.yaml"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v", edit, err)
		}
	}
}
