package api

import (
	"testing"

	"svc/tests/harness"
)

func TestANewPipelineCancelsOlderOnes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r := ciProject(t, h, map[string]string{"a": "b"})
	r.commit("topic", "One", map[string]string{".svc-ci.yml": simpleCI})
	waitForQueue(t, h)
	r.commit("topic", "Two", map[string]string{"c": "d"})
	waitForQueue(t, h)
	r.shows("ref=topic", "push topic pending", "push topic canceled")
}

func TestRulesWithChangesSelectJobs(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r := ciProject(t, h, map[string]string{".svc-ci.yml": `
code: {script: a, rules: [{changes: [src/**/*]}]}
text: {script: a, rules: [{changes: [docs/*]}]}
against: {script: a, rules: [{changes: {paths: [src/**/*], compare_to: refs/heads/main}}]}
`})
	waitForQueue(t, h)
	r.commit("topic", "New", map[string]string{"src/a.go": "a"})
	waitForQueue(t, h)
	r.commit("topic", "Text", map[string]string{"docs/a.md": "a"})
	waitForQueue(t, h)
	latest := read[pipeline](t, r.maintainer.Send("GET", r.path+"/pipelines/latest?ref=topic", ""), 200)
	if got := r.jobs(latest.ID); got != "text=pending against=pending" {
		t.Error(got)
	}
}
