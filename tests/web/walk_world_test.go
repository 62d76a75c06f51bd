package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/iteration"
	"svc/store"
	"svc/store/blob"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

const (
	// hostile is a text that would run a script on a page that does not escape it, in text or in an attribute.
	hostile = `x"><img src=y onerror=boom()><script>boom()</script>'`
	// hostileText is Markdown and HTML that would run a script if it were not cleaned.
	hostileText = hostile + "\n\n[a](javascript:boom()) [b](data:text/html,boom) ![c](javascript:boom()) <javascript:boom()>\n\n" +
		"<svg onload=boom()><style>*{display:none}</style><iframe src=//evil.example></iframe><a href=\"x\" style=\"top:0\">y</a>\n\n" +
		"[d]: javascript:boom()\n\n[d] `<script>`\n\n```html\n<script>boom()</script>\n```\n\n" +
		"<base href=//evil.example><form action=//evil.example>\n"
	// hostileRef is a name that git accepts for branches and tags.
	hostileRef = `x"><script>boom()</script>#%2e&'`
	// hostileLog has colors, links, titles, cursor movements and HTML.
	hostileLog = "\x1b[31m<script>boom()</script>\x1b[0m\x1b]8;;javascript:boom()\x1b\\link\x1b]8;;\x1b\\\x1b]0;title\x07" +
		"\x1b[2J\x1b[999999999;1H\x1b[38;5;999;48;2;1m\x1b[\x00\x00\r\n\xff\xfe\u202eevil\n<img src=x onerror=boom()>\n" +
		"section_start:1:<b>\r\x1b[0K<script>boom()</script>\n"
)

// hostileWorld is a project, a group and a person with one of everything that pages show, whose texts try to run scripts.
type hostileWorld struct {
	threads map[string]string // IDs of threads, by the path that made them
	*codeServer
	t     *testing.T
	group model.Namespace
	other model.User
	job   model.Job
	hooks []string         // addresses of webhooks
	ids   map[string]int64 // of things, by the path that made them
}

// newHostileWorld makes the world. Its owner is an administrator, so that all pages can be opened.
func newHostileWorld(t *testing.T) *hostileWorld {
	t.Helper()
	w := &hostileWorld{t: t, ids: map[string]int64{}, threads: map[string]string{}}
	w.codeServer = newCodeServer(t, model.Private, storetest.Admin, func(u *model.User) { u.Name = strings.Trim(hostile, "'") })
	w.group = w.Group(func(g *model.Namespace) { g.Visibility, g.Name = model.Private, "Group" })
	w.Join(w.group, w.owner.User, model.Owner)
	w.Project(w.group.ID, func(p *model.Project) { p.Name = hostile })
	w.other = w.NewUser().User
	w.pushHostile()
	w.local.Git("branch", hostileRef, "main")
	w.local.Git("tag", "-a", hostileRef, "-m", hostileText)
	w.local.Git("switch", "-q", "-f", "-C", "conflict", w.first)
	w.local.Write("main.go", "package main\n\n// conflict <script>boom()</script>\n")
	w.local.Commit(`"img" onerror=boom() &amp; <a@example.com>`, hostileText)
	w.local.Push(w.owner, w.project)
	w.addPlans()
	w.addCI()
	w.addSettings()
	w.addPublished()
	w.addMonitoring()
	return w
}

// post creates something over the API. The members are pairs of a name and a value.
func (w *hostileWorld) post(path string, members ...any) {
	w.t.Helper()
	w.call("POST", path, members...)
}

func (w *hostileWorld) call(method, path string, members ...any) {
	w.t.Helper()
	body := map[string]any{}
	for i := 0; i+1 < len(members); i += 2 {
		body[members[i].(string)] = members[i+1] //nolint:forcetypeassert // a mistake of the test
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		w.t.Fatal(err)
	}
	got := w.owner.JSON(method, path, text.String())
	if got.Status >= 300 {
		w.t.Errorf("%s %s answers %d: %s", method, path, got.Status, got.Body)
	}
	var row struct{ ID any }
	_ = json.Unmarshal([]byte(got.Body), &row) // lists and empty answers have no ID
	switch id := row.ID.(type) {
	case float64:
		w.ids[path] = int64(id)
	case string:
		w.threads[path] = id
	}
}

