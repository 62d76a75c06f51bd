// Package contract checks every operation of the OpenAPI document, and its behavior in the running service, against the
// rules of the project.
package contract

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"svc/gen"
	"svc/server/platform/access"
	"svc/tests/harness"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestEveryOperationFollowsTheRules(t *testing.T) {
	ids := map[string]string{}
	for _, r := range harness.Routes() {
		name := r.Method + " " + r.Path
		if len(r.Op.Tags) != 1 {
			t.Errorf("%s has %d tags, not one", name, len(r.Op.Tags))
			continue
		}
		if other, ok := ids[r.Op.OperationID]; ok {
			t.Errorf("%s and %s are both called %s", name, other, r.Op.OperationID)
		}
		ids[r.Op.OperationID] = name
		if !slices.Contains(operationIDs(r), r.Op.OperationID) {
			t.Errorf("%s is called %s, not one of %v", name, r.Op.OperationID, operationIDs(r))
		}
		if r.Op.Summary == "" || !strings.HasSuffix(r.Op.Summary, ".") {
			t.Errorf("%s needs a summary that ends with a full stop", name)
		}
		if r.Op.Security == nil || len(*r.Op.Security) == 0 {
			t.Errorf("%s says nothing of security", name)
		}
		if ability, ok := r.Op.Extensions["x-ability"].(string); !ok {
			t.Errorf("%s names no x-ability", name)
		} else if !granted(access.Ability(ability)) {
			t.Errorf("%s names the ability %s, which nobody grants", name, ability)
		}
		checkList(t, name, r)
		checkExamples(t, name, r)
	}
}

// The published document has nothing about our own Go code: make sdk generates a Go client from it.
func TestThePublishedDocumentHasNoGoTypes(t *testing.T) {
	if strings.Contains(string(gen.SpecJSON), "x-go-") {
		t.Error("the document names types of ours")
	}
}

func granted(a access.Ability) bool {
	_, onInstance := access.Abilities[access.Instance][a]
	_, inGroup := access.Abilities[access.Group][a]
	_, inProject := access.Abilities[access.Project][a]
	return onInstance || inGroup || inProject
}

// checkList checks that an operation that reads a list is called list…, and that a list is paginated, unless clients
// expect the whole list (x-whole-list).
func checkList(t *testing.T, name string, r harness.Route) {
	t.Helper()
	ok := r.Op.Responses.Status(200)
	if ok == nil || ok.Value.Content["application/json"] == nil {
		return
	}
	isList := ok.Value.Content["application/json"].Schema.Value.Type.Is("array")
	if r.Method == "GET" && isList != strings.HasPrefix(r.Op.OperationID, "list") {
		t.Errorf("%s: called %s, but answers with a list: %v", name, r.Op.OperationID, isList)
	}
	if whole, _ := r.Op.Extensions["x-whole-list"].(bool); !isList || whole {
		return
	}
	for _, param := range []string{"page", "per_page"} {
		if r.Op.Parameters.GetByInAndName("query", param) == nil {
			t.Errorf("%s has no parameter %s", name, param)
		}
	}
	headers := []string{"Link", "X-Next-Page", "X-Page", "X-Per-Page", "X-Prev-Page"}
	if r.Op.OperationID == "listProjectPackagePipelines" { // the contract has keyset pagination only
		headers = headers[:1]
	}
	for _, header := range headers {
		if ok.Value.Headers[header] == nil {
			t.Errorf("%s does not declare the header %s", name, header)
		}
	}
}

// checkExamples checks that a reader, or the tests of roles, can call every operation with the examples of the
// document.
func checkExamples(t *testing.T, name string, r harness.Route) {
	t.Helper()
	for _, p := range append(append(openapi3.Parameters{}, r.Item.Parameters...), r.Op.Parameters...) {
		if p.Value.Description == "" {
			t.Errorf("%s: parameter %s has no description", name, p.Value.Name)
		}
		if p.Value.Required && p.Value.Example == nil {
			t.Errorf("%s: parameter %s has no example", name, p.Value.Name)
		}
	}
	if r.Op.RequestBody == nil {
		return
	}
	if media := r.Op.RequestBody.Value.Content["application/json"]; media != nil && media.Schema.Value.Example == nil {
		t.Errorf("%s: the body has no example", name)
	}
}

var parameter = regexp.MustCompile(`^\{.*\}$`)

