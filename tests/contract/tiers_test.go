package contract

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"

	"github.com/getkin/kin-openapi/openapi3"
)

// An operation with a tier names it in its description, and the tier free refuses all of these operations, even to
// administrators.
func TestOperationsOfAHigherTierAreRefusedOnFree(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.Tier = "free" })
	group := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	project := h.Project(group.ID, func(p *model.Project) { p.Path = "web" })
	root, job := h.Root(), runningJob(t, h, project)
	tested := 0
	for _, r := range harness.Routes() {
		tier, has := r.Op.Extensions["x-tier"].(string)
		if !has {
			continue
		}
		tested++
		if !strings.Contains(r.Op.Description, tier) {
			t.Errorf("%s is of the tier %s, and its description does not say so", r.Op.OperationID, tier)
		}
		caller := root
		if takesJobs(r.Op) {
			caller = job
		}
		if got := caller.JSON(r.Method, example(t, r), body(t, r)); got.Status != 403 || got.Body != `{"message":"403 Forbidden"}` ||
			got.Header.Get("X-Error-Code") != "tier_required" {
			t.Errorf("%s on free: %d %s", r.Op.OperationID, got.Status, got.Body)
		}
	}
	if tested < 13 {
		t.Errorf("only %d operations have a tier", tested)
	}
}

func takesJobs(op *openapi3.Operation) bool {
	for _, alternative := range *op.Security {
		if _, ok := alternative["jobToken"]; ok {
			return true
		}
	}
	return false
}