// api returns the address of the project in the API.
func (w *hostileWorld) api() string { return fmt.Sprintf("/projects/%d", w.project.ID) }

// addPlans adds issues, merge requests and what both have.
func (w *hostileWorld) addPlans() {
	api, group := w.api(), fmt.Sprintf("/groups/%d", w.group.ID)
	w.call("PUT", api, "description", hostileText, "topics", []string{"<b>", hostile})
	w.call("PUT", group, "description", hostileText)
	w.call("PUT", "/user/status", "message", hostile)
	w.call("PUT", fmt.Sprintf("/users/%d", w.owner.User.ID), "bio", hostile, "location", hostile, "organization", hostile)
	for _, place := range []string{api, group} {
		w.post(place+"/labels", "name", hostile, "color", "#ff0000", "description", hostile)
		w.post(place+"/milestones", "title", hostile, "description", hostileText, "due_date", "2030-01-01")
		w.post(place+"/boards", "name", hostile)
		w.post(place+"/wikis", "title", hostile, "content", hostileText)
		w.post(place+"/wikis", "title", "home", "content", hostileText)
	}
	first, last := time.Now().UTC(), time.Now().UTC().AddDate(0, 0, 7)
	sprint := iteration.Input{Title: hostile, Description: hostileText, StartDate: &first, DueDate: &last}
	if _, err := iteration.New(w.Store).Create(w.t.Context(), w.group, sprint); err != nil {
		w.t.Fatal(err)
	}
	w.post(group+"/epics", "title", hostile, "description", hostileText, "labels", hostile)
	w.post(group+"/epics", "title", hostile, "description", strings.Repeat(hostileText, 300), "parent_id", w.ids[group+"/epics"])
	w.post(group+"/epics/1/related_epics", "target_group_id", w.group.ID, "target_epic_iid", 2)
	w.post(fmt.Sprintf("%s/epics/%d/notes", group, w.ids[group+"/epics"]), "body", strings.Repeat(hostileText, 300))
	w.post(api+"/issues", "title", hostile, "description", hostileText+"@"+w.owner.User.Username, "labels", hostile,
		"assignee_ids", []int64{w.owner.User.ID})
	w.post(api + "/issues/1/todo")
	w.post(api+"/merge_requests", "title", hostile, "description", hostileText+"Closes #1", "source_branch", hostileRef,
		"target_branch", "old", "labels", hostile)
	w.post(api+"/merge_requests", "title", "Conflict", "source_branch", "conflict", "target_branch", "main")
	long := strings.Repeat(hostileText, 300)
	w.post(api+"/issues", "title", strings.Repeat("<", 255), "description", long)
	w.call("PUT", api+"/merge_requests/2", "description", long)
	for _, item := range []string{"/issues/1", "/merge_requests/1", "/issues/2", "/merge_requests/2"} {
		w.post(api+item+"/notes", "body", long)
		w.post(api+item+"/notes", "body", hostileText)
		w.post(api+item+"/discussions", "body", hostileText)
		w.post(api+item+"/award_emoji", "name", "thumbsup")
	}
}

