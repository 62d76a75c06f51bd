package contract

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"

	"golang.org/x/crypto/ssh"
)

// deletionFixture makes things to delete, in a public project of a public group, as an administrator.
type deletionFixture struct {
	t       *testing.T
	h       *harness.H
	root    *harness.Caller
	group   model.Namespace
	project model.Project
	tip     string // SHA of the newest commit
	made    int
}

func newDeletionFixture(t *testing.T) *deletionFixture {
	t.Helper()
	h := harness.New(t, harness.Sites)
	w := &deletionFixture{t: t, h: h, root: h.Root(), group: h.Group(func(g *model.Namespace) { g.Visibility = model.Public })}
	w.project = h.Project(w.group.ID, func(p *model.Project) { p.Visibility = model.Public })
	history := harness.NewHistory(t)
	history.Write("README.md", "hello")
	w.tip = history.Commit("Ann <ann@example.com>", "Begin")
	history.Push(w.root, w.project)
	return w
}

// name returns an unused name.
func (w *deletionFixture) name() string {
	w.made++
	return fmt.Sprintf("thing-%d", w.made)
}

// packageFile uploads a file to a new generic package.
func (w *deletionFixture) packageFile() (made struct {
	ID        int64 `json:"id"`
	PackageID int64 `json:"package_id"`
},
) {
	w.t.Helper()
	a := w.root.Send("PUT", w.inProject("packages/generic/"+w.name()+"/1.0/a?select=package_file"), "content")
	if err := json.Unmarshal([]byte(a.Body), &made); err != nil || a.Status != 200 {
		w.t.Fatalf("a package: %d %s", a.Status, a.Body)
	}
	return made
}

// deletable is one thing to delete, with the caller who deletes it.
type deletable struct {
	caller     *harness.Caller
	path, body string
}

func (o deletable) delete(headers ...string) harness.Answer {
	if o.body != "" {
		headers = append([]string{"Content-Type", "application/json"}, headers...)
	}
	return o.caller.Send("DELETE", o.path, o.body, headers...)
}

// release makes a release of a new tag.
func (w *deletionFixture) release() deletable {
	return w.below(w.inProject("releases"), "tag_name", `{"tag_name":"%s","ref":"main"}`)
}

// deployKey adds a deploy key to the project.
func (w *deletionFixture) deployKey() deletable {
	w.t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		w.t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		w.t.Fatal(err)
	}
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
	return w.below(w.inProject("deploy_keys"), "id", `{"title":"%s","key":"`+line+`"}`)
}

// upload uploads a file and returns the rest of its path, below uploads.
func (w *deletionFixture) upload(to string, bySecret bool) deletable {
	w.t.Helper()
	made := w.root.File("POST", to, nil, "file", "a.txt", "text/plain", w.name())
	var file struct {
		ID  int64
		URL string
	}
	if err := json.Unmarshal([]byte(made.Body), &file); err != nil || made.Status != 201 {
		w.t.Fatalf("POST %s: %d %s", to, made.Status, made.Body)
	}
	if bySecret {
		return w.at("%s", strings.TrimSuffix(to, "/uploads")+file.URL)
	}
	return w.at("%s/%d", to, file.ID)
}

// metricImage attaches a picture to a new alert.
func (w *deletionFixture) metricImage() deletable {
	w.t.Helper()
	integration := w.add(w.inProject("alert_integrations"), `{"type":"http","name":"%s"}`)
	w.send(w.root, "POST", w.inProject("alert_integrations/"+text(integration["id"])+"/test"), `{"payload":{"title":"`+w.name()+`"}}`)
	var alerts []struct{ IID int64 }
	got := w.root.Send("GET", w.inProject("alerts?order_by=iid&sort=desc"), "")
	if err := json.Unmarshal([]byte(got.Body), &alerts); err != nil || len(alerts) == 0 {
		w.t.Fatal(got.Body)
	}
	images := w.inProject(fmt.Sprintf("alert_management_alerts/%d/metric_images", alerts[0].IID))
	made := w.root.File("POST", images, nil, "file", "a.png", "image/png", w.name())
	var image struct{ ID int64 }
	if err := json.Unmarshal([]byte(made.Body), &image); err != nil || made.Status != 201 {
		w.t.Fatalf("POST %s: %d %s", images, made.Status, made.Body)
	}
	return w.at("%s/%d", images, image.ID)
}

