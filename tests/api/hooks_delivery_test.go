package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

type delivery struct {
	ID              int64
	URL             string
	Trigger         string
	RequestHeaders  map[string]string `json:"request_headers"`
	RequestData     map[string]any    `json:"request_data"`
	ResponseHeaders map[string]string `json:"response_headers"`
	ResponseBody    string            `json:"response_body"`
	ResponseStatus  string            `json:"response_status"`
	Duration        float64           `json:"execution_duration"`
}

// hooked is a project with a hook and its receiver.
type hooked struct {
	*harness.H
	to      *harness.Receiver
	group   model.Namespace
	project model.Project
	root    *harness.Caller
	hooks   string
	hook    string
	id      int64
}

// withHook makes a project with commits and a hook that has the given members. It runs the worker.
func withHook(t *testing.T, members string) hooked {
	t.Helper()
	h := harness.New(t, func(c *config.Config) { c.LimitHookTest = 0 })
	_, _, g, p := hookPlaces(h)
	w := hooked{H: h, to: harness.NewReceiver(t), group: g, project: p, root: h.Root(), hooks: fmt.Sprintf("/projects/%d/hooks", p.ID)}
	w.commit(t, "main", "README.md")
	h.StartWorker()
	made := read[hook](t, w.root.JSON("POST", w.hooks, fmt.Sprintf(`{"url":"%s/in"%s}`, w.to.URL, members)), 201)
	w.id, w.hook = made.ID, fmt.Sprintf("%s/%d", w.hooks, made.ID)
	return w
}

// commit makes a commit that adds a file. It creates the branch if there is none.
func (w hooked) commit(t *testing.T, branch, file string) {
	t.Helper()
	body := fmt.Sprintf(`{"branch":%q,"commit_message":"Add %s","actions":[{"action":"create","file_path":%q,"content":"x"}]}`,
		branch, file, file)
	if branch != "main" {
		body = strings.Replace(body, `{`, `{"start_branch":"main",`, 1)
	}
	expect(t, w.root.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", w.project.ID), body), 201, "")
}

func (w hooked) log(t *testing.T) []delivery {
	t.Helper()
	return read[[]delivery](t, w.root.Send("GET", w.hook+"/events", ""), 200)
}

func TestAPushIsDeliveredWithHeadersAndSignature(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("k", 32)
	w := withHook(t,
		fmt.Sprintf(`,"token":"host:group/path:s","signing_token":"whsec_%s","custom_headers":[{"key":"X-Team","value":"web"},`+
			`{"key":"x-gitlab-event","value":"forged"},{"key":"content-length","value":"1"}]`,
			base64.StdEncoding.EncodeToString([]byte(key))))
	w.commit(t, "main", "a.txt")
	got := w.to.Wait(1)[0]
	body := got.Read(t)
	if body["object_kind"] != "push" || body["ref"] != "refs/heads/main" || body["total_commits_count"] != 1.0 ||
		body["user_username"] != "root" {
		t.Errorf("%s", got.Body)
	}
	commits, _ := body["commits"].([]any)
	if len(commits) != 1 || fmt.Sprint(commits[0].(map[string]any)["added"]) != "[a.txt]" {
		t.Errorf("%s", got.Body)
	}
	id, stamp := got.Header.Get("Webhook-Id"), got.Header.Get("Webhook-Timestamp")
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(id + "." + stamp + "." + string(got.Body)))
	for name, want := range map[string]string{
		"Content-Type": "application/json", "X-Gitlab-Event": "Push Hook", "X-Gitlab-Instance": w.URL,
		"X-Gitlab-Token": "host:group/path:s",
		"X-Team":         "web", "Idempotency-Key": id, "Webhook-Signature": "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)),
	} {
		if got.Header.Get(name) != want || len(got.Header.Values(name)) != 1 {
			t.Errorf("%s: %q, want %q", name, got.Header.Values(name), want)
		}
	}
	if len(got.Header.Get("X-Gitlab-Event-UUID")) != 36 || len(got.Header.Get("X-Gitlab-Webhook-UUID")) != 36 {
		t.Error(got.Header)
	}
	wait.Until(t, "the delivery is logged", func() bool { return len(w.log(t)) == 1 })
	logged := w.log(t)[0]
	if logged.Trigger != "push_hooks" || logged.ResponseStatus != "200" || logged.ResponseBody != "thanks" ||
		logged.URL != w.to.URL+"/in" ||
		logged.RequestHeaders["X-Gitlab-Token"] != "[REDACTED]" || logged.RequestHeaders["X-Team"] != "[REDACTED]" ||
		logged.RequestHeaders["X-Gitlab-Event"] != "Push Hook" || logged.RequestData["ref"] != "refs/heads/main" {
		t.Errorf("%+v", logged)
	}
	if strings.Contains(fmt.Sprint(logged.RequestData), "@") {
		t.Error("the log shows a mail address", logged.RequestData)
	}

	resent := w.root.Send("POST", fmt.Sprintf("%s/events/%d/resend", w.hook, logged.ID), "")
	expect(t, resent, 201, `{"response_status":200}`)
	again := w.to.Wait(2)[1]
	if again.Header.Get("Idempotency-Key") != id || string(again.Body) != string(got.Body) {
		t.Error(again.Header)
	}
	expect(t, w.root.Send("POST", w.hook+"/events/999/resend", ""), 404, "")
	if rows := read[[]delivery](t, w.root.Send("GET", w.hook+"/events?status=404,server_failure", ""), 200); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	if rows := read[[]delivery](t, w.root.Send("GET", w.hook+"/events?status=successful", ""), 200); len(rows) != 2 {
		t.Errorf("%+v", rows)
	}
	expect(t, w.root.JSON("PUT", w.hook, fmt.Sprintf(`{"url":"%s/other"}`, w.to.URL)), 200, "")
	expect(t, w.root.Send("POST", fmt.Sprintf("%s/events/%d/resend", w.hook, logged.ID), ""), 422,
		`{"message":"The hook URL has changed, and this log entry cannot be retried"}`)
}

