package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

func TestTheRelationsOfAProjectAreThoseOfItsArchive(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser(withPublicEmail("owner"))
	h.StartWorker()
	at := fillProject(t, h, owner)
	expect(t, owner.Send("GET", at+"/export_relations/status", ""), 200, `[]`)
	states := exportRelations(t, owner, at, `{}`)
	archive := exportProject(t, owner, at).Body
	want := map[string]string{"self": archiveFiles(t, archive, "tree/project.json")[""]}
	for name, text := range archiveFiles(t, archive, "tree/project/") {
		want[strings.TrimSuffix(name, ".ndjson")] = text
	}
	want["user_contributions"] = want["users"]
	checkRelations(t, owner, at, states, projectRelations, want)
	expectParts(t, owner, at+"/export_relations/download?relation=issues")
	one := read[[]relationState](t, owner.Send("GET", at+"/export_relations/status?relation=issues", ""), 200)
	if len(one) != 1 || one[0].Relation != "issues" || one[0].Total != 3 {
		t.Errorf("%+v", one)
	}
	expectAuditEvents(t, h.Root().Send("GET", at+"/audit_events", ""),
		"project_relations_export_scheduled", "project_relation_export_downloaded", "Downloaded the exported relation issues")
	download := at + "/export_relations/download?relation=issues"
	expect(t, owner.Send("GET", download+"&batched=true&batch_number=1", ""), 400, `{"message":"Export is not batched"}`)
	exportRelations(t, owner, at, `{"batched":true}`)
	if got := unzipped(t, owner.Send("GET", download+"&batched=true&batch_number=1", "")); got != want["issues"] {
		t.Errorf("the batch has %s", got)
	}
	// The files of an archived project can be exported, too.
	expect(t, owner.Send("POST", at+"/archive", ""), 201, "")
	exportRelations(t, owner, at, `{}`)
	expect(t, owner.Send("GET", download, ""), 200, "")
}

func TestWhoMayExportTheRelationsOfAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID, called("web", model.Private))
	at := fmt.Sprintf("/projects/%d", p.ID)
	maintainer := h.ProjectMember(p, model.Maintainer)
	for _, op := range []string{
		"GET " + at + "/export_relations/status", "GET " + at + "/export_relations/download?relation=labels",
		"POST " + at + "/export_relations",
	} {
		method, path, _ := strings.Cut(op, " ")
		expect(t, h.Anonymous().Send(method, path, ""), 401, "")
		expect(t, h.NewUser().Send(method, path, ""), 404, `{"message":"404 Project Not Found"}`)
		for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer} {
			expect(t, h.ProjectMember(p, role).Send(method, path, ""), 403, `{"message":"403 Forbidden"}`)
		}
	}
	expect(t, maintainer.Send("GET", at+"/export_relations/status", ""), 200, `[]`)
	expectRelationRefusals(t, maintainer, at)
	expect(t, maintainer.Send("POST", at+"/export_relations", "batched=true", "Content-Type", "application/x-www-form-urlencoded"), 202, "")
	states := read[[]relationState](t, maintainer.Send("GET", at+"/export_relations/status", ""), 200)
	if len(states) != len(projectRelations) || !states[0].Batched || states[0].Batches == nil || len(*states[0].Batches) != 0 {
		t.Errorf("%+v", states)
	}
	// The export fails for a user who is no longer a maintainer.
	root := h.Root()
	expect(t, root.JSON("PUT", fmt.Sprintf("%s/members/%d", at, maintainer.User.ID), `{"access_level":30}`), 200, "")
	h.StartWorker()
	wait.Until(t, "the export has failed", func() bool {
		states = read[[]relationState](t, root.Send("GET", at+"/export_relations/status", ""), 200)
		return states[0].Status == -1
	})
	for _, s := range states {
		if s.Status != -1 || s.Error == nil || *s.Error != "the user who requested the export may no longer export the project" {
			t.Errorf("%+v", s)
		}
	}
	expect(t, root.Send("GET", at+"/export_relations/download?relation=labels&batched=true&batch_number=1", ""), 404,
		`{"message":"404 Export file Not Found"}`)
}
