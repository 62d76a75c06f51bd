package api

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"svc/gen"
	"svc/openapi/view"
	"svc/tests/harness"

	"go.yaml.in/yaml/v4"
)

func TestTheInstanceShowsItsVersionAndMetadata(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	if got := u.Send("GET", "/version", ""); got.Status != 200 || !strings.HasPrefix(got.Body, `{"version":"16.7.0-svc","revision":"`) {
		t.Errorf("version: %d %s", got.Status, got.Body)
	}
	if got := u.Send("GET", "/metadata", ""); !strings.HasSuffix(got.Body,
		`"kas":{"enabled":false,"externalUrl":null,"version":null},"enterprise":true}`) {
		t.Errorf("metadata: %s", got.Body)
	}
	for _, path := range []string{"/version", "/metadata"} {
		expect(t, h.Anonymous().Send("GET", path, ""), 401, `{"message":"401 Unauthorized"}`)
	}
}

func TestTheDocumentIsServed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inYAML, inJSON := h.Anonymous().Send("GET", "/openapi.yaml", ""), h.Anonymous().Send("GET", "/openapi.json", "")
	bundle, err := view.Instance(gen.SpecJSON, h.URL)
	if err != nil || inJSON.Body != string(bundle) || !strings.Contains(inJSON.Body, h.URL+"/api/v4") {
		t.Errorf("the served document is not the bundle with the URL of the instance: %v", err)
	}
	var want, got map[string]any
	if err := yaml.Unmarshal([]byte(inJSON.Body), &want); err != nil || want["openapi"] != "3.0.3" {
		t.Fatalf("%v %v", want["openapi"], err)
	}
	if err := yaml.Unmarshal([]byte(inYAML.Body), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the document in YAML is not the one in JSON: %v", err)
	}
	if !strings.HasPrefix(inYAML.Body, "openapi: 3.0.3\ninfo:\n  title: svc\n  version: \"4\"\n  description: |\n    The HTTP API of svc") {
		t.Errorf("the document in YAML begins %.200s", inYAML.Body)
	}
}

func TestTheDocumentHasAViewForGenerators(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	full := h.Anonymous().Send("GET", "/openapi.json", "")
	lean := h.Anonymous().Send("GET", "/openapi.json?view=sdk", "")
	inYAML := h.Anonymous().Send("GET", "/openapi.yaml?view=sdk", "")
	newer := h.Anonymous().Send("GET", "/openapi-3.1.json", "")
	if full.Status != 200 || lean.Status != 200 || inYAML.Status != 200 || newer.Status != 200 {
		t.Fatal(full.Status, lean.Status, inYAML.Status, newer.Status)
	}
	if len(lean.Body) > len(full.Body)*3/4 || !strings.HasPrefix(newer.Body, `{"openapi":"3.1.0"`) {
		t.Errorf("the lean view has %d of %d bytes; 3.1 begins %.40s", len(lean.Body), len(full.Body), newer.Body)
	}
	var want, got map[string]any
	if err := errors.Join(yaml.Unmarshal([]byte(lean.Body), &want), yaml.Unmarshal([]byte(inYAML.Body), &got)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the lean view in YAML is not the one in JSON")
	}
	expect(t, h.Anonymous().Send("GET", "/openapi.json?view=small", ""), 400,
		`{"error":"view does not have a valid value"}`)
}

func TestTheExplorerNeedsNoOutsideNetwork(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	anyone := h.Anonymous()
	for _, path := range []string{"/-/explorer", "/-/explorer/getCurrentUser"} {
		page := anyone.Send("GET", path, "")
		expect(t, page, 200, "")
		files := regexp.MustCompile(`<(?:script|link|img)[^>]* (?:src|href)="([^"]*)"`).FindAllStringSubmatch(page.Body, -1)
		if len(files) != 5 { // two style sheets, two scripts and the icon
			t.Errorf("%s loads %q", path, files)
		}
		for _, file := range files {
			if got := anyone.Send("GET", file[1], ""); !strings.HasPrefix(file[1], "/-/assets/") || got.Status != 200 ||
				len(got.Body) < 100 {
				t.Errorf("%s: %d, %d bytes", file[1], got.Status, len(got.Body))
			}
		}
		if csp := page.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self';") ||
			!strings.Contains(csp, "style-src 'self';") || !strings.Contains(csp, "connect-src 'self'") || strings.Contains(csp, "unsafe") {
			t.Errorf("the policy is %q", csp)
		}
	}
	expect(t, anyone.Send("GET", "/-/explorer/../../go.mod", ""), 404, "")
	if got := anyone.Send("GET", "/", ""); got.Status != 302 || got.Header.Get("Location") != "/users/sign_in" {
		t.Errorf("/ answered %d %v", got.Status, got.Header)
	}
}
