package api

import (
	"fmt"
	"html"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/server/platform/events"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
	"svc/tests/wait"
)

// userWithConfirmedEmail makes a user with a confirmed address.
func userWithConfirmedEmail(h *harness.H, name string, edit ...func(*model.User)) *harness.Caller {
	at := time.Now().UTC()
	return h.NewUser(named(name, append(edit, func(u *model.User) { u.ConfirmedAt = &at })...))
}

// addressees returns the local parts of the recipients of mails.
func addressees(mails []harness.Mail) string {
	var out []string
	for _, m := range mails {
		name, _, _ := strings.Cut(m.To, "@")
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// parts returns the plain text and the HTML of a mail.
func parts(t *testing.T, m harness.Mail) (text, rich string) {
	t.Helper()
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	r := multipart.NewReader(strings.NewReader(m.Body), params["boundary"])
	for {
		p, err := r.NextRawPart()
		if err != nil {
			return text, rich
		}
		data, err := io.ReadAll(quotedprintable.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") {
			rich = string(data)
		} else {
			text = string(data)
		}
	}
}

func TestMailsGoToUsersWhoWantThemAndCanSeeTheItem(t *testing.T) {
	t.Parallel()
	inbox := harness.NewInbox(t)
	h := harness.New(t, inbox.Use)
	h.StartWorker()
	group := h.Group()
	p := h.Project(group.ID)
	people := map[string]*harness.Caller{}
	for _, name := range []string{
		"author", "speaker", "before", "custom", "quiet", "deaf", "far", "gone", "lurker", "named", "private",
		"unnamed", "watcher", "wide",
	} {
		people[name] = userWithConfirmedEmail(h, name)
		if name != "private" {
			h.JoinProject(p, people[name].User, model.Reporter)
		}
	}
	inProject, inGroup := fmt.Sprintf("/projects/%d/notification_settings", p.ID), fmt.Sprintf("/groups/%d/notification_settings", group.ID)
	h.Join(group, people["wide"].User, model.Reporter)
	h.Join(group, people["deaf"].User, model.Reporter)
	for _, set := range [][3]string{
		{"watcher", inProject, `{"level":"watch"}`},
		{"custom", inProject, `{"level":"custom","new_note":true}`},
		{"quiet", inProject, `{"level":"custom","close_issue":true}`},
		{"wide", inGroup, `{"level":"watch"}`},
		{"far", "/notification_settings", `{"level":"watch"}`},
		{"named", inProject, `{"level":"mention"}`},
		{"unnamed", inProject, `{"level":"mention"}`},
		{"deaf", inGroup, `{"level":"watch"}`},
		{"deaf", inProject, `{"level":"disabled"}`},
	} {
		expect(t, people[set[0]].JSON("PUT", set[1], set[2]), 200, "")
	}
	issue := storetest.Issue(t, h.Store, p, people["author"].User)
	path := fmt.Sprintf("/projects/%d/issues/%d/notes", p.ID, issue.IID)
	for _, name := range []string{"before", "gone", "unnamed"} { // they become participants
		expect(t, people[name].JSON("POST", path, `{"body":"x"}`), 201, "")
	}
	h.WaitForMails()
	if err := h.Store.Users.Update(t.Context(), people["gone"].User.ID, map[string]any{"state": model.UserBlocked}); err != nil {
		t.Fatal(err)
	}
	inbox.Take()
	expect(t, people["speaker"].JSON("POST", path, `{"body":"Hello @named, @private and @deaf"}`), 201, "")
	h.WaitForMails()
	got := inbox.Take()
	if want := "author before custom far named watcher wide"; addressees(got) != want {
		t.Errorf("told are %s\nwant     %s", addressees(got), want)
	}
	for _, m := range got {
		name, _, _ := strings.Cut(m.To, "@")
		want := map[string]string{"author": "author", "before": "commented", "named": "mentioned"}[name]
		if want == "" {
			want = "watching"
		}
		if why := m.Header.Get("X-Svc-NotificationReason"); why != want {
			t.Errorf("%s is told because of %s", name, why)
		}
	}
	// A project with emails disabled sends no mail.
	if err := h.Store.Projects.Update(t.Context(), p.ID, map[string]any{"emails_disabled": true}); err != nil {
		t.Fatal(err)
	}
	expect(t, people["speaker"].JSON("POST", path, `{"body":"psst"}`), 201, "")
	h.WaitForMails()
	if got := inbox.Take(); len(got) != 0 {
		t.Errorf("told are %s", addressees(got))
	}
}

func TestConfidentialItemsAreMailedOnlyToUsersWhoCanReadThem(t *testing.T) {
	t.Parallel()
	inbox := harness.NewInbox(t)
	h := harness.New(t, inbox.Use)
	h.StartWorker()
	owner := userWithConfirmedEmail(h, "owner")
	p := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	guest, reporter := userWithConfirmedEmail(h, "guest"), userWithConfirmedEmail(h, "reporter")
	h.JoinProject(p, guest.User, model.Guest)
	h.JoinProject(p, reporter.User, model.Reporter)
	for _, c := range []*harness.Caller{guest, reporter} {
		expect(t, c.JSON("PUT", fmt.Sprintf("/projects/%d/notification_settings", p.ID), `{"level":"watch"}`), 200, "")
	}
	secret := storetest.Issue(t, h.Store, p, owner.User, func(i *model.Issue) { i.Confidential = true })
	open := storetest.Issue(t, h.Store, p, owner.User)
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/issues/%d/notes", p.ID, secret.IID), `{"body":"for few, @guest"}`), 201, "")
	h.WaitForMails()
	if got := addressees(inbox.Take()); got != "reporter" {
		t.Errorf("told are %s", got)
	}
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/issues/%d/notes", p.ID, open.IID),
		`{"body":"for few, @guest","internal":true}`), 201, "")
	h.WaitForMails()
	if got := addressees(inbox.Take()); got != "reporter" {
		t.Errorf("told are %s", got)
	}
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/issues/%d/notes", p.ID, open.IID), `{"body":"for all"}`), 201, "")
	h.WaitForMails()
	if got := addressees(inbox.Take()); got != "guest reporter" {
		t.Errorf("told are %s", got)
	}
}

