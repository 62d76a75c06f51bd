package web

import (
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"svc/gen"
	"svc/tests/harness"
)

// published is what these tests read of the document.
type published struct {
	Paths map[string]map[string]json.RawMessage
}

// operations calls a function for each operation of the document.
func operations(t *testing.T, each func(id, method, path, summary string)) {
	t.Helper()
	var doc published
	if err := json.Unmarshal(gen.SpecJSON, &doc); err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths {
		for method, raw := range item {
			var op struct{ OperationID, Summary string }
			if json.Unmarshal(raw, &op) == nil && op.OperationID != "" {
				each(op.OperationID, strings.ToUpper(method), path, op.Summary)
			}
		}
	}
}

func TestEveryOperationHasAPageInTheExplorer(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.SignedIn(h.NewUserWithPassword().User)
	count := 0
	operations(t, func(id, method, path, summary string) {
		count++
		page := b.Get("/-/explorer/" + id) // the browser checks its size, its labels and its policy
		checkPage(t, page, 200, "/-/explorer/"+id, strings.Join(strings.Fields(summary), " "))
		for _, want := range []string{method, path, "Send as", "Example answer"} {
			if !strings.Contains(page.Text(), want) {
				t.Errorf("%s does not say %q", id, want)
			}
		}
		for name := range strings.SplitSeq(path, "{") {
			name, _, found := strings.Cut(name, "}")
			filled := regexp.MustCompile(` name="path\.` + regexp.QuoteMeta(name) + `" type="[a-z]+" value="[^"]+"`)
			if found && !filled.MatchString(page.Body) && !strings.Contains(page.Body, ` name="path.`+name+`"><option`) {
				t.Errorf("%s has no filled input for %s", id, name)
			}
		}
	})
	if count < 600 {
		t.Errorf("the document has %d operations", count)
	}
}

func TestTheExplorerListsAndFindsEveryOperation(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.Browser()
	start := b.Get("/-/explorer")
	listed := map[string]bool{}
	for _, area := range regexp.MustCompile(`"(/-/explorer\?area=[^"]*)"`).FindAllStringSubmatch(start.Body, -1) {
		page := b.Get(html.UnescapeString(area[1]))
		for _, link := range regexp.MustCompile(`"/-/explorer/(\w+)"`).FindAllStringSubmatch(page.Body, -1) {
			listed[link[1]] = true
		}
	}
	operations(t, func(id, _, path, _ string) {
		if !listed[id] {
			t.Errorf("no area lists %s", id)
		}
	})
	for q, want := range map[string]string{
		"getcurrentuser":                  "getCurrentUser",
		"current USER":                    "getCurrentUser",
		"/projects/{id}/issues post":      "createProjectIssue",
		"delete /api/v4/projects/{id}":    "deleteProject",
		"  merge   a merge request put  ": "mergeProjectMergeRequest",
	} {
		page := b.Get("/-/explorer?" + url.Values{"q": {q}}.Encode())
		if !strings.Contains(page.Body, `"/-/explorer/`+want+`"`) {
			t.Errorf("%q does not find %s: %s", q, want, page.Text())
		}
	}
	checkPage(t, b.Get("/-/explorer?q=nothing+has+these+words"), 200, "", "No operation matches")
	checkPage(t, b.Get("/-/explorer?q=e"), 200, "", "More than 80 operations match")
	hostile := b.Get("/-/explorer?" + url.Values{"q": {`"><script>alert(1)</script>`}}.Encode())
	if strings.Contains(hostile.Body, "<script>alert") || !strings.Contains(hostile.Body, "&lt;script&gt;alert(1)") {
		t.Errorf("%s", hostile.Body)
	}
	for _, path := range []string{
		"/-/explorer?area=none", "/-/explorer/none", "/-/explorer/%3Cscript%3E", "/-/explorer/getCurrentUser/none",
	} {
		checkPage(t, b.Get(path), 404, "", "Page not found")
	}
	checkPage(t, b.Get("/-/explorer/"), 200, "/-/explorer", "Choose an area")
	checkPage(t, b.Get("/-/docs"), 200, "", "")
}

// Only what is required is filled in, so nothing is sent that nobody has chosen.
func TestTheExplorerFillsInOnlyWhatIsRequired(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.Browser()
	filled := regexp.MustCompile(`<input id="(query|header)\.[^"]*" name="([^"]*)"[^>]* value="[^"]+"` +
		`|<option selected|<textarea id="query[^>]*>[^<]`)
	for _, id := range []string{"listProjects", "listProjectIssues", "listGroupVariables", "deleteProject"} {
		if found := filled.FindString(b.Get("/-/explorer/" + id).Body); found != "" {
			t.Errorf("%s: %s", id, found)
		}
	}
	page := b.Get("/-/explorer/listProjects")
	for _, want := range []string{
		`<textarea id="query.custom_attributes" name="query.custom_attributes" rows="2" spellcheck="false" ` +
			`placeholder="name=value, one a line"></textarea>`,
		`<select id="query.archived" name="query.archived"><option value="">not sent</option>` +
			`<option>true</option><option>false</option></select>`,
		`<option>asc</option>`, `name="query.per_page" type="number" value=""`,
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("there is no %s", want)
		}
	}
	if page := b.Get("/-/explorer/createOauthToken"); !strings.Contains(page.Body, ` name="body.grant_type"`) ||
		strings.Contains(page.Body, `id="text"`) {
		t.Error("a form has no fields")
	}
	if page := b.Get("/-/explorer/updateCurrentUserAvatar"); !strings.Contains(page.Body, ` name="body.avatar" type="file"`) ||
		!strings.Contains(page.Body, `data-media="multipart/form-data"`) {
		t.Error("a file cannot be chosen")
	}
	if page := b.Get("/-/explorer/createProjectIssue"); !strings.Contains(html.UnescapeString(page.Body), `"title":`) {
		t.Error("the body has no example")
	}
}

