package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// checkStatuses returns the statuses of the external status checks of a merge request.
func checkStatuses(t *testing.T, w mergeProject, iid int64) string {
	t.Helper()
	var all []string
	for _, c := range read[[]struct{ Name, Status string }](t, w.developer.Send("GET", w.at(iid, "/status_checks"), ""), 200) {
		all = append(all, c.Name+"="+c.Status)
	}
	return strings.Join(all, " ")
}

func TestExternalStatusChecksAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID)
	maintainer := h.ProjectMember(p, model.Maintainer)
	path := fmt.Sprintf("/projects/%d/external_status_checks", p.ID)
	branch := read[struct{ ID int64 }](t, maintainer.JSON("POST", fmt.Sprintf("/projects/%d/protected_branches", p.ID),
		`{"name":"release/*"}`), 201).ID
	made := maintainer.JSON("POST", path, fmt.Sprintf(
		`{"name":"Compliance","external_url":"https://a.example.com","shared_secret":"sesame","protected_branch_ids":[%d]}`, branch))
	if made.Status != 201 || !strings.Contains(made.Body, `"hmac":true`) || !strings.Contains(made.Body, `"name":"release/*"`) ||
		strings.Contains(made.Body, "sesame") {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	id := read[struct{ ID int64 }](t, made, 201).ID
	one := fmt.Sprintf("%s/%d", path, id)
	expect(t, maintainer.Send("GET", path, ""), 200, "["+made.Body+"]")
	changed := maintainer.JSON("PUT", one, `{"name":"Licenses","shared_secret":"","protected_branch_ids":[]}`)
	expect(t, changed, 200, fmt.Sprintf(
		`{"id":%d,"name":"Licenses","project_id":%d,"external_url":"https://a.example.com","hmac":false,"protected_branches":[]}`,
		id, p.ID))
	for _, body := range []string{
		`{"name":"a"}`, `{"external_url":"https://b.example.com"}`, `{"name":" ","external_url":"https://b.example.com"}`,
		`{"name":"licenses","external_url":"https://b.example.com"}`, `{"name":"b","external_url":"https://a.example.com"}`,
		`{"name":"b","external_url":"ftp://b.example.com"}`, `{"name":"b","external_url":"javascript:alert(1)"}`,
		`{"name":"b","external_url":"https://b.example.com","protected_branch_ids":[99999999]}`,
		`{"name":"` + strings.Repeat("n", 256) + `","external_url":"https://b.example.com"}`,
	} {
		expect(t, maintainer.JSON("POST", path, body), 400, "")
	}
	expect(t, maintainer.Send("GET", path, ""), 200, "["+changed.Body+"]")
	other := h.Project(h.Group().ID)
	expect(t, h.Root().JSON("PUT", fmt.Sprintf("/projects/%d/external_status_checks/%d", other.ID, id), `{"name":"x"}`), 404, "")
	expect(t, maintainer.Send("DELETE", one, ""), 204, "")
	expect(t, maintainer.Send("DELETE", one, ""), 404, "")
}

func TestWhoManagesAndAnswersExternalStatusChecks(t *testing.T) {
	t.Parallel()
	w := newMergeProject(t, harness.New(t))
	head := w.commit("topic", "Add a", map[string]string{"a.txt": "a\n"})
	mr := w.openMergeRequest("topic", "Add a")
	path := w.path + "/external_status_checks"
	check := read[struct{ ID int64 }](t, w.maintainer.JSON("POST", path, `{"name":"a","external_url":"https://a.example.com"}`), 201).ID
	answer := fmt.Sprintf(`{"sha":%q,"external_status_check_id":%d,"status":"failed"}`, head, check)
	for role, want := range map[model.Access][2]int{
		model.Guest: {403, 403}, model.Reporter: {403, 403}, model.Developer: {403, 201},
		model.Maintainer: {200, 201}, model.Owner: {200, 201},
	} {
		c := w.h.ProjectMember(w.project, role)
		if got := c.Send("GET", path, "").Status; got != want[0] {
			t.Errorf("%d lists: %d", role, got)
		}
		if got := c.JSON("PUT", fmt.Sprintf("%s/%d", path, check), `{"name":"a"}`).Status; got != want[0] {
			t.Errorf("%d changes: %d", role, got)
		}
		if got := c.JSON("POST", w.at(mr.IID, "/status_check_responses"), answer).Status; got != want[1] {
			t.Errorf("%d answers: %d", role, got)
		}
		retried := 403
		if want[1] == 201 {
			retried = 202
		}
		if got := c.Send("POST", w.at(mr.IID, fmt.Sprintf("/status_checks/%d/retry", check)), "").Status; got != retried {
			t.Errorf("%d retries: %d", role, got)
		}
	}
	outsider := w.h.NewUser()
	expect(t, outsider.Send("GET", path, ""), 404, "")
	expect(t, outsider.JSON("POST", w.at(mr.IID, "/status_check_responses"), answer), 404, "")
	expect(t, outsider.Send("GET", w.at(mr.IID, "/status_checks"), ""), 404, "")
	expect(t, w.reporter.Send("GET", w.at(mr.IID, "/status_checks"), ""), 403, "")
	expect(t, w.h.Anonymous().Send("GET", path, ""), 401, "")
}

