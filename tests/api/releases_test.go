package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

const releasesPath = "/projects/acme%2Fweb/releases"

// release is a release in a response.
type release struct {
	Name            string  `json:"name"`
	TagName         *string `json:"tag_name"`
	Description     *string `json:"description"`
	DescriptionHTML *string `json:"description_html"`
	UpcomingRelease bool    `json:"upcoming_release"`
	ReleasedAt      string  `json:"released_at"`
	Author          *struct {
		Username string `json:"username"`
	} `json:"author"`
	Commit     *struct{ ID string } `json:"commit"`
	Milestones *[]struct {
		Title      string `json:"title"`
		IssueStats struct {
			Total  int `json:"total"`
			Closed int `json:"closed"`
		} `json:"issue_stats"`
	} `json:"milestones"`
	Assets *struct {
		Count   int                            `json:"count"`
		Sources []struct{ Format, URL string } `json:"sources"`
		Links   []releaseLink                  `json:"links"`
	} `json:"assets"`
	Links *struct {
		Self    string  `json:"self"`
		EditURL *string `json:"edit_url"`
	} `json:"_links"`
}

// releaseLink is a link of a release in a response.
type releaseLink struct {
	ID             int64  `json:"id"`
	Name           string `json:"name"`
	URL            string `json:"url"`
	DirectAssetURL string `json:"direct_asset_url"`
	LinkType       string `json:"link_type"`
	External       bool   `json:"external"`
}

func TestAReleaseIsCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Public)
	developer := h.NewUser(named("jane"))
	h.JoinProject(r.project, developer.User, model.Developer)
	expect(t, maintainer.JSON("POST", "/projects/acme%2Fweb/milestones", `{"title":"M1"}`), 201, "")
	made := developer.JSON("POST", releasesPath, `{"tag_name":"v1.0","name":"First","description":"It **works**.","milestones":["M1"],
		"assets":{"links":[{"name":"linux","url":"https://files.example.com/linux","filepath":"/bin/linux","link_type":"package"}]}}`)
	expect(t, made, 201, "")
	h.Golden("createProjectRelease/release", made.Body)
	got := read[release](t, made, 201)
	if got.Name != "First" || *got.TagName != "v1.0" || got.Author.Username != developer.User.Username || got.Commit == nil ||
		got.Commit.ID != r.run("rev-parse", "v1.0^{commit}") || got.Assets.Count != 5 || len(got.Assets.Sources) != 4 ||
		got.Links.EditURL == nil || got.Links.Self != h.URL+"/acme/web/-/releases/v1.0" || len(*got.Milestones) != 1 {
		t.Errorf("%s", made.Body)
	}
	if link := got.Assets.Links[0]; link.DirectAssetURL != got.Links.Self+"/downloads/bin/linux" || !link.External ||
		link.LinkType != "package" {
		t.Errorf("%+v", link)
	}
	path := releasesPath + "/v1%2E0"
	shown := read[release](t, h.Anonymous().Send("GET", path+"?include_html_description=true", ""), 200)
	if shown.Links.EditURL != nil || shown.DescriptionHTML == nil || !strings.Contains(*shown.DescriptionHTML, "<strong>works</strong>") {
		t.Errorf("%+v", shown)
	}
	tagged := read[struct{ Release *struct{ Description string } }](t, developer.Send("GET", tagsPath+"/v1.0", ""), 200)
	if tagged.Release == nil || tagged.Release.Description != "It **works**." {
		t.Errorf("%+v", tagged)
	}
	changed := read[release](t, developer.JSON("PUT", path, `{"name":"Renamed","description":null,"milestones":[]}`), 200)
	if changed.Name != "Renamed" || changed.Description == nil || changed.Milestones != nil {
		t.Errorf("%+v", changed)
	}
	upcoming := read[release](t, developer.JSON("PUT", path, `{"released_at":"2099-01-02T03:04:05"}`), 200)
	if !upcoming.UpcomingRelease || upcoming.ReleasedAt != "2099-01-02T03:04:05.000Z" {
		t.Errorf("%+v", upcoming)
	}
	expect(t, developer.JSON("PUT", path, `{"name":null,"description":null}`), 400, `{"message":"params is empty"}`)
	expect(t, developer.JSON("PUT", releasesPath+"/none", `{"name":"x"}`), 404, `{"message":"Tag does not exist"}`)
	expect(t, developer.JSON("PUT", releasesPath+"/light", `{"name":"x"}`), 404, `{"message":"Release does not exist"}`)
	expect(t, developer.Send("GET", releasesPath+"/none", ""), 404, `{"message":"404 Not Found"}`)
	if deleted := read[release](t, developer.Send("DELETE", path, ""), 200); deleted.Name != "Renamed" || deleted.Commit == nil {
		t.Errorf("%+v", deleted)
	}
	expect(t, developer.Send("DELETE", path, ""), 404, `{"message":"Release does not exist"}`)
	expect(t, developer.Send("GET", tagsPath+"/v1.0", ""), 200, "")
}