func TestEachRefIsAnnouncedAndBranchFiltersSelect(t *testing.T) {
	t.Parallel()
	w := withHook(t, `,"push_events_branch_filter":"release/*","tag_push_events":true`)
	w.commit(t, "feature", "a")
	w.commit(t, "release/1", "b")
	tags := fmt.Sprintf("/projects/%d/repository/tags", w.project.ID)
	expect(t, w.root.JSON("POST", tags, `{"tag_name":"v1","ref":"main","message":"First"}`), 201, "")
	expect(t, w.root.Send("DELETE", tags+"/v1", ""), 204, "")
	got := w.to.Wait(3)
	var refs []string
	for _, d := range got {
		body := d.Read(t)
		refs = append(refs, fmt.Sprint(d.Header.Get("X-Gitlab-Event"), " ", body["ref"], " ", body["checkout_sha"] == nil))
	}
	if fmt.Sprint(refs) != "[Push Hook refs/heads/release/1 false Tag Push Hook refs/tags/v1 false Tag Push Hook refs/tags/v1 true]" {
		t.Error(refs)
	}
}

// A project, the groups above it and the instance each have a hook, which all get the event.
func TestHooksOfGroupsAndTheInstanceGetEvents(t *testing.T) {
	t.Parallel()
	w := withHook(t, "")
	members := fmt.Sprintf(`{"url":"%s/group"}`, w.to.URL)
	expect(t, w.root.JSON("POST", fmt.Sprintf("/groups/%d/hooks", w.group.ID), members), 201, "")
	system := read[hook](t, w.root.JSON("POST", "/hooks", fmt.Sprintf(`{"url":"%s/system","push_events":true}`, w.to.URL)), 201)
	w.Project(w.Group().ID, called("elsewhere", model.Private))
	w.commit(t, "main", "a.txt")
	seen := map[string]int{}
	for _, d := range w.to.Wait(4) {
		seen[d.Path+" "+d.Header.Get("X-Gitlab-Event")+" "+fmt.Sprint(d.Read(t)["event_name"])]++
	}
	want := map[string]int{
		"/in Push Hook push": 1, "/group Push Hook push": 1, "/system System Hook push": 1, "/system System Hook repository_update": 1,
	}
	if fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Error(seen)
	}
	tested := w.root.Send("POST", fmt.Sprintf("/hooks/%d", system.ID), "")
	expect(t, tested, 201,
		`{"event_name":"project_create","name":"Ruby","path":"ruby","project_id":1,"owner_name":"Someone",`+
			`"owner_email":"example@svc.example"}`)
	if last := w.to.Wait(5)[4]; last.Path != "/system" || last.Read(t)["name"] != "Ruby" {
		t.Errorf("%+v", last)
	}
}