// addCI adds a pipeline with everything that jobs leave behind, and the settings of CI.
func (w *hostileWorld) addCI() {
	api := w.api()
	jobs := []syntax.Job{{Name: hostile, Stage: hostile}, {Name: "manual", Stage: "build", When: "manual"}}
	n := w.Pipeline(w.project, w.owner.User, jobs, func(n *store.NewPipeline) {
		n.Pipeline.CommitData = strings.ReplaceAll(n.Pipeline.CommitData, n.Pipeline.SHA, w.head)
		n.Pipeline.SHA, n.Pipeline.Ref, n.Pipeline.Stages = w.head, hostileRef, fmt.Sprintf(`[%q,"build"]`, hostile)
		for i := range n.Jobs {
			n.Jobs[i].Ref = hostileRef
		}
	})
	job := n.Jobs[0]
	w.job = job
	w.ClaimJob(job)
	w.WriteLog(job, strings.Repeat(hostileLog, 20)+strings.Repeat("long ", 50_000))
	p := ciPlace{H: w.H, t: w.t, project: w.project}
	p.addArchive(job, "<b>folder/"+hostileName, "x", "page.html", "<script>boom()</script>", "a.svg", "<svg onload=boom()>", "../up", "x")
	report := `<testsuite name="&lt;script&gt;"><testcase name="&lt;script&gt;boom()&lt;/script&gt;" file="javascript:boom()">` +
		`<failure message="&lt;img src=x&gt;">&lt;script&gt;boom()&lt;/script&gt;</failure></testcase></testsuite>`
	w.AddArtifact(job, artifacts.Upload{FileType: "junit", FileFormat: "gzip", Filename: "junit.xml.gz"}, gzipped(w.t, report))
	w.FinishJob(job, engine.Outcome{Reason: "script_failure"})
	w.post(api+"/pipeline_schedules", "description", hostile, "ref", "main", "cron", "0 1 * * *")
	w.post(fmt.Sprintf("%s/pipeline_schedules/%d/variables", api, w.ids[api+"/pipeline_schedules"]), "key", "KEY", "value", hostile)
	w.post(api+"/triggers", "description", hostile)
	w.post(api+"/environments", "name", "production", "external_url", "https://example.com/?"+`"><script>`, "description", hostile)
	w.post("/user/runners", "runner_type", "project_type", "project_id", w.project.ID, "description", hostile,
		"tag_list", []string{"<b>", hostile})
	w.post("/user/runners", "runner_type", "group_type", "group_id", w.group.ID, "description", hostile)
	w.post("/user/runners", "runner_type", "instance_type", "description", hostile, "maintenance_note", hostile)
	for _, place := range []string{api, fmt.Sprintf("/groups/%d", w.group.ID)} {
		w.post(place+"/variables", "key", "KEY", "value", hostile, "environment_scope", "*", "description", hostile)
	}
	w.post("/admin/ci/variables", "key", "KEY", "value", hostile, "description", hostile)
}

// addSettings adds members, keys, tokens, webhooks and applications.
func (w *hostileWorld) addSettings() {
	receiver := harness.NewReceiver(w.t)
	in := time.Now().UTC().Add(30 * 24 * time.Hour).Format(time.DateOnly)
	for _, place := range []string{w.api(), fmt.Sprintf("/groups/%d", w.group.ID)} {
		w.post(place+"/access_tokens", "name", hostile, "description", hostile, "scopes", []string{"api"}, "expires_at", in)
		w.post(place+"/deploy_tokens", "name", hostile, "username", "deployer", "scopes", []string{"read_repository"})
		w.post(place+"/hooks", "url", receiver.URL+"/?<script>", "name", hostile, "description", hostile)
		w.post(place+"/members", "user_id", w.other.ID, "access_level", 20)
		w.post(place+"/invitations", "email", "a+b@example.com", "access_level", 20)
	}
	for trigger, place := range map[string]string{"push_events": w.api(), "project_events": fmt.Sprintf("/groups/%d", w.group.ID)} {
		hook := w.ids[place+"/hooks"]
		w.post(fmt.Sprintf("%s/hooks/%d/test/%s", place, hook, trigger))
		root := w.root
		if trigger == "project_events" {
			root = "/groups/" + w.group.FullPath
		}
		w.hooks = append(w.hooks, fmt.Sprintf("%s/-/hooks/%d", root, hook))
	}
	w.addImport()
	w.addGroupImport()
	w.post(w.api()+"/remote_mirrors", "url", receiver.URL+"/<script>/a.git", "mirror_branch_regex", hostile)
	w.post("/hooks", "url", receiver.URL+"/?<script>", "name", hostile, "description", hostile)
	w.post(fmt.Sprintf("/hooks/%d", w.ids["/hooks"]))
	w.hooks = append(w.hooks, fmt.Sprintf("/admin/hooks/%d", w.ids["/hooks"]))
	w.post(w.api()+"/deploy_keys", "title", hostile, "key", sshKey(w.t))
	w.post(w.api()+"/protected_branches", "name", hostileRef)
	w.post(w.api()+"/protected_tags", "name", "<b>*")
	w.post("/user/keys", "title", hostile, "key", sshKey(w.t))
	w.post("/user/personal_access_tokens", "name", hostile, "scopes", []string{"k8s_proxy"}, "description", hostile)
	w.post("/applications", "name", hostile, "redirect_uri", "https://example.com/?%3Cscript%3E", "scopes", "api")
}

