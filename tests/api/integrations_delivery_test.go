package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// integrated is a project with commits whose integrations send to a receiver or to an inbox. It has a running worker.
type integrated struct {
	hooked
	inbox *harness.Inbox
	at    string
}

func withIntegrations(t *testing.T) integrated {
	t.Helper()
	inbox := harness.NewInbox(t)
	h := harness.New(t, inbox.Use)
	_, _, g, p := hookPlaces(h)
	w := integrated{
		hooked: hooked{H: h, to: harness.NewReceiver(t), group: g, project: p, root: h.Root()}, inbox: inbox,
		at: fmt.Sprintf("/projects/%d/integrations/", p.ID),
	}
	w.commit(t, "main", "README.md")
	h.StartWorker()
	return w
}

// set sets up an integration of the project. URL in the body becomes that of the receiver.
func (w integrated) set(t *testing.T, slug, body string) {
	t.Helper()
	expect(t, w.root.JSON("PUT", w.at+slug, strings.ReplaceAll(body, "URL", w.to.URL)), 200, "")
}

// slackText returns the text of a message that Slack gets.
func slackText(t *testing.T, d harness.Delivery) string {
	t.Helper()
	return fmt.Sprint(d.Read(t)["text"])
}

const matrixPath = "/_matrix/client/v3/rooms/%21r:x/send/m.room.message/"

// Every chat gets a message about an issue, at its address and in its format.
func TestEveryChatIsTold(t *testing.T) {
	t.Parallel()
	for slug, c := range map[string]struct{ body, path, inBody string }{
		"slack":           {`{"webhook":"URL/in","channel":"#c"}`, "/in", `"text":"`},
		"mattermost":      {`{"webhook":"URL/in","issue_channel":"town"}`, "/in", `"channel":"town"`},
		"discord":         {`{"webhook":"URL/in","issue_channel":"URL/issues"}`, "/issues", `"embeds":[`},
		"microsoft-teams": {`{"webhook":"URL/in"}`, "/in", `"AdaptiveCard"`},
		"hangouts-chat":   {`{"webhook":"URL/in?key=k"}`, "/in?key=k", `"cardsV2":[`},
		"telegram":        {`{"hostname":"URL","token":"1:a","room":"-5","thread":7}`, "/bot1:a/sendMessage", `"message_thread_id":7`},
		"matrix":          {`{"hostname":"URL/","token":"tok","room":"!r:x"}`, matrixPath, `"m.text"`},
		"webex-teams":     {`{"webhook":"URL/in"}`, "/in", `"markdown":"`},
	} {
		t.Run(slug, func(t *testing.T) {
			t.Parallel()
			w := withIntegrations(t)
			w.set(t, slug, c.body)
			expect(t, w.root.JSON("POST", fmt.Sprintf("/projects/%d/issues", w.project.ID), `{"title":"Bug <b> & [x](y)"}`), 201, "")
			got := w.to.Wait(1)[0]
			if !strings.HasPrefix(got.Path, c.path) || !strings.Contains(string(got.Body), c.inBody) || !json.Valid(got.Body) ||
				got.Header.Get("Content-Type") != "application/json" || strings.Contains(string(got.Body), "<b>") {
				t.Errorf("%s %s", got.Path, got.Body)
			}
			if token := got.Header.Get("Authorization"); (slug == "matrix") != (token == "Bearer tok") {
				t.Error(token)
			}
		})
	}
}