func TestAReleaseCreatesItsTag(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	light := read[release](t, maintainer.JSON("POST", releasesPath, `{"tag_name":"rel/2","ref":"topic"}`), 201)
	if light.Name != "rel/2" || light.Commit.ID != r.run("rev-parse", "topic") || light.Description != nil ||
		!strings.HasSuffix(light.Links.Self, "/-/releases/rel%2F2") {
		t.Errorf("%+v", light)
	}
	expect(t, maintainer.JSON("POST", releasesPath, `{"tag_name":"v3","ref":"main","tag_message":"three"}`), 201, "")
	for name, message := range map[string]string{"rel%2F2": "", "v3": "three"} {
		made := read[tag](t, maintainer.Send("GET", tagsPath+"/"+name, ""), 200)
		if (made.Message != nil) != (message != "") || message != "" && *made.Message != message {
			t.Errorf("%+v", made)
		}
	}
	events := read[[]struct {
		PushData struct {
			Ref     string `json:"ref"`
			RefType string `json:"ref_type"`
		} `json:"push_data"`
	}](t, maintainer.Send("GET", "/projects/acme%2Fweb/events?action=pushed", ""), 200)
	if len(events) < 2 || events[0].PushData.Ref != "v3" || events[0].PushData.RefType != "tag" {
		t.Errorf("%+v", events)
	}
	// The tag goes with its release through the API; a push leaves the release.
	expect(t, maintainer.Send("DELETE", tagsPath+"/v3", ""), 204, "")
	expect(t, maintainer.Send("GET", releasesPath+"/v3", ""), 404, "")
	r.push(h, maintainer, ":refs/tags/rel/2")
	expect(t, maintainer.Send("GET", releasesPath+"/rel%2F2", ""), 200, "")
	expect(t, maintainer.JSON("PUT", releasesPath+"/rel%2F2", `{"name":"x"}`), 404, `{"message":"Tag does not exist"}`)
	expect(t, maintainer.Send("DELETE", releasesPath+"/rel%2F2", ""), 200, "")
}

