package contract

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

// workshop makes things to delete, in a public project of a public group, as an administrator.
type workshop struct {
	t       *testing.T
	h       *harness.H
	root    *harness.Caller
	group   model.Namespace
	project model.Project
	tip     string // SHA of the newest commit
	made    int
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	h := harness.New(t, harness.Sites)
	w := &workshop{t: t, h: h, root: h.Root(), group: h.Group(func(g *model.Namespace) { g.Visibility = model.Public })}
	w.project = h.Project(w.group.ID, func(p *model.Project) { p.Visibility = model.Public })
	history := harness.NewHistory(t)
	history.Write("README.md", "hello")
	w.tip = history.Commit("Ann <ann@example.com>", "Begin")
	history.Push(w.root, w.project)
	return w
}

// name returns an unused name.
func (w *workshop) name() string {
	w.made++
	return fmt.Sprintf("thing-%d", w.made)
}

// thing is one thing to delete, with the caller who deletes it.
type thing struct {
	caller     *harness.Caller
	path, body string
}

func (o thing) delete(headers ...string) harness.Answer {
	if o.body != "" {
		headers = append([]string{"Content-Type", "application/json"}, headers...)
	}
	return o.caller.Send("DELETE", o.path, o.body, headers...)
}

// at returns a thing that the administrator deletes by its path.
func (w *workshop) at(path string, args ...any) thing {
	return thing{caller: w.root, path: fmt.Sprintf(path, args...)}
}

