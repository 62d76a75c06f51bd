package integration

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"svc/store/model"
)

// sample reads an event from a body of a webhook.
func sample(t *testing.T, trigger, file string) Event {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "payload", "testdata", file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := Read(trigger, string(content))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// told lists the events of the golden files: triggers, and bodies of webhooks.
var told = [][2]string{
	{"push_hooks", "push"},
	{"push_hooks", "push_deleted"},
	{"tag_push_hooks", "tag_push"},
	{"issue_hooks", "issue_closed"},
	{"confidential_issue_hooks", "confidential_issue"},
	{"merge_request_hooks", "merge_request"},
	{"merge_request_hooks", "merge_request_merged"},
	{"note_hooks", "note_on_issue"},
	{"note_hooks", "note_on_merge_request"},
	{"note_hooks", "note_on_commit"},
	{"note_hooks", "note_on_snippet"},
	{"wiki_page_hooks", "wiki_page"},
	{"pipeline_hooks", "pipeline"},
	{"deployment_hooks", "deployment"},
}

// settings returns complete settings of an integration.
func settings(t *testing.T, k Kind) Settings {
	t.Helper()
	s, err := k.Apply(k.New(), map[string]any{
		"webhook": "https://chat.example.com/hook", "username": "svc", "channel": "#general",
		"issue_channel": "https://chat.example.com/issues", "token": "123:abc",
		"room": "!room:example.com", "thread": float64(7), "recipients": "a@example.com",
	})
	if err != nil {
		t.Fatal(k.Slug, err)
	}
	return s
}

func indented(t *testing.T, value any) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// golden compares a text with a file. SVC_GOLDEN=write rewrites it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("SVC_GOLDEN") == "write" {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nwant\n%s\n%v", name, got, want, err)
	}
}

func TestEveryChatGetsMessagesInItsFormat(t *testing.T) {
	t.Parallel()
	for _, k := range Kinds {
		if k.request == nil {
			continue
		}
		var all []any
		for _, one := range told {
			e := sample(t, one[0], one[1])
			m, found := e.Message()
			if !found {
				t.Fatal(one, "says nothing")
			}
			r, err := k.Request(settings(t, k), e, m, "the-key")
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, map[string]any{"url": r.URL, "put": r.Put, "token": r.Token, "body": json.RawMessage(r.Body)})
		}
		golden(t, k.Slug+".json", indented(t, all))
	}
}

func TestMailsShowWhatHappened(t *testing.T) {
	t.Parallel()
	var all []Mail
	for _, one := range told {
		if one[0] == "push_hooks" || one[0] == "tag_push_hooks" || one[0] == "pipeline_hooks" {
			e := sample(t, one[0], one[1])
			m, _ := e.Message()
			all = append(all, e.Mail(m, "diff a a\n-<b>\n+&\n"))
		}
	}
	golden(t, "mails.json", indented(t, all))
}

const hostile = "<!channel> </a><script>x</script> [x](http://evil.example) *b* _i_ `c` @all @everyone " +
	"<http://evil.example|y> & \"q\"\nBcc: x"

// What a caller writes stays a text, whatever the format is.
func TestTextsOfCallersAreEscaped(t *testing.T) {
	t.Parallel()
	e := sample(t, "issue_hooks", "issue_closed")
	e.body.Attributes.Title, e.body.User.Name = hostile, hostile
	e.body.Attributes.URL = "https://svc.example.com/a|b>c)\"'d"
	m, _ := e.Message()
	escapes := regexp.MustCompile(`\\.`)
	for name, c := range map[string]struct {
		style
		refused []string
	}{
		"Slack":    {slackStyle, []string{"<!channel>", "<http://evil", "\n", "b>c"}},
		"Markdown": {markdownStyle, []string{"<", "](http://evil", "@all", "@everyone", "*", "`", "\n", `c)"`}},
		"HTML":     {htmlStyle, []string{"<script>", "</a><", "\n", `c)"`}},
		"a page":   {pageStyle, []string{"<script>", "</a><", "\n", `c)"`}},
	} {
		text := c.whole(m)
		if name == "Markdown" {
			text = escapes.ReplaceAllString(text, "")
		}
		for _, bad := range c.refused {
			if strings.Contains(text, bad) {
				t.Errorf("%s lets %q through: %s", name, bad, text)
			}
		}
	}
	if mail := e.Mail(m, hostile); strings.Contains(mail.HTML, "<script>") || strings.ContainsAny(mail.Subject, "\r\n") {
		t.Errorf("%+v", mail)
	}
}

