package contract

import (
	"encoding/json"
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
		if got := caller.JSON(r.Method, example(t, r), body(t, r)); got.Status != 403 || got.Body != `{"message":"403 Forbidden"}` {
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