func TestFlagsAndSettingsSelectWhatIsTold(t *testing.T) {
	t.Parallel()
	w := withIntegrations(t)
	w.set(t, "slack", `{"webhook":"URL","push_channel":"#code","issues_events":false,"labels_to_be_notified":"bug"}`)
	issues := fmt.Sprintf("/projects/%d/issues", w.project.ID)
	expect(t, w.root.JSON("POST", issues, `{"title":"Off","labels":"bug"}`), 201, "")
	expect(t, w.root.JSON("POST", issues+"/1/notes", `{"body":"Labelled"}`), 201, "")
	expect(t, w.root.JSON("POST", issues, `{"title":"Without label"}`), 201, "")
	expect(t, w.root.JSON("POST", issues+"/2/notes", `{"body":"Not told"}`), 201, "")
	w.commit(t, "other", "a.txt")
	w.commit(t, "main", "b.txt")
	got := w.to.Wait(2)
	if first := slackText(t, got[0]); !strings.Contains(first, "commented on") {
		t.Error(first)
	}
	push := got[1].Read(t)
	if !strings.Contains(slackText(t, got[1]), "pushed <") || push["channel"] != "#code" ||
		!strings.Contains(fmt.Sprint(push["attachments"]), "Add b.txt") {
		t.Errorf("%s", got[1].Body)
	}
	w.set(t, "slack", `{"webhook":"URL","branches_to_be_notified":"all"}`)
	w.commit(t, "third", "c.txt")
	if last := slackText(t, w.to.Wait(3)[2]); !strings.Contains(last, "created branch") {
		t.Error(last)
	}
	expect(t, w.root.Send("DELETE", w.at+"slack", ""), 204, "")
	w.commit(t, "main", "d.txt")
	expect(t, w.root.JSON("PUT", w.at+"slack", fmt.Sprintf(`{"webhook":%q}`, w.to.URL)), 200, "")
	w.commit(t, "main", "e.txt")
	if got := w.to.Wait(4); !strings.Contains(string(got[3].Body), "Add e.txt") {
		t.Errorf("%s", got[3].Body)
	}
}