func TestWrongReleasesAreRefusedInOrder(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	developer := h.ProjectMember(r.project, model.Developer)
	expect(t, maintainer.JSON("POST", "/projects/acme%2Fweb/protected_tags", `{"name":"s*","create_access_level":40}`), 201, "")
	expect(t, developer.JSON("POST", releasesPath, `{"tag_name":"v1.0"}`), 201, "")
	const noTag = "You are not allowed to create this tag as it is protected."
	const link = `{"tag_name":"v9","ref":"main","assets":{"links":[%s]}}`
	for body, want := range map[string]string{
		`{"name":"x"}`:                                       `400 {"error":"tag_name is missing"}`,
		`{"tag_name":"s1","ref":"main"}`:                     `403 {"message":"` + noTag + `"}`,
		`{"tag_name":"v1.0","ref":"x"}`:                      `409 {"message":"Release already exists"}`,
		`{"tag_name":"v9"}`:                                  `422 {"message":"Ref is not specified"}`,
		`{"tag_name":"HEAD","ref":"x"}`:                      `400 {"message":"Tag name invalid"}`,
		`{"tag_name":"","ref":"main"}`:                       `400 {"message":"Tag name invalid"}`,
		`{"tag_name":"a b","ref":"main"}`:                    `400 {"message":"Tag name invalid"}`,
		`{"tag_name":"v9","ref":"none"}`:                     `400 {"message":"Target none is invalid"}`,
		`{"tag_name":"v9","ref":"main","milestones":"a, b"}`: `400 {"message":"Milestone(s) not found: a, b"}`,
		`{"tag_name":"v9","ref":"main","milestone_ids":[7]}`: `400 {"message":"Milestone id(s) not found: 7"}`,
		`{"tag_name":"v9","ref":"main","milestone_ids":[7],"milestones":["a"]}`: `400 {"error":"milestones, milestone_ids are ` +
			`mutually exclusive"}`,
		`{"tag_name":"v9","ref":"main","released_at":"soon"}`:                                 `400 {"error":"released_at is invalid"}`,
		fmt.Sprintf(link, `{"name":"a","url":"javascript:alert(1)"}`):                         `400 `,
		fmt.Sprintf(link, `{"name":"a","url":"https://"}`):                                    `400 `,
		fmt.Sprintf(link, `{"name":" ","url":"https://a.example"}`):                           `400 `,
		fmt.Sprintf(link, `{"name":"a","url":"https://a.example","filepath":"a"}`):            `400 `,
		fmt.Sprintf(link, `{"name":"a","url":"https://a.example","filepath":"/../a"}`):        `400 `,
		fmt.Sprintf(link, `{"name":"a","url":"https://a.example","direct_asset_path":"/a-"}`): `400 `,
		fmt.Sprintf(link, `{"name":"a","url":"https://a.example","link_type":"x"}`):           `400 `,
		fmt.Sprintf(link, `{"name":"a","url":"https://a.example"},{"name":"a","url":"https://b.org"}`): `400 {"message":{"name":["has ` +
			`already been taken"]}}`,
	} {
		got := developer.JSON("POST", releasesPath, body)
		status, text, _ := strings.Cut(want, " ")
		if fmt.Sprint(got.Status) != status || (text != "" && got.Body != text) {
			t.Errorf("%s: %d %s, want %s", body, got.Status, got.Body, want)
		}
	}
	expect(t, developer.Send("GET", tagsPath+"/v9", ""), 404, "") // nothing was half published
	expect(t, maintainer.JSON("POST", releasesPath, `{"tag_name":"s1","ref":"main"}`), 201, "")
	expect(t, developer.JSON("PUT", releasesPath+"/s1", `{"name":"x"}`), 403, `{"message":"Access Denied"}`)
	expect(t, developer.Send("DELETE", releasesPath+"/s1", ""), 403, `{"message":"Access Denied"}`)
	expect(t, developer.JSON("POST", releasesPath+"/s1/assets/links", `{"name":"a","url":"https://a.example"}`), 403,
		`{"message":"403 Forbidden"}`)
	if got := read[release](t, developer.Send("GET", releasesPath+"/s1", ""), 200); got.Links.EditURL != nil {
		t.Errorf("%+v", got)
	}
}

