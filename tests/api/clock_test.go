package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

// newClocked starts a service with a clock of its own.
func newClocked(t *testing.T) *harness.H {
	t.Helper()
	o := storetest.Options(t)
	o.Clock = &clock.Clock{}
	st, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return harness.NewOnStore(t, st)
}

// forward moves the clock of a service by a duration, or back if it is negative. The users of the service are confirmed:
// unconfirmed accounts are deleted after some days.
func forward(t *testing.T, h *harness.H, by time.Duration) {
	t.Helper()
	if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE users SET confirmed_at = created_at"); err != nil {
		t.Fatal(err)
	}
	if err := h.Server.MoveClock(t.Context(), h.Store.Clock().Now().Add(by)); err != nil {
		t.Fatal(err)
	}
}

const day = 24 * time.Hour

func TestATokenExpiresByTheClockOfItsService(t *testing.T) {
	t.Parallel()
	expires := func(p *model.PersonalAccessToken) {
		end := time.Now().UTC().Truncate(day).AddDate(0, 0, 10)
		p.ExpiresAt = &end
	}
	one, two := newClocked(t), newClocked(t)
	first := one.WithToken(one.NewUser().User, "api", expires)
	second := two.WithToken(two.NewUser().User, "api", expires)
	expect(t, first.Send("GET", "/user", ""), 200, "")
	forward(t, one, 11*day)
	if got := first.Send("GET", "/user", ""); got.Status != 401 || !strings.Contains(got.Body, "Token is expired") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	expect(t, second.Send("GET", "/user", ""), 200, "")
	forward(t, one, -11*day)
	expect(t, first.Send("GET", "/user", ""), 200, "")
	expect(t, second.JSON("POST", "/user/personal_access_tokens", fmt.Sprintf(
		`{"name":"a","scopes":["k8s_proxy"],"expires_at":%q}`, time.Now().Add(-day).Format(time.DateOnly))), 422, "")
	forward(t, two, -20*day)
	expect(t, second.JSON("POST", "/user/personal_access_tokens", fmt.Sprintf(
		`{"name":"a","scopes":["k8s_proxy"],"expires_at":%q}`, time.Now().Add(-day).Format(time.DateOnly))), 201, "")
}

func TestAServiceWithoutAClockCannotBeMoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	if err := h.Server.MoveClock(t.Context(), time.Now().Add(time.Hour)); err == nil {
		t.Error("its clock was moved")
	}
	if err := h.Server.RunDue(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestRowsHaveTheTimeOfTheClock(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	project := h.Project(h.Group().ID)
	user := h.ProjectMember(project, model.Maintainer)
	h.Store.Clock().Freeze()
	forward(t, h, 365*day)
	at := h.Store.Clock().Now().UTC().Truncate(time.Millisecond)
	path := fmt.Sprintf("/projects/%d", project.ID)
	type dated struct {
		IID     int64      `json:"iid"`
		Created time.Time  `json:"created_at"`
		Updated *time.Time `json:"updated_at"`
		Closed  *time.Time `json:"closed_at"`
	}
	issue := read[dated](t, user.JSON("POST", path+"/issues", `{"title":"The roof leaks","labels":"new"}`), 201)
	forward(t, h, time.Hour)
	one := fmt.Sprintf("%s/issues/%d", path, issue.IID)
	closed := read[dated](t, user.JSON("PUT", one, `{"state_event":"close"}`), 200)
	note := read[dated](t, user.JSON("POST", one+"/notes", `{"body":"Mended."}`), 201)
	commit := read[dated](t, user.JSON("POST", path+"/repository/commits",
		`{"branch":"main","commit_message":"Begin","actions":[{"action":"create","file_path":"a","content":"b"}]}`), 201)
	events := read[[]dated](t, user.Send("GET", path+"/events", ""), 200)
	later := at.Add(time.Hour)
	for name, ok := range map[string]bool{
		"issue":        issue.Created.Equal(at) && issue.Updated.Equal(at),
		"closed issue": closed.Created.Equal(at) && closed.Updated.Equal(later) && closed.Closed.Equal(later),
		"note":         note.Created.Equal(later),
		"commit":       commit.Created.Equal(later.Truncate(time.Second)),
		"first event":  events[len(events)-1].Created.Equal(at),
		"last event":   events[0].Created.Equal(later),
	} {
		if !ok {
			t.Errorf("%s: %+v %+v %+v %+v %+v, want %s and an hour later", name, issue, closed, note, commit, events, at)
		}
	}
	h.Store.Clock().Resume()
	forward(t, h, 4*365*day) // events are deleted after three years
	expect(t, user.Send("GET", path+"/events", ""), 200, "[]")
	expect(t, user.Send("GET", one, ""), 200, "")
}

func TestSchedulesAndDelayedJobsRunWhenTheClockIsMoved(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	h.StartWorker()
	r := ciProject(t, h, map[string]string{".svc-ci.yml": "later: {script: a, when: delayed, start_in: 1 day}\n"})
	waitForQueue(t, h)
	started := read[[]pipeline](t, r.maintainer.Send("GET", r.path+"/pipelines", ""), 200)
	if len(started) != 1 || !strings.Contains(r.jobs(started[0].ID), "scheduled") {
		t.Fatalf("%+v %s", started, r.jobs(started[0].ID))
	}
	path := r.path + "/pipeline_schedules"
	made := read[schedule](t, r.maintainer.JSON("POST", path, `{"description":"Monthly","ref":"main","cron":"0 1 1 * *"}`), 201)
	forward(t, h, day+time.Minute) // a job whose time passed more than an hour ago is dropped
	if got := r.jobs(started[0].ID); !strings.Contains(got, "pending") {
		t.Errorf("after a day the delayed job is %s", got)
	}
	forward(t, h, made.Next.Add(time.Minute).Sub(h.Store.Clock().Now()))
	waitForQueue(t, h)
	rows := read[[]pipeline](t, r.maintainer.Send("GET", r.path+"/pipelines?source=schedule", ""), 200)
	next := read[schedule](t, r.maintainer.Send("GET", fmt.Sprintf("%s/%d", path, made.ID), ""), 200).Next
	if len(rows) != 1 || next == nil || !next.Equal(made.Next.AddDate(0, 1, 0)) {
		t.Errorf("%+v, the next run is at %s", rows, next)
	}
}

func TestOAuthFollowsTheClock(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	a, p := newApp(h), newPerson(h)
	late := p.code(t, a)
	forward(t, h, 11*time.Minute)
	expect(t, a.redeem(late), 400, "")
	given := tokens(t, a.redeem(p.code(t, a)))
	valid := func(token string) bool {
		return h.WithHeaders("Authorization", "Bearer "+token).Send("GET", "/user", "").Status == 200
	}
	if !valid(given.AccessToken) || time.Unix(given.CreatedAt, 0).Sub(h.Store.Clock().Now()).Abs() > time.Minute {
		t.Errorf("a new token is not valid, or was created at %d", given.CreatedAt)
	}
	forward(t, h, 119*time.Minute)
	if !valid(given.AccessToken) {
		t.Error("after 119 minutes the token is not valid")
	}
	forward(t, h, 2*time.Minute)
	if valid(given.AccessToken) {
		t.Error("after 121 minutes the token is valid")
	}
	if next := tokens(t, a.refresh(given.RefreshToken)); !valid(next.AccessToken) {
		t.Error("a refreshed token is not valid")
	}
}

func TestBrowserSessionsEndByTheClock(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	p := newPerson(h)
	if got := p.Get("/-/profile"); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Text())
	}
	forward(t, h, 365*day)
	if got := p.Get("/-/profile"); got.Status != 302 {
		t.Errorf("after a year: %d", got.Status)
	}
}
