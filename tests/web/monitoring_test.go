package web

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// monitored is a server with a project that has an alert and an error.
func monitored(t *testing.T) (h *harness.H, project model.Project, errorID int64) {
	t.Helper()
	h = harness.New(t)
	owner := h.NewUserWithPassword()
	project = h.Project(*owner.User.NamespaceID)
	now := time.Now().UTC()
	_, err := h.Store.Alerts.Record(t.Context(), project.ID, []model.Alert{{
		Title: "Roof <leaks>", Description: "Water", Severity: "critical", Status: model.AlertTriggered, Service: "roof",
		Hosts: `["a","b"]`, Format: "generic", Payload: `{"title":"Roof","drops":7}`, StartedAt: now, Events: 1,
	}})
	if err != nil {
		t.Fatal(err)
	}
	err = h.Store.ErrorTracking.Record(t.Context(), model.TrackedError{
		ProjectID: project.ID, Fingerprint: "f", Title: "Crash <b>", Description: "nil", Culprit: "main.go in main", Level: "error",
	}, model.TrackedErrorEvent{
		ProjectID: project.ID, EventID: strings.Repeat("a", 32), Level: "error", OccurredAt: now,
		Payload: `{"exception":{"values":[{"type":"Panic","value":"<i>",
			"stacktrace":{"frames":[{"filename":"main.go","function":"main","lineno":3}]}}]}}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := h.Store.ErrorTracking.List(t.Context(), project.ID, store.ErrorFilter{}, store.Page{Limit: 10})
	if err != nil || len(rows) != 1 {
		t.Fatal(err, len(rows))
	}
	return h, project, rows[0].ID
}

func TestAlertsAreShownAndChanged(t *testing.T) {
	t.Parallel()
	h, project, _ := monitored(t)
	developer, guest := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.JoinProject(project, developer.User, model.Developer)
	h.JoinProject(project, guest.User, model.Guest)
	base := "/" + project.FullPath + "/-/alert_management"
	b := h.SignedIn(developer.User)
	checkPage(t, openPage(t, h, b, base, 8), 200, base, "Roof <leaks>")
	checkPage(t, b.Get(base+"?status=resolved"), 200, base, "No alert matches")
	page := openPage(t, h, b, base+"/1", 8)
	has(t, page, "Roof &lt;leaks&gt;", "a, b", "&#34;drops&#34;: 7")
	change := url.Values{"status": {"acknowledged"}, "assignees": {"@" + developer.User.Username}}
	page = b.Submit(base+"/1", change)
	checkPage(t, page, 200, base+"/1", "The alert was saved.")
	has(t, page, "acknowledged", `value="`+developer.User.Username+`"`)
	checkPage(t, b.Submit(base+"/1", url.Values{"status": {"acknowledged"}, "assignees": {guest.User.Username}}),
		200, "", "not assigned to users who are not developers")
	checkPage(t, b.Submit(base+"/1", url.Values{"status": {"acknowledged"}, "assignees": {"nobody-here"}}), 422, "", "names nobody-here")
	checkPage(t, b.Submit(base+"/1", url.Values{"status": {"broken"}}), 422, "", "is not a status")
	hidden(t, b, base+"/2")
	hidden(t, b, base+"/x")
	for _, path := range []string{base, base + "/1"} {
		hidden(t, h.SignedIn(guest.User), path)
		hidden(t, h.SignedIn(h.NewUserWithPassword().User), path)
		hidden(t, h.Browser(), path)
	}
}

func TestErrorsAreShownAndResolved(t *testing.T) {
	t.Parallel()
	h, project, id := monitored(t)
	developer, maintainer := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.JoinProject(project, developer.User, model.Developer)
	h.JoinProject(project, maintainer.User, model.Maintainer)
	base := "/" + project.FullPath + "/-/error_tracking"
	path := base + "/" + strconv.FormatInt(id, 10)
	b := h.SignedIn(developer.User)
	checkPage(t, openPage(t, h, b, base, 6), 200, base, "Crash <b>")
	page := openPage(t, h, b, path, 6)
	has(t, page, "Panic: &lt;i&gt;", "main.go:3", `value="resolved"`)
	page = b.Post(path, formOf(t, page, path, "status", "resolved"))
	checkPage(t, page, 200, path, "The error is resolved now")
	checkPage(t, b.Get(base+"?status=unresolved"), 200, base, "No error matches")
	checkPage(t, b.Post(path, formOf(t, b.Get(path), path, "status", "broken")), 400, "", "status")
	hidden(t, b, base+"/settings")
	hidden(t, b, base+"/99999")
	m := h.SignedIn(maintainer.User)
	checkPage(t, openPage(t, h, m, base+"/settings", 6), 200, "", "Error tracking is off")
	checkPage(t, m.Submit(base+"/settings", nil), 200, "", "Error tracking is on")
	page = m.Submit(base+"/settings/keys", nil)
	checkPage(t, page, 200, "", "The client key was created")
	has(t, page, "/api/v4/error_tracking/collector/"+strconv.FormatInt(project.ID, 10))
	checkPage(t, m.Submit(addressIn(t, page.Body, base+"/settings/keys/"), nil), 200, "", "The client key was deleted")
	for _, hiddenPath := range []string{base, path, base + "/settings"} {
		hidden(t, h.SignedIn(h.NewUserWithPassword().User), hiddenPath)
		hidden(t, h.Browser(), hiddenPath)
	}
}
