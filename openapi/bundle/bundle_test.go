package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// parts are the files of a small document, by name. Each test changes the parts that it is about.
type parts map[string]string

func document() parts {
	return parts{
		"openapi.yaml": `
openapi: 3.0.3
info: {title: test, version: "1"}
servers: [{url: /api/v4}]
paths:
  /things: {$ref: paths/things.yaml#/things}
  /things/{id}: {$ref: paths/things.yaml#/thing}
components:
  securitySchemes:
    oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {api: all, read_user: users}}}}
    accessToken: {type: apiKey, in: header, name: PRIVATE-TOKEN}
    session: {type: apiKey, in: cookie, name: _svc_session}
`,
		"paths/things.yaml": `
things:
  get:
    operationId: listThings
    security: [{}]
    responses: {"200": {description: ok, content: {text/plain: {schema: {type: string}}}}}
  post:
    operationId: createThing
    security: [{oauth: [api]}]
    requestBody: {required: true, content: {application/json: {schema: {$ref: ../schemas/thing.yaml#/ThingCreate}}}}
    responses: {"201": {description: made, content: {application/json: {schema: {$ref: ../schemas/thing.yaml#/Thing}}}}}
thing:
  parameters: [{$ref: ../parameters/things.yaml#/ID}]
  get:
    operationId: getThing
    security: [{}, {oauth: [api]}]
    responses: {"200": {description: ok, content: {application/json: {schema: {$ref: ../schemas/thing.yaml#/Thing}}}}}
`,
		"schemas/thing.yaml": `
Thing:
  type: object
  required: [id, owner]
  properties:
    id: {type: integer, format: int64}
    owner: {nullable: true, allOf: [{$ref: "#/Owner"}]}
    bio: {type: string, nullable: true}
Owner: {type: object, properties: {name: {type: string}}}
ThingCreate: {type: object, required: [name], properties: {name: {type: string}}}
`,
		"schemas/error.yaml":      "Error: {type: object, properties: {error: {type: string}, message: {}}}\n",
		"parameters/things.yaml":  "ID: {name: id, in: path, required: true, schema: {type: integer}}\n",
		"parameters/request.yaml": "Sudo: {name: sudo, in: query, schema: {type: string}}\n",
		"responses.yaml":          responses(),
		"headers.yaml":            "XErrorCode: {required: true, schema: {type: string, enum: [not_found, forbidden]}}\n",
	}
}

func responses() string {
	var b strings.Builder
	for _, name := range []string{
		"BadRequest", "Unauthorized", "Forbidden", "NotFound", "NotAllowed", "TooLarge", "URITooLong", "UnsupportedMediaType",
		"RequestTimeout", "TooManyRequests", "ServerError", "Unavailable", "NoSpace",
	} {
		b.WriteString(name + ": {description: " + name + ", content: {application/json: {schema: {$ref: schemas/error.yaml#/Error}}}}\n")
	}
	return b.String() + "NotModified: {description: NotModified}\n"
}

