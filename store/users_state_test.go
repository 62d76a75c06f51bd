package store_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

func TestARemovedUserLeavesNothingButToTheGhost(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	storetest.User(t, st, func(u *model.User) { u.Username = "GHOST" }) // the name is taken
	u := storetest.User(t, st)
	storetest.Token(t, st, u, "api")
	made := storetest.User(t, st, func(m *model.User) { m.CreatedByID = &u.ID })
	if err := st.Identities.Put(t.Context(), &model.Identity{UserID: u.ID, Provider: "p", ExternUID: "x"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := st.Users.Remove(t.Context(), u.ID); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := st.Users.Get(t.Context(), u.ID); !store.IsNotFound(err) {
		t.Errorf("the user: %v", err)
	}
	ghost, err := st.Users.Ghost(t.Context())
	if err != nil || ghost.Username != "ghost1" {
		t.Errorf("the ghost is %q, %v", ghost.Username, err)
	}
	if made, err = st.Users.Get(t.Context(), made.ID); err != nil || *made.CreatedByID != ghost.ID {
		t.Errorf("made by %d, %v", *made.CreatedByID, err)
	}
	for _, table := range []string{"personal_access_tokens", "identities"} {
		if rows := texts(t, st, "SELECT id || '' FROM "+table); len(rows) > 0 {
			t.Errorf("%s keeps %v", table, rows)
		}
	}
	if rows := texts(t, st, "SELECT path FROM namespaces WHERE path = '"+u.Username+"'"); len(rows) > 0 {
		t.Errorf("namespaces keeps %v", rows)
	}
	if got := found(t, st, store.UserFilter{Username: u.Username}); got != "" {
		t.Errorf("found %q", got)
	}
}

func TestThereIsOneGhost(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := st.Users.Ghost(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if rows := texts(t, st, "SELECT username FROM users WHERE kind = 'ghost'"); len(rows) != 1 {
		t.Errorf("ghosts are %v", rows)
	}
}

func TestARecoveryCodeIsUsedOnce(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	for _, secret := range []string{"OLD", "NEW"} { // the second replaces the first
		if err := st.TwoFactors.Enable(
			t.Context(), u.ID, []byte(secret), 0, [][]byte{[]byte("one " + secret), []byte("two " + secret)},
		); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := st.TwoFactors.Get(t.Context(), u.ID); err != nil || string(f.OtpSealed) != "NEW" {
		t.Errorf("the secret is %q, %v", f.OtpSealed, err)
	}
	var used atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			ok, err := st.TwoFactors.UseRecoveryCode(t.Context(), u.ID, []byte("one NEW"))
			if err != nil {
				t.Error(err)
			}
			if ok {
				used.Add(1)
			}
		})
	}
	wg.Wait()
	if used.Load() != 1 {
		t.Errorf("used %d times", used.Load())
	}
	if ok, err := st.TwoFactors.UseRecoveryCode(t.Context(), u.ID, []byte("two OLD")); ok || err != nil {
		t.Errorf("an old code works: %v, %v", ok, err)
	}
	if had, err := st.TwoFactors.Disable(t.Context(), u.ID); !had || err != nil {
		t.Errorf("disabled: %v, %v", had, err)
	}
	if _, err := st.TwoFactors.Get(t.Context(), u.ID); !store.IsNotFound(err) {
		t.Errorf("the secret is kept: %v", err)
	}
}

// This is about SQLite, which has one connection for all writers.
func TestAWriterThatWaitsForATransactionDoesNotStopIt(t *testing.T) {
	t.Parallel()
	st := open(t, storetest.SQLiteOptions(t))
	u := storetest.User(t, st)
	const writers = 4 // all with the same statement
	waiting := make(chan error, writers)
	outside := t.Context() // has no transaction
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		for range writers {
			go func() { waiting <- st.Users.Update(outside, u.ID, map[string]any{"bio": "outside"}) }()
		}
		for spins := 0; spins < 10000 || st.Pools()["write"].Stats().WaitCount == 0; spins++ {
			// Wait until one writer waits for the connection, and the others have had time to get as far as they can.
			runtime.Gosched()
		}
		ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		return st.Users.Update(ctx, u.ID, map[string]any{"bio": "inside", "note": "inside"})
	})
	if err != nil {
		t.Error(err)
	}
	for range writers {
		if err := <-waiting; err != nil {
			t.Error(err)
		}
	}
	if got, err := st.Users.Get(t.Context(), u.ID); err != nil || got.Bio != "outside" || *got.Note != "inside" {
		t.Errorf("bio is %q, %v", got.Bio, err)
	}
}

// A row is read before its author. If the author is removed in between, the row must not be left without one.
func TestWhoIsRemovedWhileTheyAreReadIsTheGhost(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	issue, user, err := store.AuthorOfGone(t.Context(), st, 4711)
	if err != nil || issue == nil || user == nil || issue.Kind != model.UserGhost || user.Kind != model.UserGhost {
		t.Fatal(issue, user, err)
	}
}
