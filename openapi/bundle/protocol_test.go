package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

// withGit adds a path of another protocol, with a schema that no other operation uses.
func withGit(t *testing.T) parts {
	t.Helper()
	p := document().replace(t, "openapi.yaml", "  /things/{id}:", "  /{id}.git: {$ref: paths/things.yaml#/git}\n  /things/{id}:")
	p["paths/things.yaml"] += `
git:
  servers: [{url: /}]
  parameters: [{$ref: ../parameters/things.yaml#/ID}]
  post:
    operationId: pushThing
    security: [{oauth: [api]}]
    x-protocol: git
    requestBody: {required: true, content: {application/json: {schema: {$ref: ../schemas/thing.yaml#/Pack}}}}
    responses: {"200": {description: ok, content: {application/json: {schema: {$ref: ../schemas/thing.yaml#/Thing}}}}}
`
	p["schemas/thing.yaml"] += "Pack: {type: object, properties: {packs: {type: array, items: {$ref: '#/Pack'}}}}\n"
	return p
}

func TestAnOperationOfAnotherProtocolIsPublishedAsItIsWritten(t *testing.T) {
	t.Parallel()
	op := at(withGit(t).run(t).published, "paths", "/{id}.git", "post")
	if diff := cmp.Diff([]string{"200"}, keysOf(at(op, "responses"))); diff != "" {
		t.Errorf("answers:\n%s", diff)
	}
	if diff := cmp.Diff([]any{map[string]any{"oauth": []any{"api"}}}, at(op, "security")); diff != "" {
		t.Errorf("credentials:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"application/json"}, keysOf(at(op, "requestBody", "content"))); diff != "" {
		t.Errorf("body:\n%s", diff)
	}
}

func TestAnOperationOfAnotherProtocolIsNeitherGeneratedNorValidated(t *testing.T) {
	t.Parallel()
	p := withGit(t)
	view := p.run(t).view
	if at(view, "paths", "/{id}.git") != nil || at(view, "components", "schemas", "Pack") != nil {
		t.Error("the view that Go is generated from has the operation, or its schema")
	}
	if at(view, "components", "schemas", "Owner") == nil {
		t.Error("a schema that other operations use is missing")
	}
	folder := p.in(t)
	out := filepath.Join(folder, "gen")
	if err := run(filepath.Join(folder, "openapi.yaml"), out, filepath.Join(folder, "view.yaml")); err != nil {
		t.Fatal(err)
	}
	paths := at(read(t, filepath.Join(out, "requests.json"), json.Unmarshal), "paths")
	if diff := cmp.Diff([]string{"/things", "/things/{id}"}, keysOf(paths)); diff != "" {
		t.Errorf("paths that are validated:\n%s", diff)
	}
}

func TestEachScopeThatSufficesIsAnAlternative(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, method, least, want string }{
		{"api to write", "post", "[{oauth: [api]}]", "[{oauth: [api]}, {accessToken: []}, {session: []}]"},
		{"api to read", "get", "[{oauth: [api]}]", "[{oauth: [api]}, {oauth: [read_api]}, {accessToken: []}, {session: []}]"},
		{
			"read_user to read", "get", "[{oauth: [read_user]}, {}]",
			"[{oauth: [api]}, {oauth: [read_api]}, {oauth: [read_user]}, {}, {accessToken: []}, {session: []}]",
		},
		{
			"create_runner to write", "post", "[{oauth: [create_runner]}]",
			"[{oauth: [api]}, {oauth: [create_runner]}, {accessToken: []}, {session: []}]",
		},
		{"any scope", "get", "[{oauth: []}]", "[{oauth: []}, {accessToken: []}, {session: []}]"},
		{"the token of a job", "get", "[{jobToken: []}]", "[{jobToken: []}]"},
		{"nothing", "get", "[{}]", "[{}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var given yaml.Node
			if err := yaml.Unmarshal([]byte(c.least), &given); err != nil {
				t.Fatal(err)
			}
			addCredentials(given.Content[0], c.method)
			var got, want any
			if err := given.Decode(&got); err != nil {
				t.Fatal(err)
			}
			if err := yaml.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestANumberOrATextIsReadAsAText(t *testing.T) {
	t.Parallel()
	p := document().replace(t, "parameters/things.yaml", "schema: {type: integer}",
		"schema: {anyOf: [{type: integer}, {type: string, minLength: 1}]}")
	folder := p.in(t)
	out, view := filepath.Join(folder, "gen"), filepath.Join(folder, "view.yaml")
	if err := run(filepath.Join(folder, "openapi.yaml"), out, view); err != nil {
		t.Fatal(err)
	}
	published := read(t, filepath.Join(out, "openapi.json"), json.Unmarshal)
	if at(published, "components", "parameters", "ID", "schema", "anyOf") == nil {
		t.Error("the published parameter is not a number or a text")
	}
	want := any(map[string]any{"type": "string", "minLength": 1.0})
	if diff := cmp.Diff(want, at(read(t, view, yaml.Unmarshal), "components", "parameters", "ID", "schema")); diff != "" {
		t.Errorf("in Go:\n%s", diff)
	}
	parameters, _ := at(read(t, filepath.Join(out, "requests.json"), json.Unmarshal), "paths", "/things/{id}", "parameters").([]any)
	if diff := cmp.Diff(want, at(parameters[0], "schema")); diff != "" {
		t.Errorf("in the view for validating:\n%s", diff)
	}
}

func TestNullableStandsBesideAType(t *testing.T) {
	t.Parallel()
	p := document().replace(t, "schemas/thing.yaml", "    bio: {type: string, nullable: true}\n",
		"    bio: {type: string, nullable: true}\n    size: {nullable: true, anyOf: [{type: integer}, {type: string}]}\n")
	properties := at(p.run(t).published, "components", "schemas", "Thing", "properties")
	want := map[string]any{
		"owner": map[string]any{
			"nullable": true, "allOf": []any{map[string]any{"$ref": "#/components/schemas/Owner"}}, "type": "object",
		},
		"size": map[string]any{"anyOf": []any{
			map[string]any{"type": "integer", "nullable": true}, map[string]any{"type": "string", "nullable": true},
		}},
	}
	for name, schema := range want {
		if diff := cmp.Diff(schema, at(properties, name)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