// otherNames has the operations whose name cannot be made from the path.
var otherNames = map[string]string{
	"POST /projects/{id}/approvals":                           "updateProjectApprovals", // there is one, which always exists
	"POST /error_tracking/collector/api/{id}/envelope":        "sendErrorTrackingEnvelope",
	"POST /error_tracking/collector/api/{id}/store":           "sendErrorTrackingEvent",
	"POST /feature_flags/unleash/{project_id}/client/metrics": "sendFeatureFlagsUnleashClientMetrics",
	"POST /group_repository_storage_moves":                    "createAllGroupRepositoryStorageMoves",
	"POST /groups/import":                                     "importGroup",
	"POST /projects/import":                                   "importProject",
	"POST /projects/remote-import":                            "importRemoteProject",
	"POST /groups/{id}/access_tokens/self/rotate":             "rotateGroupAccessTokenSelf",
	"POST /groups/{id}/projects/{project_id}":                 "transferProjectToGroup",
	"POST /hooks/{hook_id}":                                   "testHook",
	"POST /jobs/request":                                      "requestJob",
	"POST /jobs/{id}/artifacts":                               "uploadJobArtifacts",
	"PATCH /jobs/{id}/trace":                                  "appendJobTrace",
	"GET /keys":                                               "getKeyByFingerprint",
	"POST /oauth/introspect":                                  "introspectOauthToken",
	"POST /oauth/revoke":                                      "revokeOauthToken",
	"POST /oauth/userinfo":                                    "postOauthUserinfo",
	"GET /personal_access_tokens/self":                        "getPersonalAccessTokenSelf",
	"DELETE /personal_access_tokens/self":                     "deletePersonalAccessTokenSelf",
	"POST /personal_access_tokens/self/rotate":                "rotatePersonalAccessTokenSelf",
	"POST /project_repository_storage_moves":                  "createAllProjectRepositoryStorageMoves",
	"POST /project_aliases":                                   "createProjectAlias",
	"GET /project_aliases/{name}":                             "getProjectAlias",
	"DELETE /project_aliases/{name}":                          "deleteProjectAlias",
	"POST /projects/user/{user_id}":                           "createUserProject",
	"POST /projects/{id}/access_tokens/self/rotate":           "rotateProjectAccessTokenSelf",
	"DELETE /projects/{id}/fork":                              "deleteProjectForkRelation",
	"POST /projects/{id}/fork/{forked_from_id}":               "createProjectForkRelation",
	"POST /projects/{id}/issues/{issue_iid}/time_estimate":    "setProjectIssueTimeEstimate",
	"POST /projects/{id}/housekeeping":                        "startProjectHousekeeping",
	"PUT /suggestions/batch_apply":                            "applySuggestions",
	"POST /projects/{id}/merge_requests/{merge_request_iid}/draft_notes/bulk_publish":            "publishProjectMergeRequestDraftNotes",
	"POST /projects/{id}/merge_requests/{merge_request_iid}/cancel_merge_when_pipeline_succeeds": "cancelProjectMergeRequestAutoMerge",
	"POST /projects/{id}/merge_requests/{merge_request_iid}/time_estimate":                       "setProjectMergeRequestTimeEstimate",
	"GET /-/group/{id}/uploads/{secret}/{filename}":                                              "getUploadOfGroup",
	"GET /-/project/{id}/uploads/{secret}/{filename}":                                            "getUploadOfProject",
	"GET /groups/{id}/uploads/{secret}/{filename}":                                               "getGroupUploadBySecret",
	"DELETE /groups/{id}/uploads/{secret}/{filename}":                                            "deleteGroupUploadBySecret",
	"GET /projects/{id}/uploads/{secret}/{filename}":                                             "getProjectUploadBySecret",
	"DELETE /projects/{id}/uploads/{secret}/{filename}":                                          "deleteProjectUploadBySecret",
	"POST /groups/{id}/wikis/attachments":                                                        "createGroupWikiAttachment",
	"POST /projects/{id}/wikis/attachments":                                                      "createProjectWikiAttachment",
	"GET /projects/{id}/releases/permalink/latest/{suffix}":                                      "getProjectReleasesPermalinkLatestSuffix",
	"POST /projects/{id}/ref/{ref}/trigger/pipeline":                                             "triggerProjectPipelineForRef",
	"POST /projects/{id}/trigger/pipeline":                                                       "triggerProjectPipeline",
	"POST /runners":                                                                              "registerRunner",
	"DELETE /runners":                                                                            "unregisterRunner",
	"DELETE /runners/managers":                                                                   "unregisterRunnerManager",
	"POST /runners/reset_authentication_token":                                                   "resetOwnRunnerAuthenticationToken",
	"POST /groups/{id}/epics/{epic_iid}/epics/{child_epic_id}":                                   "assignGroupEpicEpic",
	"DELETE /groups/{id}/epics/{epic_iid}/epics/{child_epic_id}":                                 "unassignGroupEpicEpic",
	"POST /runners/verify":                                                                       "verifyRunner",
	"POST /snippet_repository_storage_moves":                                                     "createAllSnippetRepositoryStorageMoves",
	"POST /todos/mark_as_done":                                                                   "markAllTodosAsDone",
	"PATCH /users/{id}/disable_two_factor":                                                       "disableUserTwoFactor",
}

