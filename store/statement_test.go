package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// The first request that checks a token prepares the statement.
func TestTheFirstTokenChecksMayComeAtOnceAndBeBrokenOff(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	digest := secret.Digest(storetest.Token(t, st, u, "api"))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := st.Tokens.FindByDigest(gone, digest, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if use, err := st.Tokens.FindByDigest(t.Context(), digest, nil); err != nil || use.Caller.ID != u.ID {
				t.Errorf("caller is %d, %v, want %d", use.Caller.ID, err, u.ID)
			}
		})
	}
	wg.Wait()
}

// A statement that asked the pool for a second connection would not see what the transaction wrote. If transactions
// held all connections, it would wait forever.
func TestStatementsThatSkipGORMJoinTheTransaction(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	o.Pool = 1
	st := open(t, o)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	u := model.DefaultUser()
	u.Username, u.Name, u.Email = "inside", "Inside", "inside@example.com"
	token := model.PersonalAccessToken{Name: "t", Digest: []byte("digest"), Scopes: "api"}
	session := model.Session{Digest: []byte("digest"), CSRFDigest: []byte("c"), ExpiresAt: time.Now().UTC()}
	err := st.Tx(ctx, func(ctx context.Context) error {
		if err := st.Users.Create(ctx, &u); err != nil {
			return err
		}
		token.UserID, session.UserID = u.ID, u.ID
		if err := errors.Join(
			st.Tokens.Create(ctx, &token), st.Sessions.Create(ctx, &session), add(ctx, st, "A"), add(ctx, st, "B"),
		); err != nil {
			return err
		}
		seesUser(ctx, t, st, u, token.Digest, session.Digest)
		seesVariables(ctx, t, st)
		return errStop
	})
	if !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	wantKeys(t, st) // everything was rolled back
	if _, err := st.Users.Get(ctx, u.ID); !store.IsNotFound(err) {
		t.Errorf("the user is still there: %v", err)
	}
}

// seesUser checks that a transaction reads a user, and finds it by the digests of a token and a session.
func seesUser(ctx context.Context, t testing.TB, st *store.Store, u model.User, token, session []byte) {
	t.Helper()
	got, err := st.Users.Get(ctx, u.ID)
	if diff := cmp.Diff(u, got); diff != "" || err != nil {
		t.Errorf("the user: %v\n%s", err, diff)
	}
	if use, err := st.Tokens.FindByDigest(ctx, token, nil); err != nil || use.Caller.ID != u.ID {
		t.Errorf("the token: %+v, %v", use, err)
	}
	if _, caller, err := st.Sessions.FindByDigest(ctx, session); err != nil || caller.ID != u.ID {
		t.Errorf("the session: %+v, %v", caller, err)
	}
}

// seesVariables checks that a transaction updates and lists the two variables that it created.
func seesVariables(ctx context.Context, t testing.TB, st *store.Store) {
	t.Helper()
	if v, err := st.InstanceVariables.Update(ctx, "A", map[string]any{"value": "new"}, false); err != nil || v.Value != "new" {
		t.Errorf("the update: %+v, %v", v, err)
	}
	rows, total, err := st.InstanceVariables.List(ctx, store.Page{Limit: 1})
	if err != nil || len(rows) != 1 || rows[0].Value != "new" || total.Count != 2 {
		t.Errorf("the list: %+v, %+v, %v", rows, total, err)
	}
}

func TestACallerWhoLeftCostsNoConnection(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	o.Pool = 2
	st := open(t, o)
	u := storetest.User(t, st)
	for range 20 {
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := st.Users.Get(gone, u.ID); !errors.Is(err, context.Canceled) {
			t.Fatalf("error is %v", err)
		}
		if _, err := st.InstanceVariables.Update(gone, "NONE", map[string]any{"value": "x"}, false); !errors.Is(err, context.Canceled) {
			t.Fatalf("error is %v", err)
		}
	}
	if got, err := st.Users.Get(t.Context(), u.ID); err != nil || got.ID != u.ID {
		t.Errorf("user is %d, %v", got.ID, err)
	}
	for name, pool := range st.Pools() {
		if held := pool.Stats().InUse; held != 0 {
			t.Errorf("pool %s: %d connections are held", name, held)
		}
	}
}

// When PostgreSQL restarts, every connection of the pool is lost. Each may fail one request, but not two. On SQLite a
// connection ends only when the pool closes it.
func TestADeadConnectionLeavesThePool(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	o.Pool = 1
	st, killer := open(t, o), storetest.New(t)
	u := storetest.User(t, st)
	if _, err := st.Users.Get(t.Context(), u.ID); err != nil { // compiled on the connection that is about to end
		t.Fatal(err)
	}
	if storetest.Postgres() {
		var pid int
		if err := st.SQL().QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
			t.Fatal(err)
		}
		// pg_terminate_backend waits until the connection has ended.
		if _, err := killer.SQL().ExecContext(t.Context(), "SELECT pg_terminate_backend($1, 10000)", pid); err != nil {
			t.Fatal(err)
		}
	} else {
		for _, pool := range st.Pools() {
			pool.SetMaxIdleConns(0)
		}
	}
	if _, err := st.Users.Get(t.Context(), u.ID); err != nil {
		t.Logf("the first request met the dead connection: %v", err)
	}
	if _, err := st.Users.Get(t.Context(), u.ID); err != nil {
		t.Errorf("the second one met it, too: %v", err)
	}
}