func TestPipelinesAreToldAndMailed(t *testing.T) {
	t.Parallel()
	w := withIntegrations(t)
	pusher := userWithConfirmedEmail(w.H, "pusher")
	w.Join(w.group, pusher.User, model.Owner)
	w.set(t, "slack", `{"webhook":"URL","push_events":false,"pipeline_events":true}`)
	w.set(t, "pipelines-email", `{"recipients":"ada@example.com, ada@example.com bo@example.com","add_pusher":true}`)
	runner := newFakeRunner(t, w.H, `{"runner_type":"instance_type","run_untagged":true}`)
	w.root = pusher
	ci := `{"branch":"main","commit_message":"CI","actions":[{"action":"create","file_path":".gitlab-ci.yml",` +
		`"content":"unit: {stage: test, script: make}"}]}`
	expect(t, w.root.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", w.project.ID), ci), 201, "")
	w.waitForJob(t)
	expect(t, runner.update(runner.job(), "success", ""), 200, "")
	w.commit(t, "main", "a.txt")
	w.waitForJob(t)
	expect(t, runner.update(runner.job(), "failed", `,"failure_reason":"script_failure"`), 200, "")
	got := w.to.Wait(1)
	if len(got) != 1 || !strings.Contains(slackText(t, got[0]), "failed") || !strings.Contains(string(got[0].Body), "|unit") {
		t.Errorf("%d messages: %s", len(got), got[0].Body)
	}
	mails := map[string]int{} // by address
	wait.Until(t, "the mails are there", func() bool {
		for _, m := range w.inbox.Take() {
			if strings.HasPrefix(m.Header.Get("Subject"), "[acme/web] Pipeline #") {
				mails[m.To]++
			}
			if strings.Contains(m.Header.Get("Subject"), "passed") {
				t.Errorf("%v", m.Header)
			}
		}
		return len(mails) >= 3
	})
	if fmt.Sprint(mails) != fmt.Sprint(map[string]int{"ada@example.com": 1, "bo@example.com": 1, pusher.User.Email: 1}) {
		t.Error(mails)
	}
}

// waitForJob waits until a job waits for a runner.
func (w integrated) waitForJob(t *testing.T) {
	t.Helper()
	wait.Until(t, "a job is pending", func() bool {
		return w.root.Send("GET", fmt.Sprintf("/projects/%d/jobs?scope=pending", w.project.ID), "").Body != "[]"
	})
}

func TestPushesAreMailed(t *testing.T) {
	t.Parallel()
	w := withIntegrations(t)
	w.set(t, "emails-on-push", `{"recipients":"ada@example.com"}`)
	body := `{"branch":"main","commit_message":"Add <i>","actions":[{"action":"create","file_path":"x.html","content":"<script>\n"}]}`
	expect(t, w.root.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", w.project.ID), body), 201, "")
	var mails []harness.Mail
	wait.Until(t, "the mail is there", func() bool { mails = append(mails, w.inbox.Take()...); return len(mails) > 0 })
	plain, rich := parts(t, mails[0])
	if mails[0].To != "ada@example.com" || mails[0].Header.Get("Subject") != "[acme/web] main: Add <i>" ||
		!strings.Contains(plain, "+<script>") || !strings.Contains(rich, "+&lt;script&gt;") || strings.Contains(rich, "<script>") ||
		!strings.Contains(plain, "x.html") {
		t.Errorf("%v\n%s\n%s", mails[0].Header, plain, rich)
	}
	w.set(t, "emails-on-push", `{"recipients":"bo@example.com","disable_diffs":true}`)
	w.commit(t, "main", "y.txt")
	mails = nil
	wait.Until(t, "the mail is there", func() bool { mails = append(mails, w.inbox.Take()...); return len(mails) > 0 })
	if plain, _ := parts(t, mails[0]); mails[0].To != "bo@example.com" || strings.Contains(plain, "diff ") {
		t.Error(plain)
	}
}

// Only the nearest integration of a kind gets the message.
func TestTheNearestIntegrationIsTold(t *testing.T) {
	t.Parallel()
	w := withIntegrations(t)
	inGroup := fmt.Sprintf("/groups/%d/integrations/", w.group.ID)
	expect(t, w.root.JSON("PUT", inGroup+"slack", fmt.Sprintf(`{"webhook":"%s/group"}`, w.to.URL)), 200, "")
	w.commit(t, "main", "a.txt")
	w.to.Wait(1)
	w.set(t, "slack", `{"webhook":"URL/own","push_events":false,"tag_push_events":true}`)
	w.commit(t, "main", "b.txt") // the own integration does not want it, and that of the group does not count
	tags := fmt.Sprintf("/projects/%d/repository/tags", w.project.ID)
	expect(t, w.root.JSON("POST", tags, `{"tag_name":"v1","ref":"main"}`), 201, "")
	w.to.Wait(2)
	expect(t, w.root.Send("DELETE", w.at+"slack", ""), 204, "")
	w.commit(t, "main", "c.txt") // switched off
	expect(t, w.root.JSON("PUT", w.at+"slack", `{"use_inherited_settings":true}`), 200, "")
	w.commit(t, "main", "d.txt")
	var paths []string
	for _, d := range w.to.Wait(3) {
		paths = append(paths, d.Path)
	}
	if fmt.Sprint(paths) != "[/group /own /group]" {
		t.Error(paths)
	}
}

// A chat that fails is paused like a hook, keeps nobody waiting, and works again when it is set up anew. Nothing secret is
// stored in the open.
func TestAChatThatFailsIsPaused(t *testing.T) {
	t.Parallel()
	w := withIntegrations(t)
	w.set(t, "discord", `{"webhook":"URL/s3cret","push_channel":"URL/s3cret-too"}`)
	w.to.Answer(func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(rw, "unknown webhook")
	})
	for n := range 4 {
		w.commit(t, "main", fmt.Sprint("f", n))
		w.to.Wait(n + 1)
	}
	state := func() (h model.Hook) {
		rows, err := w.Store.Integrations.List(t.Context(), store.HookScope{ProjectID: w.project.ID, NamespaceID: w.project.NamespaceID})
		if err != nil || len(rows) != 1 {
			t.Fatal(rows, err)
		}
		return rows[0]
	}
	wait.Until(t, "the integration is paused", func() bool { return state().State(time.Now()) == model.HookTemporarilyDisabled })
	w.to.Refuse(204)
	w.commit(t, "main", "dropped")
	w.set(t, "discord", `{"webhook":"URL/again"}`)
	w.commit(t, "main", "last")
	if got := w.to.Wait(5); len(got) != 5 || got[4].Path != "/s3cret-too" {
		t.Errorf("%d: %s", len(got), got[len(got)-1].Path)
	}
	row := state()
	if strings.Contains(fmt.Sprintf("%s %s %s", row.URL, *row.Settings, row.Sealed), "s3cret") {
		t.Error("a secret is stored in the open")
	}
	var logged int
	q := "SELECT count(*) FROM hook_deliveries WHERE url || request_headers || response_body LIKE '%s3cret%'"
	if err := w.Store.SQL().QueryRowContext(t.Context(), q).Scan(&logged); err != nil || logged > 0 {
		t.Error(logged, "deliveries show a secret", err)
	}
}
