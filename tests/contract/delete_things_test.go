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

const (
	label    = `{"name":"%s","color":"#fff"}`
	badge    = `{"link_url":"https://example.com/%s","image_url":"https://example.com/badge.svg"}`
	hook     = `{"url":"https://ci.example.com/%s"}`
	wikiPage = `{"title":"%s","content":"x"}`
	snippet  = `{"title":"%s","visibility":"private","files":[{"file_path":"a.txt","content":"x"}]}`
	deploy   = `{"name":"%s","scopes":["read_repository"]}`
)

// things has, for every conditional delete, a function that makes one more thing to delete.
var things = map[string]func(*deletionFixture) deletable{
	"deleteAdminCiVariable":    func(w *deletionFixture) deletable { return w.variable("/admin/ci/variables") },
	"deleteApplication":        resource(instance, "applications", `{"name":"%s","redirect_uri":"https://example.com","scopes":"api"}`),
	"deleteGroup":              func(w *deletionFixture) deletable { return w.at("/groups/%d", w.h.Group().ID) },
	"deleteGroupAccessRequest": func(w *deletionFixture) deletable { return w.accessRequest(w.inGroup("")) },
	"deleteGroupAccessToken":   resource(inGroup, "access_tokens", newToken()),
	"deleteGroupBadge":         resource(inGroup, "badges", badge),
	"deleteGroupBoard":         resource(inGroup, "boards", `{"name":"%s"}`),
	"deleteGroupBoardList":     func(w *deletionFixture) deletable { return w.list(w.inGroup("")) },
	"deleteGroupDeployToken":   resource(inGroup, "deploy_tokens", deploy),
	"deleteGroupHook":          resource(inGroup, "hooks", hook),
	"deleteGroupIntegration":   func(w *deletionFixture) deletable { return w.integration(w.inGroup("integrations/discord")) },
	"deleteGroupInvitation":    func(w *deletionFixture) deletable { return w.invitation(w.inGroup("invitations")) },
	"deleteGroupLabel":         resource(inGroup, "labels", label),
	"deleteGroupLabels": func(w *deletionFixture) deletable {
		return w.at("%s?name=%s", w.inGroup("labels"), w.add(w.inGroup("labels"), label)["name"])
	},
	"deleteGroupMember":    func(w *deletionFixture) deletable { return w.member(w.inGroup("")) },
	"deleteGroupMilestone": resource(inGroup, "milestones", `{"title":"%s"}`),
	"deleteGroupShare":     func(w *deletionFixture) deletable { return w.share(w.inGroup("share")) },
	"deleteGroupUpload":    func(w *deletionFixture) deletable { return w.upload(w.inGroup("uploads"), false) },
	"deleteGroupUploadBySecret": func(w *deletionFixture) deletable {
		return w.upload(w.inGroup("uploads"), true)
	},
	"deleteGroupVariable": func(w *deletionFixture) deletable { return w.variable(w.inGroup("variables")) },
	"deleteGroupWiki":     func(w *deletionFixture) deletable { return w.below(w.inGroup("wikis"), "slug", wikiPage) },
	"deleteHook":          resource(instance, "hooks", hook),
	"deletePersonalAccessToken": func(w *deletionFixture) deletable {
		return w.at("/personal_access_tokens/%s", text(w.personalToken()["id"]))
	},
	"deletePersonalAccessTokenSelf": func(w *deletionFixture) deletable {
		return deletable{caller: w.h.NewUser(), path: "/personal_access_tokens/self"}
	},
	"deleteProject":                 func(w *deletionFixture) deletable { return w.at("/projects/%d", w.newProject().ID) },
	"deleteProjectAccessRequest":    func(w *deletionFixture) deletable { return w.accessRequest(w.inProject("")) },
	"deleteProjectAccessToken":      resource(inProject, "access_tokens", newToken()),
	"deleteProjectAlertIntegration": resource(inProject, "alert_integrations", `{"type":"http","name":"%s"}`),
	"deleteProjectBadge":            resource(inProject, "badges", badge),
	"deleteProjectHook":             resource(inProject, "hooks", hook),
	"deleteProjectIntegration":      func(w *deletionFixture) deletable { return w.integration(w.inProject("integrations/slack")) },
	"deleteProjectService":          func(w *deletionFixture) deletable { return w.integration(w.inProject("services/mattermost")) },
	"deleteProjectBoard":            resource(inProject, "boards", `{"name":"%s"}`),
	"deleteProjectBoardList":        func(w *deletionFixture) deletable { return w.list(w.inProject("")) },
	"deleteProjectClusterAgent":     resource(inProject, "cluster_agents", `{"name":"%s"}`),
	"deleteProjectCustomAttribute":  func(w *deletionFixture) deletable { return w.attribute(w.inProject("custom_attributes")) },
	"deleteProjectDeployKey":        (*deletionFixture).deployKey,
	"deleteProjectDeployToken":      resource(inProject, "deploy_tokens", deploy),
	"deleteProjectEnvironment": func(w *deletionFixture) deletable {
		made := w.below(w.inProject("environments"), "id", `{"name":"%s"}`)
		w.send(w.root, "POST", made.path+"/stop", `{"force":true}`)
		return made
	},
	"deleteProjectErrorTrackingClientKey": resource(inProject, "error_tracking/client_keys", `{}`),
	"deleteProjectForkRelation": func(w *deletionFixture) deletable {
		fork := w.newProject()
		w.send(w.root, "POST", fmt.Sprintf("/projects/%d/fork/%d", fork.ID, w.project.ID), "{}")
		return w.at("/projects/%d/fork", fork.ID)
	},
	"deleteProjectInvitation":          func(w *deletionFixture) deletable { return w.invitation(w.inProject("invitations")) },
	"deleteProjectIssue":               func(w *deletionFixture) deletable { return w.at("%s", w.issue()) },
	"deleteProjectIssueAwardEmoji":     func(w *deletionFixture) deletable { return w.award(w.issue()) },
	"deleteProjectIssueDiscussionNote": func(w *deletionFixture) deletable { return w.threadNote(w.issue()) },
	"deleteProjectIssueLink": func(w *deletionFixture) deletable {
		other := w.add(w.inProject("issues"), `{"title":"%s"}`)
		body := fmt.Sprintf(`{"target_project_id":%d,"target_issue_iid":%s}`, w.project.ID, text(other["iid"]))
		on := w.issue() + "/links"
		w.add(on, body)
		links := w.root.Send("GET", on, "")
		var shown []map[string]any
		if err := json.Unmarshal([]byte(links.Body), &shown); err != nil || len(shown) != 1 {
			w.t.Fatalf("links: %d %s", links.Status, links.Body)
		}
		return w.at("%s/%s", on, text(shown[0]["issue_link_id"]))
	},
	"deleteProjectIssueNote":           func(w *deletionFixture) deletable { return w.note(w.issue()) },
	"deleteProjectIssueNoteAwardEmoji": func(w *deletionFixture) deletable { return w.award(w.note(w.issue()).path) },
	"deleteProjectJobTokenScopeAllowlist": func(w *deletionFixture) deletable {
		body := fmt.Sprintf(`{"target_project_id":%d}`, w.newProject().ID)
		return w.below(w.inProject("job_token_scope/allowlist"), "target_project_id", body)
	},
	"deleteProjectJobTokenScopeGroupsAllowlist": func(w *deletionFixture) deletable {
		body := fmt.Sprintf(`{"target_group_id":%d}`, w.h.Group().ID)
		return w.below(w.inProject("job_token_scope/groups_allowlist"), "target_group_id", body)
	},
	"deleteProjectLabel": resource(inProject, "labels", label),
	"deleteProjectLabels": func(w *deletionFixture) deletable {
		return w.at("%s?name=%s", w.inProject("labels"), w.add(w.inProject("labels"), label)["name"])
	},
	"deleteProjectMember":                     func(w *deletionFixture) deletable { return w.member(w.inProject("")) },
	"deleteProjectMergeRequest":               func(w *deletionFixture) deletable { return w.at("%s", w.mergeRequest()) },
	"deleteProjectMergeRequestAwardEmoji":     func(w *deletionFixture) deletable { return w.award(w.mergeRequest()) },
	"deleteProjectMergeRequestDiscussionNote": func(w *deletionFixture) deletable { return w.threadNote(w.mergeRequest()) },
	"deleteProjectMergeRequestNote":           func(w *deletionFixture) deletable { return w.note(w.mergeRequest()) },
	"deleteProjectMergeRequestNoteAwardEmoji": func(w *deletionFixture) deletable {
		return w.award(w.note(w.mergeRequest()).path)
	},
	"deleteProjectMilestone": resource(inProject, "milestones", `{"title":"%s"}`),
	"deleteProjectPages":     (*deletionFixture).site,
	"deleteProjectPagesDomain": func(w *deletionFixture) deletable {
		return w.below(w.inProject("pages/domains"), "domain", `{"domain":"%s.example.com"}`)
	},
	"deleteProjectPipeline":         (*deletionFixture).pipeline,
	"deleteProjectPipelineSchedule": resource(inProject, "pipeline_schedules", `{"description":"%s","ref":"main","cron":"0 1 * * *"}`),
	"deleteProjectPackage": func(w *deletionFixture) deletable {
		return w.at("%s/%d", w.inProject("packages"), w.packageFile().PackageID)
	},
	"deleteProjectPackagePackageFile": func(w *deletionFixture) deletable {
		made := w.packageFile()
		return w.at("%s/%d/package_files/%d", w.inProject("packages"), made.PackageID, made.ID)
	},
	"deleteProjectPackagesProtectionRule": resource(inProject, "packages/protection/rules",
		`{"package_name_pattern":"%s","package_type":"npm","minimum_access_level_for_push":"owner"}`),
	"deleteProjectProtectedBranch": func(w *deletionFixture) deletable {
		return w.below(w.inProject("protected_branches"), "name", `{"name":"%s"}`)
	},
	"deleteProjectProtectedTag": func(w *deletionFixture) deletable {
		return w.below(w.inProject("protected_tags"), "name", `{"name":"%s"}`)
	},
	"deleteProjectRelease": func(w *deletionFixture) deletable { return w.release() },
	"deleteProjectReleaseAssetsLink": func(w *deletionFixture) deletable {
		return w.below(w.release().path+"/assets/links", "id", `{"name":"%s","url":"https://files.example.com/a"}`)
	},
	"deleteProjectRepositoryBranch": func(w *deletionFixture) deletable {
		return w.at("%s/%s", w.inProject("repository/branches"), w.branch())
	},
	"deleteProjectRepositoryCommitDiscussionNote": func(w *deletionFixture) deletable {
		return w.threadNote(w.inProject("repository/commits/" + w.tip))
	},
	"deleteProjectRepositoryFile": func(w *deletionFixture) deletable {
		name := w.branch()
		made := w.at("%s/%s", w.inProject("repository/files"), name)
		made.body = fmt.Sprintf(`{"branch":%q,"commit_message":"Remove"}`, name)
		return made
	},
	"deleteProjectRepositoryTag": func(w *deletionFixture) deletable {
		return w.below(w.inProject("repository/tags"), "name", `{"tag_name":"%s","ref":"main"}`)
	},
	"deleteProjectRunner": func(w *deletionFixture) deletable {
		body := fmt.Sprintf(`{"runner_type":"project_type","project_id":%d,"run_untagged":true,"description":"%%s"}`, w.newProject().ID)
		id := text(w.add("/user/runners", body)["id"])
		return w.below(w.inProject("runners"), "id", `{"runner_id":`+id+`}`)
	},
	"deleteProjectShare":   func(w *deletionFixture) deletable { return w.share(w.inProject("share")) },
	"deleteProjectSnippet": resource(inProject, "snippets", snippet),
	"deleteProjectTrigger": resource(inProject, "triggers", `{"description":"%s"}`),
	"deleteProjectUpload":  func(w *deletionFixture) deletable { return w.upload(w.inProject("uploads"), false) },
	"deleteProjectUploadBySecret": func(w *deletionFixture) deletable {
		return w.upload(w.inProject("uploads"), true)
	},
	"deleteProjectVariable": func(w *deletionFixture) deletable { return w.variable(w.inProject("variables")) },
	"deleteProjectWiki":     func(w *deletionFixture) deletable { return w.below(w.inProject("wikis"), "slug", wikiPage) },
	"deleteRunner":          func(w *deletionFixture) deletable { return w.at("/runners/%s", text(w.runner()["id"])) },
	"unregisterRunner": func(w *deletionFixture) deletable {
		return deletable{w.h.Anonymous(), "/runners", fmt.Sprintf(`{"token":%q}`, w.runner()["token"])}
	},
	"unregisterRunnerManager": func(w *deletionFixture) deletable {
		body := fmt.Sprintf(`{"token":%q,"system_id":"s_1"}`, w.runner()["token"])
		w.send(w.h.Anonymous(), "POST", "/runners/verify", body)
		return deletable{w.h.Anonymous(), "/runners/managers", body}
	},
	"deleteSnippet": resource(instance, "snippets", snippet),
	"deleteCurrentUserEmail": func(w *deletionFixture) deletable {
		return w.own("/user/emails", `{"email":"`+w.name()+`@example.com"}`)
	},
	"deleteCurrentUserGpgKey": func(w *deletionFixture) deletable {
		return w.own("/user/gpg_keys", bodyOf(w.t, "GPGKeyCreate"))
	},
	"deleteCurrentUserKey":      func(w *deletionFixture) deletable { return w.own("/user/keys", bodyOf(w.t, "KeyCreate")) },
	"deleteUser":                func(w *deletionFixture) deletable { return w.at("/users/%d", w.newUser().ID) },
	"deleteUserCustomAttribute": func(w *deletionFixture) deletable { return w.attribute(w.ofUser("custom_attributes")) },
	"deleteUserEmail": func(w *deletionFixture) deletable {
		return w.below(w.ofUser("emails"), "id", `{"email":"%s@example.com"}`)
	},
	"deleteUserGpgKey": func(w *deletionFixture) deletable {
		return w.whole(w.ofUser("gpg_keys"), bodyOf(w.t, "GPGKeyCreate"))
	},
	"deleteUserIdentity": func(w *deletionFixture) deletable {
		path := fmt.Sprintf("/users/%d", w.newUser().ID)
		w.send(w.root, "PUT", path, fmt.Sprintf(`{"provider":"saml","extern_uid":%q}`, w.name()))
		return w.at("%s/identities/saml", path)
	},
	"deleteUserImpersonationToken": func(w *deletionFixture) deletable {
		return w.below(w.ofUser("impersonation_tokens"), "id", newToken())
	},
	"deleteUserKey": func(w *deletionFixture) deletable {
		return w.whole(w.ofUser("keys"), bodyOf(w.t, "KeyCreate"))
	},
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
