package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

func TestARowThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	cases := map[string]struct {
		ask  func(ctx context.Context) error
		want string
	}{
		"user by id":       {func(ctx context.Context) error { _, err := st.Users.Get(ctx, 1<<40); return err }, "User"},
		"user by username": {func(ctx context.Context) error { _, err := st.Users.GetByUsername(ctx, "nobody"); return err }, "User"},
		"change of a user": {func(ctx context.Context) error { return st.Users.Update(ctx, 1<<40, map[string]any{"name": "x"}) }, "User"},
		"token": {func(ctx context.Context) error {
			_, err := st.Tokens.FindByDigest(ctx, []byte("no"), nil)
			return err
		}, "Token"},
		"token by id": {func(ctx context.Context) error { _, err := st.Tokens.Get(ctx, 1<<40); return err }, "Token"},
		"session": {
			func(ctx context.Context) error { _, _, err := st.Sessions.FindByDigest(ctx, []byte("no")); return err },
			"Session",
		},
		"variable": {
			func(ctx context.Context) error { _, err := st.InstanceVariables.GetByKey(ctx, "NO"); return err }, "InstanceVariable",
		},
		"change of a variable": {func(ctx context.Context) error {
			_, err := st.InstanceVariables.Update(ctx, "NO", map[string]any{"value": "x"}, false)
			return err
		}, "InstanceVariable"},
		"deletion of a variable": {
			func(ctx context.Context) error { return st.InstanceVariables.Delete(ctx, "NO", nil) }, "InstanceVariable",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := c.ask(t.Context())
			var missing *store.NotFoundError
			if !errors.As(err, &missing) || missing.Resource != c.want || missing.Error() != c.want+" not found" {
				t.Errorf("error is %#v, want that %s was not found", err, c.want)
			}
			if !store.IsNotFound(fmt.Errorf("wrapped: %w", err)) {
				t.Error("IsNotFound does not see it")
			}
		})
	}
}

func TestAUniqueClashIsNamedByItsIndex(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st, func(u *model.User) { u.Username, u.Email = "Sidney", "Sidney@example.com" })
	in := time.Now().UTC().Add(time.Hour)
	newUser := func(username, email string) *model.User {
		n := model.DefaultUser()
		n.Username, n.Name, n.Email = username, username, email
		return &n
	}
	cases := map[string]struct {
		add  func(ctx context.Context) error // adds a row; the second call conflicts with the first
		want string
	}{
		"username of another case": {
			func(ctx context.Context) error { return st.Users.Create(ctx, newUser("sIDNEY", "other@example.com")) },
			"namespaces_full_path",
		},
		"email of another case": {
			func(ctx context.Context) error { return st.Users.Create(ctx, newUser("other", "sIDNEY@example.com")) },
			"users_email",
		},
		"change of an email": {func(ctx context.Context) error {
			second := storetest.User(t, st)
			return st.Users.Update(ctx, second.ID, map[string]any{"email": "SIDNEY@example.com"})
		}, "users_email"},
		"change of a username": {func(ctx context.Context) error {
			second := storetest.User(t, st)
			return st.Users.Update(ctx, second.ID, map[string]any{"username": "SIDNEY"})
		}, "users_username"},
		"token digest": {func(ctx context.Context) error {
			return st.Tokens.Create(ctx, &model.PersonalAccessToken{UserID: u.ID, Name: "t", Digest: []byte("d"), Scopes: "api"})
		}, "personal_access_tokens_digest"},
		"session digest": {func(ctx context.Context) error {
			return st.Sessions.Create(ctx, &model.Session{UserID: u.ID, Digest: []byte("d"), CSRFDigest: []byte("c"), ExpiresAt: in})
		}, "sessions_digest"},
		"variable key": {func(ctx context.Context) error {
			return st.InstanceVariables.Create(ctx, &model.InstanceVariable{Key: "K", Value: "v"}, 25)
		}, "instance_variables_key"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := c.add(t.Context())
			if err == nil { // the first of two calls may succeed
				err = c.add(t.Context())
			}
			var conflict *store.ConflictError
			if !errors.As(err, &conflict) || conflict.Constraint != c.want || conflict.Error() != "conflict on "+c.want {
				t.Errorf("error is %#v, want a conflict on %s", err, c.want)
			}
			if store.IsNotFound(err) {
				t.Error("a conflict counts as not found")
			}
		})
	}
}

func TestAUserThatClashesLeavesNoNamespaceBehind(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	taken := storetest.User(t, st)
	namespaces := func() int64 {
		var n int64
		if err := st.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM namespaces").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := namespaces()
	u := model.DefaultUser()
	u.Username, u.Name, u.Email = "another", "Another", taken.Email
	var conflict *store.ConflictError
	if err := st.Users.Create(t.Context(), &u); !errors.As(err, &conflict) {
		t.Fatalf("error is %v, want a conflict", err)
	}
	if got := namespaces(); got != before {
		t.Errorf("%d namespaces, want %d", got, before)
	}
}

func TestOtherFailuresAreNotTakenForOurs(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	// There is no user 7 to own the token.
	err := st.Tokens.Create(t.Context(), &model.PersonalAccessToken{UserID: 7, Name: "t", Digest: []byte("d"), Scopes: "api"})
	var conflict *store.ConflictError
	if err == nil || errors.As(err, &conflict) || store.IsNotFound(err) {
		t.Errorf("error is %#v, want one of the database", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := st.Users.Get(gone, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that of the context", err)
	}
}
