package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestUsersWhoWantItAreMailedAboutNewReleases(t *testing.T) {
	t.Parallel()
	inbox := harness.NewInbox(t)
	h := harness.New(t, inbox.Use)
	h.StartWorker()
	r, owner := pushedHistory(t, h, model.Private)
	people := map[string]*harness.Caller{}
	for name, role := range map[string]model.Access{
		"custom": model.Reporter, "guest": model.Guest, "participant": model.Reporter, "watcher": model.Reporter, "writer": model.Developer,
	} {
		people[name] = userWithConfirmedEmail(h, name)
		h.JoinProject(r.project, people[name].User, role)
	}
	settings := fmt.Sprintf("/projects/%d/notification_settings", r.project.ID)
	for name, body := range map[string]string{
		"custom": `{"level":"custom","new_release":true}`, "guest": `{"level":"custom","new_release":true}`,
		"watcher": `{"level":"watch"}`, "writer": `{"level":"custom","new_release":true}`, "participant": `{"level":"custom"}`,
	} {
		a := people[name].JSON("PUT", settings, body)
		if want := strings.Contains(body, "new_release"); a.Status != 200 || strings.Contains(a.Body, `"new_release":true`) != want {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	h.WaitForMails()
	inbox.Take()
	body := `{"tag_name":"v7.0","name":"Seven","ref":"main","description":"Much is <b>new</b>."}`
	expect(t, people["writer"].JSON("POST", releasesPath, body), 201, "")
	expect(t, owner.JSON("PUT", releasesPath+"/v7.0", `{"description":"changed"}`), 200, "")
	h.WaitForMails()
	got := inbox.Take()
	if addressees(got) != "custom" {
		t.Fatalf("mailed are %s", addressees(got))
	}
	text, rich := parts(t, got[0])
	for _, want := range []string{"released Seven (v7.0)", h.URL + "/" + r.project.FullPath + "/-/releases/v7.0"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if subject := got[0].Header.Get("Subject"); subject != r.project.Name+" | New release: Seven (v7.0)" {
		t.Error(subject)
	}
	if strings.Contains(rich, "<b>new</b>") {
		t.Error(rich)
	}
}
