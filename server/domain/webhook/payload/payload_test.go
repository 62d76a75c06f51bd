package payload

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/server/platform/events"
	"svc/store/git"
	"svc/store/model"
)

// text returns a body as indented JSON.
func text(t *testing.T, body any) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(body); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// The bodies are what receivers read. The system forms of pushes, tags and merge requests are equal to the others.
func TestEveryBodyIsAsReceiversExpectIt(t *testing.T) {
	t.Parallel()
	write := os.Getenv("SVC_GOLDEN") == "write"
	for _, s := range samples() {
		file := filepath.Join("testdata", s.name+".json")
		got := text(t, s.body)
		switch s.name {
		case "system_push", "system_tag_push", "system_merge_request":
			continue
		}
		if write {
			if err := os.WriteFile(file, got, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is\n%s\nwant\n%s\n%v", s.name, got, want, err)
		}
	}
}

// Every event that this service sends has a sample, and every sample belongs to an event.
func TestEveryEventHasASample(t *testing.T) {
	t.Parallel()
	seen, kinds := map[string]bool{}, map[string]bool{}
	for _, s := range samples() {
		seen[s.header] = true
		var body struct {
			ObjectKind string `json:"object_kind"`
			EventName  string `json:"event_name"`
		}
		if err := json.Unmarshal(text(t, s.body), &body); err != nil {
			t.Fatal(err)
		}
		kinds[s.header+" "+body.ObjectKind] = true
		kinds[body.EventName] = true
	}
	for _, e := range events.HookKinds {
		if seen[e.Header] != e.Sent {
			t.Errorf("%s: a sample exists %v, sent %v", e.Header, seen[e.Header], e.Sent)
		}
		if e.Sent && e.ObjectKind != "" && !kinds[e.Header+" "+e.ObjectKind] {
			t.Errorf("no body for %s has the kind %s", e.Header, e.ObjectKind)
		}
		if byFlag, known := events.HookKindByFlag(e.Flag); !known || byFlag != e || events.HookKindOf(e.Event) != e {
			t.Errorf("%s is not found", e.Trigger)
		}
	}
	if _, ok := events.HookKindByFlag("nothing_events"); ok {
		t.Error("an unknown flag is found")
	}
	if !kinds[EventRepositoryUpdate] {
		t.Error("no sample of repository_update")
	}
}

func TestAnEditThatChangedNothingSendsNothing(t *testing.T) {
	t.Parallel()
	if c := here.IssueChanges(demo, door, door, 0); c.Any() || len(c) != 0 {
		t.Errorf("an unchanged issue: %v", c)
	}
	touched := door
	touched.Issue.UpdatedAt = touched.Issue.UpdatedAt.Add(time.Hour)
	if c := here.IssueChanges(demo, door, touched, 0); c.Any() || len(c) != 1 {
		t.Errorf("a touched issue: %v", c)
	}
	if c := here.MergeRequestChanges(request, request, 0); c.Any() || len(c) != 0 {
		t.Errorf("an unchanged merge request: %v", c)
	}
	if c := here.IssueChanges(demo, door, door, 60); !c.Any() {
		t.Error("time that was spent is no change")
	}
}

// Some receivers ask whether only the labels have changed, so nothing else may be among the changes then.
func TestAChangeOfLabelsIsOnlyThat(t *testing.T) {
	t.Parallel()
	before, after := request, request
	before.Row.Labels, before.Row.MergeRequest.MergeStatus = nil, model.MergeUnchecked
	after.Row.MergeRequest.UpdatedAt = after.Row.MergeRequest.UpdatedAt.Add(time.Second)
	c := here.MergeRequestChanges(before, after, 0)
	if _, labelled := c["labels"]; len(c) != 2 || !labelled {
		t.Errorf("the changes are %v", c)
	}
	swapped := request
	swapped.Row.Labels = []model.Label{all, bug}
	before.Row.Labels, before.Row.MergeRequest = []model.Label{bug, all}, swapped.Row.MergeRequest
	if c := here.MergeRequestChanges(before, swapped, 0); len(c) != 0 {
		t.Errorf("another order of labels: %v", c)
	}
}

// The body of a push that was recorded without its commits becomes the same when it is completed.
func TestAPushIsCompletedLater(t *testing.T) {
	t.Parallel()
	for _, in := range []PushInput{
		{
			Project: demo, User: ada, Change: git.Command{Ref: "refs/heads/main", Old: oldID, New: newID},
			Commits: []CommitFiles{fixWithFiles}, Total: 1,
		},
		{
			Project: demo, User: ada, Change: git.Command{Ref: "refs/tags/v1", Old: git.Zero, New: tagID}, Total: 1,
			Tag: &git.Tag{Commit: newID, Annotated: true, Message: "First"},
		},
		{Project: demo, User: ada, Change: git.Command{Ref: "refs/tags/v2", Old: git.Zero, New: tagID}, Tag: &git.Tag{Target: tagID}},
	} {
		want := text(t, here.Push(in))
		bare := in
		bare.Commits, bare.Total, bare.Tag = nil, 0, nil
		var recorded Push
		if err := json.Unmarshal(text(t, here.Push(bare)), &recorded); err != nil {
			t.Fatal(err)
		}
		if recorded.Commits == nil || strings.Contains(string(text(t, recorded)), `"commits": null`) {
			t.Error("commits are null")
		}
		here.Complete(&recorded, in)
		if got := text(t, recorded); !bytes.Equal(got, want) {
			t.Errorf("completed is\n%s\nwant\n%s", got, want)
		}
	}
}

func TestTextsAreSpelledForReceivers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"![a](/uploads/1/a.png)":           "![a](https://svc.example/-/project/15/uploads/1/a.png)",
		"x ![](/g/x.png) ![b](y.png)":      "x ![](https://svc.example/g/x.png) ![b](y.png)",
		"![c](//x.example/c.png)":          "![c](//x.example/c.png)",
		"![d](https://x.example/uploads/)": "![d](https://x.example/uploads/)",
		"[link](/uploads/1/a.png)":         "[link](/uploads/1/a.png)",
		"![e](/":                           "![e](/", "![": "![", "": "",
	} {
		if got := here.absolute(demo, in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	nested := model.Project{FullPath: "g/s/demo", FullName: "G / S / Demo", Name: "Demo"}
	slashed := model.Project{FullPath: "bo/demo", FullName: "Bo / Peep / Demo", Name: "Demo"}
	if namespaceName(demo) != "G" || namespaceName(nested) != "S" || namespaceName(slashed) != "Bo / Peep" {
		t.Errorf("namespaces are %q, %q and %q", namespaceName(demo), namespaceName(nested), namespaceName(slashed))
	}
	for kind, want := range map[string][2]string{
		"issue": {"issue", "Issue"}, "incident": {"issue", "Incident"}, "task": {"work_item", "Task"},
		"test_case": {"work_item", "Test Case"},
	} {
		if issueKind(kind) != want[0] || typeName(kind) != want[1] {
			t.Errorf("%s is %s, %s", kind, issueKind(kind), typeName(kind))
		}
	}
	if here := (Instance{Base: "https://svc.example:8443", SSHPort: 2222}); here.gitSSH(demo) != "ssh://git@svc.example:2222/g/demo.git" {
		t.Error(here.gitSSH(demo))
	}
}

// Push options that contradict each other do no harm.
func TestPushOptionsBecomeAnObject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		options []string
		want    string
	}{
		{nil, `{}`},
		{[]string{"ci.skip"}, `{"ci":{"skip":true}}`},
		{[]string{"ci", "ci.skip"}, `{"ci":{"skip":true}}`},
		{[]string{"ci.variable=A=1", "x=y"}, `{"ci":{"variable":"A=1"},"x":"y"}`},
		{[]string{"merge_request.title=a.b=c"}, `{"merge_request":{"title":"a.b=c"}}`},
		{[]string{"a.b.c=d"}, `{"a":{"b.c":"d"}}`},
		{[]string{"", "."}, `{"":{"":true}}`},
	} {
		if got, err := json.Marshal(pushOptions(c.options)); err != nil || string(got) != c.want {
			t.Errorf("%q is %s, want %s, %v", c.options, got, c.want, err)
		}
	}
}

func TestTheExpiryOfTokensIsAnnouncedInSteps(t *testing.T) {
	t.Parallel()
	now := birth
	for days, want := range map[int][2]string{
		0: {"", ""}, 1: {IntervalSevenDays, IntervalSevenDays}, 7: {IntervalSevenDays, IntervalSevenDays}, 8: {"", ""}, 23: {"", ""},
		24: {"", IntervalThirtyDays},
		30: {"", IntervalThirtyDays}, 31: {"", ""}, 53: {"", ""}, 60: {"", IntervalSixtyDays}, 61: {"", ""},
	} {
		at := now.AddDate(0, 0, days)
		if got := [2]string{ExpiryInterval(at, now, false), ExpiryInterval(at, now, true)}; got != want {
			t.Errorf("%d days: %v, want %v", days, got, want)
		}
	}
}

func TestDeploymentsSendHooksForSomeStatuses(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]bool{"created": false, "running": true, "success": true, "skipped": false, "blocked": true} {
		if DeploymentSends(status) != want {
			t.Errorf("%s: %v", status, !want)
		}
	}
}
