package view

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"svc/gen"
	"svc/openapi/ordered"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestServersHaveTheURLOfTheInstance(t *testing.T) {
	t.Parallel()
	doc, err := Instance(gen.SpecJSON, "https://svc.example.com/base")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Servers []struct{ URL string }
		Paths   map[string]struct{ Servers []struct{ URL string } }
	}
	if err := json.Unmarshal(doc, &got); err != nil {
		t.Fatal(err)
	}
	if got.Servers[0].URL != "https://svc.example.com/base/api/v4" {
		t.Error(got.Servers)
	}
	if got := got.Paths["/oauth/token"].Servers; len(got) != 1 || got[0].URL != "https://svc.example.com/base" {
		t.Error(got)
	}
	same, err := Instance(gen.SpecJSON, "")
	if err != nil || !strings.Contains(string(same), `"servers":[{"url":"/api/v4"`) {
		t.Errorf("without a URL the servers change: %v", err)
	}
}

func TestTheLeanViewIsValidAndSmall(t *testing.T) {
	t.Parallel()
	doc, err := Lean(gen.SpecJSON, "https://svc.example.com")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := openapi3.NewLoader().LoadFromData(doc)
	if err != nil {
		t.Fatal(err)
	}
	if err := parsed.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for path, item := range parsed.Paths.Map() {
		for method, op := range item.Operations() {
			checkLeanOperation(t, method+" "+path, op)
		}
	}
	if len(parsed.Components.Headers) > 0 || parsed.Components.SecuritySchemes["session"] != nil {
		t.Error("the headers of answers, or the session of browsers, are left")
	}
	if len(doc) > len(gen.SpecJSON)/2 {
		t.Errorf("%d bytes, more than half of %d", len(doc), len(gen.SpecJSON))
	}
}

func checkLeanOperation(t *testing.T, name string, op *openapi3.Operation) {
	t.Helper()
	if op.Responses.Default() == nil || op.Responses.Status(404) != nil {
		t.Errorf("%s has not one default error", name)
	}
	if op.Description != "" || op.Summary == "" {
		t.Errorf("%s is not described by its summary alone", name)
	}
	if op.RequestBody != nil && len(op.RequestBody.Value.Content) != 1 {
		t.Errorf("%s has several forms of a body", name)
	}
	for _, p := range op.Parameters {
		if p.Value.Name == "sudo" || p.Value.Name == "If-Unmodified-Since" || p.Value.Example != nil {
			t.Errorf("%s has the parameter %s, or an example of it", name, p.Value.Name)
		}
	}
	for status, r := range op.Responses.Map() {
		if len(r.Value.Headers) > 0 {
			t.Errorf("%s: the answer %s has headers", name, status)
		}
		for _, media := range r.Value.Content {
			if s := media.Schema.Value; media.Schema.Ref == "" && len(s.AnyOf)+len(s.OneOf) > 0 {
				t.Errorf("%s: the answer %s is a union without a name", name, status)
			}
		}
	}
}

func TestTheLeanViewKeepsEveryRequestAndAnswer(t *testing.T) {
	t.Parallel()
	lean, err := Lean(gen.SpecJSON, "")
	if err != nil {
		t.Fatal(err)
	}
	full, err := openapi3.NewLoader().LoadFromData(gen.SpecJSON)
	if err != nil {
		t.Fatal(err)
	}
	small, err := openapi3.NewLoader().LoadFromData(lean)
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range full.Paths.Map() {
		for method, op := range item.Operations() {
			if op.Extensions["x-protocol"] != nil {
				continue // generated clients do not speak it
			}
			got := small.Paths.Value(path).GetOperation(method)
			lost := 0
			for _, p := range op.Parameters {
				if got.Parameters.GetByInAndName(p.Value.In, p.Value.Name) == nil {
					lost++
				}
			}
			for _, p := range op.Parameters {
				if p.Value.Name == "sudo" || p.Value.Name == "If-Unmodified-Since" {
					lost--
				}
			}
			if lost != 0 || got.OperationID != op.OperationID || (got.RequestBody == nil) != (op.RequestBody == nil) {
				t.Errorf("%s %s loses %d parameters, its name or its body", method, path, lost)
			}
			for status := range op.Responses.Map() {
				if status < "300" && status != "206" && got.Responses.Value(status) == nil {
					t.Errorf("%s %s loses the answer %s", method, path, status)
				}
			}
		}
	}
	for name, schema := range small.Components.Schemas {
		if before := full.Components.Schemas[name]; before != nil && len(before.Value.Properties) > len(schema.Value.Properties) {
			t.Errorf("%s loses members", name)
		}
	}
}

func TestUnionsAreAnyInGo(t *testing.T) {
	t.Parallel()
	doc, err := Lean([]byte(`{"openapi":"3.0.3","paths":{"/a/{id}":{"get":{"operationId":"getA","summary":"Get A.","x-ability":"read_a",`+
		`"parameters":[{"name":"id","in":"path","required":true,"example":1,"schema":{"oneOf":[{"type":"integer"},{"type":"string"}]}}],`+
		`"responses":{"200":{"description":"It.","content":{"application/json":{"schema":{"anyOf":[{"$ref":"#/components/schemas/B"},`+
		`{"$ref":"#/components/schemas/C"}]}}}}}}}},"components":{"responses":{},"securitySchemes":{},"schemas":{"B":{"type":"string"},`+
		`"C":{"type":"string"},"Error":{"type":"object"}}}}`), "")
	want := `{"openapi":"3.0.3","paths":{"/a/{id}":{"get":{"operationId":"getA","summary":"Get A.",` +
		`"parameters":[{"name":"id","in":"path","required":true,` +
		`"schema":{"oneOf":[{"type":"integer"},{"type":"string"}],"x-go-type":"any"}}],` +
		`"responses":{"200":{"description":"It.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/GetAResult"}}}},` +
		`"default":{"$ref":"#/components/responses/Error"}}}}},"components":{"responses":{"Error":{` +
		`"description":"The request was refused or failed; with status 429, the body can be plain text.",` +
		`"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Error"}}}}},` +
		`"schemas":{"B":{"type":"string"},"C":{"type":"string"},"Error":{"type":"object"},` +
		`"GetAResult":{"anyOf":[{"$ref":"#/components/schemas/B"},{"$ref":"#/components/schemas/C"}]}}}}`
	if err != nil || string(doc) != want {
		t.Errorf("%v\n got %s\nwant %s", err, doc, want)
	}
}

