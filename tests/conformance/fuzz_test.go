package conformance

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/server/cmd/svc/conformance"
	"svc/store/model"
	"svc/tests/harness"
)

// Generated requests find a service that fails and an answer with another member, and report a command for each.
func TestGeneratedRequestsFindMistakes(t *testing.T) {
	t.Parallel()
	h := harness.New(t, quickly)
	h.StartWorker()
	front := proxy(t, h.URL, broken{answer: func(res *http.Response, body []byte) []byte {
		switch at := res.Request.Method + " " + res.Request.URL.Path; {
		case strings.HasPrefix(at, "POST ") && strings.HasSuffix(at, "/labels") && res.StatusCode == 400:
			res.StatusCode = 500
		case strings.HasPrefix(at, "GET ") && strings.HasSuffix(at, "/labels"):
			body = bytes.ReplaceAll(body, []byte(`"color":`), []byte(`"colour":`))
		}
		return body
	}})
	mistakes := map[string][2]string{
		"createProjectLabel": {"the status is 500", "curl --include --request POST"},
		"listProjectLabels":  {"colo", "curl --include --request GET"},
	}
	found := func(report *conformance.Report, operation string) int {
		return slices.IndexFunc(report.Results, func(r conformance.Result) bool {
			return r.Operation == operation && r.Outcome == conformance.Failed
		})
	}
	var report *conformance.Report
	for seed := range uint64(10) { // on a busy machine, the first six seconds may not be enough
		var err error
		report, err = conformance.Fuzz(t.Context(), conformance.Options{
			URL: front, Token: h.Root().Token, Parallel: 2, Only: []string{"labels"},
		}, conformance.FuzzOptions{Time: 6 * time.Second, Seed: 5 + seed, Limit: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(mistakes)), func(o string) bool { return found(report, o) < 0 }) {
			break
		}
	}
	for operation, want := range mistakes {
		at := found(report, operation)
		if at < 0 {
			t.Errorf("the mistake of %s is not in the report", operation)
			continue
		}
		result := report.Results[at]
		if !strings.Contains(strings.Join(result.Problems, "\n"), want[0]) || !strings.Contains(result.Request, want[1]) {
			t.Errorf("%s: %v\n%s", operation, result.Problems, result.Request)
		}
	}
	if text := fmt.Sprint(report.Results); strings.Contains(text, h.Root().Token) {
		t.Error("the report has the token")
	}
}

// Generated requests change nothing that the suite has not created.
func TestGeneratedRequestsLeaveOthersAlone(t *testing.T) {
	t.Parallel()
	h := harness.New(t, quickly)
	h.StartWorker()
	root := h.Root()
	group := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	project := h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Public })
	paths := []string{"", "/issues", "/labels", "/members", "/milestones", "/hooks", "/forks", "/starrers", "/variables"}
	before := map[string]string{}
	show := func(path string) string {
		return root.Send("GET", fmt.Sprintf("/projects/%d%s", project.ID, path), "").Body
	}
	for _, path := range paths {
		before[path] = show(path)
	}
	report, err := conformance.Fuzz(t.Context(), conformance.Options{URL: h.URL, Token: root.Token, Parallel: 2},
		conformance.FuzzOptions{Time: 8 * time.Second, Seed: 5, Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if after := show(path); after != before[path] {
			t.Errorf("%s was\n%s\nand is\n%s", path, before[path], after)
		}
	}
	expectNothingLeft(t, h.URL, root.Token)
	for _, result := range report.Results {
		if result.Outcome == conformance.Failed {
			t.Errorf("%s: %v\n%s", result.Operation, result.Problems, result.Request)
		}
	}
}
