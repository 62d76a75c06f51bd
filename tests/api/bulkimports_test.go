package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

type bulkImport struct {
	ID       int64
	Status   string
	Source   string `json:"source_url"`
	Failures bool   `json:"has_failures"`
}

type bulkEntity struct {
	ID        int64
	Import    int64 `json:"bulk_import_id"`
	Status    string
	Type      string `json:"entity_type"`
	Path      string `json:"destination_full_path"`
	Parent    *int64 `json:"parent_id"`
	Namespace *int64 `json:"namespace_id"`
	Project   *int64 `json:"project_id"`
	Has       bool   `json:"has_failures"`
	Failures  []struct {
		Relation string
		Message  string `json:"exception_message"`
		Title    string `json:"source_title"`
	}
	Stats map[string]struct{ Source, Fetched, Imported int64 }
}

// oldInstance is an instance with a group acme that has a subgroup and a project.
type oldInstance struct {
	*harness.H
	owner *harness.Caller
	web   model.Project
}

func newOldInstance(t *testing.T) *oldInstance {
	t.Helper()
	h := harness.New(t)
	o := &oldInstance{H: h, owner: h.NewUser()}
	made := func(path, body string) int64 {
		t.Helper()
		return read[struct{ ID int64 }](t, o.owner.JSON("POST", path, body), 201).ID
	}
	group := made("/groups", `{"name":"Acme","path":"acme","description":"All of it","visibility":"internal"}`)
	made("/groups", fmt.Sprintf(`{"name":"Tools","path":"tools","parent_id":%d}`, group))
	in := fmt.Sprintf("/groups/%d", group)
	made(in+"/labels", `{"name":"urgent","color":"#ff0000","description":"Now"}`)
	made(in+"/milestones", `{"title":"Year","start_date":"2026-01-01","due_date":"2026-12-31"}`)
	member := h.NewUser(func(u *model.User) { u.Email = "kim@example.com"; u.PublicEmail = &u.Email })
	made(in+"/members", fmt.Sprintf(`{"user_id":%d,"access_level":30}`, member.User.ID))
	other := h.NewUser()
	made(in+"/members", fmt.Sprintf(`{"user_id":%d,"access_level":20}`, other.User.ID))
	id := made("/projects", fmt.Sprintf(
		`{"name":"Web","path":"web","namespace_id":%d,"description":"A site","visibility":"internal"}`, group))
	project := fmt.Sprintf("/projects/%d", id)
	made(project+"/labels", `{"name":"bug","color":"#00ff00"}`)
	made(project+"/milestones", `{"title":"One"}`)
	milestone := made(project+"/milestones", `{"title":"Two"}`)
	made(project+"/issues", fmt.Sprintf(`{"title":"First","description":"It breaks","labels":"bug,urgent","milestone_id":%d,`+
		`"created_at":"2026-02-03T04:05:06Z"}`, milestone))
	made(project+"/issues", `{"title":"Second","confidential":true}`)
	made(project+"/issues/1/notes", `{"body":"Me too"}`)
	made(project+"/issues/1/notes", `{"body":"Solved @root"}`)
	expect(t, o.owner.JSON("PUT", project+"/issues/1", `{"state_event":"close"}`), 200, "")
	row, err := h.Store.Projects.Get(t.Context(), id, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	o.web = row.Project
	history := otherHistory(t)
	history.Push(o.owner, o.web, "trunk") // it becomes the default branch
	history.Push(o.owner, o.web)
	return o
}

// importBody is the request for an import.
func importBody(at, token string, entities ...string) string {
	return fmt.Sprintf(`{"configuration":{"url":%q,"access_token":%q},"entities":[%s]}`, at, token, strings.Join(entities, ","))
}

// finished waits until an import has ended, and returns it with its groups and projects by their paths.
func finished(t *testing.T, c *harness.Caller, id int64) (bulkImport, map[string]bulkEntity) {
	t.Helper()
	path := fmt.Sprintf("/bulk_imports/%d", id)
	var now bulkImport
	wait.Until(t, "the import has ended", func() bool {
		now = read[bulkImport](t, c.Send("GET", path, ""), 200)
		return now.Status != "created" && now.Status != "started"
	})
	all := map[string]bulkEntity{}
	for _, e := range read[[]bulkEntity](t, c.Send("GET", path+"/entities", ""), 200) {
		all[e.Path] = e
	}
	return now, all
}

func TestAGroupIsImportedFromAnotherInstance(t *testing.T) {
	t.Parallel()
	from, h := newOldInstance(t), harness.New(t)
	at := time.Now()
	user, kim := h.NewUser(), h.NewUser(func(u *model.User) { u.Email, u.ConfirmedAt = "kim@example.com", &at })
	made := read[bulkImport](t, user.JSON("POST", "/bulk_imports", importBody(from.URL, from.owner.Token,
		`{"source_type":"group_entity","source_full_path":"acme","destination_slug":"moved"}`)), 201)
	if made.Status != "created" || made.Source != from.URL {
		t.Errorf("%+v", made)
	}
	expect(t, user.Send("GET", fmt.Sprintf("/bulk_imports/%d", made.ID), ""), 200, "")
	h.StartWorker()
	now, all := finished(t, user, made.ID)
	if now.Status != "finished" || !now.Failures || len(all) != 3 {
		t.Fatalf("%+v, %+v", now, all)
	}
	group, web := all["moved"], all["moved/web"]
	if web.Status != "finished" || web.Project == nil || web.Parent == nil || *web.Parent != group.ID || web.Has {
		t.Fatalf("%+v", web)
	}
	if len(group.Failures) != 2 || group.Failures[0].Relation != "members" { // they have no public mail addresses
		t.Errorf("failures: %+v", group.Failures)
	}
	if s := web.Stats["issues"]; s.Source != 2 || s.Fetched != 2 || s.Imported != 2 {
		t.Errorf("%+v", web.Stats)
	}
	checkMovedGroup(t, user, group, kim.User.ID)
	checkMovedProject(t, user, *web.Project)
	tools := all["moved/tools"]
	expect(t, user.Send("GET", fmt.Sprintf("/groups/%d", *tools.Namespace), ""), 200, "")
	one := fmt.Sprintf("/bulk_imports/%d/entities/%d", made.ID, group.ID)
	expect(t, user.Send("GET", one, ""), 200, "")
	if got := user.Send("GET", one+"/failures", ""); got.Status != 200 || !strings.Contains(got.Body, "public mail address") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if strings.Contains(h.Logs.String(), from.owner.Token) {
		t.Error("the access token is in the log")
	}
	row, err := h.Store.BulkImports.Find(t.Context(), made.ID)
	if err != nil || row.Sealed != nil {
		t.Errorf("the access token is still stored: %v", err)
	}
}

// answersHave checks that answers have texts, by paths.
func answersHave(t *testing.T, user *harness.Caller, texts map[string]string) {
	t.Helper()
	for at, all := range texts {
		got := user.Send("GET", at, "")
		for text := range strings.SplitSeq(all, "; ") {
			if got.Status != 200 || !strings.Contains(got.Body, text) {
				t.Errorf("%s lacks %s: %d %s", at, text, got.Status, got.Body)
			}
		}
	}
}

func checkMovedGroup(t *testing.T, user *harness.Caller, e bulkEntity, kim int64) {
	t.Helper()
	path := fmt.Sprintf("/groups/%d", *e.Namespace)
	answersHave(t, user, map[string]string{
		path:                                    `"name":"Acme"; "description":"All of it"; "visibility":"internal"; "path":"moved"`,
		path + "/labels":                        `"name":"urgent"; "color":"#ff0000"; "description":"Now"`,
		path + "/milestones":                    `"title":"Year"; "due_date":"2026-12-31"`,
		fmt.Sprintf("%s/members/%d", path, kim): `"access_level":30`,
	})
}

func checkMovedProject(t *testing.T, user *harness.Caller, id int64) {
	t.Helper()
	path := fmt.Sprintf("/projects/%d", id)
	answersHave(t, user, map[string]string{
		path: `"name":"Web"; "description":"A site"; "visibility":"internal"; "default_branch":"trunk"; ` +
			`"import_status":"finished"`,
		path + "/labels":     `"name":"bug"; "name":"urgent"`,
		path + "/milestones": `"title":"One"; "title":"Two"`,
		path + "/issues/1": `"state":"closed"; "labels":["bug","urgent"]; "title":"Two"; It breaks; Created by: ; ` +
			`"user_notes_count":2; 2026-02-03T04:05:06`,
		path + "/issues/1/notes":     `Me too; Solved`,
		path + "/issues/2":           `"state":"opened"; "confidential":true`,
		path + "/repository/tags/v1": `"name":"v1"`,
	})
}

func TestAProjectIsImportedFromAnotherInstance(t *testing.T) {
	t.Parallel()
	from, h := newOldInstance(t), harness.New(t)
	h.StartWorker()
	user := h.NewUser()
	made := read[bulkImport](t, user.JSON("POST", "/bulk_imports", importBody(from.URL+"/api/v4/", from.owner.Token,
		`{"source_type":"project_entity","source_full_path":"acme/web","destination_name":"site","migrate_memberships":false}`,
		`{"source_type":"project_entity","source_full_path":"acme/none"}`)), 201)
	now, all := finished(t, user, made.ID)
	if now.Status != "finished" || !now.Failures || all["site"].Status != "finished" || all["none"].Status != "failed" {
		t.Fatalf("%+v %+v", now, all)
	}
	if f := all["none"].Failures; len(f) != 1 || f[0].Relation != "project" || !strings.Contains(f[0].Message, "does not have") {
		t.Errorf("%+v", f)
	}
	expect(t, user.Send("GET", fmt.Sprintf("/projects/%d/repository/branches/feature", *all["site"].Project), ""), 200, "")
	expect(t, user.Send("GET", "/bulk_imports?status=failed", ""), 200, "[]")
	if rows := read[[]bulkEntity](t, user.Send("GET", "/bulk_imports/entities?status=failed", ""), 200); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	first := read[[]bulkEntity](t, user.Send("GET", "/bulk_imports/entities?sort=asc&per_page=1", ""), 200)
	if len(first) != 1 || first[0].Path != "site" {
		t.Errorf("%+v", first)
	}
	again := read[bulkImport](t, user.JSON("POST", "/bulk_imports", importBody(from.URL, from.owner.Token,
		`{"source_type":"project_entity","source_full_path":"acme/web","destination_slug":"site"}`)), 201)
	if now, all := finished(t, user, again.ID); now.Status != "failed" || all["site"].Failures[0].Relation != "project" {
		t.Errorf("%+v %+v", now, all)
	}
}

func TestImportsFromOtherInstancesAreTheOwnOnes(t *testing.T) {
	t.Parallel()
	from, h := newOldInstance(t), harness.New(t)
	user, other := h.NewUser(), h.NewUser()
	const entity = `{"source_type":"group_entity","source_full_path":"acme"}`
	made := read[bulkImport](t, user.JSON("POST", "/bulk_imports", importBody(from.URL, from.owner.Token, entity)), 201)
	one := fmt.Sprintf("/bulk_imports/%d", made.ID)
	e := read[[]bulkEntity](t, user.Send("GET", one+"/entities", ""), 200)[0]
	for _, c := range [][2]string{
		{"GET", one},
		{"POST", one + "/cancel"},
		{"GET", one + "/entities"},
		{"GET", fmt.Sprintf("%s/entities/%d", one, e.ID)},
		{"GET", fmt.Sprintf("%s/entities/%d/failures", one, e.ID)},
	} {
		for _, caller := range []*harness.Caller{other, h.Root()} {
			expect(t, caller.Send(c[0], c[1], ""), 404, "")
		}
		expect(t, h.Anonymous().Send(c[0], c[1], ""), 401, "")
	}
	for _, list := range []string{"/bulk_imports", "/bulk_imports/entities"} {
		expect(t, other.Send("GET", list, ""), 200, "[]")
		expect(t, h.Anonymous().Send("GET", list, ""), 401, "")
	}
	group := h.Group()
	to := func(kind, rest string) string {
		return importBody(from.URL, from.owner.Token, fmt.Sprintf(`{"source_type":%q,"source_full_path":"a",%s}`, kind, rest))
	}
	for body, want := range map[string]string{
		importBody("http://10.1.2.3", "x", entity):                            "url is blocked",
		importBody("ftp://git.example.com", "x", entity):                      "url is blocked",
		importBody(strings.Replace(from.URL, "//", "//a:b@", 1), "x", entity): "must not have a user",
		importBody(from.URL, "wrong", entity):                                 "does not accept the access token",
		to("group_entity", `"destination_namespace":"none"`):                  "cannot create the destination none/a",
		to("project_entity", `"destination_namespace":"`+group.FullPath+`"`):  "cannot create the destination",
		to("group_entity", `"destination_slug":"-x"`):                         "destination_slug",
	} {
		if got := user.JSON("POST", "/bulk_imports", body); got.Status != 422 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s, want %s", body, got.Status, got.Body, want)
		}
	}
	odd := importBody(from.URL, "x", `{"source_type":"odd","source_full_path":"a"}`)
	for _, body := range []string{`{}`, importBody(from.URL, "x"), odd} {
		expect(t, user.JSON("POST", "/bulk_imports", body), 400, "")
	}
	canceled := read[bulkImport](t, user.Send("POST", one+"/cancel", ""), 200)
	if canceled.Status != "canceled" {
		t.Errorf("%+v", canceled)
	}
	for range 5 {
		expect(t, user.JSON("POST", "/bulk_imports", importBody(from.URL, from.owner.Token, entity)), 201, "")
	}
	expect(t, user.JSON("POST", "/bulk_imports", importBody(from.URL, from.owner.Token, entity)), 422,
		`{"message":"You have 5 imports that have not ended"}`)
	h.StartWorker()
	if now, all := finished(t, user, made.ID); now.Status != "canceled" || all["acme"].Namespace != nil {
		t.Errorf("a canceled import: %+v %+v", now, all)
	}
}