func TestAHookThatFailsIsPausedAndATestEnablesIt(t *testing.T) {
	t.Parallel()
	w := withHook(t, "")
	w.to.Refuse(500)
	for n := range 4 {
		w.commit(t, "main", fmt.Sprint("f", n))
		w.to.Wait(n + 1)
	}
	wait.Until(t, "the hook is paused", func() bool {
		got := read[hook](t, w.root.Send("GET", w.hook, ""), 200)
		return got.Status == "temporarily_disabled" && got.Until != nil
	})
	w.commit(t, "main", "dropped")
	failed := read[[]delivery](t, w.root.Send("GET", w.hook+"/events?status=500", ""), 200)
	if len(failed) != 4 {
		t.Fatalf("%+v", failed)
	}
	expect(t, w.root.Send("POST", fmt.Sprintf("%s/events/%d/resend", w.hook, failed[0].ID), ""), 422, `{"message":"Hook disabled"}`)
	w.to.Answer(func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "still bad", http.StatusTeapot) })
	expect(t, w.root.Send("POST", w.hook+"/test/push_events", ""), 422, `{"message":"still bad\n"}`)
	w.to.Refuse(204)
	expect(t, w.root.Send("POST", w.hook+"/test/push_events", ""), 201, `{"message":"201 Created"}`)
	if got := read[hook](t, w.root.Send("GET", w.hook, ""), 200); got.Status != "executable" || got.Until != nil {
		t.Errorf("%+v", got)
	}
	if n := len(w.to.Received()); n != 6 {
		t.Error(n, "deliveries; the one during the pause is dropped")
	}
	w.commit(t, "main", "again")
	w.to.Wait(7)
}

func TestATemplateReplacesTheBody(t *testing.T) {
	t.Parallel()
	w := withHook(t,
		`,"custom_webhook_template":"{\"text\":\"{{user_username}} pushed {{ref}}\",\"n\":{{total_commits_count}},`+
			`\"p\":{{project.id}},\"no\":{{a.b}}}"`)
	w.commit(t, "main", "a")
	want := fmt.Sprintf(`{"text":"root pushed refs/heads/main","n":1,"p":%d,"no":null}`, w.project.ID)
	if got := w.to.Wait(1)[0]; string(got.Body) != want {
		t.Errorf("%s, want %s", got.Body, want)
	}
	expect(t, w.root.JSON("PUT", w.hook, `{"custom_webhook_template":"{{ref}}"}`), 200, "")
	w.commit(t, "main", "b")
	wait.Until(t, "the failure is logged", func() bool { return len(w.log(t)) == 2 })
	if got := w.log(t)[0]; got.ResponseStatus != "internal error" ||
		!strings.HasPrefix(got.ResponseBody, "Error while parsing rendered custom webhook template: ") {
		t.Errorf("%+v", got)
	}
}

