package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRequestsAreTheDocumentWithoutAnswersProseAndReferences(t *testing.T) {
	t.Parallel()
	folder := document().
		replace(t, "parameters/things.yaml", "schema: {type: integer}", "description: Which, example: 7, schema: {type: integer}").
		replace(t, "schemas/thing.yaml",
			"{name: {type: string}}}\n"+"ThingCreate: {type: object, required: [name], properties: {name: {type: string}}}",
			"{name: {type: string}}}\n"+"ThingCreate: {type: object, description: New, required: [name], properties: "+
				"{name: {type: string, x-go-name: Called}, description: {type: string, example: red}, owner: "+
				"{$ref: '#/Owner'}}}").
		in(t)
	out := filepath.Join(folder, "gen")
	if err := run(filepath.Join(folder, "openapi.yaml"), out, filepath.Join(folder, "view.yaml")); err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{"servers": [{"url": "/api/v4"}], "paths": {
		"/things": {
			"get": {"operationId": "listThings", "security": [{}]},
			"post": {"operationId": "createThing", "security": [{"oauth": ["api"]}, {"accessToken": []}, {"session": []}],
				"parameters": [{"in": "query", "name": "sudo", "schema": {"type": "string"}}],
				"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["name"],
					"properties": {"name": {"type": "string"}, "description": {"type": "string"},
						"owner": {"type": "object", "properties": {"name": {"type": "string"}}}}}}}}}},
		"/things/{id}": {
			"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
			"get": {"operationId": "getThing", "security": [{},
				{"oauth": ["api"]}, {"oauth": ["read_api"]}, {"accessToken": []}, {"session": []}],
				"parameters": [{"in": "query", "name": "sudo", "schema": {"type": "string"}}]}}}}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read(t, filepath.Join(out, "requests.json"), json.Unmarshal)); diff != "" {
		t.Error(diff)
	}
}

func TestARequestThatHoldsItselfIsRefused(t *testing.T) {
	t.Parallel()
	_, err := requests(
		[]byte(
			`{"paths": {"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}},
		"components": {"schemas": {"A": {"properties": {"child": {"$ref": "#/components/schemas/A"}}}}}}`,
		),
	)
	if err == nil || !strings.Contains(err.Error(), "/a: #/components/schemas/A contains itself") {
		t.Errorf("error is %v", err)
	}
}
