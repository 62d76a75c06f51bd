//go:build clients

package packages

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/tests/wait"
)

// semanticRelease returns the command of semantic-release, with its plugin for this service.
func semanticRelease(t *testing.T) string {
	t.Helper()
	return installed(t, "semantic-release@24.2.9", "@semantic-release/gitlab@13.3.3") + "/semantic-release"
}

// semanticSettings writes the settings of semantic-release. options are those of the plugin.
func (p place) semanticSettings(folder, options string) {
	p.t.Helper()
	p.write(folder+"/.releaserc.json", fmt.Sprintf(`{"branches":["main"],"repositoryUrl":%q,"plugins":[
		"@semantic-release/commit-analyzer","@semantic-release/release-notes-generator",
		["@semantic-release/gitlab",{"gitlabUrl":%q,%s}]]}`, p.h.URL+"/acme/web.git", p.h.URL, options))
}

func TestSemanticReleasePublishesUploadsAndPackages(t *testing.T) {
	t.Parallel()
	command := semanticRelease(t)
	p, history := newHistory(t)
	p.clone("web")
	p.write("web/dist/one.txt", "the first file")
	p.write("web/dist/two.txt", "the second file")
	p.semanticSettings("web", `"assets":[
		{"path":"dist/one.txt","label":"One","type":"runbook","filepath":"/files/one"},
		{"path":"dist/two.txt","label":"two.txt","target":"generic_package","type":"package"}]`)
	env := []string{"GITLAB_TOKEN=" + p.developer.Token}
	out := p.run("web", env, command, "--no-ci")
	r := p.release("v1.0.0")
	if !strings.Contains(r.Description, "begin") || !strings.Contains(out, "Published GitLab release: v1.0.0") {
		t.Errorf("%+v\n%s", r, out)
	}
	p.expectAssets(r, map[string]string{"One": "the first file", "two.txt": "the second file"})

	// A merge request whose commit is released gets a comment, and so does the issue that it closes.
	issue := p.post("/issues", `{"title":"Wrong"}`)
	history.Git("checkout", "-q", "-b", "fix")
	history.Write("README.md", "# Web, mended\n")
	history.Commit("Ann <ann@example.com>", "fix: mend\n\nCloses #1")
	history.Push(p.developer, p.project, "fix")
	merge := p.post("/merge_requests", `{"source_branch":"fix","target_branch":"main","title":"Mend","description":"Closes #1"}`)
	if a := p.developer.JSON("PUT", fmt.Sprintf("/projects/acme%%2Fweb/merge_requests/%d/merge", merge), "{}"); a.Status != 200 {
		t.Fatal(a.Status, a.Body)
	}
	wait.Until(t, "the issue is closed", func() bool {
		return strings.Contains(p.developer.Send("GET", fmt.Sprintf("/projects/acme%%2Fweb/issues/%d", issue), "").Body, `"state":"closed"`)
	})
	p.run("web", nil, "git", "pull", "-q", strings.Replace(p.h.URL, "://", "://oauth2:"+p.developer.Token+"@", 1)+"/acme/web.git", "main")
	out = p.run("web", env, command, "--no-ci")
	if r := p.release("v1.0.1"); !strings.Contains(r.Description, "mend") {
		t.Errorf("%+v\n%s", r, out)
	}
	for _, item := range []string{fmt.Sprintf("issues/%d", issue), fmt.Sprintf("merge_requests/%d", merge)} {
		if a := p.developer.Send("GET", "/projects/acme%2Fweb/"+item+"/notes", ""); !strings.Contains(a.Body, "1.0.1") {
			t.Errorf("%s: %s\n%s", item, a.Body, out)
		}
	}
	if out := p.run("web", env, command, "--no-ci"); !strings.Contains(out, "no new version is released") {
		t.Error(out)
	}
}

func TestSemanticReleasePublishesWithTheTokenOfAJob(t *testing.T) {
	t.Parallel()
	command := semanticRelease(t)
	p, _ := newHistory(t)
	p.clone("web")
	p.write("web/dist/tool.txt", "a tool")
	p.semanticSettings("web", `"useJobToken":true,"successCommentCondition":false,"failCommentCondition":false,
		"assets":[{"path":"dist/tool.txt","label":"tool.txt","target":"generic_package"}]`)
	p.h.Pipeline(p.project, p.developer.User, []syntax.Job{{Name: "publish", Stage: "test", Script: []string{"true"}}})
	env := []string{"CI_JOB_TOKEN=" + p.jobToken(), "GIT_CREDENTIALS=any:" + p.developer.Token}
	p.run("web", env, command, "--no-ci")
	p.expectAssets(p.release("v1.0.0"), map[string]string{"tool.txt": "a tool"})
}

// post creates an item of the project and returns its number.
func (p place) post(path, body string) int {
	p.t.Helper()
	a := p.developer.JSON("POST", "/projects/acme%2Fweb"+path, body)
	var item struct{ IID int }
	if err := json.Unmarshal([]byte(a.Body), &item); err != nil || a.Status != 201 {
		p.t.Fatal(a.Status, a.Body, err)
	}
	return item.IID
}

// jobToken lets a runner take the pending job and returns the token of the job.
func (p place) jobToken() string {
	p.t.Helper()
	var answer struct{ Token string }
	made := p.h.Root().JSON("POST", "/user/runners", `{"runner_type":"instance_type","run_untagged":true}`)
	if err := json.Unmarshal([]byte(made.Body), &answer); err != nil || made.Status != 201 {
		p.t.Fatal(made.Status, made.Body, err)
	}
	job := p.h.Anonymous().JSON("POST", "/jobs/request", fmt.Sprintf(`{"token":%q,"info":{"name":"gitlab-runner","version":"19.4.0",
		"platform":"linux","architecture":"amd64","executor":"shell","features":{"variables":true}}}`, answer.Token))
	if err := json.Unmarshal([]byte(job.Body), &answer); err != nil || job.Status != 201 {
		p.t.Fatal(job.Status, job.Body, err)
	}
	return answer.Token
}