// A message is short enough for every chat, however long the texts of callers are.
func TestMessagesAreShort(t *testing.T) {
	t.Parallel()
	e := sample(t, "push_hooks", "push")
	long := strings.Repeat("*(_ü ", 10_000)
	e.body.UserName, e.body.Ref, e.body.Total = long, "refs/heads/"+strings.Repeat("x", 250), 5000
	for range 20 {
		e.body.Commits = append(e.body.Commits, commit{ID: strings.Repeat("a", 40), Title: long, Author: user{Name: long}})
	}
	m, _ := e.Message()
	for _, s := range []style{slackStyle, markdownStyle, htmlStyle, pageStyle, plainStyle} {
		if text := s.whole(m); len([]rune(text)) > 4096 {
			t.Errorf("%d characters", len([]rune(text)))
		}
	}
}

func TestSettingsSelectEvents(t *testing.T) {
	t.Parallel()
	push, pipeline := sample(t, "push_hooks", "push"), sample(t, "pipeline_hooks", "pipeline")
	issue := sample(t, "issue_hooks", "issue_closed")
	branch := func(name string, protected bool) Event {
		e := push
		e.body.Ref, e.body.RefProtected, e.body.Project.DefaultBranch = "refs/heads/"+name, protected, new("main")
		return e
	}
	ended := func(status string, isDefault bool) Event {
		e := pipeline
		e.body.Attributes.Status, e.body.Attributes.Default, e.body.Attributes.Tag = status, isDefault, false
		e.body.Attributes.ProtectedRef = false
		return e
	}
	labelled := func(names ...string) Event {
		e := issue
		e.body.Labels = nil
		for _, name := range names {
			e.body.Labels = append(e.body.Labels, label{name})
		}
		return e
	}
	updated := labelled("bug")
	updated.body.Attributes.Action = "update"
	with := func(name string, value any) map[string]any {
		return map[string]any{"branches_to_be_notified": "all", name: value}
	}
	for i, c := range []struct {
		values map[string]any
		event  Event
		want   bool
	}{
		{with("branches_to_be_notified", "default"), branch("main", false), true},
		{with("branches_to_be_notified", "default"), branch("other", true), false},
		{with("branches_to_be_notified", "protected"), branch("main", false), false},
		{with("branches_to_be_notified", "protected"), branch("other", true), true},
		{with("branches_to_be_notified", "default_and_protected"), branch("other", true), true},
		{with("branches_to_be_notified", "default_and_protected"), branch("other", false), false},
		{with("branches_to_be_notified", "all"), branch("other", false), true},
		{with("notify_only_broken_pipelines", true), ended("success", true), false},
		{with("notify_only_broken_pipelines", true), ended("failed", true), true},
		{with("notify_only_broken_pipelines", false), ended("success", true), true},
		{with("notify_only_broken_pipelines", false), ended("running", true), false},
		{with("branches_to_be_notified", "default"), ended("failed", false), false},
		{with("labels_to_be_notified", "~bug, other"), labelled("bug"), true},
		{with("labels_to_be_notified", "bug,other"), labelled("third"), false},
		{map[string]any{"labels_to_be_notified": "bug,b", "labels_to_be_notified_behavior": "match_all"}, labelled("bug"), false},
		{map[string]any{"labels_to_be_notified": "bug,b", "labels_to_be_notified_behavior": "match_all"}, labelled("b", "bug"), true},
		{nil, labelled(), true},
		{nil, updated, false},
	} {
		if got := (Settings{Values: c.values}).Wants(c.event); got != c.want {
			t.Errorf("case %d: %v", i, got)
		}
	}
}

func TestConfidentialEventsAreOffUnlessAskedFor(t *testing.T) {
	t.Parallel()
	for _, k := range Kinds {
		if k.Defaults.Has(model.HookConfidentialIssues) || k.Defaults.Has(model.HookConfidentialNotes) || k.Defaults&^k.Events != 0 {
			t.Error(k.Slug)
		}
	}
}