// operationIDs returns the names that an operation may have: a verb, then the path from left to right. If the last
// part of the path is an action, its first word is the verb: merge, add_spent_time.
func operationIDs(r harness.Route) []string {
	if name, ok := otherNames[r.Method+" "+r.Path]; ok {
		return []string{name}
	}
	words := pathWords(r.Path)
	last := len(words) - 1
	parent, noun := strings.Join(words[:last], ""), strings.Join(words, "")
	action := strings.ToLower(words[last][:1]) + words[last][1:]
	if verb, object := firstWord(action); object != "" {
		action = verb + parent + object
	} else {
		action += parent
	}
	switch r.Method {
	case "GET":
		return []string{"list" + noun, "get" + noun}
	case "POST":
		return []string{"create" + parent + singular(words[last]), action}
	case "PUT":
		return []string{"update" + noun, action}
	case "PATCH":
		return []string{"update" + noun, "patch" + noun} // PATCH, for paths that also have PUT, which replaces
	case "DELETE":
		return []string{"delete" + noun}
	}
	return nil
}

// pathWords returns the parts of a path without parameters. A part with a parameter after it is in the singular.
func pathWords(path string) []string {
	var words []string
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, s := range segments {
		if s == "-" || parameter.MatchString(s) {
			continue
		}
		if i+1 < len(segments) && parameter.MatchString(segments[i+1]) {
			s = singular(s)
		}
		words = append(words, camel(s))
	}
	if segments[0] == "user" {
		words[0] = "CurrentUser" // /user is another resource than /users/{id}
	}
	if strings.HasSuffix(segments[0], "_repository_storage_moves") {
		words[0] = "All" + words[0] // the operations of one project already have this name
	}
	return words
}

// firstWord splits cherryPick, addSpentTime and merge into the verb and its object. Some verbs have two words.
func firstWord(action string) (verb, object string) {
	if action == "cherryPick" {
		return action, ""
	}
	if i := strings.IndexFunc(action, unicode.IsUpper); i > 0 {
		return action[:i], action[i:]
	}
	return action, ""
}

func singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies"):
		return strings.TrimSuffix(s, "ies") + "y"
	case strings.HasSuffix(s, "ches") || strings.HasSuffix(s, "uses"):
		return strings.TrimSuffix(s, "es")
	case strings.HasSuffix(s, "ss") || strings.HasSuffix(s, "us"):
		return s
	}
	return strings.TrimSuffix(s, "s")
}

func camel(s string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("_-.{}", r) }) {
		if part == "json" || part == "yaml" {
			part = strings.ToUpper(part)
		}
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// A path is described in the file of its area, which is its tag.
func TestEveryOperationHasTheTagOfItsFile(t *testing.T) {
	text, err := os.ReadFile("../../openapi/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	areas := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^  (/\S*): \{\$ref: paths/([a-z]+)(?:_\w+)?\.yaml#`).FindAllStringSubmatch(string(text), -1) {
		areas[m[1]] = m[2]
	}
	for _, r := range harness.Routes() {
		if len(r.Op.Tags) != 1 || r.Op.Tags[0] != areas[r.Path] {
			t.Errorf("%s %s has the tags %v, but is in the file of %q", r.Method, r.Path, r.Op.Tags, areas[r.Path])
		}
	}
}

func TestAreasHaveOneNameEverywhere(t *testing.T) {
	names := func(pattern, suffix string) []string {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, p := range paths {
			area, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(p), suffix), "_") // <area>_<topic>
			found = append(found, area)
		}
		slices.Sort(found)
		return slices.Compact(found)
	}
	inYAML, inCode := names("../../openapi/paths/*.yaml", ".yaml"), names("../../server/api/*", "")
	// oauth is in its own package, because it has its own response format; git is served by server/transport/githttp, and
	// graphql by server/transport/graphql.
	inCode = append(inCode, "oauth", "git", "graphql")
	slices.Sort(inCode)
	var tags []string
	for _, tag := range harness.Doc().Tags {
		tags = append(tags, tag.Name)
	}
	slices.Sort(tags)
	for _, area := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(inYAML, inCode, tags)))) {
		if !slices.Contains(inYAML, area) {
			t.Errorf("area %s has no openapi/paths/%s.yaml", area, area)
		}
		if !slices.Contains(inCode, area) {
			t.Errorf("area %s has no package server/api/%s", area, area)
		}
		if !slices.Contains(tags, area) {
			t.Errorf("area %s has no line under tags in openapi/openapi.yaml", area)
		}
	}
	for _, area := range inYAML {
		if area == "graphql" {
			continue // tests/graphql
		}
		if len(names("../api/"+area+"_test.go", "")) == 0 && len(names("../api/"+area+"_*_test.go", "")) == 0 {
			t.Errorf("area %s has neither tests/api/%s_test.go nor tests/api/%s_<topic>_test.go", area, area, area)
		}
	}
}