func TestEnumerationsOfNumbersHaveNames(t *testing.T) {
	t.Parallel()
	for values, want := range map[string]string{
		`[5,10,40]`:                  `["Minimal","Guest","Maintainer"]`,
		`["30_minutes","1_day"]`:     `["Minutes30","Day1"]`,
		`["0","any","due_tomorrow"]`: `["None","Any","DueTomorrow"]`,
		`["asc","desc"]`:             `null`,
	} {
		parsed, err := ordered.Parse([]byte(values))
		if err != nil {
			t.Fatal(err)
		}
		list, _ := parsed.([]any)
		if got, err := json.Marshal(enumNames(list)); err != nil || string(got) != want {
			t.Errorf("%s: got %s, want %s", values, got, want)
		}
	}
}

func TestDescriptionsEndAfterTheirFirstSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"One. Two.":                           "One.",
		"Up to 1.5 MB of\ntext. `a` is more.": "Up to 1.5 MB of text.",
		"Code `a. B` stays. Gone.":            "Code `a. B` stays.",
		"A date (ISO 8601. In UTC). Gone.":    "A date (ISO 8601. In UTC).",
		"A list, e.g. of names":               "A list, e.g. of names",
		"Really? Yes.":                        "Really?",
		"":                                    "",
	} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestVersion31SaysNullAsAType(t *testing.T) {
	t.Parallel()
	doc, err := V31([]byte(`{"openapi":"3.0.3","paths":{"/a":{"get":{"parameters":[{"schema":{"type":"string","nullable":true}}],`+
		`"responses":{"200":{"content":{"application/json":{"example":{"nullable":true},"schema":{"$ref":"#/components/schemas/A"}}}}}}}},`+
		`"components":{"schemas":{"A":{"type":"object","properties":{`+
		`"nullable":{"type":"string","enum":["a"],"nullable":true},"file":{"type":"string","format":"binary"},`+
		`"ref":{"allOf":[{"$ref":"#/components/schemas/B"}],"nullable":true},"like":{"type":"integer","example":1}}}}}}`), "")
	want := `{"openapi":"3.1.0","paths":{"/a":{"get":{"parameters":[{"schema":{"type":["string","null"]}}],` +
		`"responses":{"200":{"content":{"application/json":{"example":{"nullable":true},` +
		`"schema":{"$ref":"#/components/schemas/A"}}}}}}}},` +
		`"components":{"schemas":{"A":{"type":"object","properties":{` +
		`"nullable":{"type":["string","null"],"enum":["a",null]},"file":{"type":"string","contentMediaType":"application/octet-stream"},` +
		`"ref":{"anyOf":[{"$ref":"#/components/schemas/B"},{"type":"null"}]},"like":{"type":"integer","examples":[1]}}}}}}`
	if err != nil || string(doc) != want {
		t.Errorf("%v\n got %s\nwant %s", err, doc, want)
	}
	whole, err := V31(gen.SpecJSON, "https://svc.example.com")
	if err != nil || !json.Valid(whole) {
		t.Fatal(err)
	}
	parsed, err := ordered.Parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	root, _ := parsed.(*ordered.Object)
	schemas(root, func(s *ordered.Object) {
		if s.Get("nullable") != nil {
			t.Error("nullable is left")
		}
	})
}

func TestTheLeanViewHasOneObjectForEachUserAndNoOtherProtocols(t *testing.T) {
	t.Parallel()
	doc, err := Lean(gen.SpecJSON, "https://svc.example.com")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := ordered.Parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	root, _ := parsed.(*ordered.Object)
	all := root.Object("components").Object("schemas")
	listed := all.Object("UserListed")
	if listed.Get("anyOf") != nil || listed.Object("properties").Get("email") == nil {
		t.Error("UserListed is not one object with all members")
	}
	if required := listed.List("required"); !slices.Contains(required, any("username")) || slices.Contains(required, any("email")) {
		t.Errorf("UserListed requires %v", required)
	}
	if all.Object("IDOrPath").Get("x-go-type") != "any" || all.Object("IDOrPath").List("anyOf") == nil {
		t.Error("an ID or a path is not a number or a text")
	}
	for _, path := range root.Object("paths").Names {
		if strings.Contains(path, ".git") || strings.Contains(path, "alerts/notify") {
			t.Errorf("%s is of another protocol", path)
		}
	}
	text := string(doc)
	for _, scheme := range root.Object("components").Object("securitySchemes").Names {
		if !strings.Contains(text, `{"`+scheme+`":[`) {
			t.Errorf("the scheme %s, which no operation lists, is left", scheme)
		}
	}
}

func TestTheURLsOfFlowsHaveTheURLOfTheInstance(t *testing.T) {
	t.Parallel()
	doc, err := Instance(gen.SpecJSON, "https://svc.example.com/base")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"authorizationUrl":"https://svc.example.com/base/oauth/authorize"`, `"tokenUrl":"https://svc.example.com/base/oauth/token"`,
	} {
		if !strings.Contains(string(doc), want) {
			t.Errorf("the document does not have %s", want)
		}
	}
}
