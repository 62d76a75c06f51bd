package api

import (
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestProjectAliasesAreCreatedReadAndDeletedByAdministrators(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID)
	root, owner := h.Root(), h.ProjectMember(p, model.Owner)
	made := root.JSON("POST", "/project_aliases", fmt.Sprintf(`{"project_id":%d,"name":"web.app"}`, p.ID))
	id := read[struct{ ID int64 }](t, made, 201).ID
	want := fmt.Sprintf(`{"id":%d,"project_id":%d,"name":"web.app"}`, id, p.ID)
	expect(t, made, 201, want)
	expect(t, root.Send("GET", "/project_aliases", ""), 200, "["+want+"]")
	expect(t, root.Send("GET", "/project_aliases/web.app", ""), 200, want)
	for _, body := range []string{
		fmt.Sprintf(`{"project_id":%d}`, p.ID), `{"name":"b"}`, fmt.Sprintf(`{"project_id":%d,"name":"a/b"}`, p.ID),
		fmt.Sprintf(`{"project_id":%d,"name":"web.app"}`, p.ID), fmt.Sprintf(`{"project_id":%d,"name":"b.git"}`, p.ID),
		fmt.Sprintf(`{"project_id":%d,"name":"b.wiki"}`, p.ID),
	} {
		expect(t, root.JSON("POST", "/project_aliases", body), 400, "")
	}
	expect(t, root.JSON("POST", "/project_aliases", `{"project_id":99999999,"name":"b"}`), 404, "")
	for _, c := range []*harness.Caller{owner, h.NewUser()} {
		expect(t, c.Send("GET", "/project_aliases", ""), 403, "")
		expect(t, c.Send("GET", "/project_aliases/web.app", ""), 403, "")
		expect(t, c.JSON("POST", "/project_aliases", fmt.Sprintf(`{"project_id":%d,"name":"c"}`, p.ID)), 403, "")
		expect(t, c.Send("DELETE", "/project_aliases/web.app", ""), 403, "")
	}
	expect(t, h.Anonymous().Send("GET", "/project_aliases", ""), 401, "")
	expect(t, root.Send("DELETE", "/project_aliases/web.app", ""), 204, "")
	expect(t, root.Send("GET", "/project_aliases/web.app", ""), 404, `{"message":"404 Not found"}`)
}
