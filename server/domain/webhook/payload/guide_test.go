package payload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"svc/server/platform/events"
)

// guide is the page that shows every event.
const guide = "../../../../docs/webhook-events.md"

// guideExamples are the sections of the guide with an example, and the golden file or shared object that each shows.
var guideExamples = []struct{ heading, shows string }{
	{"User", "(user)"},
	{"Project", "(project)"},
	{"Repository", "(repository)"},
	{"Commit", "(commit)"},
	{"Label", "(label)"},
	{"Push to a branch", "push"},
	{"Push of a tag", "tag_push"},
	{"All refs of a push", "repository_update"},
	{"An issue is opened", "issue"},
	{"An issue is closed", "issue_closed"},
	{"A merge request gets new commits", "merge_request"},
	{"A merge request is edited", "merge_request_updated"},
	{"A merge request is merged", "merge_request_merged"},
	{"On an issue", "note_on_issue"},
	{"On a line of a merge request", "note_on_line"},
	{"On a commit", "note_on_commit"},
	{"On a snippet", "note_on_snippet"},
	{"Emoji", "emoji"},
	{"Wiki pages", "wiki_page"},
	{"A pipeline has succeeded", "pipeline"},
	{"A pipeline for a merge request waits", "pipeline_of_merge_request"},
	{"Jobs", "job"},
	{"Deployments", "deployment"},
	{"Feature flags", "feature_flag"},
	{"Releases", "release"},
	{"A project milestone", "milestone"},
	{"A group milestone", "group_milestone"},
	{"Access token", "access_token"},
	{"Deploy token", "deploy_token"},
	{"Members of groups", "member"},
	{"Subgroups", "subgroup"},
	{"Projects of groups", "project"},
	{"Projects", "system_project_renamed"},
	{"Users", "system_user_renamed"},
	{"SSH keys", "system_key"},
	{"Groups of the instance", "system_group_renamed"},
	{"Members of groups, for system hooks", "system_group_member"},
	{"Members of projects", "system_project_member"},
}

// guideObjects are the objects that the guide shows once, by the text that stands for them in the other examples.
func guideObjects() map[string][]any {
	return map[string][]any{
		"(user)":            {here.user(ada), here.user(bo)},
		"(project)":         {here.project(demo), here.project(fork)},
		"(short project)":   {here.projectBasic(demo)},
		"(repository)":      {here.repository(demo)},
		"(long repository)": {here.repositoryDetail(demo)},
		"(commit)":          {here.commit(demo, fix), here.commit(fork, fix)},
		"(label)":           {label(bug), label(all)},
	}
}

// compact returns an object as JSON in one line.
func compact(t *testing.T, body any) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text(t, body)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// guideExample returns an example of the guide.
func guideExample(t *testing.T, shows string) string {
	t.Helper()
	objects := guideObjects()
	if shared := objects[shows]; shared != nil {
		return string(text(t, shared[0]))
	}
	samples := samples()
	at := slices.IndexFunc(samples, func(s sample) bool { return s.name == shows })
	if at < 0 {
		t.Fatalf("no sample is called %s", shows)
	}
	body := compact(t, samples[at].body)
	for name, list := range objects {
		for _, object := range list {
			body = strings.ReplaceAll(body, compact(t, object), `"`+name+`"`)
		}
	}
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(body), "", "  "); err != nil {
		t.Fatal(err)
	}
	return out.String() + "\n"
}

// The guide shows what is sent. SVC_GOLDEN=write replaces its examples.
func TestTheGuideShowsWhatIsSent(t *testing.T) {
	t.Parallel()
	read, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	page := string(read)
	for _, e := range guideExamples {
		_, rest, found := strings.Cut(page, "# "+e.heading+"\n")
		if !found {
			t.Errorf("the guide lacks the section %s", e.heading)
			continue
		}
		section, _, _ := strings.Cut(rest, "\n#")
		_, block, _ := strings.Cut(section, "```json\n")
		block, _, _ = strings.Cut(block, "```")
		want := guideExample(t, e.shows)
		if block == want {
			continue
		}
		if os.Getenv("SVC_GOLDEN") != "write" {
			t.Errorf("the section %s shows\n%s\nwant\n%s", e.heading, block, want)
			continue
		}
		page = strings.Replace(page, section, strings.Replace(section, "```json\n"+block, "```json\n"+want, 1), 1)
	}
	if page != string(read) {
		if err := os.WriteFile(guide, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The table of the guide is the table of the kinds of events.
func TestTheGuideListsEveryEvent(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events.HookKinds {
		kind, sent := "event_name", "no"
		if e.ObjectKind != "" {
			kind = e.ObjectKind
		}
		if e.Sent {
			sent = "yes"
		}
		var hooks []string
		for i, has := range []bool{e.Project, e.Group, e.System} {
			if has {
				hooks = append(hooks, []string{"project", "group", "system"}[i])
			}
		}
		row := fmt.Sprintf("| `%s` | %s | `%s` | %s | `%s` | %s |", e.Flag, e.Header, kind, strings.Join(hooks, ", "), e.Trigger, sent)
		if !strings.Contains(string(page), row) {
			t.Errorf("the guide lacks %s", row)
		}
	}
	for _, name := range SystemEvents {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("the guide lacks %s", name)
		}
	}
}
