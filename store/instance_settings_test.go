package store_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/setting"
	"svc/store/storetest"
)

// change sets one setting of the application.
func change(t *testing.T, st *store.Store, name, value string) {
	t.Helper()
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		kept, err := st.Settings.Lock(ctx, setting.ApplicationKind)
		if err != nil {
			return err
		}
		kept[name] = json.RawMessage(value)
		return st.Settings.Put(ctx, setting.ApplicationKind, kept)
	})
	if err == nil {
		err = st.Settings.Load(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestSettingsOverrideDefaultsOneByOne(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	change(t, st, "default_projects_limit", "42")
	change(t, st, "signup_enabled", "true")
	now := st.Settings.Current()
	if now.DefaultProjectsLimit != 42 || !now.SignupEnabled || now.MinimumPasswordLength != 8 || now.Changed != 2 {
		t.Errorf("%+v", now.Values)
	}
	other := setting.Defaults()
	other.DefaultProjectsLimit, other.MinimumPasswordLength = 7, 10
	if err := st.Settings.SetDefaults(t.Context(), store.SettingDefaults{Values: other}); err != nil {
		t.Fatal(err)
	}
	if now = st.Settings.Current(); now.DefaultProjectsLimit != 42 || now.MinimumPasswordLength != 10 {
		t.Errorf("%+v", now.Values)
	}
}

// Two processes that share a database are two stores. With SQLite there is only one process.
func TestAnotherProcessSeesAChangedSettingSoon(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	var stores [2]*store.Store
	for i := range stores {
		st, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { st.Close() })
		stores[i] = st
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		stores[1].Settings.Watch(ctx, func(err error) { t.Error(err) })
		close(done)
	}()
	change(t, stores[0], "default_projects_limit", "42")
	now := time.Now()
	m := model.BroadcastMessage{Message: "x", StartsAt: now, EndsAt: now.Add(time.Hour), Theme: "indigo", BroadcastType: "banner"}
	if err := stores[0].BroadcastMessages.Create(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	if !storetest.Postgres() {
		<-done // nothing is watched
		if err := stores[1].Settings.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		seen := stores[1].Settings.Current()
		if seen.DefaultProjectsLimit == 42 && len(seen.Broadcasts) == 1 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the other process has not noticed: %+v", seen.Values)
		}
	}
	stop()
	<-done
}
