package payload

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// client-go parses every body, and every member that it knows arrives.
func TestClientGoReadsEveryBody(t *testing.T) {
	t.Parallel()
	for _, s := range samples() {
		body, err := json.Marshal(s.body)
		if err != nil {
			t.Fatal(err)
		}
		request := &http.Request{Header: http.Header{"X-Gitlab-Event": {s.header}}}
		event, err := gitlab.ParseHook(gitlab.HookEventType(request), body)
		if s.parsed == "" {
			if err == nil {
				t.Errorf("client-go knows %s now", s.name)
			}
			continue
		}
		if err != nil || fmt.Sprintf("%T", event) != s.parsed {
			t.Errorf("%s is %T, want %s, %v", s.name, event, s.parsed, err)
			continue
		}
		again, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		var sent, read any
		if json.Unmarshal(body, &sent) != nil || json.Unmarshal(again, &read) != nil {
			t.Fatal("not JSON")
		}
		const least = 5 // a body of which next to nothing arrives was not understood
		if n := arrives(t, s.name, sent, read); n < least {
			t.Errorf("%s: only %d members arrive", s.name, n)
		}
	}
}

// arrives compares the members that both sides have, and returns how many are equal. What is null on our side is the
// zero value in Go.
func arrives(t *testing.T, at string, sent, read any) int {
	t.Helper()
	switch sent := sent.(type) {
	case map[string]any:
		found, ok := read.(map[string]any)
		if !ok {
			t.Errorf("%s is %v", at, read)
		}
		n := 0
		for name, value := range sent {
			if other, known := found[name]; known && !strings.HasSuffix(name, "merge_params") {
				n += arrives(t, at+"."+name, value, other)
			}
		}
		return n
	case []any:
		found, ok := read.([]any)
		if !ok && len(sent) > 0 || len(found) != len(sent) {
			t.Errorf("%s is %v, want %v", at, read, sent)
			return 0
		}
		n := 0
		for i := range sent {
			n += arrives(t, fmt.Sprintf("%s[%d]", at, i), sent[i], found[i])
		}
		return n
	case nil:
		return 0
	}
	if sent != read && !sameTime(sent, read) {
		t.Errorf("%s is %v, want %v", at, read, sent)
		return 0
	}
	return 1
}

// sameTime reports whether two texts are the same time in different zones.
func sameTime(a, b any) bool {
	one, err := time.Parse(time.RFC3339, fmt.Sprint(a))
	other, failed := time.Parse(time.RFC3339, fmt.Sprint(b))
	return err == nil && failed == nil && one.Equal(other)
}

// Receivers decide by these members what to do.
func TestWhatReceiversDecideByArrives(t *testing.T) {
	t.Parallel()
	parsed := map[string]any{}
	for _, s := range samples() {
		body, err := json.Marshal(s.body)
		if err != nil {
			t.Fatal(err)
		}
		parsed[s.name], _ = gitlab.ParseHook(gitlab.EventType(s.header), body)
	}
	push, _ := parsed["push"].(*gitlab.PushEvent)
	if push == nil || push.TotalCommitsCount != 1 || push.Commits[0].Added[0] != "a.go" || push.UserUsername != "ada" ||
		!push.RefProtected {
		t.Errorf("a push is %+v", push)
	}
	gone, _ := parsed["push_deleted"].(*gitlab.PushEvent)
	if gone == nil || gone.CheckoutSHA != "" || strings.Trim(gone.After, "0") != "" {
		t.Errorf("a deleted branch is %+v", gone)
	}
	tag, _ := parsed["tag_push"].(*gitlab.TagEvent)
	if tag == nil || tag.After != tagID || tag.CheckoutSHA != newID || tag.Message != "First" {
		t.Errorf("a tag is %+v", tag)
	}
	commits, _ := parsed["merge_request"].(*gitlab.MergeEvent)
	if commits == nil || commits.ObjectAttributes.OldRev != oldID || commits.ObjectAttributes.LastCommit.Timestamp == nil ||
		commits.ObjectAttributes.Source.PathWithNamespace != "bo/demo" || !commits.ObjectAttributes.MergeParams.ForceRemoveSourceBranch {
		t.Errorf("a merge request with new commits is %+v", commits)
	}
	edited, _ := parsed["merge_request_updated"].(*gitlab.MergeEvent)
	if edited == nil || edited.ObjectAttributes.OldRev != "" || edited.Changes.Title.Previous != "Draft: Add a lock" ||
		!edited.Changes.Draft.Previous || len(edited.Changes.Labels.Previous) != 2 || len(edited.Changes.Reviewers.Current) != 1 {
		t.Errorf("an edited merge request is %+v", edited)
	}
	line, _ := parsed["note_on_line"].(*gitlab.MergeCommentEvent)
	if line == nil || line.ObjectAttributes.Position.NewLine != 3 ||
		line.ObjectAttributes.Position.LineRange.EndRange.LineCode != "1f_2_3" ||
		line.MergeRequest.IID != 16 || line.ObjectAttributes.Action != gitlab.CommentEventActionCreate {
		t.Errorf("a note on a line is %+v", line)
	}
	run, _ := parsed["pipeline"].(*gitlab.PipelineEvent)
	if run == nil || run.ObjectAttributes.DetailedStatus != "passed with warnings" || len(run.Builds) != 2 ||
		run.Builds[1].Environment.DeploymentTier != "staging" || run.Builds[0].ArtifactsFile.Size != 1024 {
		t.Errorf("a pipeline is %+v", run)
	}
}