var csrfOf = regexp.MustCompile(` data-csrf="([^"]*)"`)

// The page of a signed-in user has the token for writes with their session; that of an anonymous visitor has none.
func TestTheExplorerHasTheCSRFTokenOfTheSession(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	read := func(b *harness.Browser) string {
		t.Helper()
		page := b.Get("/-/explorer/createCurrentUserEmail")
		found := csrfOf.FindStringSubmatch(page.Body)
		if found == nil || page.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Fatalf("%d %v %s", page.Status, page.Header, page.Body)
		}
		return found[1]
	}
	nobody := h.Browser()
	if token := read(nobody); token != "" || !strings.Contains(nobody.Page.Text(), "Sign in to use your session") {
		t.Errorf("an anonymous visitor gets %q", token)
	}
	if strings.Contains(nobody.Page.Body, `value="session"`) || strings.Contains(nobody.Page.Body, `id="make"`) {
		t.Error("an anonymous visitor is offered a session")
	}
	b, other := h.SignedIn(h.NewUserWithPassword().User), h.SignedIn(h.NewUserWithPassword().User)
	write := func(token string) int {
		return h.WithHeaders("Cookie", "_svc_session="+b.Cookie("_svc_session"), "X-CSRF-Token", token).JSON(
			"POST", "/user/emails", `{"email":"x@example.org"}`,
		).Status
	}
	for name, token := range map[string]string{"wrong": "wrong", "empty": "", "of another user": read(other)} {
		if status := write(token); status != 401 {
			t.Errorf("a token that is %s is answered %d", name, status)
		}
	}
	if status := write(read(b)); status != 201 {
		t.Errorf("the token is answered %d", status)
	}
}

// A token that is made in the explorer has the least scope that the operation accepts, and ends tomorrow.
func TestTheExplorerMakesATokenForAnOperation(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	for id, want := range map[string]string{
		"listProjects": "read_api", "createProject": "api", "getCurrentUser": "read_user", "listRunners": "manage_runner",
		"getPersonalAccessTokenSelf": "read_user", "deleteProject": "api",
	} {
		token := csrfOf.FindStringSubmatch(b.Get("/-/explorer/" + id).Body)[1]
		page := b.Send("POST", "/-/explorer/"+id+"/token", "", "X-CSRF-Token", token, "Accept", "application/json")
		var made struct {
			Token, ExpiresAt string
			Scopes           []string
		}
		if err := json.Unmarshal([]byte(strings.ReplaceAll(page.Body, "expires_at", "expiresat")), &made); err != nil ||
			page.Status != 201 || page.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%s: %d %v %s", id, page.Status, page.Header, page.Body)
		}
		self := h.WithHeaders("PRIVATE-TOKEN", made.Token).Send("GET", "/personal_access_tokens/self", "")
		var is struct {
			Name      string
			Scopes    []string
			UserID    int64  `json:"user_id"`
			ExpiresAt string `json:"expires_at"`
		}
		if err := json.Unmarshal([]byte(self.Body), &is); err != nil {
			t.Fatal(err, self.Body)
		}
		tomorrow := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
		if strings.Join(is.Scopes, " ") != want || is.ExpiresAt != tomorrow || made.ExpiresAt != tomorrow || is.UserID != u.User.ID ||
			is.Name != "API explorer: "+id || strings.Join(made.Scopes, " ") != want {
			t.Errorf("%s: %s, want %s until %s", id, self.Body, want, tomorrow)
		}
	}
	checkPage(t, b.Get("/-/profile/personal_access_tokens"), 200, "", "API explorer: createProject")
	events := h.Root().Send("GET", "/audit_events?entity_type=User&entity_id="+id(u.User), "")
	if !strings.Contains(events.Body, "personal_access_token") {
		t.Errorf("the audit events are %s", events.Body)
	}
}

func TestTheExplorerMakesNoTokenForOthers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b, other := h.SignedIn(u.User), h.SignedIn(h.NewUserWithPassword().User)
	const path = "/-/explorer/listProjects/token"
	good := csrfOf.FindStringSubmatch(b.Get("/-/explorer/listProjects").Body)[1]
	foreign := csrfOf.FindStringSubmatch(other.Get("/-/explorer/listProjects").Body)[1]
	for name, pairs := range map[string][]string{
		"no token": nil, "a wrong one": {"X-CSRF-Token", "wrong"}, "that of another user": {"X-CSRF-Token", foreign},
		"another site": {"X-CSRF-Token", good, "Sec-Fetch-Site", "cross-site"},
	} {
		if page := b.Send("POST", path, "", pairs...); page.Status != 422 || strings.Contains(page.Body, "svcpat-") {
			t.Errorf("%s: %d %s", name, page.Status, page.Text())
		}
	}
	nobody := h.Browser()
	nobody.Get("/-/explorer/listProjects")
	nobody.NoRedirects()
	if page := nobody.Send("POST", path, "", "X-CSRF-Token", good); page.Status != 303 ||
		!strings.HasPrefix(page.Header.Get("Location"), "/users/sign_in") {
		t.Errorf("an anonymous visitor gets %d %v", page.Status, page.Header)
	}
	for _, none := range []string{"createOauthToken", "getHealth", "none"} { // they accept no access tokens
		if page := b.Send("POST", "/-/explorer/"+none+"/token", "", "X-CSRF-Token", good); page.Status != 404 {
			t.Errorf("%s: %d %s", none, page.Status, page.Body)
		}
	}
	if page := b.Get("/-/profile/personal_access_tokens"); strings.Contains(page.Text(), "API explorer") {
		t.Errorf("a token was made: %s", page.Text())
	}
}
