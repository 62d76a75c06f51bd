package api

import (
	"reflect"
	"strings"
	"testing"

	"svc/gen"
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
	if inJSON.Body != string(gen.SpecJSON) {
		t.Error("the served document is not the bundle")
	}
	var want, got map[string]any
	if err := yaml.Unmarshal(gen.SpecJSON, &want); err != nil || want["openapi"] != "3.0.3" {
		t.Fatalf("%v %v", want["openapi"], err)
	}
	if err := yaml.Unmarshal([]byte(inYAML.Body), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the document in YAML is not the one in JSON: %v", err)
	}
	if !strings.HasPrefix(inYAML.Body, "openapi: 3.0.3\ninfo:\n  title: svc\n  version: \"4\"\n  description: |\n    The HTTP API of svc") {
		t.Errorf("the document in YAML begins %.200s", inYAML.Body)
	}
}

func TestTheExplorerNeedsNoOutsideNetwork(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	anyone := h.Anonymous()
	page := anyone.Send("GET", "/-/docs", "")
	expect(t, page, 200, "")
	if strings.Contains(page.Body, "//") && strings.Contains(page.Body, "http") {
		t.Errorf("the page names another place: %s", page.Body)
	}
	if csp := page.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self'") ||
		!strings.Contains(csp, "connect-src 'self'") {
		t.Errorf("the policy is %q", csp)
	}
	for _, name := range []string{"swagger-ui-bundle.js", "swagger-ui.css", "start.js"} {
		if got := anyone.Send("GET", "/-/docs/"+name, ""); got.Status != 200 || len(got.Body) < 100 {
			t.Errorf("%s: %d, %d bytes", name, got.Status, len(got.Body))
		}
		if got := anyone.Send("GET", "/-/docs/"+name, "", "Accept-Encoding", "identity"); got.Status != 200 || len(got.Body) < 100 {
			t.Errorf("%s uncompressed: %d, %d bytes", name, got.Status, len(got.Body))
		}
	}
	expect(t, anyone.Send("GET", "/-/docs/../../go.mod", ""), 404, "")
	if got := anyone.Send("GET", "/", ""); got.Status != 302 || got.Header.Get("Location") != "/users/sign_in" {
		t.Errorf("/ answered %d %v", got.Status, got.Header)
	}
}
