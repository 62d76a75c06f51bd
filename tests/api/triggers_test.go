package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

type trigger struct {
	ID          int64   `json:"id"`
	Token       string  `json:"token"`
	Description string  `json:"description"`
	LastUsed    *string `json:"last_used"`
	Owner       struct {
		Username string `json:"username"`
	} `json:"owner"`
}

func TestTriggerTokensRunPipelines(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{
		".svc-ci.yml": simpleCI + "extra: {script: a, rules: [{if: '$EXTRA == \"1\" && $CI_PIPELINE_SOURCE == \"trigger\"'}]}\n",
	})
	path := r.path + "/triggers"
	developer := h.ProjectMember(r.project, model.Developer)
	made := read[trigger](t, r.maintainer.JSON("POST", path, `{"description":"Deployments"}`), 201)
	one := fmt.Sprintf("%s/%d", path, made.ID)
	if !strings.HasPrefix(made.Token, "svcptt-") || made.Owner.Username != r.maintainer.User.Username {
		t.Fatalf("%+v", made)
	}
	anyone := h.Anonymous()
	run := r.path + "/trigger/pipeline"
	got := read[pipeline](t, anyone.Form("POST", run, "token="+made.Token+"&ref=main&variables[EXTRA]=1"), 201)
	if got.Source != "trigger" || got.User.Username != r.maintainer.User.Username ||
		r.jobs(got.ID) != "build=pending test=created extra=created" {
		t.Errorf("%+v %s", got, r.jobs(got.ID))
	}
	got = read[pipeline](t, anyone.JSON("POST", r.path+"/ref/main/trigger/pipeline", `{"token":"`+made.Token+`"}`), 201)
	if r.jobs(got.ID) != "build=pending test=created" {
		t.Error(r.jobs(got.ID))
	}
	shown := read[trigger](t, r.maintainer.Send("GET", one, ""), 200)
	if len(shown.Token) != len("svcptt-")+4 || !strings.HasPrefix(made.Token, shown.Token) || shown.LastUsed == nil {
		t.Errorf("%+v", shown)
	}
	expect(t, anyone.JSON("POST", run, `{"token":"`+made.Token+`","ref":"none"}`), 400, `{"message":{"base":["Reference not found"]}}`)
	expect(t, anyone.JSON("POST", run, `{"token":"wrong","ref":"main"}`), 404, `{"message":"404 Not Found"}`)
	expect(t, anyone.JSON("POST", run, `{"token":"`+made.Token+`","ref":"main","variables":{"A B":"1"}}`), 400, "")
	expect(t, anyone.JSON("POST", run, `{"token":"`+made.Token+`","ref":"main","variables":{"A":{"B":"1"}}}`), 400, "")
	expect(t, anyone.JSON("POST", run, `{"ref":"main"}`), 400, `{"error":"token is missing"}`)
	other := h.Project(r.project.NamespaceID, called("other", model.Private))
	expect(t, anyone.JSON("POST", fmt.Sprintf("/projects/%d/trigger/pipeline", other.ID), `{"token":"`+made.Token+`","ref":"main"}`),
		404, `{"message":"404 Not Found"}`)
	expect(t, anyone.JSON("POST", "/projects/999999/trigger/pipeline", `{"token":"`+made.Token+`","ref":"main"}`),
		404, `{"message":"404 Not Found"}`)

	expect(t, developer.Send("GET", path, ""), 403, "")
	expect(t, developer.JSON("POST", path, `{"description":"a"}`), 403, "")
	expect(t, r.maintainer.JSON("POST", path, `{"description":" "}`), 400, `{"message":{"description":["can't be blank"]}}`)
	if got := read[trigger](t, r.maintainer.JSON("PUT", one, `{"description":"Others"}`), 200); got.Description != "Others" {
		t.Errorf("%+v", got)
	}
	rows := read[[]trigger](t, r.maintainer.Send("GET", path, ""), 200)
	if len(rows) != 1 || rows[0].Token == made.Token {
		t.Errorf("%+v", rows)
	}
	// After its owner has lost the role, the trigger token runs no pipeline.
	if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE members SET access_level = 20 WHERE user_id = $1",
		r.maintainer.User.ID); err != nil {
		t.Fatal(err)
	}
	expect(t, anyone.JSON("POST", run, `{"token":"`+made.Token+`","ref":"main"}`), 403, "")
	owner := h.ProjectMember(r.project, model.Owner)
	expect(t, owner.Send("DELETE", one, ""), 204, "")
	expect(t, owner.Send("GET", one, ""), 404, `{"message":"404 Trigger Not Found"}`)
	expect(t, anyone.JSON("POST", run, `{"token":"`+made.Token+`","ref":"main"}`), 404, "")
}