func TestAMailIsThreadedAndEscapedAndHasAnUnsubscribeLink(t *testing.T) {
	t.Parallel()
	inbox := harness.NewInbox(t)
	h := harness.New(t, inbox.Use)
	h.StartWorker()
	owner, speaker := userWithConfirmedEmail(h, "owner"), userWithConfirmedEmail(h, "speaker", func(u *model.User) { u.Name = "Eve <b>" })
	p := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	issue := storetest.Issue(t, h.Store, p, owner.User, func(i *model.Issue) { i.Title = "A <script>" })
	path := fmt.Sprintf("/projects/%d/issues/%d", p.ID, issue.IID)
	news := events.Notification{
		ID: "one", Event: events.NewIssue, ProjectID: p.ID, AuthorID: speaker.User.ID,
		TargetType: model.OnIssue, TargetID: issue.ID,
	}
	for range 2 { // as if the job had run twice
		must(t, h.Server.Worker.Enqueue(t.Context(), news))
		h.WaitForMails()
	}
	first := oneMail(t, inbox)
	expect(t, speaker.JSON("POST", path+"/notes", `{"body":"<img src=x onerror=alert(1)>\nsecond line"}`), 201, "")
	h.WaitForMails()
	m := oneMail(t, inbox)
	expectThread(t, p, issue, first, m)
	text, rich := parts(t, m)
	if !strings.Contains(text, "<img src=x onerror=alert(1)>") || strings.Contains(rich, "<img") ||
		!strings.Contains(rich, "&lt;img src=x onerror=alert(1)&gt;<br>") || strings.Contains(rich, "Eve <b>") ||
		strings.Contains(rich, "<script") {
		t.Errorf("%s\n%s", text, rich)
	}
	link := regexp.MustCompile(`href="([^"]*/-/unsubscribe\?[^"]*)"`).FindStringSubmatch(rich)
	if link == nil || "<"+html.UnescapeString(link[1])+">" != strings.ReplaceAll(m.Header.Get("List-Unsubscribe"), " ", "") {
		t.Fatalf("%s\n%s", rich, m.Header.Get("List-Unsubscribe"))
	}
	unsubscribe(t, h, strings.TrimPrefix(html.UnescapeString(link[1]), h.URL))
	expect(t, speaker.JSON("POST", path+"/notes", `{"body":"are you there?"}`), 201, "")
	h.WaitForMails()
	if got := inbox.Take(); len(got) != 0 {
		t.Errorf("told are %s", addressees(got))
	}
}

// oneMail takes the only mail out of the inbox.
func oneMail(t *testing.T, inbox *harness.Inbox) harness.Mail {
	t.Helper()
	got := inbox.Take()
	if len(got) != 1 {
		t.Fatalf("%d letters", len(got))
	}
	return got[0]
}

// expectThread checks that the mail answer belongs to the thread that the mail first begins.
func expectThread(t *testing.T, p model.Project, issue model.Issue, first, answer harness.Mail) {
	t.Helper()
	root := first.Header.Get("Message-ID")
	subject := fmt.Sprintf("%s | A <script> (#%d)", p.Name, issue.IID)
	for name, want := range map[string]string{
		"In-Reply-To": root, "References": root, "Subject": "Re: " + subject, "X-Svc-Project-Path": p.FullPath,
		"X-Svc-Issue-IID":       fmt.Sprint(issue.IID),
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		"List-Id":               fmt.Sprintf("<%d.projects.127.0.0.1>", p.ID), "Auto-Submitted": "auto-generated",
	} {
		if answer.Header.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, answer.Header.Get(name), want)
		}
	}
	if first.Header.Get("Subject") != subject || answer.Header.Get("Message-ID") == root || root == "" ||
		first.Header.Get("In-Reply-To") != "" {
		t.Errorf("%v\n%v", first.Header, answer.Header)
	}
}

