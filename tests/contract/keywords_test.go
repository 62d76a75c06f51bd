package contract

import (
	"regexp"
	"strings"
	"testing"

	"svc/gen"
	"svc/tests/harness"

	"github.com/getkin/kin-openapi/openapi3"
)

// claims are sentences that a keyword says better, because generators and validators read it.
var claims = map[*regexp.Regexp]func(s *openapi3.Schema) bool{
	regexp.MustCompile("(?:^|[.;:] )Default:? (?:`[^`]+`|true|false|[0-9][0-9,]*)(?:[.;]|$)"): func(s *openapi3.Schema) bool {
		return s.Default != nil
	},
	regexp.MustCompile(`[Aa]t most [0-9,]+ (?:ASCII )?(?:characters|letters|lower-case letters)\b`): func(s *openapi3.Schema) bool {
		return s.MaxLength != nil || s.Type.Is("array") || s.Type.Is("object")
	},
	regexp.MustCompile(`, (?:1|8) to [0-9]+\b|, at least [0-9]+[.,]`): func(s *openapi3.Schema) bool {
		return s.Min != nil || s.MinLength > 0
	},
	regexp.MustCompile("as `YYYY-MM-DD`"): func(s *openapi3.Schema) bool { return s.Format == "date" || s.Pattern != "" },
}

// notDefaults are members whose default is the value of another member, not a text.
var notDefaults = map[string]bool{"old_path": true, "new_path": true}

func TestProseDoesNotReplaceKeywords(t *testing.T) {
	checked := 0
	check := func(where, name, description string, s *openapi3.Schema) {
		checked++
		text := strings.Join(strings.Fields(description), " ")
		for claim, has := range claims {
			if found := claim.FindString(text); found != "" && !notDefaults[name] && !has(s) {
				t.Errorf("%s %s says %q, but has no keyword for it", where, name, found)
			}
		}
	}
	for _, r := range harness.Routes() {
		for _, p := range append(append(openapi3.Parameters{}, r.Item.Parameters...), r.Op.Parameters...) {
			check(r.Method+" "+r.Path, p.Value.Name, p.Value.Description, p.Value.Schema.Value)
		}
	}
	for name, schema := range harness.Doc().Components.Schemas {
		for member, s := range schema.Value.Properties {
			check(name, member, s.Value.Description, s.Value)
		}
	}
	if checked < 5000 {
		t.Errorf("only %d descriptions were found", checked)
	}
}

func TestTheDocumentHasNoInternalExtensions(t *testing.T) {
	for _, extension := range []string{"x-go-", "x-not-validated", "x-file-in-multipart"} {
		if strings.Contains(string(gen.SpecJSON), extension) {
			t.Errorf("the document has %s", extension)
		}
	}
	if applied := regexp.MustCompile(`"default":[^{]`).FindString(string(gen.Requests)); applied != "" {
		t.Error("the server would apply a default of the document")
	}
}

// acts are operations with PUT whose default is true: what is absent is no part of a resource that stays as it is.
var acts = map[string]bool{
	"approveGroupAccessRequest": true, "approveProjectAccessRequest": true, "mergeProjectMergeRequest": true,
	"rebaseProjectMergeRequest": true, "updateProjectRepositoryFile": true,
	"updateProject initialize_with_readme": true, // ignored there
	"updateUser reset_password":            true, "updateUser force_random_password": true, "updateUser skip_reconfirmation": true,
}

// A member that is absent in a change stays as it is, so a default would be untrue, and a client that sends it would
// overwrite values.
func TestChangesHaveNoDefaults(t *testing.T) {
	for _, r := range harness.Routes() {
		id := r.Op.OperationID
		if (r.Method != "PUT" && r.Method != "PATCH") || r.Op.RequestBody == nil || acts[id] {
			continue
		}
		media := r.Op.RequestBody.Value.Content["application/json"]
		if media == nil {
			continue
		}
		for name, s := range media.Schema.Value.Properties {
			if s.Value.Default != nil && !acts[id+" "+name] {
				t.Errorf("%s: %s has the default %v", id, name, s.Value.Default)
			}
		}
	}
}

var replacement = regexp.MustCompile("[Uu]se (?:`|that|keyset|the|`POST)")

// Everything deprecated says what to use instead.
func TestDeprecatedPartsNameTheirReplacement(t *testing.T) {
	found := 0
	check := func(where, description string, deprecated bool) {
		if !deprecated {
			return
		}
		found++
		if !replacement.MatchString(strings.Join(strings.Fields(description), " ")) {
			t.Errorf("%s is deprecated and does not say what to use instead: %q", where, description)
		}
	}
	for _, r := range harness.Routes() {
		check(r.Op.OperationID, r.Op.Description, r.Op.Deprecated)
		for _, p := range r.Op.Parameters {
			check(r.Op.OperationID+" "+p.Value.Name, p.Value.Description, p.Value.Deprecated)
		}
	}
	for name, schema := range harness.Doc().Components.Schemas {
		for member, s := range schema.Value.Properties {
			check(name+"."+member, s.Value.Description, s.Value.Deprecated)
		}
	}
	if found < 40 {
		t.Errorf("only %d deprecated parts were found", found)
	}
}

// The deprecations of the contract are in the document.
func TestTheDeprecationsOfTheContractAreMarked(t *testing.T) {
	schemas := harness.Doc().Components.Schemas
	for name, members := range map[string][]string{
		"MergeRequest": {"merged_by", "merge_status"}, "MergeRequestApprovals": {"merge_status"}, "RunnerBasic": {"active", "ip_address"},
		"RunnerDetail": {"active", "ip_address"}, "RunnerUpdate": {"active"}, "UserActivity": {"last_activity_at"},
	} {
		for _, member := range members {
			if s := schemas[name]; s == nil || s.Value.Properties[member] == nil || !s.Value.Properties[member].Value.Deprecated {
				t.Errorf("%s.%s is not deprecated", name, member)
			}
		}
	}
	parameters := map[string]string{
		"listUsers": "page", "listRunners": "scope", "listRunnersAll": "scope", "listProjectRunners": "scope", "listGroupRunners": "scope",
	}
	for _, r := range harness.Routes() {
		if r.Op.OperationID == "getProjectMergeRequestChanges" && !r.Op.Deprecated {
			t.Error("the changes of a merge request are not deprecated")
		}
		name := parameters[r.Op.OperationID]
		if p := r.Op.Parameters.GetByInAndName("query", name); name != "" && (p == nil || !p.Deprecated) {
			t.Errorf("%s of %s is not deprecated", name, r.Op.OperationID)
		}
	}
}