// send sends a request that creates something, and returns the JSON object in the response.
func (w *workshop) send(c *harness.Caller, method, path, body string) map[string]any {
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
func (w *workshop) add(path, body string) map[string]any {
	w.t.Helper()
	return w.send(w.root, "POST", path, strings.ReplaceAll(body, "%s", w.name()))
}

// below creates something below a path; a member of the response completes its path.
func (w *workshop) below(path, member, body string) thing {
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

func (w *workshop) inGroup(rest string) string { return fmt.Sprintf("/groups/%d/%s", w.group.ID, rest) }

func (w *workshop) inProject(rest string) string {
	return fmt.Sprintf("/projects/%d/%s", w.project.ID, rest)
}
func (w *workshop) newUser() model.User       { return w.h.NewUser().User }
func (w *workshop) newProject() model.Project { return w.h.Project(w.group.ID) }

func (w *workshop) issue() string {
	return w.inProject("issues/" + text(w.add(w.inProject("issues"), `{"title":"%s"}`)["iid"]))
}

func (w *workshop) branch() string {
	name := w.name()
	w.send(w.root, "POST", w.inProject("repository/commits"), fmt.Sprintf(`{"branch":%q,"start_branch":"main","commit_message":"Add",
		"actions":[{"action":"create","file_path":%q,"content":"x"}]}`, name, name))
	return name
}

func (w *workshop) mergeRequest() string {
	body := fmt.Sprintf(`{"title":"%%s","source_branch":%q,"target_branch":"main"}`, w.branch())
	return w.inProject("merge_requests/" + text(w.add(w.inProject("merge_requests"), body)["iid"]))
}

func (w *workshop) note(on string) thing { return w.below(on+"/notes", "id", `{"body":"%s"}`) }

func (w *workshop) award(on string) thing {
	return w.below(on+"/award_emoji", "id", `{"name":"rocket"}`)
}

// threadNote makes a note in a new thread.
func (w *workshop) threadNote(on string) thing {
	made := w.add(on+"/discussions", `{"body":"%s"}`)
	first := made["notes"].([]any)[0].(map[string]any)
	return w.at("%s/discussions/%s/notes/%s", on, made["id"], text(first["id"]))
}

// list makes a list of a new board.
func (w *workshop) list(place string) thing {
	board := w.below(place+"boards", "id", `{"name":"%s"}`).path
	label := text(w.add(place+"labels", `{"name":"%s","color":"#fff"}`)["id"])
	return w.below(board+"/lists", "id", `{"label_id":`+label+`}`)
}

func (w *workshop) member(place string) thing {
	return w.below(place+"members", "id", fmt.Sprintf(`{"user_id":%d,"access_level":30}`, w.newUser().ID))
}

func (w *workshop) accessRequest(place string) thing {
	asking := w.h.NewUser()
	w.send(asking, "POST", place+"access_requests", "{}")
	return w.at("%saccess_requests/%d", place, asking.User.ID)
}

// resource returns a function that creates something named below a path, where it is found by its id.
func resource(in func(*workshop, string) string, path, body string) func(*workshop) thing {
	return func(w *workshop) thing { return w.below(in(w, path), "id", body) }
}

func instance(_ *workshop, rest string) string { return "/" + rest }

var inGroup, inProject = (*workshop).inGroup, (*workshop).inProject

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

func (w *workshop) runner() map[string]any {
	return w.add("/user/runners", `{"runner_type":"instance_type","run_untagged":true,"description":"%s"}`)
}

const (
	label    = `{"name":"%s","color":"#fff"}`
	badge    = `{"link_url":"https://example.com/%s","image_url":"https://example.com/badge.svg"}`
	wikiPage = `{"title":"%s","content":"x"}`
	snippet  = `{"title":"%s","visibility":"private","files":[{"file_path":"a.txt","content":"x"}]}`
	deploy   = `{"name":"%s","scopes":["read_repository"]}`
)

// things has, for every conditional delete, a function that makes one more thing to delete.
var things = map[string]func(*workshop) thing{
	"deleteAdminCiVariable":    func(w *workshop) thing { return w.variable("/admin/ci/variables") },
	"deleteApplication":        resource(instance, "applications", `{"name":"%s","redirect_uri":"https://example.com","scopes":"api"}`),
	"deleteGroup":              func(w *workshop) thing { return w.at("/groups/%d", w.h.Group().ID) },
	"deleteGroupAccessRequest": func(w *workshop) thing { return w.accessRequest(w.inGroup("")) },
	"deleteGroupAccessToken":   resource(inGroup, "access_tokens", newToken()),
	"deleteGroupBadge":         resource(inGroup, "badges", badge),
	"deleteGroupBoard":         resource(inGroup, "boards", `{"name":"%s"}`),
	"deleteGroupBoardList":     func(w *workshop) thing { return w.list(w.inGroup("")) },
	"deleteGroupDeployToken":   resource(inGroup, "deploy_tokens", deploy),
	"deleteGroupInvitation":    func(w *workshop) thing { return w.invitation(w.inGroup("invitations")) },
	"deleteGroupLabel":         resource(inGroup, "labels", label),
	"deleteGroupLabels": func(w *workshop) thing {
		return w.at("%s?name=%s", w.inGroup("labels"), w.add(w.inGroup("labels"), label)["name"])
	},
	"deleteGroupMember":    func(w *workshop) thing { return w.member(w.inGroup("")) },
	"deleteGroupMilestone": resource(inGroup, "milestones", `{"title":"%s"}`),
	"deleteGroupShare":     func(w *workshop) thing { return w.share(w.inGroup("share")) },
	"deleteGroupVariable":  func(w *workshop) thing { return w.variable(w.inGroup("variables")) },
	"deleteGroupWiki":      func(w *workshop) thing { return w.below(w.inGroup("wikis"), "slug", wikiPage) },
	"deletePersonalAccessToken": func(w *workshop) thing {
		return w.at("/personal_access_tokens/%s", text(w.personalToken()["id"]))
	},
	"deletePersonalAccessTokensSelf": func(w *workshop) thing {
		return thing{caller: w.h.NewUser(), path: "/personal_access_tokens/self"}
	},
	"deleteProject":                 func(w *workshop) thing { return w.at("/projects/%d", w.newProject().ID) },
	"deleteProjectAccessRequest":    func(w *workshop) thing { return w.accessRequest(w.inProject("")) },
	"deleteProjectAccessToken":      resource(inProject, "access_tokens", newToken()),
	"deleteProjectAlertIntegration": resource(inProject, "alert_integrations", `{"type":"http","name":"%s"}`),
	"deleteProjectBadge":            resource(inProject, "badges", badge),
	"deleteProjectBoard":            resource(inProject, "boards", `{"name":"%s"}`),
	"deleteProjectBoardList":        func(w *workshop) thing { return w.list(w.inProject("")) },
	"deleteProjectClusterAgent":     resource(inProject, "cluster_agents", `{"name":"%s"}`),
	"deleteProjectCustomAttribute":  func(w *workshop) thing { return w.attribute(w.inProject("custom_attributes")) },
	"deleteProjectDeployToken":      resource(inProject, "deploy_tokens", deploy),
	"deleteProjectEnvironment": func(w *workshop) thing {
		made := w.below(w.inProject("environments"), "id", `{"name":"%s"}`)
		w.send(w.root, "POST", made.path+"/stop", `{"force":true}`)
		return made
	},
	"deleteProjectErrorTrackingClientKey": resource(inProject, "error_tracking/client_keys", `{}`),
	"deleteProjectFork": func(w *workshop) thing {
		fork := w.newProject()
		w.send(w.root, "POST", fmt.Sprintf("/projects/%d/fork/%d", fork.ID, w.project.ID), "{}")
		return w.at("/projects/%d/fork", fork.ID)
	},
	"deleteProjectInvitation":          func(w *workshop) thing { return w.invitation(w.inProject("invitations")) },
	"deleteProjectIssue":               func(w *workshop) thing { return w.at("%s", w.issue()) },
	"deleteProjectIssueAwardEmoji":     func(w *workshop) thing { return w.award(w.issue()) },
	"deleteProjectIssueDiscussionNote": func(w *workshop) thing { return w.threadNote(w.issue()) },
	"deleteProjectIssueLink": func(w *workshop) thing {
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
	"deleteProjectIssueNote":           func(w *workshop) thing { return w.note(w.issue()) },
	"deleteProjectIssueNoteAwardEmoji": func(w *workshop) thing { return w.award(w.note(w.issue()).path) },
	"deleteProjectJobTokenScopeAllowlist": func(w *workshop) thing {
		body := fmt.Sprintf(`{"target_project_id":%d}`, w.newProject().ID)
		return w.below(w.inProject("job_token_scope/allowlist"), "target_project_id", body)
	},
	"deleteProjectJobTokenScopeGroupsAllowlist": func(w *workshop) thing {
		body := fmt.Sprintf(`{"target_group_id":%d}`, w.h.Group().ID)
		return w.below(w.inProject("job_token_scope/groups_allowlist"), "target_group_id", body)
	},
	"deleteProjectLabel": resource(inProject, "labels", label),
	"deleteProjectLabels": func(w *workshop) thing {
		return w.at("%s?name=%s", w.inProject("labels"), w.add(w.inProject("labels"), label)["name"])
	},
	"deleteProjectMember":                     func(w *workshop) thing { return w.member(w.inProject("")) },
	"deleteProjectMergeRequest":               func(w *workshop) thing { return w.at("%s", w.mergeRequest()) },
	"deleteProjectMergeRequestAwardEmoji":     func(w *workshop) thing { return w.award(w.mergeRequest()) },
	"deleteProjectMergeRequestDiscussionNote": func(w *workshop) thing { return w.threadNote(w.mergeRequest()) },
	"deleteProjectMergeRequestNote":           func(w *workshop) thing { return w.note(w.mergeRequest()) },
	"deleteProjectMergeRequestNoteAwardEmoji": func(w *workshop) thing {
		return w.award(w.note(w.mergeRequest()).path)
	},
	"deleteProjectMilestone": resource(inProject, "milestones", `{"title":"%s"}`),
	"deleteProjectPages":     (*workshop).site,
	"deleteProjectPagesDomain": func(w *workshop) thing {
		return w.below(w.inProject("pages/domains"), "domain", `{"domain":"%s.example.com"}`)
	},
	"deleteProjectPipeline":         (*workshop).pipeline,
	"deleteProjectPipelineSchedule": resource(inProject, "pipeline_schedules", `{"description":"%s","ref":"main","cron":"0 1 * * *"}`),
	"deleteProjectProtectedBranch": func(w *workshop) thing {
		return w.below(w.inProject("protected_branches"), "name", `{"name":"%s"}`)
	},
	"deleteProjectProtectedTag": func(w *workshop) thing {
		return w.below(w.inProject("protected_tags"), "name", `{"name":"%s"}`)
	},
	"deleteProjectRepositoryBranch": func(w *workshop) thing {
		return w.at("%s/%s", w.inProject("repository/branches"), w.branch())
	},
	"deleteProjectRepositoryCommitDiscussionNote": func(w *workshop) thing {
		return w.threadNote(w.inProject("repository/commits/" + w.tip))
	},
	"deleteProjectRepositoryFile": func(w *workshop) thing {
		name := w.branch()
		made := w.at("%s/%s", w.inProject("repository/files"), name)
		made.body = fmt.Sprintf(`{"branch":%q,"commit_message":"Remove"}`, name)
		return made
	},
	"deleteProjectRepositoryTag": func(w *workshop) thing {
		return w.below(w.inProject("repository/tags"), "name", `{"tag_name":"%s","ref":"main"}`)
	},
	"deleteProjectRunner": func(w *workshop) thing {
		body := fmt.Sprintf(`{"runner_type":"project_type","project_id":%d,"run_untagged":true,"description":"%%s"}`, w.newProject().ID)
		id := text(w.add("/user/runners", body)["id"])
		return w.below(w.inProject("runners"), "id", `{"runner_id":`+id+`}`)
	},
	"deleteProjectShare":    func(w *workshop) thing { return w.share(w.inProject("share")) },
	"deleteProjectSnippet":  resource(inProject, "snippets", snippet),
	"deleteProjectTrigger":  resource(inProject, "triggers", `{"description":"%s"}`),
	"deleteProjectVariable": func(w *workshop) thing { return w.variable(w.inProject("variables")) },
	"deleteProjectWiki":     func(w *workshop) thing { return w.below(w.inProject("wikis"), "slug", wikiPage) },
	"deleteRunner":          func(w *workshop) thing { return w.at("/runners/%s", text(w.runner()["id"])) },
	"deleteRunners": func(w *workshop) thing {
		return thing{w.h.Anonymous(), "/runners", fmt.Sprintf(`{"token":%q}`, w.runner()["token"])}
	},
	"deleteRunnersManagers": func(w *workshop) thing {
		body := fmt.Sprintf(`{"token":%q,"system_id":"s_1"}`, w.runner()["token"])
		w.send(w.h.Anonymous(), "POST", "/runners/verify", body)
		return thing{w.h.Anonymous(), "/runners/managers", body}
	},
	"deleteSnippet": resource(instance, "snippets", snippet),
	"deleteCurrentUserEmail": func(w *workshop) thing {
		return w.own("/user/emails", `{"email":"`+w.name()+`@example.com"}`)
	},
	"deleteCurrentUserGpgKey": func(w *workshop) thing {
		return w.own("/user/gpg_keys", bodyOf(w.t, "GPGKeyCreate"))
	},
	"deleteCurrentUserKey":      func(w *workshop) thing { return w.own("/user/keys", bodyOf(w.t, "KeyCreate")) },
	"deleteUser":                func(w *workshop) thing { return w.at("/users/%d", w.newUser().ID) },
	"deleteUserCustomAttribute": func(w *workshop) thing { return w.attribute(w.ofUser("custom_attributes")) },
	"deleteUserEmail": func(w *workshop) thing {
		return w.below(w.ofUser("emails"), "id", `{"email":"%s@example.com"}`)
	},
	"deleteUserGpgKey": func(w *workshop) thing {
		return w.whole(w.ofUser("gpg_keys"), bodyOf(w.t, "GPGKeyCreate"))
	},
	"deleteUserIdentity": func(w *workshop) thing {
		path := fmt.Sprintf("/users/%d", w.newUser().ID)
		w.send(w.root, "PUT", path, fmt.Sprintf(`{"provider":"saml","extern_uid":%q}`, w.name()))
		return w.at("%s/identities/saml", path)
	},
	"deleteUserImpersonationToken": func(w *workshop) thing {
		return w.below(w.ofUser("impersonation_tokens"), "id", newToken())
	},
	"deleteUserKey": func(w *workshop) thing {
		return w.whole(w.ofUser("keys"), bodyOf(w.t, "KeyCreate"))
	},
}

func (w *workshop) ofUser(rest string) string {
	return fmt.Sprintf("/users/%d/%s", w.newUser().ID, rest)
}

// whole creates something with the body unchanged.
func (w *workshop) whole(path, body string) thing {
	return w.at("%s/%s", path, text(w.send(w.root, "POST", path, body)["id"]))
}

// own creates something that belongs to a new user, who deletes it.
func (w *workshop) own(path, body string) thing {
	c := w.h.NewUser()
	return thing{caller: c, path: path + "/" + text(w.send(c, "POST", path, body)["id"])}
}

func (w *workshop) variable(path string) thing {
	w.made++
	return w.at("%s/%s", path, w.send(w.root, "POST", path, fmt.Sprintf(`{"key":"KEY_%d","value":"x"}`, w.made))["key"])
}

func (w *workshop) attribute(path string) thing {
	name := w.name()
	w.send(w.root, "PUT", path+"/"+name, `{"value":"x"}`)
	return w.at("%s/%s", path, name)
}

func (w *workshop) invitation(path string) thing {
	address := w.name() + "@example.com"
	w.send(w.root, "POST", path, fmt.Sprintf(`{"email":%q,"access_level":30}`, address))
	return w.at("%s/%s", path, url.PathEscape(address))
}

func (w *workshop) share(path string) thing {
	other := w.h.Group()
	w.send(w.root, "POST", path, fmt.Sprintf(`{"group_id":%d,"group_access":30}`, other.ID))
	return w.at("%s/%d", path, other.ID)
}

func (w *workshop) personalToken() map[string]any {
	return w.add(w.ofUser("personal_access_tokens"), `{"name":"%s","scopes":["read_user"]}`)
}

func (w *workshop) site() thing {
	p := w.newProject()
	w.made++
	row := model.PagesDeployment{ProjectID: p.ID, JobID: int64(w.made), Root: "public", Key: w.name()}
	if published, err := w.h.Store.PagesDeployments.Publish(w.t.Context(), &row); err != nil || !published {
		w.t.Fatalf("published: %v, %v", published, err)
	}
	return w.at("/projects/%d/pages", p.ID)
}

func (w *workshop) pipeline() thing {
	made := w.h.Pipeline(w.project, w.root.User, []syntax.Job{{Name: "one", Stage: "test", Script: []string{"true"}}})
	return w.at("%s/%d", w.inProject("pipelines"), made.Pipeline.ID)
}