// unsubscribe opens the link of a mail without signing in, and presses the button.
func unsubscribe(t *testing.T, h *harness.H, link string) {
	t.Helper()
	b := h.Browser()
	if page := b.Get("/-/unsubscribe?token=forged"); page.Status != 404 {
		t.Errorf("a forged link: %d", page.Status)
	}
	if page := b.Post("/-/unsubscribe", url.Values{"token": {"forged"}}); page.Status != 404 {
		t.Errorf("a forged form: %d", page.Status)
	}
	if page := b.Get(link); page.Status != 200 || !strings.Contains(page.Body, "<button") {
		t.Errorf("%d %s", page.Status, page.Body)
	}
	if n := count(t, h, "SELECT count(*) FROM subscriptions"); n != 0 {
		t.Error("opening the link ends the subscription")
	}
	if page := b.Submit("/-/unsubscribe", nil); page.Status != 200 || !strings.Contains(page.Body, "You are unsubscribed") {
		t.Errorf("%d %s", page.Status, page.Body)
	}
	// One-click unsubscribing, as mail programs do it, for the second time.
	if page := h.Browser().Post(link, url.Values{"List-Unsubscribe": {"One-Click"}}); page.Status != 200 {
		t.Errorf("one click: %d %s", page.Status, page.Body)
	}
	if n := count(t, h, "SELECT count(*) FROM subscriptions WHERE NOT subscribed"); n != 1 {
		t.Errorf("%d subscriptions have ended", n)
	}
}

func TestAMailServerThatWasDownGetsTheMailsLater(t *testing.T) {
	t.Parallel()
	inbox := harness.NewInbox(t)
	h := harness.New(t, inbox.Use)
	h.StartWorker()
	owner := userWithConfirmedEmail(h, "owner")
	p := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	issue := storetest.Issue(t, h.Store, p, owner.User)
	inbox.SetDown(true)
	expect(t, h.NewUser().JSON("POST", fmt.Sprintf("/projects/%d/issues/%d/notes", p.ID, issue.IID), `{"body":"x"}`), 201, "")
	wait.Until(t, "one mail waits to be sent again", func() bool {
		return count(t, h, "SELECT count(*) FROM river_job WHERE kind = 'send_mail' AND state = 'retryable'") == 1
	})
	if got := inbox.Take(); len(got) != 0 {
		t.Errorf("%d letters arrived", len(got))
	}
	inbox.SetDown(false)
	h.WaitForMails()
	if got := addressees(inbox.Take()); got != "owner" {
		t.Errorf("told are %s", got)
	}
}

func TestPipelinesAndTransfersSendMails(t *testing.T) {
	t.Parallel()
	inbox := harness.NewInbox(t)
	h := harness.New(t, inbox.Use)
	h.StartWorker()
	owner, other := userWithConfirmedEmail(h, "owner"), userWithConfirmedEmail(h, "other")
	p := h.Project(*owner.User.NamespaceID)
	h.JoinProject(p, other.User, model.Developer)
	m := newFakeRunner(t, h, anyJobs)
	run := func(state string) string {
		t.Helper()
		h.Pipeline(p, owner.User, []syntax.Job{aJob("test", 0)})
		expect(t, m.update(m.job(), state, ""), 200, "200")
		h.WaitForMails()
		got := inbox.Take()
		if len(got) == 0 {
			return ""
		}
		return addressees(got) + " " + strings.TrimPrefix(got[0].Header.Get("Subject"), p.Name+" | ")
	}
	for i, want := range []string{"", "owner Failed pipeline for main | a1a1a1a1", "owner Fixed pipeline for main | a1a1a1a1", ""} {
		if got := run([]string{"success", "failed", "success", "success"}[i]); got != want {
			t.Errorf("pipeline %d: %q, want %q", i, got, want)
		}
	}
	setting := fmt.Sprintf("/projects/%d/notification_settings", p.ID)
	expect(t, owner.JSON("PUT", setting, `{"level":"custom","success_pipeline":true,"failed_pipeline":false}`), 200, "")
	if got := run("success"); got != "owner Successful pipeline for main | a1a1a1a1" {
		t.Errorf("%q", got)
	}
	if got := run("failed"); got != "" {
		t.Errorf("%q", got)
	}
	group := h.Group()
	h.Join(group, owner.User, model.Owner)
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d/transfer", p.ID), fmt.Sprintf(`{"namespace":%d}`, group.ID)), 200, "")
	h.WaitForMails()
	got := inbox.Take()
	if addressees(got) != "other" || got[0].Header.Get("Subject") != p.Name+" | Project was moved" {
		t.Errorf("%+v", got)
	}
}
