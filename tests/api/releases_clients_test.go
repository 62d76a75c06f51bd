package api

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

// The requests that glab sends for `release create`: it looks for the release, creates or changes it, and adds links.
func TestTheRequestsOfGlabRelease(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, _ := pushedHistory(t, h, model.Private)
	developer := h.ProjectMember(r.project, model.Developer)
	expect(t, developer.Send("GET", tagsPath+"/v2%2E0", ""), 404, "")
	expect(t, developer.Send("GET", releasesPath+"/v2%2E0", ""), 404, "")
	expect(t, developer.JSON("POST", releasesPath, `{"name":"Two","tag_name":"v2.0","ref":"main","description":"notes"}`), 201, "")
	links := releasesPath + "/v2%2E0/assets/links"
	expect(t, developer.JSON("POST", links, `{"name":"log","url":"https://a.example/log","filepath":"/log","link_type":"other"}`), 201, "")
	expect(t, developer.Send("GET", releasesPath+"/v2%2E0", ""), 200, "")
	expect(t, developer.JSON("PUT", releasesPath+"/v2%2E0", `{"name":"Two","description":"more notes"}`), 200, "")
}

// The requests that semantic-release, goreleaser and release-it send with the token of a user or of a job.
func TestTheRequestsOfReleaseTools(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, owner := pushedHistory(t, h, model.Private)
	h.Pipeline(r.project, owner.User, []syntax.Job{aJob("one", 0)})
	g := newFakeRunner(t, h, anyJobs).job()
	for name, caller := range map[string]*harness.Caller{"user": owner, "job": h.WithHeaders("JOB-TOKEN", g.Token)} {
		at := fmt.Sprintf("/projects/%d/releases", r.project.ID)
		// semantic-release
		expect(t, caller.Send("GET", at, ""), 200, "")
		expect(t, caller.JSON("POST", at, fmt.Sprintf(`{"tag_name":"%[1]s-s","ref":"main","description":"# 1.0.0","assets":{"links":[
			{"name":"pkg","url":"https://a.example/pkg","link_type":"package","filepath":"/pkg"}]}}`, name)), 201, "")
		// goreleaser
		expect(t, caller.Send("GET", at+"/"+name+"-g", ""), 404, "")
		expect(t, caller.JSON("POST", at, fmt.Sprintf(`{"name":"v1","description":"","ref":"main","tag_name":"%s-g"}`, name)), 201, "")
		links := at + "/" + name + "-g/assets/links"
		body := `{"name":"x.tar.gz","url":"https://a.example/x","direct_asset_path":"/x.tar.gz"}`
		expect(t, caller.JSON("POST", links, body), 201, "")
		expect(t, caller.JSON("POST", links, body), 400, "")
		// release-it
		made := caller.JSON("POST", at, fmt.Sprintf(`{"name":"r","ref":"main","tag_name":"%s-r","tag_message":"r"}`, name))
		if got := read[release](t, made, 201); !strings.HasSuffix(got.Links.Self, "/-/releases/"+name+"-r") {
			t.Errorf("%+v", got)
		}
		expect(t, caller.JSON("PUT", at+"/"+name+"-r", `{"description":"e"}`), 200, "")
		expect(t, caller.Send("DELETE", at+"/"+name+"-r", ""), 200, "")
	}
	other := h.Project(*owner.User.NamespaceID)
	expect(t, h.WithHeaders("JOB-TOKEN", g.Token).Send("GET", fmt.Sprintf("/projects/%d/releases", other.ID), ""), 404, "")
}

// releaseClient stands for release-cli: it sends the release with the token of the job.
const releaseClient = `#!/bin/sh
[ "$1" = create ] || exit 2
shift
tag= name= description= link=
while [ $# -gt 0 ]; do
	case "$1" in
	--tag-name) tag=$2 ;;
	--name) name=$2 ;;
	--description) description=$2 ;;
	--assets-link) link=$2 ;;
	esac
	shift 2
done
printf '{"tag_name":"%s","name":"%s","description":"%s","ref":"%s","assets":{"links":[%s]}}' \
	"$tag" "$name" "$description" "$CI_COMMIT_SHA" "$link" >"$WORK/body"
`

// A job with the keyword release gets a step that creates it. The test runs the text of the step in a shell, with a
// program in place of release-cli.
func TestTheKeywordReleaseCreatesARelease(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	job := aJob("publish", 0)
	job.Release = &syntax.Release{
		TagName: "v$VERSION", Name: "Two \"quoted\" `id`", Description: "$(id) for $CI_PROJECT_NAME",
		Links: []syntax.ReleaseLink{{Name: "tool", URL: "https://a.example/$VERSION", FilePath: "/tool"}},
	}
	h.Pipeline(r.project, maintainer.User, []syntax.Job{job, aJob("plain", 0)})
	old := newFakeRunner(t, h, anyJobs)
	if g := old.job(); g.JobInfo.Name != "plain" { // a runner without the feature cannot run the job
		t.Fatalf("it got %s", g.JobInfo.Name)
	}
	expectFailed(t, h, r.project, "publish", "runner_unsupported")

	h.Pipeline(r.project, maintainer.User, []syntax.Job{job})
	runner := newFakeRunner(t, h, anyJobs)
	runner.features = []string{"multi_build_steps"}
	g := runner.job()
	if len(g.Steps) != 2 || g.Steps[1].Name != "release" {
		t.Fatalf("%+v", g.Steps)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "release-cli"), []byte(releaseClient), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", strings.Join(g.Steps[1].Script, "\n"))
	cmd.Env = []string{"PATH=" + folder + ":/usr/bin:/bin", "WORK=" + folder, "VERSION=2.0", "CI_COMMIT_SHA=main", "CI_PROJECT_NAME=web"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sent, err := os.ReadFile(filepath.Join(folder, "body"))
	if err != nil {
		t.Fatal(err)
	}
	body := strings.ReplaceAll(string(sent), `Two "quoted"`, `Two \"quoted\"`) // the stand-in does not write JSON itself
	made := h.WithHeaders("JOB-TOKEN", g.Token).JSON(http.MethodPost, fmt.Sprintf("/projects/%d/releases", r.project.ID), body)
	got := read[release](t, made, 201)
	if got.Name != "Two \"quoted\" `id`" || *got.TagName != "v2.0" || *got.Description != "$(id) for web" ||
		got.Assets.Links[0].URL != "https://a.example/2.0" || got.Author.Username != maintainer.User.Username {
		t.Errorf("%s", made.Body)
	}
}

// expectFailed compares the failure reason of the newest job with a name.
func expectFailed(t *testing.T, h *harness.H, p model.Project, name, reason string) {
	t.Helper()
	rows := read[[]struct {
		Name, Status  string
		FailureReason string `json:"failure_reason"`
	}](t, h.Root().Send("GET", fmt.Sprintf("/projects/%d/jobs", p.ID), ""), 200)
	for _, row := range rows {
		if row.Name == name {
			if row.Status != "failed" || row.FailureReason != reason {
				t.Errorf("%+v", row)
			}
			return
		}
	}
	t.Errorf("there is no job %s", name)
}