func TestURLVariablesAndBasicAuthenticationReachOnlyTheReceiver(t *testing.T) {
	t.Parallel()
	w := withHook(t, "")
	url := strings.Replace(w.to.URL, "http://", "http://us%40er:pass@", 1) + "/{secret}?a={secret}"
	body := fmt.Sprintf(`{"url":%q,"url_variables":[{"key":"secret","value":"v4lue"}]}`, url)
	shown := read[hook](t, w.root.JSON("PUT", w.hook, body), 200)
	if shown.URL != url {
		t.Error(shown.URL)
	}
	w.commit(t, "main", "a")
	got := w.to.Wait(1)[0]
	user, password, _ := (&http.Request{Header: got.Header}).BasicAuth()
	if got.Path != "/v4lue?a=v4lue" || user != "us@er" || password != "pass" {
		t.Error(got.Path, user, password)
	}
	wait.Until(t, "the delivery is logged", func() bool { return len(w.log(t)) == 1 })
	if logged := w.log(t)[0]; strings.Contains(fmt.Sprintf("%+v", logged), "v4lue") || strings.Contains(logged.URL, "pass@") {
		t.Errorf("%+v", logged)
	}
}

// A receiver that calls the API and passes the UUID of the event on does not get the event that it causes.
func TestHooksThatCauseEachOtherEnd(t *testing.T) {
	t.Parallel()
	w := withHook(t, "")
	w.commit(t, "main", "a")
	first := w.to.Wait(1)[0]
	again := w.WithHeaders("PRIVATE-TOKEN", w.root.Token, "X-Gitlab-Event-UUID", first.Header.Get("X-Gitlab-Event-UUID"))
	body := `{"branch":"main","commit_message":"m","actions":[{"action":"create","file_path":"loop","content":"x"}]}`
	expect(t, again.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", w.project.ID), body), 201, "")
	w.commit(t, "main", "b")
	got := w.to.Wait(2)
	if second := got[1].Read(t); len(got) != 2 || fmt.Sprint(second["commits"].([]any)[0].(map[string]any)["added"]) != "[b]" {
		t.Errorf("%s", got[1].Body)
	}
}

// A receiver that does not respond holds up only its own hook.
func TestAReceiverThatHangsHoldsUpNoOtherHook(t *testing.T) {
	t.Parallel()
	w := withHook(t, "")
	slow, release := harness.NewReceiver(t), make(chan struct{})
	slow.Answer(func(http.ResponseWriter, *http.Request) { <-release })
	t.Cleanup(func() { close(release) })
	for range 3 {
		expect(t, w.root.JSON("POST", w.hooks, fmt.Sprintf(`{"url":%q}`, slow.URL)), 201, "")
	}
	w.commit(t, "main", "a")
	slow.Wait(3)
	began := time.Now()
	w.commit(t, "main", "b")
	w.to.Wait(2)
	if took := time.Since(began); took > 9*time.Second {
		t.Error("held up for", took)
	}
}

// A redirect is not followed: it could lead to an address that is refused.
func TestARedirectIsLoggedAndNotFollowed(t *testing.T) {
	t.Parallel()
	w := withHook(t, "")
	w.to.Answer(func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
	})
	w.commit(t, "main", "a")
	wait.Until(t, "the delivery is logged", func() bool { return len(w.log(t)) == 1 })
	if got := w.log(t)[0]; got.ResponseStatus != "302" || got.ResponseHeaders["Location"] != "http://169.254.169.254/latest/meta-data" {
		t.Errorf("%+v", got)
	}
}

func TestALongResponseIsCut(t *testing.T) {
	t.Parallel()
	w := withHook(t, "")
	w.to.Answer(func(rw http.ResponseWriter, r *http.Request) {
		for range 200 {
			rw.Header().Add("X-Long", strings.Repeat("h", 100))
		}
		for r.Context().Err() == nil {
			if _, err := rw.Write([]byte(strings.Repeat("a\x00\xff", 1000))); err != nil {
				return
			}
		}
	})
	w.commit(t, "main", "a")
	wait.Until(t, "the delivery is logged", func() bool { return len(w.log(t)) == 1 })
	got := w.log(t)[0]
	if got.ResponseStatus != "200" || len(got.ResponseBody) > 30<<10 || len(got.ResponseBody) < 8<<10 ||
		len(got.ResponseHeaders["X-Long"]) > 1<<10 {
		t.Error(got.ResponseStatus, len(got.ResponseBody), len(got.ResponseHeaders["X-Long"]))
	}
}