// addImport makes the project one that was imported from a file, with a record that could not be imported.
func (w *hostileWorld) addImport() {
	w.t.Helper()
	ctx, imports := w.t.Context(), w.Store.ProjectFileImports
	err := imports.Create(ctx, &model.ProjectFileImport{ProjectID: w.project.ID, Overrides: "[]"}, nil)
	if err == nil {
		err = imports.AddFailure(ctx, model.ProjectImportFailure{ProjectID: w.project.ID, Relation: hostile, Line: 1, Message: hostile}, 9)
	}
	failed := hostile
	if err == nil {
		err = imports.End(ctx, w.project.ID, &failed, func(context.Context) error { return nil })
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// addGroupImport makes the group one that was imported from a file, which could not be unpacked.
func (w *hostileWorld) addGroupImport() {
	w.t.Helper()
	ctx, key, failed := w.t.Context(), blob.ExportKey(), hostile
	i := model.GroupImport{
		GroupID: w.group.ID, UserID: w.owner.User.ID, State: model.ExportScheduled, Key: &key, Records: 1, SkippedMembers: 1,
	}
	err := w.Store.ScheduleBlobRemoval(ctx, key, time.Now().UTC().Add(time.Hour))
	if err == nil {
		err = w.Store.GroupImports.Create(ctx, &i)
	}
	i.State, i.Error = model.ExportFailed, &failed
	if err == nil {
		err = w.Store.GroupImports.End(ctx, i)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// addPublished adds snippets, releases and packages.
func (w *hostileWorld) addPublished() {
	api := w.api()
	files := []map[string]string{{"file_path": "a.md", "content": hostileText}, {"file_path": "<script>.html", "content": hostileText}}
	w.post(api+"/snippets", "title", hostile, "description", hostileText, "visibility", "private", "files", files)
	w.post("/snippets", "title", hostile, "description", hostileText, "visibility", "private", "files", files)
	w.post(api+"/releases", "tag_name", "v1.0", "name", hostile, "description", hostileText)
	w.post(api+"/releases", "tag_name", hostileRef, "name", hostile, "description", hostileText, "assets", map[string]any{
		"links": []map[string]string{{"name": hostile, "url": `https://example.com/"><script>`, "direct_asset_path": "/x"}},
	})
	got := w.owner.Send("PUT", api+"/packages/generic/tool/1.0/a.html", "<script>boom()</script>",
		"Content-Type", "application/octet-stream")
	if got.Status != 201 {
		w.t.Errorf("the package answers %d %s", got.Status, got.Body)
	}
}

// addMonitoring adds an alert and an error.
func (w *hostileWorld) addMonitoring() {
	ctx, now := w.t.Context(), time.Now().UTC()
	payload, _ := json.Marshal(map[string]any{"title": hostile, hostile: []string{hostile}}) // plain values always marshal
	_, err := w.Store.Alerts.Record(ctx, w.project.ID, []model.Alert{{
		Title: hostile, Description: hostileText, Severity: "critical", Status: model.AlertTriggered, Service: hostile,
		MonitoringTool: hostile,
		Hosts:          `["<script>boom()</script>"]`, Format: "generic", Payload: string(payload), StartedAt: now, Events: 1,
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	event, _ := json.Marshal(map[string]any{"exception": map[string]any{"values": []any{map[string]any{
		"type": hostile, "value": hostileText,
		"stacktrace": map[string]any{"frames": []any{map[string]any{"filename": hostile, "function": hostile, "lineno": 3}}},
	}}}, "tags": map[string]string{hostile: hostile}})
	err = w.Store.ErrorTracking.Record(ctx, model.TrackedError{
		ProjectID: w.project.ID, Fingerprint: "f", Title: hostile, Description: hostileText, Culprit: hostile, Level: "error",
	}, model.TrackedErrorEvent{
		ProjectID: w.project.ID, EventID: strings.Repeat("a", 32), Level: "error", OccurredAt: now, Payload: string(event),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.post(w.api()+"/feature_flags_user_lists", "name", hostile, "user_xids", hostile)
	w.post(w.api()+"/feature_flags", "name", "door", "description", hostile, "strategies", []any{
		map[string]any{"name": "userWithId", "parameters": map[string]string{"userIds": hostile}},
	})
	w.call("PUT", w.api()+"/error_tracking/settings", "active", true, "integrated", true)
	w.post(w.api() + "/error_tracking/client_keys")
}
