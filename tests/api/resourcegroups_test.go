package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

func TestResourceGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	base := fmt.Sprintf("/projects/%d/resource_groups", p.ID)
	expect(t, owner.Send("GET", base, ""), 200, "[]")
	key := "prod/eu"
	for range 3 {
		h.Pipeline(p, owner.User, []syntax.Job{aJob("deploy", 0)}, func(n *store.NewPipeline) { n.Jobs[0].ResourceGroup = &key })
	}
	if _, err := h.Store.Jobs.LockResource(t.Context(), p.ID, key); err != nil {
		t.Fatal(err)
	}
	one := owner.Send("GET", base+"/prod%2Feu", "")
	if expect(t, one, 200, ""); !strings.Contains(one.Body, `"key":"prod/eu","process_mode":"unordered"`) {
		t.Error(one.Body)
	}
	expect(t, owner.Send("GET", base, ""), 200, "["+one.Body+"]")
	expect(t, owner.Send("GET", base+"/none", ""), 404, `{"message":"404 Not found"}`)
	expect(t, owner.JSON("PUT", base+"/prod%2Feu", `{"process_mode":"never"}`), 400, `{"error":"process_mode does not have a valid value"}`)
	upcoming := func() string {
		rows := read[[]job](t, owner.Send("GET", base+"/prod%2Feu/upcoming_jobs", ""), 200)
		var ids []string
		for _, row := range rows {
			ids = append(ids, row.Status)
			if len(ids) > 1 && rows[0].ID > rows[1].ID {
				ids[0] = "newest " + row.Status
			}
		}
		return strings.Join(ids, ",")
	}
	if got := upcoming(); got != "waiting_for_resource,waiting_for_resource,waiting_for_resource" {
		t.Error(got)
	}
	changed := owner.JSON("PUT", base+"/prod%2Feu", `{"process_mode":"newest_first"}`)
	if expect(t, changed, 200, ""); !strings.Contains(changed.Body, `"process_mode":"newest_first"`) {
		t.Error(changed.Body)
	}
	if got := upcoming(); !strings.HasPrefix(got, "newest ") {
		t.Error(got)
	}
	expect(t, h.ProjectMember(p, model.Reporter).Send("GET", base, ""), 403, `{"message":"403 Forbidden"}`)
}