// at returns a thing that the administrator deletes by its path.
func (w *deletionFixture) at(path string, args ...any) deletable {
	return deletable{caller: w.root, path: fmt.Sprintf(path, args...)}
}

// send sends a request that creates something, and returns the JSON object in the response.
func (w *deletionFixture) send(c *harness.Caller, method, path, body string) map[string]any {
	w.t.Helper()
	got := c.JSON(method, path, body)
	if !succeeded(got) {
		w.t.Fatalf("%s %s: %d %s", method, path, got.Status, got.Body)
	}
	made := map[string]any{}
	if err := json.Unmarshal([]byte(got.Body), &made); err != nil {
		w.t.Fatal(err)
	}
	return made
}

// add creates something below a path; %s in the body becomes a new name.
func (w *deletionFixture) add(path, body string) map[string]any {
	w.t.Helper()
	return w.send(w.root, "POST", path, strings.ReplaceAll(body, "%s", w.name()))
}

// below creates something below a path; a member of the response completes its path.
func (w *deletionFixture) below(path, member, body string) deletable {
	w.t.Helper()
	return w.at("%s/%s", path, url.PathEscape(text(w.add(path, body)[member])))
}

// text returns a member of a response as it appears in a path.
func text(v any) string {
	if n, ok := v.(float64); ok {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprint(v)
}

func (w *deletionFixture) inGroup(rest string) string {
	return fmt.Sprintf("/groups/%d/%s", w.group.ID, rest)
}

func (w *deletionFixture) inProject(rest string) string {
	return fmt.Sprintf("/projects/%d/%s", w.project.ID, rest)
}
func (w *deletionFixture) newUser() model.User       { return w.h.NewUser().User }
func (w *deletionFixture) newProject() model.Project { return w.h.Project(w.group.ID) }

func (w *deletionFixture) issue() string {
	return w.inProject("issues/" + text(w.add(w.inProject("issues"), `{"title":"%s"}`)["iid"]))
}

// epic returns the path of a new epic, by its id.
func (w *deletionFixture) epic() string {
	return w.inGroup("epics/" + text(w.add(w.inGroup("epics"), `{"title":"%s"}`)["id"]))
}

func (w *deletionFixture) snippet() string {
	made := w.add(w.inProject("snippets"), `{"title":"%s","visibility":"public","files":[{"file_path":"a","content":"a"}]}`)
	return w.inProject("snippets/" + text(made["id"]))
}

func (w *deletionFixture) branch() string {
	name := w.name()
	w.send(w.root, "POST", w.inProject("repository/commits"), fmt.Sprintf(`{"branch":%q,"start_branch":"main","commit_message":"Add",
		"actions":[{"action":"create","file_path":%q,"content":"x"}]}`, name, name))
	return name
}

func (w *deletionFixture) mergeRequest() string {
	body := fmt.Sprintf(`{"title":"%%s","source_branch":%q,"target_branch":"main"}`, w.branch())
	return w.inProject("merge_requests/" + text(w.add(w.inProject("merge_requests"), body)["iid"]))
}

func (w *deletionFixture) note(on string) deletable {
	return w.below(on+"/notes", "id", `{"body":"%s"}`)
}

func (w *deletionFixture) award(on string) deletable {
	return w.below(on+"/award_emoji", "id", `{"name":"rocket"}`)
}

// threadNote makes a note in a new thread.
func (w *deletionFixture) threadNote(on string) deletable {
	made := w.add(on+"/discussions", `{"body":"%s"}`)
	first := made["notes"].([]any)[0].(map[string]any)
	return w.at("%s/discussions/%s/notes/%s", on, made["id"], text(first["id"]))
}

// list makes a list of a new board.
func (w *deletionFixture) list(place string) deletable {
	board := w.below(place+"boards", "id", `{"name":"%s"}`).path
	label := text(w.add(place+"labels", `{"name":"%s","color":"#fff"}`)["id"])
	return w.below(board+"/lists", "id", `{"label_id":`+label+`}`)
}

func (w *deletionFixture) member(place string) deletable {
	return w.below(place+"members", "id", fmt.Sprintf(`{"user_id":%d,"access_level":30}`, w.newUser().ID))
}

func (w *deletionFixture) accessRequest(place string) deletable {
	asking := w.h.NewUser()
	w.send(asking, "POST", place+"access_requests", "{}")
	return w.at("%saccess_requests/%d", place, asking.User.ID)
}

// resource returns a function that creates something named below a path, where it is found by its id.
func resource(in func(*deletionFixture, string) string, path, body string) func(*deletionFixture) deletable {
	return func(w *deletionFixture) deletable { return w.below(in(w, path), "id", body) }
}

// accountToken makes a token of a new service account.
func accountToken(in func(*deletionFixture, string) string) func(*deletionFixture) deletable {
	return func(w *deletionFixture) deletable {
		account := w.add(in(w, "service_accounts"), `{"name":"%s"}`)["id"]
		return w.below(in(w, "service_accounts/"+text(account)+"/personal_access_tokens"), "id", newToken())
	}
}

func instance(_ *deletionFixture, rest string) string { return "/" + rest }

var inGroup, inProject = (*deletionFixture).inGroup, (*deletionFixture).inProject

// newToken returns the body for a new token.
func newToken() string {
	return `{"name":"%s","scopes":["read_api"],"access_level":30,"expires_at":"` + time.Now().AddDate(0, 0, 30).Format(time.DateOnly) + `"}`
}

// bodyOf returns the example of a body in the OpenAPI document.
func bodyOf(t *testing.T, schema string) string {
	t.Helper()
	data, err := json.Marshal(harness.Doc().Components.Schemas[schema].Value.Example)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// integration sets up an integration that has a webhook.
func (w *deletionFixture) integration(path string) deletable {
	w.send(w.root, "PUT", path, `{"webhook":"https://ci.example.com/hook"}`)
	return w.at("%s", path)
}

func (w *deletionFixture) runner() map[string]any {
	return w.add("/user/runners", `{"runner_type":"instance_type","run_untagged":true,"description":"%s"}`)
}

func (w *deletionFixture) ofUser(rest string) string {
	return fmt.Sprintf("/users/%d/%s", w.newUser().ID, rest)
}

// whole creates something with the body unchanged.
func (w *deletionFixture) whole(path, body string) deletable {
	return w.at("%s/%s", path, text(w.send(w.root, "POST", path, body)["id"]))
}

// own creates something that belongs to a new user, who deletes it.
func (w *deletionFixture) own(path, body string) deletable {
	c := w.h.NewUser()
	return deletable{caller: c, path: path + "/" + text(w.send(c, "POST", path, body)["id"])}
}

func (w *deletionFixture) variable(path string) deletable {
	w.made++
	return w.at("%s/%s", path, w.send(w.root, "POST", path, fmt.Sprintf(`{"key":"KEY_%d","value":"x"}`, w.made))["key"])
}

func (w *deletionFixture) attribute(path string) deletable {
	name := w.name()
	w.send(w.root, "PUT", path+"/"+name, `{"value":"x"}`)
	return w.at("%s/%s", path, name)
}

func (w *deletionFixture) invitation(path string) deletable {
	address := w.name() + "@example.com"
	w.send(w.root, "POST", path, fmt.Sprintf(`{"email":%q,"access_level":30}`, address))
	return w.at("%s/%s", path, url.PathEscape(address))
}

func (w *deletionFixture) share(path string) deletable {
	other := w.h.Group()
	w.send(w.root, "POST", path, fmt.Sprintf(`{"group_id":%d,"group_access":30}`, other.ID))
	return w.at("%s/%d", path, other.ID)
}

func (w *deletionFixture) personalToken() map[string]any {
	return w.add(w.ofUser("personal_access_tokens"), `{"name":"%s","scopes":["read_user"]}`)
}

func (w *deletionFixture) site() deletable {
	p := w.newProject()
	w.made++
	row := model.PagesDeployment{ProjectID: p.ID, JobID: int64(w.made), Root: "public", Key: w.name()}
	if published, err := w.h.Store.PagesDeployments.Publish(w.t.Context(), &row); err != nil || !published {
		w.t.Fatalf("published: %v, %v", published, err)
	}
	return w.at("/projects/%d/pages", p.ID)
}

func (w *deletionFixture) pipeline() deletable {
	made := w.h.Pipeline(w.project, w.root.User, []syntax.Job{{Name: "one", Stage: "test", Script: []string{"true"}}})
	return w.at("%s/%d", w.inProject("pipelines"), made.Pipeline.ID)
}
