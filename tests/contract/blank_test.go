package contract

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"

	"github.com/getkin/kin-openapi/openapi3"
)

// Null and the empty string in an optional member get the same response as a request without the member.
func TestEveryOptionalMemberMayBeBlank(t *testing.T) {
	t.Parallel()
	w := newRequester(t)
	for _, r := range harness.Routes() {
		schema := bodySchema(r)
		if schema == nil || isRaw(r) {
			continue
		}
		for name, ref := range schema.Properties {
			if slices.Contains(schema.Required, name) {
				continue
			}
			without := w.send(r, "", withMember(t, r, name, nil))
			for _, blank := range []string{`null`, `""`} {
				if isValue(blank, ref.Value) {
					continue
				}
				got := w.send(r, "", withMember(t, r, name, json.RawMessage(blank)))
				if got != without {
					t.Errorf("%s: %s: %s answers %q, without it the answer is %q", r.Op.OperationID, name, blank, got, without)
				}
			}
		}
	}
}

// An empty value of an optional parameter counts as no value.
func TestEveryOptionalParameterMayBeEmpty(t *testing.T) {
	t.Parallel()
	w := newRequester(t)
	for _, r := range harness.Routes() {
		if isRaw(r) {
			continue
		}
		without := w.send(r, "", body(t, r))
		for _, p := range queryParameters(r) {
			if p.Required || p.Style == "deepObject" {
				continue
			}
			for _, spelling := range spellings(p) {
				if got := w.send(r, spelling+"=", body(t, r)); got != without {
					t.Errorf("%s: %s= answers %q, without it the answer is %q", r.Op.OperationID, spelling, got, without)
				}
			}
		}
	}
}

// A body of null counts as a body without members: a client without options sends it.
func TestEveryBodyMayBeNull(t *testing.T) {
	t.Parallel()
	w := newRequester(t)
	for _, r := range harness.Routes() {
		if bodySchema(r) == nil || isRaw(r) {
			continue
		}
		if null, empty := w.send(r, "", "null"), w.send(r, "", "{}"); null != empty {
			t.Errorf("%s: a body of null answers %q, one of {} %q", r.Op.OperationID, null, empty)
		}
	}
}

// isValue reports whether the document makes a blank value a valid value of the member. These members are the
// exceptions.
func isValue(blank string, member *openapi3.Schema) bool {
	if member.Nullable || member.Extensions["x-allow-blank"] == false {
		return true
	}
	return blank == `""` && (member.Extensions["x-empty-text"] == true || member.Type.Is("array"))
}

// The exceptions are few, and each has a reason: either a text may be emptied, or the contract refuses a blank.
func TestTheExceptionsOfBlankMembersAreListed(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, r := range harness.Routes() {
		if schema := bodySchema(r); schema != nil {
			collect(schema, found)
		}
	}
	got := slices.Sorted(maps.Keys(found))
	want := []string{
		"author_email_regex", "auto_ssl_enabled", "branch_name_regex", "channel", "commit_message_negative_regex",
		"commit_message_regex", "confidential_issue_channel", "confidential_note_channel", "content", "deployment_channel",
		"description", "enabled_git_access_protocol", "file_name_regex", "footer_message", "generic_duplicate_exception_regex",
		"header_message", "issue_channel", "labels_to_be_notified", "maven_duplicate_exception_regex", "member_guidelines",
		"merge_request_channel", "message_background_color", "message_font_color", "new_project_guidelines", "note_channel",
		"pipeline_channel", "profile_image_guidelines", "push_channel", "shared_secret", "tag_push_channel", "target_path", "text", "title",
		"username", "value", "wiki_page_channel",
	}
	if !slices.Equal(got, want) {
		t.Errorf("exceptions are %v, not %v", got, want)
	}
}

func collect(schema *openapi3.Schema, found map[string]bool) {
	for name, ref := range schema.Properties {
		if ref.Value.Extensions["x-empty-text"] == true || ref.Value.Extensions["x-allow-blank"] == false {
			found[name] = true
		}
		collect(ref.Value, found)
	}
	if schema.Items != nil {
		collect(schema.Items.Value, found)
	}
}

// requester sends requests that are valid except for the part that a test changes.
type requester struct {
	t    *testing.T
	root *harness.Caller
}

func newRequester(t *testing.T) requester {
	t.Helper()
	h := harness.New(t)
	h.Project(h.Group(func(g *model.Namespace) { g.Path = "acme" }).ID, func(p *model.Project) { p.Path = "web" })
	return requester{t, h.Root()}
}

// send returns the message with which validation refuses a request, or "" if it accepts the request.
func (w requester) send(r harness.Route, query, body string) string {
	w.t.Helper()
	path := example(w.t, r)
	if query != "" {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		path += separator + query
	}
	got := w.root.JSON(r.Method, path, body)
	if got.Status != 400 || strings.Contains(got.Body, "already been taken") {
		return ""
	}
	return got.Body
}

func bodySchema(r harness.Route) *openapi3.Schema {
	if r.Op.RequestBody == nil || r.Op.RequestBody.Value.Content["application/json"] == nil {
		return nil
	}
	return r.Op.RequestBody.Value.Content["application/json"].Schema.Value
}

// isRaw reports whether an operation reads its input itself, or makes requests wait.
func isRaw(r harness.Route) bool {
	raw, _ := r.Op.Extensions["x-raw"].(bool)
	return raw
}

func queryParameters(r harness.Route) []*openapi3.Parameter {
	var in []*openapi3.Parameter
	for _, p := range append(append(openapi3.Parameters{}, r.Item.Parameters...), r.Op.Parameters...) {
		if p.Value.In == "query" {
			in = append(in, p.Value)
		}
	}
	return in
}

// spellings returns the names by which a parameter may be sent.
func spellings(p *openapi3.Parameter) []string {
	name := strings.TrimSuffix(p.Name, "[]")
	if !p.Schema.Value.Type.Is("array") {
		return []string{url.QueryEscape(name)}
	}
	return []string{name, url.QueryEscape(name + "[]"), url.QueryEscape(name + "[0]")}
}

// withMember returns the example body with one member replaced, or removed if value is nil.
func withMember(t *testing.T, r harness.Route, name string, value any) string {
	t.Helper()
	members := map[string]any{}
	if err := json.Unmarshal([]byte(body(t, r)), &members); err != nil {
		t.Fatal(err)
	}
	delete(members, name)
	if value != nil {
		members[name] = value
	}
	data, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
