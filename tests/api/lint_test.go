package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

type linted struct {
	Valid    bool     `json:"valid"`
	Status   string   `json:"status"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
	Merged   *string  `json:"merged_yaml"`
	Includes []struct {
		Type     string `json:"type"`
		Location string `json:"location"`
	} `json:"includes"`
	Jobs []struct {
		Name  string `json:"name"`
		Stage string `json:"stage"`
	} `json:"jobs"`
}

func content(text string) string {
	data, _ := json.Marshal(map[string]any{"content": text, "include_jobs": true})
	return string(data)
}

func TestCIFilesAreCheckedWithoutAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	user := h.NewUser()
	good := read[linted](t, user.JSON("POST", "/ci/lint", content(simpleCI)), 200)
	if !good.Valid || good.Status != "valid" || len(good.Jobs) != 2 || good.Merged == nil || !strings.Contains(*good.Merged, "make test") {
		t.Errorf("%+v", good)
	}
	bad := read[linted](t, user.JSON("POST", "/ci/lint", content("include: more.yml\nbuild: {scrip: make}")), 200)
	if bad.Valid || bad.Status != "invalid" || len(bad.Errors) == 0 || bad.Merged != nil {
		t.Errorf("%+v", bad)
	}
	expect(t, h.Anonymous().JSON("POST", "/ci/lint", content(simpleCI)), 401, "")
}

func TestCIFilesAreCheckedInAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{
		".svc-ci.yml": "include: more.yml\nbuild: {script: make}\n",
		"more.yml":    ".base: {tags: [a]}\ntest: {extends: .base, script: make test}\n",
	})
	own := read[linted](t, r.maintainer.Send("GET", r.path+"/ci/lint?include_jobs=true", ""), 200)
	if !own.Valid || len(own.Jobs) != 2 || len(own.Includes) != 1 || own.Includes[0].Location != "more.yml" ||
		strings.Contains(*own.Merged, "include") {
		t.Errorf("%+v", own)
	}
	posted := read[linted](t,
		r.maintainer.JSON("POST", r.path+"/ci/lint", content("include: more.yml\nstages: [one]\nbuild: {stage: one, script: a}\n")), 200)
	if posted.Valid || len(posted.Errors) != 1 || !strings.Contains(posted.Errors[0], "stage") {
		t.Errorf("%+v", posted)
	}
	dry := read[linted](t,
		r.maintainer.JSON("POST", r.path+"/ci/lint", `{"content":"a: {script: a, rules: [{if: $NONE}]}","dry_run":true}`), 200)
	if dry.Valid || len(dry.Errors) != 1 || !strings.Contains(dry.Errors[0], "rules") {
		t.Errorf("%+v", dry)
	}
	reporter := h.ProjectMember(r.project, model.Reporter)
	expect(t, reporter.Send("GET", r.path+"/ci/lint", ""), 200, "")
	expect(t, reporter.Send("GET", r.path+"/ci/lint?dry_run=true", ""), 403, "")
	expect(t, reporter.JSON("POST", r.path+"/ci/lint", content(simpleCI)), 403, "")
	expect(t, r.maintainer.Send("GET", r.path+"/ci/lint?content_ref=none", ""), 404, "")
	expect(t, h.NewUser().Send("GET", r.path+"/ci/lint", ""), 404, "")
}

// Every invalid CI file gets a readable message, quickly.
func TestInvalidCIFilesGetAMessage(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	var bomb, many strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1,
			i-1, i-1, i-1, i-1, i-1, i-1)
	}
	for i := range 10_000 {
		fmt.Fprintf(&many, "job-%d: {script: a}\n", i)
	}
	r := ciProject(t, h, map[string]string{
		"loop.yml": "include: loop.yml\na: {script: a}\n",
		"huge.yml": strings.Repeat("# "+strings.Repeat("x", 62)+"\n", 160<<10), ".svc-ci.yml": "include: huge.yml\n",
	})
	for name, text := range map[string]string{
		"bomb": bomb.String(), "jobs": many.String(), "loop": "include: loop.yml\nb: {script: a}\n",
		"needs":  "a: {script: a, needs: [none]}\n",
		"circle": "a: {script: a, extends: b}\nb: {script: a, extends: a}\n",
		"huge":   "include: huge.yml\na: {script: a}\n", "yaml": "a: [\n", "empty": "", "text": "hello",
	} {
		began := time.Now()
		got := read[linted](t, r.maintainer.JSON("POST", r.path+"/ci/lint", content(text)), 200)
		if got.Valid || len(got.Errors) == 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
	slow := "variables: {SELF: '$SELF', A: '$B', B: '$A', LONG: '" + strings.Repeat("a", 5000) + "!'}\n" +
		"a: {script: a, rules: [{if: '$LONG =~ /^(a+)+$/', when: never}, {if: '$SELF == \"$SELF\" || $A'}, {when: always}]}\n"
	if got := read[linted](t, r.maintainer.JSON("POST", r.path+"/ci/lint", content(slow)), 200); got.Merged == nil && len(got.Errors) == 0 {
		t.Errorf("%+v", got)
	}
	answer := r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"main"}`)
	if expect(t, answer, 400, ""); !strings.Contains(answer.Body, "longer than") {
		t.Error(answer.Body)
	}
	r.shows("")
	expect(t, r.maintainer.JSON("POST", r.path+"/ci/lint", content(strings.Repeat("#", 2<<20))), 413, "")
}

// A CI file can be checked before the first push.
func TestAFileIsCheckedInAnEmptyRepository(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	created := read[struct{ ID int64 }](t, owner.JSON("POST", "/projects", `{"name":"empty"}`), 201)
	path := fmt.Sprintf("/projects/%d/ci/lint", created.ID)
	for _, more := range []string{"", `,"ref":"main"`, `,"dry_run":true`} {
		body := strings.TrimSuffix(content("build: {script: make, rules: [{exists: [go.mod], when: never}, {changes: [a], when: always}]}"),
			"}") + more + "}"
		if got := read[linted](t, owner.JSON("POST", path, body), 200); !got.Valid {
			t.Errorf("%s: %v", more, got.Errors)
		}
	}
	if got := read[linted](t, owner.JSON("POST", path, content("include: more.yml\nbuild: {script: make}")), 200); got.Valid ||
		got.Errors[0] != "Local file `more.yml` does not exist!" {
		t.Errorf("%+v", got)
	}
	expect(t, owner.JSON("POST", path, strings.TrimSuffix(content("a: {script: x}"), "}")+`,"ref":"none"}`), 404,
		`{"message":"404 Commit Not Found"}`)
	expect(t, h.NewUser().JSON("POST", path, content("a: {script: x}")), 404, "")
}
