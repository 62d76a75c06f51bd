package notify

import (
	"strings"
	"testing"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// all lists the events that users are notified of.
var all = []string{
	events.NewNote, events.NewIssue, events.ReopenIssue, events.CloseIssue, events.ReassignIssue, events.IssueDue,
	events.NewMergeRequest, events.PushToMergeRequest,
	events.ReopenMergeRequest, events.CloseMergeRequest, events.ReassignMergeRequest, events.ReviewMergeRequest,
	events.MergeMergeRequest, events.ApproveMergeRequest,
	events.MergeWhenSucceeds, events.FailedPipeline, events.FixedPipeline, events.SuccessPipeline, events.MovedProject,
	events.NewRelease,
}

// newNotification returns a notification of an event. All its texts have characters that HTML must escape.
func newNotification(event string) notification {
	s := notification{
		Notification: events.Notification{Event: event, Text: "acme/<old>"},
		project:      model.Project{ID: 1, Name: "Web", Path: "web", FullPath: "acme/web", FullName: "Acme / Web"},
		author:       model.User{Name: "Eve <b>"}, body: "<i>x</i>\ny",
	}
	switch {
	case strings.HasSuffix(event, "_pipeline"):
		s.pipeline = &model.Pipeline{ID: 9, Ref: "main<", SHA: strings.Repeat("a", 40)}
	case strings.HasSuffix(event, "issue") || event == events.IssueDue || event == events.NewNote:
		s.on = model.Noteable{Type: model.OnIssue, ID: 3, IID: 2, Title: "A <script>"}
	case event == events.NewRelease:
		s.release = &model.Release{ID: 4, Tag: "v1<b>", Name: new("One <script>")}
	case event != events.MovedProject:
		s.on = model.Noteable{Type: model.OnMergeRequest, ID: 3, IID: 2, Title: "A <script>"}
	}
	return s
}

func TestEveryNewsHasItsLetterInTextAndHTML(t *testing.T) {
	t.Parallel()
	links, err := NewLinks("a secret key for tests, of 32 characters or more")
	if err != nil {
		t.Fatal(err)
	}
	teller, err := New(nil, nil, "https://svc.example.com", links)
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range all {
		s := newNotification(event)
		l, err := teller.write(
			s, recipient{user: model.User{ID: 5, Name: "Ann"}, address: "ann@example.com", reason: watching},
		)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(l.Text, "https://svc.example.com/acme/web") ||
			!strings.Contains(l.HTML, "of your notification settings") || l.Subject == "" {
			t.Errorf("%s:\n%s\n%s\n%s", event, l.Subject, l.Text, l.HTML)
		}
		for _, raw := range []string{"<script>", "<b>", "<i>", "<old>", "main<"} {
			if strings.Contains(l.HTML, raw) {
				t.Errorf("%s holds %s as it was written:\n%s", event, raw, l.HTML)
			}
		}
		if (l.Headers["List-Unsubscribe"] != "") != (s.on.ID != 0) {
			t.Errorf("%s: %v", event, l.Headers)
		}
	}
}

func TestALevelSaysWhatIsWanted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		level, flags, event, why string
		follows, want            bool
	}{
		{"participating", "{}", events.NewNote, "", false, false},
		{"participating", "{}", events.NewNote, "author", false, true},
		{"participating", "{}", events.SuccessPipeline, "triggered", false, false},
		{"participating", "{}", events.FailedPipeline, "triggered", false, true},
		{"participating", "{}", events.MovedProject, "member", false, true},
		{"watch", "{}", events.NewNote, "", false, true},
		{"watch", "{}", events.PushToMergeRequest, "", false, false},
		{"watch", "{}", events.PushToMergeRequest, "assigned", false, true},
		{"mention", "{}", events.NewNote, "author", false, false},
		{"mention", "{}", events.NewNote, "mentioned", false, true},
		{"mention", "{}", events.NewNote, "subscribed", true, true},
		{"disabled", "{}", events.NewNote, "mentioned", true, false},
		{"custom", "{}", events.NewNote, "", false, false},
		{"custom", "{}", events.NewNote, "commented", false, true},
		{"custom", "{}", events.NewRelease, "", false, false},
		{"custom", `{"new_release":true}`, events.NewRelease, "", false, true},
		{"watch", "{}", events.NewRelease, "", false, false},
		{"participating", "{}", events.NewRelease, "", false, false},
		{"custom", `{"new_note":true}`, events.NewNote, "", false, true},
		{"custom", `{"failed_pipeline":false}`, events.FailedPipeline, "triggered", false, false},
		{"custom", "{}", events.FailedPipeline, "triggered", false, true},
		{"custom", `{"success_pipeline":true}`, events.SuccessPipeline, "triggered", false, true},
	} {
		if got := wants(store.Resolved{Level: c.level, Events: c.flags}, c.event, c.why, c.follows); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestALinkOpensOnlyAsItWasMade(t *testing.T) {
	t.Parallel()
	links, err := NewLinks("a secret key for tests, of 32 characters or more")
	if err != nil {
		t.Fatal(err)
	}
	made := Subscription{UserID: 1, Kind: model.OnIssue, ID: 2, Ref: "issue #2 of acme/web"}
	token := strings.TrimPrefix(links.Path(made), UnsubscribePath+"?token=")
	if got, err := links.Open(token); err != nil || got != made {
		t.Errorf("%+v %v", got, err)
	}
	for _, bad := range []string{"", "x", token[1:], token + "A", strings.Repeat("A", 3000)} {
		if _, err := links.Open(bad); err == nil {
			t.Errorf("%q opens", bad)
		}
	}
}