func TestTheLinksOfAReleaseAreManaged(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, _ := pushedHistory(t, h, model.Public)
	developer := h.ProjectMember(r.project, model.Developer)
	expect(t, developer.JSON("POST", releasesPath, `{"tag_name":"v1.0"}`), 201, "")
	links := releasesPath + "/v1.0/assets/links"
	made := developer.JSON("POST", links, `{"name":"tool","url":"https://files.example.com/tool","direct_asset_path":"/bin/tool",
		"filepath":"/ignored","link_type":"package"}`)
	expect(t, made, 201, "")
	h.Golden("createProjectReleaseAssetsLink/link", made.Body)
	one := read[releaseLink](t, made, 201)
	own := read[releaseLink](t, developer.JSON("POST", links, fmt.Sprintf(`{"name":"own","url":"%s/acme/web/-/jobs/1"}`, h.URL)), 201)
	if own.External || own.LinkType != "other" || own.DirectAssetURL != own.URL {
		t.Errorf("%+v", own)
	}
	rows := read[[]releaseLink](t, h.Anonymous().Send("GET", links, ""), 200)
	if len(rows) != 2 || rows[0].ID != own.ID {
		t.Errorf("%+v", rows)
	}
	path := fmt.Sprintf("%s/%d", links, one.ID)
	expect(t, h.Anonymous().Send("GET", path, ""), 200, "")
	expect(t, developer.JSON("POST", links, `{"name":"tool","url":"https://files.example.com/other"}`), 400,
		`{"message":{"name":["has already been taken"]}}`)
	expect(t, developer.JSON("PUT", path, `{"link_type":"image"}`), 400,
		`{"error":"name, url are missing, at least one parameter must be provided"}`)
	expect(t, developer.JSON("PUT", path, `{"name":"own"}`), 400, `{"message":{"name":["has already been taken"]}}`)
	if got := read[releaseLink](t, developer.JSON("PUT", path, `{"name":"renamed"}`), 200); got.Name != "renamed" ||
		got.LinkType != "other" || !strings.HasSuffix(got.DirectAssetURL, "/downloads/bin/tool") {
		t.Errorf("%+v", got)
	}
	if got := read[releaseLink](t, developer.Send("DELETE", path, ""), 200); got.Name != "renamed" {
		t.Errorf("%+v", got)
	}
	for _, gone := range []string{path, links + "/0", releasesPath + "/light/assets/links", releasesPath + "/light/assets/links/1"} {
		expect(t, developer.Send("GET", gone, ""), 404, `{"message":"404 Not Found"}`)
	}
	expect(t, developer.Send("DELETE", path, ""), 404, "")
}

func TestRolesAndReleases(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for _, c := range []struct {
		visibility         model.Visibility
		list, one, publish string
	}{
		{
			model.Public, "200 200 200 200 200 200 200 200 200", "200 200 200 200 200 200 200 200 200",
			"401 403 403 403 403 201 201 201 201",
		},
		{
			model.Private, "404 404 404 200 200 200 200 200 200", "404 404 404 403 200 200 200 200 200",
			"401 404 404 403 403 201 201 201 201",
		},
	} {
		group := h.Group(seen(c.visibility))
		p := h.Project(group.ID, called("web", c.visibility))
		roles := newCallersByRole(h, p)
		oddHistory(t, p).push(h, roles["maintainer"], "main", "v1.0")
		at := fmt.Sprintf("/projects/%d/releases", p.ID)
		expect(t, roles["owner"].JSON("POST", at, `{"tag_name":"v1.0","description":"x"}`), 201, "")
		roles.statuses(t, "list", c.list, func(who *harness.Caller) harness.Answer { return who.Send("GET", at, "") })
		roles.statuses(t, "links", c.list, func(who *harness.Caller) harness.Answer { return who.Send("GET", at+"/v1.0/assets/links", "") })
		roles.statuses(t, "get", c.one, func(who *harness.Caller) harness.Answer { return who.Send("GET", at+"/v1.0", "") })
		n := 0
		roles.statuses(t, "create", c.publish, func(who *harness.Caller) harness.Answer {
			n++
			return who.JSON("POST", at, fmt.Sprintf(`{"tag_name":"n%d","ref":"main"}`, n))
		})
		set := map[string]any{"releases_access_level": model.FeatureDisabled}
		if err := h.Store.Projects.Update(t.Context(), p.ID, set); err != nil {
			t.Fatal(err)
		}
		expect(t, roles["owner"].Send("GET", at, ""), 403, "")
		expect(t, roles["owner"].Send("GET", at+"/v1.0", ""), 403, "")
	}
}

