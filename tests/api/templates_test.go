package api

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func TestTemplatesOfFiles(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	nobody := h.Anonymous()
	type listed struct{ Key, Name string }
	type one struct{ Name, Content string }
	for path, c := range map[string]struct{ key, missing string }{
		"dockerfiles": {"Node", "Dockerfile"}, "gitignores": {"Node", "Gitignore"}, "gitlab_ci_ymls": {"Nodejs", "Gitlab_ci_yml"},
	} {
		at := "/templates/" + path
		rows := read[[]listed](t, nobody.Send("GET", at+"?per_page=100", ""), 200)
		for _, row := range rows {
			got := read[one](t, nobody.Send("GET", at+"/"+url.PathEscape(row.Key), ""), 200)
			if got.Name != row.Name || got.Content == "" {
				t.Errorf("%s %+v", at, got)
			}
		}
		read[one](t, nobody.Send("GET", at+"/"+c.key, ""), 200)
		expect(t, nobody.Send("GET", at+"/nothing", ""), 404, `{"message":"404 `+c.missing+` Not Found"}`)
		expect(t, nobody.Send("GET", at+"/..%2Flicenses%2Fmit", ""), 404, "")
	}
	a := nobody.Send("GET", "/templates/svc_ci_ymls", "")
	if a.Status != 200 || a.Header.Get("X-Next-Page") != "2" || a.Header.Get("X-Per-Page") != "20" || a.Header.Get("X-Total") == "" {
		t.Errorf("%d %v", a.Status, a.Header)
	}
}

func TestTemplatesOfLicenses(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	nobody, jane := h.Anonymous(), h.NewUser(named("jane"))
	type license struct {
		Key, Name, Content string
		Popular, Featured  bool
	}
	for query, want := range map[string]int{"": 7, "?popular=true": 2, "?popular=false": 5} {
		if rows := read[[]license](t, nobody.Send("GET", "/templates/licenses"+query, ""), 200); len(rows) != want {
			t.Errorf("%s: %d licenses", query, len(rows))
		}
	}
	year := fmt.Sprint(time.Now().UTC().Year())
	for _, c := range []struct {
		who         *harness.Caller
		query, want string
	}{
		{nobody, "", "Copyright (c) " + year + ", [fullname]"},
		{nobody, "?fullname=Acme%20Ltd", "Copyright (c) " + year + ", Acme Ltd"},
		{jane, "", "Copyright (c) " + year + ", Jane"},
	} {
		got := read[license](t, c.who.Send("GET", "/templates/licenses/bsd-2-clause"+c.query, ""), 200)
		if !strings.Contains(got.Content, c.want) {
			t.Errorf("%s:\n%s", c.query, got.Content)
		}
	}
	expect(t, nobody.Send("GET", "/templates/licenses/nothing", ""), 404, `{"message":"404 License Not Found"}`)
}

func TestTemplatesOfAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID, called("web", model.Private))
	at := fmt.Sprintf("/projects/%d/templates/", p.ID)
	expect(t, h.Root().JSON("POST", commitsOf(p), `{"branch":"main","commit_message":"Templates","actions":[`+
		`{"action":"create","file_path":".gitlab/issue_templates/Bug report.md","content":"What happened?\n"},`+
		`{"action":"create","file_path":".gitlab/issue_templates/notes.txt","content":"x"},`+
		`{"action":"create","file_path":".gitlab/merge_request_templates/Default.md","content":"Why?\n"}]}`), 201, "")
	callers := newCallersByRole(h, p)
	callers.statuses(t, "list gitignores", "404 404 404 200 200 200 200 200 200", func(c *harness.Caller) harness.Answer {
		return c.Send("GET", at+"gitignores", "")
	})
	callers.answers(t, "issue templates", "404 404 404 [] 1 1 1 1 1", func(_ string, c *harness.Caller) string {
		switch a := c.Send("GET", at+"issues", ""); {
		case a.Status != 200:
			return fmt.Sprint(a.Status)
		case a.Body == `[{"key":"Bug report","name":"Bug report"}]`:
			return "1"
		default:
			return strings.TrimSpace(a.Body)
		}
	})
	callers.statuses(t, "one issue template", "404 404 404 404 200 200 200 200 200", func(c *harness.Caller) harness.Answer {
		return c.Send("GET", at+"issues/Bug%20report", "")
	})
	dev := callers["developer"]
	expect(t, dev.Send("GET", at+"issues/Bug%20report", ""), 200, `{"name":"Bug report","content":"What happened?\n"}`)
	expect(t, dev.Send("GET", at+"merge_requests/Default", ""), 200, `{"name":"Default","content":"Why?\n"}`)
	expect(t, dev.Send("GET", at+"issues/notes", ""), 404, `{"message":"404 Template Not Found"}`)
	expect(t, dev.Send("GET", at+"gitignores/Go", ""), 200, "")
	expect(t, dev.Send("GET", at+"licenses/mit?fullname=Jane&project=Web", ""), 200, "")
	expect(t, dev.Send("GET", at+"licenses", ""), 200, "")
	expect(t, dev.Send("GET", at+"svc_ci_ymls/Go", ""), 200, "")
	expect(t, dev.Send("GET", at+"recipes", ""), 400, `{"error":"type does not have a valid value"}`)
	empty := h.Project(h.Group(openGroup).ID, called("empty", model.Public))
	expect(t, h.Anonymous().Send("GET", fmt.Sprintf("/projects/%d/templates/issues", empty.ID), ""), 200, "[]")
}