// A relation that the other instance refuses is a failure; a request that may succeed later is repeated.
func TestAnImportSurvivesFailuresOfTheOtherInstance(t *testing.T) {
	t.Parallel()
	from, h := newOldInstance(t), newClocked(t)
	target, err := url.Parse(from.URL)
	if err != nil {
		t.Fatal(err)
	}
	var broken atomic.Int64
	forwarded := httputil.NewSingleHostReverseProxy(target)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/labels"):
			w.WriteHeader(http.StatusTeapot)
		case strings.HasSuffix(r.URL.Path, "/issues") && broken.Add(1) <= 2:
			w.WriteHeader(http.StatusBadGateway)
		default:
			forwarded.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	h.StartWorker()
	user := h.NewUser()
	made := read[bulkImport](t, user.JSON("POST", "/bulk_imports", importBody(proxy.URL, from.owner.Token,
		`{"source_type":"project_entity","source_full_path":"acme/web"}`)), 201)
	for n := int64(1); n <= 2; n++ {
		wait.Until(t, "the request for issues has failed", func() bool { return broken.Load() >= n })
		entity := read[[]bulkEntity](t, user.Send("GET", fmt.Sprintf("/bulk_imports/%d/entities", made.ID), ""), 200)[0]
		wait.Until(t, "the failure is stored", func() bool {
			row, err := h.Store.BulkImports.FindEntity(t.Context(), entity.ID)
			return err == nil && row.Attempts == n
		})
		forward(t, h, time.Minute)
	}
	now, all := finished(t, user, made.ID)
	web := all["web"]
	if now.Status != "finished" || !now.Failures || len(web.Failures) != 1 || web.Failures[0].Relation != "labels" ||
		!strings.Contains(web.Failures[0].Message, "418") || web.Stats["issues"].Imported != 2 {
		text, _ := json.Marshal(all)
		t.Errorf("%+v %s", now, text)
	}
}

func TestAnImportThatTakesADayEnds(t *testing.T) {
	t.Parallel()
	from, h := newOldInstance(t), newClocked(t)
	user := h.NewUser()
	made := read[bulkImport](t, user.JSON("POST", "/bulk_imports", importBody(from.URL, from.owner.Token,
		`{"source_type":"group_entity","source_full_path":"acme"}`)), 201)
	if _, err := h.Store.SQL().ExecContext(t.Context(), "DELETE FROM river_job"); err != nil { // its job is lost
		t.Fatal(err)
	}
	h.StartWorker()
	forward(t, h, 25*time.Hour)
	if now, all := finished(t, user, made.ID); now.Status != "timeout" || all["acme"].Status != "timeout" {
		t.Errorf("%+v %+v", now, all)
	}
}

func TestAnImportCannotReachPrivateNetworks(t *testing.T) {
	t.Parallel()
	from, h := newOldInstance(t), harness.New(t, func(c *config.Config) { c.WebhookAllow = nil })
	got := h.NewUser().JSON("POST", "/bulk_imports", importBody(from.URL, from.owner.Token,
		`{"source_type":"group_entity","source_full_path":"acme"}`))
	if got.Status != 422 || !strings.Contains(got.Body, "url is blocked: Requests to ") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}
