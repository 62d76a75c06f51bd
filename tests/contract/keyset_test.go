package contract

import (
	"slices"
	"strings"
	"testing"

	"svc/tests/harness"

	"github.com/getkin/kin-openapi/openapi3"
)

// A list without keyset pagination refuses it; it does not return offset pages instead.
func TestEveryListWithoutKeysetPaginationRefusesIt(t *testing.T) {
	t.Parallel()
	w := newRequester(t)
	var offered []string
	for _, r := range harness.Routes() {
		has := func(name string) bool {
			return slices.ContainsFunc(queryParameters(r), func(p *openapi3.Parameter) bool { return p.Name == name })
		}
		if !has("page") {
			continue
		}
		if has("cursor") || has("id_after") || has("page_token") {
			offered = append(offered, r.Op.OperationID)
			continue
		}
		path := example(t, r)
		if strings.Contains(path, "?") {
			path += "&pagination=keyset"
		} else {
			path += "?pagination=keyset"
		}
		got := w.root.Send(r.Method, path, "")
		if got.Status != 405 || got.Body != `{"error":"Keyset pagination is not yet available for this type of request"}` {
			t.Errorf("%s answers %d %s", r.Op.OperationID, got.Status, got.Body)
		}
	}
	slices.Sort(offered)
	want := []string{
		"listAuditEvents", "listGroupAuditEvents", "listGroupProjects", "listGroupProjectsShared", "listGroups",
		"listProjectAuditEvents", "listProjectForks", "listProjectJobs", "listProjectPackagePipelines",
		"listProjectRepositoryBranches", "listProjectRepositoryTags", "listProjectRepositoryTree", "listProjects",
		"listUserContributedProjects", "listUserProjects",
		"listUserStarredProjects", "listUsers",
	}
	if !slices.Equal(offered, want) {
		t.Errorf("keyset pagination is offered by %v, not by %v", offered, want)
	}
}
