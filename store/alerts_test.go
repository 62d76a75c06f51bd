package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// reported builds an alert as an integration receives it.
func reported(fingerprint string, ended *time.Time) model.Alert {
	a := model.Alert{
		Format: "generic", Title: fingerprint, Severity: "low", Hosts: "[]", Payload: "{}",
		StartedAt: time.Now().UTC().Truncate(time.Microsecond), EndedAt: ended,
	}
	if fingerprint != "" {
		a.Fingerprint = &fingerprint
	}
	return a
}

func TestReportsAtOnceWithOneFingerprintAreOneAlert(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	p := storetest.Project(t, st, u)
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for range 5 {
				rows := []model.Alert{reported("same", nil), reported(fmt.Sprint("own ", n), nil)}
				if n%2 == 0 {
					rows[0], rows[1] = rows[1], rows[0]
				}
				if _, err := st.Alerts.Record(t.Context(), p.ID, rows); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	rows, _, err := st.Alerts.List(t.Context(), p.ID, store.AlertFilter{ByIID: true, Asc: true}, store.Page{Limit: 100})
	if err != nil || len(rows) != 9 {
		t.Fatalf("%d alerts, %v", len(rows), err)
	}
	for n, row := range rows {
		want := int64(5)
		if row.Alert.Title == "same" {
			want = 40
		}
		if row.Alert.IID != int64(n+1) || row.Alert.Events != want || row.Alert.Payload != "" {
			t.Errorf("%+v", row.Alert)
		}
	}
}

// recordAlone records an alert in one statement if that is possible, or else as usual. It reports whether it was.
func recordAlone(t testing.TB, st *store.Store, project int64, a model.Alert) (store.RecordedAlert, bool) {
	t.Helper()
	alone, ok, err := st.Alerts.RecordInOneStatement(t.Context(), project, a)
	if err != nil {
		t.Error(err)
	}
	if ok {
		return alone, true
	}
	all, err := st.Alerts.Record(t.Context(), project, []model.Alert{a})
	if err != nil {
		t.Error(err)
		return alone, false
	}
	return all[0], false
}

func TestOneReportIsKeptByItself(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := storetest.Project(t, st, storetest.User(t, st))
	ended, wanted := time.Now().UTC(), reported("incident", nil)
	wanted.WantsIncident = true
	for n, step := range []struct {
		alert       model.Alert
		iid, events int64
		changed     bool
		alone       bool // expected on PostgreSQL only
	}{
		{reported("a", nil), 1, 1, true, true},
		{reported("a", nil), 1, 2, false, true},
		{reported("b", nil), 2, 1, true, true},
		{reported("", nil), 3, 1, true, false},
		{wanted, 4, 1, true, false},
		{reported("incident", nil), 4, 2, false, false},
		{reported("b", &ended), 2, 1, true, false},
		{reported("b", nil), 5, 1, true, true},
	} {
		got, alone := recordAlone(t, st, p.ID, step.alert)
		if got.IID != step.iid || got.Events != step.events || got.Changed != step.changed ||
			alone != (step.alone && st.Postgres()) || got.Title != step.alert.Title {
			t.Errorf("step %d: %+v, alone %v", n, got, alone)
		}
	}
}

func TestReportsAtOnceAreCountedWhenEachIsKeptByItself(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := storetest.Project(t, st, storetest.User(t, st))
	for n := range 5 { // other alerts
		recordAlone(t, st, p.ID, reported(fmt.Sprint("old ", n), nil))
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for n := range 10 {
				recordAlone(t, st, p.ID, reported(fmt.Sprint("new ", n), nil))
			}
		})
	}
	wait.Wait()
	rows, _, err := st.Alerts.List(t.Context(), p.ID, store.AlertFilter{ByIID: true, Asc: true}, store.Page{Limit: 100})
	if err != nil || len(rows) != 15 {
		t.Fatalf("%d alerts, %v", len(rows), err)
	}
	for _, row := range rows[5:] {
		if row.Alert.Events != 8 {
			t.Errorf("%+v", row.Alert)
		}
	}
}

func TestWhatIsOverIsReportedAgain(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	p := storetest.Project(t, st, u)
	at := time.Now().UTC().Truncate(time.Microsecond)
	record := func(a model.Alert) store.RecordedAlert {
		t.Helper()
		back, err := st.Alerts.Record(t.Context(), p.ID, []model.Alert{a})
		if err != nil {
			t.Fatal(err)
		}
		return back[0]
	}
	ended, later := at.Add(time.Hour), at.Add(3*time.Hour)
	after := reported("a", &later)
	after.StartedAt = at.Add(2 * time.Hour)
	for n, step := range []struct {
		alert   model.Alert
		iid     int64
		changed bool
	}{
		{reported("a", nil), 1, true},
		{reported("a", nil), 1, false},
		{reported("a", &ended), 1, true},
		{reported("a", &ended), 1, false},
		{after, 2, true},
		{reported("a", nil), 3, true},
		{reported("", nil), 4, true},
		{reported("", nil), 5, true},
		{reported("b", &ended), 6, true},
	} {
		if got := record(step.alert); got.IID != step.iid || got.Changed != step.changed {
			t.Errorf("step %d: %+v", n, got)
		}
	}
	if _, err := st.Alerts.Record(t.Context(), p.ID+1000, []model.Alert{reported("a", nil)}); err == nil {
		t.Error("a project that is not there has alerts")
	}
}

func TestAProjectWithoutAnIntegrationHasAnInactiveEndpoint(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := storetest.Project(t, st, storetest.User(t, st))
	if _, err := st.Alerts.Endpoint(t.Context(), "no/where", "legacy"); !store.IsNotFound(err) {
		t.Error(err)
	}
	e, err := st.Alerts.Endpoint(t.Context(), p.FullPath, "legacy")
	if err != nil || e.ProjectID != p.ID || e.IntegrationID != 0 || e.Active || e.Digest != nil {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestTheEndpointOfAnIntegrationHasItsSettings(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := storetest.Project(t, st, storetest.User(t, st))
	mapping := `{"title":["a"]}`
	i := model.AlertIntegration{
		ProjectID: p.ID, Type: model.AlertHTTP, Name: "n", Active: true, Identifier: "legacy", Digest: []byte("d"),
		Sealed: []byte("s"), Mapping: &mapping,
	}
	if err := st.Alerts.CreateIntegration(t.Context(), &i, false); err != nil {
		t.Fatal(err)
	}
	if err := st.Alerts.SaveSettings(t.Context(), &model.AlertSetting{ProjectID: p.ID, CreateIncident: true}); err != nil {
		t.Fatal(err)
	}
	e, err := st.Alerts.Endpoint(t.Context(), p.FullPath, "legacy")
	if err != nil || e.ProjectID != p.ID || e.IntegrationID != i.ID || !e.Active || string(e.Digest) != "d" ||
		e.Mapping != mapping || !e.WantsIncident || e.Archived {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestThereIsOneAlertBot(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	first, err := st.Users.AlertBot(t.Context())
	if err != nil || !first.Internal() {
		t.Errorf("%+v, %v", first, err)
	}
	if again, err := st.Users.AlertBot(t.Context()); err != nil || again.ID != first.ID {
		t.Errorf("%+v, %v", again, err)
	}
}