// runningJob returns a caller that uses the token of a job that a runner has taken.
func runningJob(t *testing.T, h *harness.H, p model.Project) *harness.Caller {
	t.Helper()
	h.Pipeline(p, h.Root().User, []syntax.Job{{Name: "one", Stage: "build"}})
	var made, given struct{ Token string }
	decode := func(a harness.Answer, into any) {
		t.Helper()
		if err := json.Unmarshal([]byte(a.Body), into); a.Status != 201 || err != nil {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
	}
	decode(h.Root().JSON("POST", "/user/runners", `{"runner_type":"instance_type"}`), &made)
	decode(h.Anonymous().JSON("POST", "/jobs/request", `{"token":"`+made.Token+`"}`), &given)
	return h.WithHeaders("JOB-TOKEN", given.Token)
}

// judgedByTier has the source files that judge by the tier, with what they decide: an operation, a parameter of an
// operation, or a member of a schema, as the document names it. Files without a list only pass the tier on, or decide
// something that the document says in words.
var judgedByTier = map[string][]string{
	"server/areas.go": {
		"NotificationEvents.new_epic", "NotificationPlaceUpdate.new_epic", "NotificationSettingsUpdate.new_epic",
	},
	"server/issuables.go":           nil,
	"server/services.go":            nil, // exports of groups have no wikis on free
	"server/webpages_places.go":     nil, // the form of notification settings, as in the API
	"server/webpages_publishing.go": nil,
	"server/webpages.go":            nil,
	"server/wire.go":                nil,
	"server/api/auditevents/service.go": {
		"getAuditEvent", "getGroupAuditEvent", "getProjectAuditEvent", "listAuditEvents", "listGroupAuditEvents",
		"listProjectAuditEvents",
	},
	"server/api/epics/service.go": {
		"createGroupEpicAwardEmoji", "createGroupEpicDiscussion", "createGroupEpicDiscussionNote",
		"createGroupEpicNote", "deleteGroupEpicAwardEmoji", "deleteGroupEpicDiscussionNote",
		"deleteGroupEpicNote", "updateGroupEpicDiscussionNote", "updateGroupEpicNote",
		"getGroupEpicAwardEmoji", "getGroupEpicDiscussion", "getGroupEpicDiscussionNote",
		"getGroupEpicNote", "getGroupEpicResourceLabelEvent", "getGroupEpicResourceStateEvent",
		"listGroupEpicAwardEmoji", "listGroupEpicDiscussions", "listGroupEpicNotes",
		"listGroupEpicResourceLabelEvents", "listGroupEpicResourceStateEvents",
		"assignGroupEpicEpic", "createGroupEpic", "createGroupEpicEpic", "createGroupEpicIssue", "deleteGroupEpic", "deleteGroupEpicIssue",
		"getGroupEpic", "listGroupEpicEpics", "listGroupEpicIssues", "listGroupEpics", "unassignGroupEpicEpic", "updateGroupEpic",
		"updateGroupEpicEpic", "updateGroupEpicIssue",
		"createGroupEpicRelatedEpic", "deleteGroupEpicRelatedEpic", "listGroupEpicRelatedEpics", "listGroupRelatedEpicLinks",
	},
	"server/api/issues/update.go":      {"IssueUpdate.weight", "IssueUpdate.epic_id"},
	"server/api/jobs/allowed_agent.go": {"getJobAllowedAgents"},
	"server/api/metadata/service.go":   nil,
	"server/api/metadata/version.go":   nil, // the value of enterprise
	"server/api/storagemoves/all_groups.go": {
		"createAllGroupRepositoryStorageMoves", "createGroupRepositoryStorageMove", "getAllGroupRepositoryStorageMove",
		"getGroupRepositoryStorageMove", "listAllGroupRepositoryStorageMoves", "listGroupRepositoryStorageMoves",
	},
	"server/api/users/filter.go":                    {"listUsers?auditors", "listUsers?saml_provider_id", "listUsers?skip_ldap"},
	"server/domain/account/identity.go":             {"UserCreate.group_id_for_saml", "UserUpdate.group_id_for_saml"},
	"server/domain/account/service.go":              nil,
	"server/domain/account/settings.go":             slices.Concat(ofUser("UserCreate", "auditor"), ofUser("UserUpdate", "auditor")),
	"server/domain/issue/create.go":                 {"IssueCreate.weight"},
	"server/domain/issue/epic.go":                   {"IssueCreate.epic_id"},
	"server/domain/issue/service.go":                nil,
	"server/domain/monitoring/alert/integration.go": nil, // the number of integrations
	"server/domain/monitoring/alert/mapping.go":     {"AlertIntegrationCreate.mapping", "AlertIntegrationUpdate.mapping"},
	"server/domain/monitoring/alert/service.go":     nil,
	"server/domain/monitoring/intake/intake.go":     nil, // the fingerprint of alerts that are sent without one
	"server/platform/config/config.go":              nil,
	"server/platform/present/issue.go":              {"Issue.epic", "Issue.epic_iid", "Issue.weight"},
	"server/platform/present/present.go":            nil,
	"server/platform/present/user.go":               ofUser("CurrentUser", shownWithUsers...),
	"server/platform/present/user_form.go": slices.Concat(
		ofUser("User", shownWithUsers...), ofUser("UserDetail", append([]string{"plan", "trial"}, shownWithUsers...)...),
	),
	"server/transport/web/adminpages/pages.go":    nil, // the page of the audit log
	"server/transport/web/adminpages/storages.go": nil, // moves of group wikis
	"server/transport/graphql/graphql.go":         nil,
	"server/transport/graphql/query.go":           nil, // the value of enterprise
	"server/transport/graphql/issue.go":           nil, // the weight of an issue
}

var shownWithUsers = []string{"is_auditor", "provisioned_by_group_id", "scim_identities", "using_license_seat"}

// ofUser returns the limits of CI/CD minutes, which every form of a user has, and other members of a schema.
func ofUser(schema string, others ...string) []string {
	members := []string{schema + ".extra_shared_runners_minutes_limit", schema + ".shared_runners_minutes_limit"}
	for _, member := range others {
		members = append(members, schema+"."+member)
	}
	return members
}

// Everything that the code judges by the tier has an x-tier, and everything with an x-tier is judged by the code.
func TestTheDocumentNamesTheTierOfEverythingThatTheCodeJudgesByTier(t *testing.T) {
	t.Parallel()
	files := map[string]bool{}
	judges := regexp.MustCompile(`\b[pP]aid\b|\bcfg\.Tier\b|\bultimate\b`)
	if err := filepath.WalkDir("../../server", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			code, _, _ := strings.Cut(line, "//")
			files[strings.TrimPrefix(path, "../../")] = files[strings.TrimPrefix(path, "../../")] || judges.MatchString(code)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var decided []string
	for path, judging := range files {
		things, listed := judgedByTier[path]
		if judging != listed {
			t.Errorf("%s judges by the tier: %v, but is listed: %v", path, judging, listed)
		}
		decided = append(decided, things...)
	}
	slices.Sort(decided)
	decided = slices.Compact(decided)
	if named := withTier(); !slices.Equal(named, decided) {
		t.Errorf("x-tier is at\n%v\nbut the code judges\n%v", named, decided)
	}
}

// withTier returns everything in the document that has an x-tier.
func withTier() []string {
	var named []string
	for _, r := range harness.Routes() {
		if r.Op.Extensions["x-tier"] != nil {
			named = append(named, r.Op.OperationID)
		}
		for _, p := range append(append(openapi3.Parameters{}, r.Item.Parameters...), r.Op.Parameters...) {
			if p.Value.Extensions["x-tier"] != nil {
				named = append(named, r.Op.OperationID+"?"+p.Value.Name)
			}
		}
	}
	for name, schema := range harness.Doc().Components.Schemas {
		for member, p := range schema.Value.Properties {
			if p.Value.Extensions["x-tier"] != nil {
				named = append(named, strings.TrimSuffix(name, "Multipart")+"."+member)
			}
		}
	}
	slices.Sort(named)
	return slices.Compact(named)
}
