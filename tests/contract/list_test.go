package contract

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"svc/tests/harness"

	"github.com/getkin/kin-openapi/openapi3"
)

// Every list is accepted as name=a,b, name[]=a, name[0]=a and, in a body, as a JSON array. An invalid element is
// refused in each of these forms: a list in an ignored form would return everything.
func TestEveryListIsAcceptedInEveryFormat(t *testing.T) {
	t.Parallel()
	w := newRequester(t)
	lists := 0
	for _, r := range harness.Routes() {
		if isRaw(r) {
			continue
		}
		for _, p := range queryParameters(r) {
			if good, bad, ok := elementsOf(p.Schema.Value); ok && !p.Required { // a required parameter is in the example already
				lists++
				name := strings.TrimSuffix(p.Name, "[]")
				checkForms(t, r.Op.OperationID+": "+name, bad != "", func(form string) string {
					return w.send(r, queryForm(form, name, good, bad), body(t, r))
				})
			}
		}
		schema := bodySchema(r)
		if schema == nil {
			continue
		}
		for name, ref := range schema.Properties {
			if good, bad, ok := elementsOf(ref.Value); ok {
				lists++
				checkForms(t, r.Op.OperationID+": "+name, bad != "", func(form string) string {
					return w.send(r, "", bodyForm(t, r, form, name, good, bad))
				})
			}
		}
	}
	if lists < 100 {
		t.Errorf("found only %d lists", lists)
	}
}

// A parameter that is not a list is refused with brackets: it would be ignored, and the link to the next page would
// lead back.
func TestOnlyListsAcceptBrackets(t *testing.T) {
	t.Parallel()
	w := newRequester(t)
	for _, r := range harness.Routes() {
		for _, p := range queryParameters(r) {
			if isRaw(r) || p.Name == "sudo" || p.Style == "deepObject" || p.Schema.Value.Type.Is("array") {
				continue
			}
			for _, brackets := range []string{"[]", "[0]", "[x]"} {
				if got := w.send(r, url.QueryEscape(p.Name+brackets)+"=1", body(t, r)); !strings.Contains(got, p.Name+" is invalid") {
					t.Errorf("%s: %s%s=1 answers %q", r.Op.OperationID, p.Name, brackets, got)
				}
			}
		}
	}
}

// elementsOf returns an element that a list accepts and one that it refuses, if there is one.
func elementsOf(s *openapi3.Schema) (good, bad string, ok bool) {
	if alternatives := s.AnyOf; len(alternatives) > 0 { // one value or a list
		s = alternatives[len(alternatives)-1].Value
	}
	if !s.Type.Is("array") || s.Items.Value.Type.Is("object") || s.Items.Value.Type.Is("array") {
		return "", "", false
	}
	items := s.Items.Value
	switch {
	case len(items.Enum) > 0:
		good, _ = items.Enum[0].(string)
		return good, "nonsense", true
	case items.Type.Is("integer"):
		return "1", "nonsense", true
	}
	return "a", "", true
}

func checkForms(t *testing.T, name string, refuses bool, send func(form string) string) {
	t.Helper()
	want := send("comma")
	for _, form := range []string{"brackets", "index", "repeated", "array"} {
		if got := send(form); got != want {
			t.Errorf("%s: as %s the answer is %q, with commas %q", name, form, got, want)
		}
	}
	for _, form := range []string{"comma", "brackets", "index", "array"} {
		if got := send("bad " + form); refuses && got == "" {
			t.Errorf("%s: a wrong value as %s is ignored", name, form)
		}
	}
}

func queryForm(form, name, good, bad string) string {
	second := good
	if rest, ok := strings.CutPrefix(form, "bad "); ok {
		form, second = rest, bad
	}
	switch form {
	case "brackets", "array":
		return url.Values{name + "[]": {good, second}}.Encode()
	case "index":
		return url.Values{name + "[0]": {good}, name + "[1]": {second}}.Encode()
	case "repeated":
		return url.Values{name: {good, second}}.Encode()
	}
	return url.Values{name: {good + "," + second}}.Encode()
}

// bodyForm returns a body with a list. Forms write brackets and indexes; in JSON, an index is a member of an object.
func bodyForm(t *testing.T, r harness.Route, form, name, good, bad string) string {
	t.Helper()
	second := good
	if rest, ok := strings.CutPrefix(form, "bad "); ok {
		form, second = rest, bad
	}
	var value any = []string{good, second}
	switch form {
	case "comma":
		value = good + "," + second
	case "index":
		value = map[string]string{"0": good, "1": second}
	}
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return withMember(t, r, name, json.RawMessage(data))
}
