package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"svc/server/domain/fixture"
	"svc/server/domain/seed"
	"svc/tests/harness"
	"svc/tests/wait"
)

// What was loaded is as good as what the API made: it can be merged, retried, changed and continued.
func TestSeededDataCanBeWorkedWith(t *testing.T) {
	t.Parallel()
	h, root, doc := seeded(t, 1)
	h.StartWorker()
	_, made := seed.Document(1, seed.Small)
	ben := h.WithHeaders("PRIVATE-TOKEN", made.ExampleUsers[1].Token)
	base := "/projects/" + url.PathEscape(doc.Projects[1].Path)
	failed := field(t, root, base+"/jobs?scope=failed", "test", "id")
	manual := field(t, root, base+"/jobs?scope=manual", "deploy", "id")
	for _, call := range []struct {
		method, path, body string
		want               int
	}{
		{"PUT", base + "/merge_requests/2/merge", `{}`, 200},
		{"PUT", base + "/merge_requests/3/merge", `{}`, 422}, // it has conflicts
		{"POST", base + "/merge_requests/4/notes", `{"body": "Go on."}`, 201},
		{"PUT", base + "/merge_requests/5", `{"state_event": "reopen"}`, 200},
		{"POST", base + "/issues", `{"title": "One more", "labels": "bug"}`, 201},
		{"PUT", base + "/issues/3", `{"state_event": "close"}`, 200},
		{"POST", base + "/milestones", `{"title": "2.0"}`, 201},
		{"POST", base + "/jobs/" + failed + "/retry", ``, 201},
		{"POST", base + "/jobs/" + manual + "/play", ``, 200},
		{"POST", base + "/repository/branches?branch=new&ref=main", ``, 201},
		{"POST", base + "/repository/tags?tag_name=v2.0.0&ref=new", ``, 201},
		{"POST", base + "/releases", `{"tag_name": "v2.0.0"}`, 201},
		{"PUT", base + "/repository/files/README.md", `{"branch": "new", "content": "x", "commit_message": "Change"}`, 200},
		{"POST", base + "/pipeline?ref=main", ``, 201},
	} {
		if a := ben.JSON(call.method, call.path, call.body); a.Status != call.want {
			t.Errorf("%s %s: %d %.300s, want %d", call.method, call.path, a.Status, a.Body, call.want)
		}
	}
	want := fmt.Sprint(len(doc.Projects[1].Issues) + 1)
	if got := field(t, root, base+"/issues", "One more", "iid"); got != want {
		t.Errorf("the next issue is #%s, want #%s", got, want)
	}
	iid, err := strconv.Atoi(field(t, root, base+"/pipelines?source=api", "main", "iid"))
	if err != nil || iid <= len(doc.Projects[1].Pipelines) { // the pushes have made pipelines, too
		t.Errorf("the next pipeline has the number %d (%v)", iid, err)
	}
	wait.Until(t, "the merge request is merged", func() bool {
		return field(t, root, base+"/merge_requests?iids[]=2", "guide", "state") == "merged"
	})
}

func TestARunnerTakesAJobOfFixtures(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.Root()
	doc, err := fixture.Read("fixtures", []byte(`
version: 1
users: [{username: ann}]
runners: [{description: here, token: glrt-a-runner-for-tests-01, tags: [linux]}]
projects:
  - path: ann/web
    commits:
      - message: Begin
        files:
          .gitlab-ci.yml: |
            build:
              tags: [linux]
              script: [make all]
    pipelines:
      - jobs: [{name: build, stage: test, status: pending, tags: [linux]}]
`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fixture.Load(t.Context(), h.Server.Fixtures(), doc, nil); err != nil {
		t.Fatal(err)
	}
	a := h.Anonymous().JSON("POST", "/jobs/request", `{"token": "glrt-a-runner-for-tests-01", "info": {"features": {}}}`)
	var job struct {
		Info  struct{ Name string } `json:"job_info"`
		Steps []struct{ Script []string }
	}
	if err := json.Unmarshal([]byte(a.Body), &job); err != nil || a.Status != 201 {
		t.Fatalf("the runner got %d %.300s", a.Status, a.Body)
	}
	if job.Info.Name != "build" || len(job.Steps) == 0 || !strings.Contains(strings.Join(job.Steps[0].Script, "\n"), "make all") {
		t.Errorf("the job: %.500s", a.Body)
	}
}