func TestAGuestSeesReleasesWithoutCode(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	expect(t, maintainer.JSON("POST", releasesPath, `{"tag_name":"v1.0","name":"First","description":"secret tag"}`), 201, "")
	guest := h.ProjectMember(r.project, model.Guest)
	got := guest.Send("GET", releasesPath, "")
	rows := read[[]release](t, got, 200)
	if len(rows) != 1 || !strings.HasPrefix(rows[0].Name, "Release-") || rows[0].TagName != nil || rows[0].Commit != nil ||
		rows[0].Assets.Count != 0 || rows[0].Assets.Sources != nil || strings.Contains(got.Body, "commit_path") {
		t.Errorf("%s", got.Body)
	}
}

func TestTheLatestReleaseHasAPermanentAddress(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	latest := releasesPath + "/permalink/latest"
	expect(t, maintainer.Send("GET", latest, ""), 404, `{"message":"404 Not Found"}`)
	expect(t, maintainer.JSON("POST", releasesPath, `{"tag_name":"v1.0","released_at":"2020-01-01"}`), 201, "")
	expect(t, maintainer.JSON("POST", releasesPath, `{"tag_name":"rel/2","ref":"main","assets":{"links":[
		{"name":"tool","url":"https://files.example.com/tool?v=2","direct_asset_path":"/bin/tool"}]}}`), 201, "")
	at := fmt.Sprintf("/api/v4/projects/%d/releases/rel%%2F2", r.project.ID)
	web := "/acme/web/-/releases/"
	for path, want := range map[string]string{
		latest: at,
		latest + "?include_html_description=true&order_by=x": at + "?include_html_description=true",
		latest + "/downloads/bin/tool":                       at + "/downloads/bin/tool",
		releasesPath + "/rel%2F2/downloads/bin/tool":         "https://files.example.com/tool?v=2",
	} {
		if got := maintainer.Send("GET", path, ""); got.Status != 302 || got.Header.Get("Location") != want {
			t.Errorf("%s leads to %d %s, want %s", path, got.Status, got.Header.Get("Location"), want)
		}
	}
	for path, want := range map[string]string{
		h.URL + web + "permalink/latest":                    web + "rel%2F2",
		h.URL + web + "permalink/latest/downloads/bin/tool": web + "rel%2F2/downloads/bin/tool",
		h.URL + web + "rel%2F2/downloads/bin/tool":          "https://files.example.com/tool?v=2",
	} {
		if got := follow(t, path, "PRIVATE-TOKEN", maintainer.Token); got != "302 "+want {
			t.Errorf("%s leads to %s, want %s", path, got, want)
		}
	}
	file := h.URL + web + "rel%2F2/downloads/bin/tool"
	if got := follow(t, file+"?private_token="+maintainer.Token); got != "302 https://files.example.com/tool?v=2" {
		t.Error(got)
	}
	if got := follow(t, file); got != "404 " {
		t.Error(got)
	}
	if got := follow(t, file, "PRIVATE-TOKEN", h.NewUser().Token); got != "404 " {
		t.Error(got)
	}
	if got := follow(t, file, "PRIVATE-TOKEN", "wrong"); got != "401 " {
		t.Error(got)
	}
	if got := follow(t, h.URL+web+"rel%2F2", "PRIVATE-TOKEN", maintainer.Token); got != "200 " {
		t.Error(got)
	}
	for _, none := range []string{"none", "none/downloads/x", "rel%2F2/downloads/none", "rel%2F2/other"} {
		if got := follow(t, h.URL+web+none, "PRIVATE-TOKEN", maintainer.Token); got != "404 " {
			t.Errorf("%s: %s", none, got)
		}
	}
}