func TestAMergeWaitsForExternalStatusChecks(t *testing.T) {
	t.Parallel()
	w := newMergeProject(t, harness.New(t))
	expect(t, w.maintainer.JSON("PUT", w.path, `{"only_allow_merge_if_all_status_checks_passed":true}`), 200, "")
	if got := w.maintainer.Send("GET", w.path, "").Body; !strings.Contains(got, `"only_allow_merge_if_all_status_checks_passed":true`) {
		t.Error(got)
	}
	head := w.commit("topic", "Add a", map[string]string{"a.txt": "a\n"})
	mr := w.openMergeRequest("topic", "Add a")
	if got := w.get(mr.IID).Detailed; got != "mergeable" {
		t.Fatal(got)
	}
	path, answers := w.path+"/external_status_checks", w.at(mr.IID, "/status_check_responses")
	first := read[struct{ ID int64 }](t, w.maintainer.JSON("POST", path, `{"name":"a","external_url":"https://a.example.com"}`), 201).ID
	second := read[struct{ ID int64 }](t, w.maintainer.JSON("POST", path, `{"name":"b","external_url":"https://b.example.com"}`), 201).ID
	release := read[struct{ ID int64 }](t, w.maintainer.JSON("POST", w.path+"/protected_branches", `{"name":"release"}`), 201).ID
	elsewhere := read[struct{ ID int64 }](t, w.maintainer.JSON("POST", path,
		fmt.Sprintf(`{"name":"c","external_url":"https://c.example.com","protected_branch_ids":[%d]}`, release)), 201).ID
	if got := checkStatuses(t, w, mr.IID); got != "a=pending b=pending" {
		t.Error(got)
	}
	say := func(check int64, sha, status string) harness.Answer {
		return w.developer.JSON("POST", answers, fmt.Sprintf(`{"sha":%q,"external_status_check_id":%d,"status":%q}`, sha, check, status))
	}
	waits := func() {
		t.Helper()
		if got := w.get(mr.IID).Detailed; got != "external_status_checks" {
			t.Error(got)
		}
		expect(t, w.maintainer.Send("PUT", w.at(mr.IID, "/merge"), ""), 405, `{"message":"405 Method Not Allowed"}`)
	}
	waits()
	expect(t, say(first, head, "passed"), 201, "")
	waits()
	expect(t, say(second, strings.Repeat("a", 40), "passed"), 409, "")
	expect(t, say(elsewhere, head, "passed"), 404, "")
	expect(t, say(99999999, head, "passed"), 404, "")
	expect(t, say(second, head, "great"), 400, "")
	expect(t, w.developer.Send("POST", w.at(mr.IID, fmt.Sprintf("/status_checks/%d/retry", second)), ""), 422,
		`{"message":"External status check must be failed"}`)
	expect(t, say(second, head, "failed"), 201, "")
	waits()
	w.set(map[string]any{"only_allow_merge_if_all_status_checks_passed": false})
	if got := w.get(mr.IID).Detailed; got != "mergeable" {
		t.Errorf("without the setting: %s", got)
	}
	w.set(map[string]any{"only_allow_merge_if_all_status_checks_passed": true})
	expect(t, say(second, head, "passed"), 201, "")
	if got := checkStatuses(t, w, mr.IID); got != "a=passed b=passed" {
		t.Error(got)
	}
	expect(t, w.maintainer.Send("PUT", w.at(mr.IID, "/merge"), ""), 200, "")
}

// The service of a check is asked when a merge request is opened and after each push, with a signature.
func TestTheServiceOfAStatusCheckIsAsked(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	w, to := newMergeProject(t, h), harness.NewReceiver(t)
	h.StartWorker()
	check := read[struct{ ID int64 }](t, w.maintainer.JSON("POST", w.path+"/external_status_checks",
		fmt.Sprintf(`{"name":"a","external_url":"%s/check","shared_secret":"sesame"}`, to.URL)), 201).ID
	w.commit("topic", "Add a", map[string]string{"a.txt": "a\n"})
	mr := w.openMergeRequest("topic", "Add a")
	got := to.Wait(1)[0]
	var body struct {
		Kind  string `json:"object_kind"`
		Check struct {
			ID   int64
			Name string
		} `json:"external_approval_rule"`
		Attributes struct{ IID int64 } `json:"object_attributes"`
	}
	if err := json.Unmarshal(got.Body, &body); err != nil || body.Kind != "merge_request" || body.Check.ID != check ||
		body.Check.Name != "a" || body.Attributes.IID != mr.IID {
		t.Errorf("%v %s", err, got.Body)
	}
	mac := hmac.New(sha256.New, []byte("sesame"))
	mac.Write(got.Body)
	if sent := got.Header.Get("X-Gitlab-Signature"); sent != hex.EncodeToString(mac.Sum(nil)) {
		t.Error(sent)
	}
	if got := checkStatuses(t, w, mr.IID); got != "a=pending" {
		t.Error(got)
	}
	head := w.commit("topic", "Add b", map[string]string{"b.txt": "b\n"})
	if second := to.Wait(2)[1]; !strings.Contains(string(second.Body), head) {
		t.Errorf("%s", second.Body)
	}
	forward(t, h, 3*time.Minute)
	if got := checkStatuses(t, w, mr.IID); got != "a=failed" {
		t.Errorf("a check that stays pending: %s", got)
	}
	expect(t, w.developer.Send("POST", w.at(mr.IID, fmt.Sprintf("/status_checks/%d/retry", check)), ""), 202, `{"message":"202 Accepted"}`)
	to.Wait(3)
	if got := checkStatuses(t, w, mr.IID); got != "a=pending" {
		t.Error(got)
	}
	expect(t, w.developer.JSON("POST", w.at(mr.IID, "/status_check_responses"),
		fmt.Sprintf(`{"sha":%q,"external_status_check_id":%d,"status":"passed"}`, head, check)), 201, "")
	w.commit("topic", "Add c", map[string]string{"c.txt": "c\n"})
	to.Wait(4)
	if got := checkStatuses(t, w, mr.IID); got != "a=pending" {
		t.Errorf("after a push: %s", got)
	}
}
