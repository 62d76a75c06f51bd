package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAProjectIsCreatedWithAReadme(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(g *model.Namespace) { g.ProjectCreationLevel = "developer" })
	developer := h.Member(group, model.Developer)
	made := developer.JSON("POST", "/projects",
		fmt.Sprintf(`{"name":"My Web","namespace_id":%d,"initialize_with_readme":true,"default_branch":"trunk",`+
			`"description":"What it is."}`, group.ID))
	expect(t, made, 201, "")
	web := member(t, made, "web_url").(string)
	if member(t, made, "empty_repo") != false || member(t, made, "default_branch") != "trunk" ||
		member(t, made, "readme_url") != web+"/-/blob/trunk/README.md" {
		t.Errorf("the project: %s", made.Body)
	}
	p := model.Project{ID: int64(member(t, made, "id").(float64))}
	if raw := developer.Send("GET", filePath(p, "README.md")+"/raw?ref=HEAD", ""); raw.Body != "# My Web\n\nWhat it is." {
		t.Errorf("the readme is %q", raw.Body)
	}
	events, err := h.Store.Pushes.Events(t.Context(), p.ID)
	if err != nil || len(events) != 1 || *events[0].CommitTitle != "Initial commit" || *events[0].Ref != "trunk" {
		t.Errorf("events %+v, %v", events, err)
	}
	// The default branch is now protected.
	expect(t, developer.JSON("POST", filePath(p, "x"), `{"branch":"trunk","commit_message":"x","content":"x"}`), 403, "")
	plain := developer.JSON("POST", "/projects", `{"name":"Plain","default_branch":"a..b","initialize_with_readme":true}`)
	expect(t, plain, 400, `{"message":{"default_branch":["is not a valid branch name"]}}`)
	if none := developer.JSON("POST", "/projects", `{"name":"Plain","initialize_with_readme":false}`); member(t, none,
		"empty_repo") != true || member(t, none, "readme_url") != nil {
		t.Errorf("without a readme: %s", none.Body)
	}
}

func TestTheReadmeFollowsTheDefaultBranch(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	at := fmt.Sprintf("/projects/%d", p.ID)
	url := func() any { return member(t, ann.Send("GET", at, ""), "readme_url") }
	blob := h.URL + "/" + p.FullPath + "/-/blob/"
	commitFiles(t, ann, p, "a", "a", "docs/README.md", "not this one")
	if got := url(); got != nil {
		t.Errorf("without a readme: %v", got)
	}
	commitFiles(t, ann, p, "Readme.rst", "x")
	if got := url(); got != blob+"main/Readme.rst" {
		t.Errorf("with one: %v", got)
	}
	commitFiles(t, ann, p, "README.md", "x", "readme", "x")
	if got := url(); got != blob+"main/README.md" {
		t.Errorf("with a better one: %v", got)
	}
	if list := ann.Send("GET", "/projects?membership=true&simple=true", ""); !strings.Contains(list.Body,
		`"readme_url":"`+blob+`main/README.md"`) {
		t.Errorf("in a list: %s", list.Body)
	}
	guest := h.ProjectMember(p, model.Guest)
	if got := member(t, guest.Send("GET", at, ""), "readme_url"); got != nil {
		t.Errorf("who reads no code sees %v", got)
	}
	expect(t, ann.JSON("POST", commitsOf(p),
		`{"branch":"next/one","start_branch":"main","commit_message":"x","actions":[{"action":"delete","file_path":"README.md"}]}`),
		201, "")
	if got := url(); got != blob+"main/README.md" {
		t.Errorf("another branch has changed it: %v", got)
	}
	expect(t, ann.JSON("PUT", at, `{"default_branch":"none"}`), 400, `{"message":{"default_branch":["is not a branch of the repository"]}}`)
	expect(t, ann.JSON("PUT", at, `{"default_branch":"next/one"}`), 200, "")
	if got := url(); got != blob+"next/one/Readme.rst" {
		t.Errorf("with another default branch: %v", got)
	}
	if got := ann.Send("GET", filePath(p, "README.md")+"?ref=HEAD", ""); got.Status != 404 {
		t.Errorf("HEAD is still the other: %d", got.Status)
	}
}

func TestStatisticsAreMeasuredInTheBackground(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	commitFiles(t, ann, p, "a", strings.Repeat("abc", 1000))
	commitFiles(t, ann, p, "b", "b")
	at := fmt.Sprintf("/projects/%d?statistics=true", p.ID)
	h.StartWorker()
	measured := func(a harness.Answer) map[string]any {
		got, _ := member(t, a, "statistics").(map[string]any)
		return got
	}
	got := measured(waitForAnswer(t, "the statistics count two commits",
		func() harness.Answer { return ann.Send("GET", at, "") },
		func(a harness.Answer) bool { return measured(a)["commit_count"] == 2.0 }))
	if got["repository_size"].(float64) < 300 || got["storage_size"] != got["repository_size"] ||
		got["lfs_objects_size"] != 0.0 {
		t.Errorf("statistics: %v", got)
	}
	if left, err := h.Store.Repositories.ToMeasure(t.Context(), 10); err != nil || len(left) > 0 {
		t.Errorf("left to measure: %v, %v", left, err)
	}
	for role, shown := range map[model.Access]bool{model.Guest: false, model.Reporter: true} {
		c := h.ProjectMember(p, role)
		if got := c.Send("GET", at, ""); strings.Contains(got.Body, `"statistics"`) != shown {
			t.Errorf("role %d: %s", role, got.Body)
		}
		if got := c.Send("GET", "/projects?membership=true&statistics=true", ""); strings.Contains(got.Body, `"statistics"`) != shown {
			t.Errorf("role %d in a list: %s", role, got.Body)
		}
	}
	if got := ann.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""); strings.Contains(got.Body, `"statistics"`) {
		t.Errorf("shown without being asked for: %s", got.Body)
	}
}

func TestAPushDuringTheMeasurementOfStatisticsIsMeasuredLater(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	commitFiles(t, ann, p, "a", "a")
	seen, err := h.Store.Repositories.ToMeasure(t.Context(), 10)
	if err != nil || len(seen) != 1 {
		t.Fatal(seen, err)
	}
	commitFiles(t, ann, p, "b", "b")
	if err := h.Store.Repositories.StoreSize(t.Context(), seen[0], 1000, 1); err != nil {
		t.Fatal(err)
	}
	if left, err := h.Store.Repositories.ToMeasure(t.Context(), 10); err != nil || len(left) != 1 || left[0].Project.CommitCount != 1 {
		t.Errorf("left to measure: %+v, %v", left, err)
	}
	if err := h.Store.Repositories.StoreSize(t.Context(), seen[0], 1000, 1); err != nil {
		t.Fatal(err)
	}
}