// noRedirect makes a client return redirects instead of following them.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// follow sends a GET to a URL, and returns the status and where it leads.
func follow(t *testing.T, address string, headers ...string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	got, err := (&http.Client{CheckRedirect: noRedirect}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	return fmt.Sprintf("%d %s", got.StatusCode, got.Header.Get("Location"))
}

func TestReleasesOfAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(seen(model.Public))
	open, closed := h.Project(group.ID, called("open", model.Public)), h.Project(group.ID, called("closed", model.Private))
	owner := h.Member(group, model.Owner)
	for i, p := range []model.Project{open, closed} {
		oddHistory(t, p).push(h, owner, "main", "v1.0")
		body := fmt.Sprintf(`{"tag_name":"v1.0","name":"of %s","released_at":"202%d-01-01"}`, p.Path, i)
		expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/releases", p.ID), body), 201, "")
	}
	at := fmt.Sprintf("/groups/%d/releases", group.ID)
	if rows := read[[]release](t, owner.Send("GET", at, ""), 200); len(rows) != 2 || rows[0].Name != "of closed" || rows[0].Assets == nil {
		t.Errorf("%+v", rows)
	}
	if rows := read[[]release](t, owner.Send("GET", at+"?sort=asc&simple=true", ""), 200); len(rows) != 2 || rows[0].Name != "of open" ||
		rows[0].Assets != nil || rows[0].TagName == nil {
		t.Errorf("%+v", rows)
	}
	for _, who := range []*harness.Caller{h.Anonymous(), h.NewUser()} {
		if rows := read[[]release](t, who.Send("GET", at, ""), 200); len(rows) != 1 || rows[0].Name != "of open" {
			t.Errorf("%+v", rows)
		}
	}
}

// A page of releases costs four statements: the caller, the project, the releases, and their links. Milestones and
// rules for tags cost one more each, if there are any.
func TestAPageOfReleasesTakesFixedStatements(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, maintainer := pushedHistory(t, h, model.Private)
	for i := range 20 {
		expect(t, maintainer.JSON("POST", releasesPath, fmt.Sprintf(`{"tag_name":"r%d","ref":"main","assets":{"links":[
			{"name":"a","url":"https://a.example/a"},{"name":"b","url":"https://a.example/b"}]}}`, i)), 201, "")
	}
	count := func() int64 {
		expect(t, maintainer.Send("GET", "/projects/acme%2Fweb", ""), 200, "") // a changed project costs one more statement
		before := h.Store.Statements()
		if rows := read[[]release](t, maintainer.Send("GET", releasesPath, ""), 200); len(rows) != 20 || len(rows[7].Assets.Links) != 2 {
			t.Errorf("%d releases", len(rows))
		}
		return h.Store.Statements() - before
	}
	if n := count(); n > 4 {
		t.Errorf("%d statements", n)
	}
	expect(t, maintainer.JSON("POST", "/projects/acme%2Fweb/milestones", `{"title":"M1"}`), 201, "")
	expect(t, maintainer.JSON("PUT", releasesPath+"/r1", `{"milestones":["M1"]}`), 200, "")
	if n := count(); n > 5 {
		t.Errorf("%d statements with a milestone", n)
	}
}

func TestReleasesAreOrderedAndFiltered(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, maintainer := pushedHistory(t, h, model.Private)
	for _, one := range []string{`"a","released_at":"2022-01-01"`, `"b","released_at":"2020-01-01"`, `"c","released_at":"2021-01-01"`} {
		expect(t, maintainer.JSON("POST", releasesPath, `{"ref":"main","tag_name":`+one+`}`), 201, "")
	}
	for query, want := range map[string]string{
		"": "acb", "?sort=asc": "bca", "?order_by=created_at": "cba", "?order_by=created_at&sort=asc": "abc", "?per_page=1&page=2": "c",
		"?updated_before=2021-01-01": "", "?updated_after=2021-01-01": "acb",
		"?updated_after=" + time.Now().Add(time.Hour).UTC().Format(time.RFC3339): "",
	} {
		got := ""
		for _, row := range read[[]release](t, maintainer.Send("GET", releasesPath+query, ""), 200) {
			got += row.Name
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	expect(t, maintainer.Send("GET", releasesPath+"?pagination=keyset", ""), 405, "")
}