// in writes the parts into a folder and returns its path.
func (p parts) in(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range p {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// replace changes one text of one part.
func (p parts) replace(t testing.TB, name, from, to string) parts {
	t.Helper()
	if strings.Count(p[name], from) != 1 {
		t.Fatalf("%q is %d times in %s", from, strings.Count(p[name], from), name)
	}
	p[name] = strings.Replace(p[name], from, to, 1)
	return p
}

// written is what run writes for the parts: the published document and the view.
type written struct{ published, view map[string]any }

func (p parts) run(t testing.TB) written {
	t.Helper()
	folder := p.in(t)
	out, view := filepath.Join(folder, "gen"), filepath.Join(folder, "bin", "view.yaml")
	if err := run(filepath.Join(folder, "openapi.yaml"), out, view); err != nil {
		t.Fatal(err)
	}
	return written{
		published: read(t, filepath.Join(out, "openapi.json"), json.Unmarshal),
		view:      read(t, view, yaml.Unmarshal),
	}
}

// read returns a file as JSON values.
func read(t testing.TB, path string, unmarshal func([]byte, any) error) map[string]any {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if data, err = json.Marshal(v); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// at follows keys into a document. It returns nil if one is missing.
func at(doc any, keys ...string) any {
	for _, key := range keys {
		m, ok := doc.(map[string]any)
		if !ok {
			return nil
		}
		doc = m[key]
	}
	return doc
}

func TestMistakesInThePartsAreNamed(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		edit func(t testing.TB, p parts) parts
		want []string // all of these are in the text
	}{
		{"the same key twice in a file", func(t testing.TB, p parts) parts {
			p["schemas/thing.yaml"] += "Owner: {type: string}\n"
			return p
		}, []string{"thing.yaml", "Owner", "already"}},
		{"a tier that there is not", func(t testing.TB, p parts) parts {
			return p.replace(t, "schemas/thing.yaml", "bio: {", "bio: {x-tier: gold, ")
		}, []string{"x-tier", `"gold"`}},
		{"the same path twice", func(t testing.TB, p parts) parts {
			return p.replace(t, "openapi.yaml", "  /things/{id}:", "  /things: {$ref: paths/things.yaml#/thing}\n  /things/{id}:")
		}, []string{`"/things" already defined`}},
		{"the same member twice in a schema", func(t testing.TB, p parts) parts {
			return p.replace(t, "schemas/thing.yaml", "    bio:", "    id: {type: string}\n    bio:")
		}, []string{`"id" already defined`}},
		{"a reference to a key that is not there", func(t testing.TB, p parts) parts {
			return p.replace(t, "paths/things.yaml", "#/ThingCreate", "#/ThingMake")
		}, []string{"things.yaml", `"../schemas/thing.yaml#/ThingMake"`, "no such key"}},
		{"a reference to a file that is not there", func(t testing.TB, p parts) parts {
			return p.replace(t, "openapi.yaml", "paths/things.yaml#/thing}", "paths/thinks.yaml#/thing}")
		}, []string{`"paths/thinks.yaml#/thing"`, "no such file"}},
		{"a reference of another form", func(t testing.TB, p parts) parts {
			return p.replace(t, "schemas/thing.yaml", `"#/Owner"`, `"#/components/schemas/Owner"`)
		}, []string{"thing.yaml", "file.yaml#/Key"}},
		{"the same name in two files", func(t testing.TB, p parts) parts {
			p["schemas/other.yaml"] = "Owner: {type: string}\n"
			return p.replace(t, "schemas/thing.yaml", "bio: {", "pet: {$ref: other.yaml#/Owner}\n    bio: {")
		}, []string{"schemas Owner", "thing.yaml", "other.yaml"}},
		{"a path that is not a reference", func(t testing.TB, p parts) parts {
			return p.replace(t, "openapi.yaml", "{$ref: paths/things.yaml#/thing}", "{get: {}}")
		}, []string{"openapi.yaml:7", "one $ref"}},
		{"no security", func(t testing.TB, p parts) parts {
			return p.replace(t, "paths/things.yaml", "    security: [{oauth: [api]}]\n", "")
		}, []string{"POST /things", "security is missing"}},
		{"no components", func(t testing.TB, p parts) parts {
			text, _, _ := strings.Cut(p["openapi.yaml"], "components:")
			p["openapi.yaml"] = text
			return p
		}, []string{"openapi.yaml", "no components"}},
		{
			"not YAML", func(t testing.TB, p parts) parts { p["parameters/things.yaml"] = "a: [b"; return p },
			[]string{"parameters/things.yaml"},
		},
		{
			"not a mapping", func(t testing.TB, p parts) parts { p["parameters/things.yaml"] = "- a\n"; return p },
			[]string{"parameters/things.yaml", "not a mapping"},
		},
		{
			"an empty file", func(t testing.TB, p parts) parts { p["parameters/things.yaml"] = ""; return p },
			[]string{"parameters/things.yaml", "not a mapping"},
		},
		{"a common answer that is not there", func(t testing.TB, p parts) parts {
			p["responses.yaml"] = strings.Replace(p["responses.yaml"], "TooLarge:", "TooBig:", 1)
			return p
		}, []string{"POST /things", "TooLarge"}},
		{"what no validator takes", func(t testing.TB, p parts) parts {
			return p.replace(t, "parameters/things.yaml", "in: path", "in: nowhere")
		}, []string{"nowhere"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := c.edit(t, document()).in(t)
			out := filepath.Join(folder, "gen")
			err := run(filepath.Join(folder, "openapi.yaml"), out, filepath.Join(folder, "view.yaml"))
			if err == nil {
				t.Fatal("no error")
			}
			for _, text := range c.want {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("error %q does not say %q", err, text)
				}
			}
			if _, err := os.Stat(out); !os.IsNotExist(err) {
				t.Error("something was written all the same")
			}
		})
	}
}
