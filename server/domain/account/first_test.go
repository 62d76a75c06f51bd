package account

import (
	"sync"
	"testing"
	"time"

	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestTheFirstStartMakesAnAdministratorWhoCanSignIn(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]Root{"secrets given": {"root", "a password", "any string of twenty"}, "secrets made up": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := storetest.New(t)
			root, err := CreateFirstAdmin(t.Context(), st, given.Password, given.Token)
			if err != nil || root == nil {
				t.Fatalf("made %v, %v", root, err)
			}
			if given != (Root{}) && *root != given {
				t.Errorf("made %v, want %v", *root, given)
			}
			u, err := st.Users.GetByUsername(t.Context(), "root")
			if err != nil {
				t.Fatal(err)
			}
			if !u.Admin || u.Name != "Administrator" || root.Username != "root" || len(root.Password) < MinPassword ||
				!isPassword(t, u.PasswordHash, root.Password) {
				t.Errorf("made %+v", u)
			}
			checkFirstToken(t, st, u, root.Token)
		})
	}
}

// checkFirstToken checks that the token of the administrator has all scopes and does not expire.
func checkFirstToken(t *testing.T, st *store.Store, u model.User, token string) {
	t.Helper()
	use, err := st.Tokens.FindByDigest(t.Context(), secret.Digest(token), nil)
	if err != nil || len(token) < 20 {
		t.Fatalf("token %q: %v", token, err)
	}
	row, err := st.Tokens.Get(t.Context(), use.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(access.Scopes, row.ScopeList()); diff != "" || use.Caller.ID != u.ID || use.ExpiresAt != nil {
		t.Errorf("token is %+v\n%s", use, diff)
	}
}

func TestALaterStartMakesNobody(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	storetest.User(t, st) // any user will do: the instance is in use
	root, err := CreateFirstAdmin(t.Context(), st, "another password", "another token of twenty")
	if root != nil || err != nil {
		t.Errorf("made %v, %v", root, err)
	}
	if _, err := st.Users.GetByUsername(t.Context(), "root"); !store.IsNotFound(err) {
		t.Errorf("there is a root: %v", err)
	}
}

func TestSeveralFirstStartsAtOnceMakeOneAdministrator(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	var mu sync.Mutex
	var made []*Root
	var wg sync.WaitGroup
	for range 4 {
		st, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { st.Close() })
		wg.Go(func() {
			root, err := CreateFirstAdmin(t.Context(), st, "", "")
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if root != nil {
				made = append(made, root)
			}
		})
	}
	wg.Wait()
	if len(made) != 1 {
		t.Fatalf("%d were told that they made it, want 1", len(made))
	}
	st, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var users, tokens int
	if err := st.SQL().QueryRowContext(
		t.Context(), "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM personal_access_tokens)",
	).Scan(&users, &tokens); err != nil {
		t.Fatal(err)
	}
	if users != 1 || tokens != 1 {
		t.Errorf("%d users and %d tokens, want 1 and 1", users, tokens)
	}
	if _, err := st.Tokens.FindByDigest(t.Context(), secret.Digest(made[0].Token), nil); err != nil {
		t.Errorf("the token that was told does not work: %v", err)
	}
}

func TestAFirstStartWithABadPasswordLeavesNothing(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	root, err := CreateFirstAdmin(t.Context(), st, "short", "")
	if root != nil || err == nil || err.Error() != badPassword {
		t.Errorf("made %v, %v", root, err)
	}
	if any, err := st.Users.Any(t.Context()); any || err != nil {
		t.Errorf("there is a user: %v, %v", any, err)
	}
	if root, err := CreateFirstAdmin(t.Context(), st, "long enough", ""); root == nil || err != nil {
		t.Errorf("the next start makes %v, %v", root, err)
	}
}

func TestSecretsThatNobodyHasUsedAreMadeAnew(t *testing.T) {
	t.Parallel()
	uses := map[string]func(st *store.Store, id int64) error{
		"signed in": func(st *store.Store, id int64) error {
			_, err := st.Users.SignIn(t.Context(), id, "127.0.0.1", time.Now())
			return err
		},
		"made a request": func(st *store.Store, id int64) error {
			return st.Users.StoreActivity(t.Context(), []int64{id}, time.Now())
		},
		"changed something, and the process was killed": func(st *store.Store, id int64) error {
			return st.AuditEvents.Create(t.Context(), []model.AuditEvent{{AuthorID: id, EntityType: "Project", Details: "{}"}})
		},
		"has another password": func(st *store.Store, id int64) error { return SetPassword(t.Context(), st, "root", "another one") },
	}
	for name, use := range uses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := storetest.New(t)
			first, err := CreateFirstAdmin(t.Context(), st, "", "")
			if err != nil {
				t.Fatal(err)
			}
			root, err := RenewFirstSecrets(t.Context(), st, "", "")
			if err != nil || root == nil || root.Password == first.Password || root.Token == first.Token {
				t.Fatalf("%v %v", root, err)
			}
			u, err := st.Users.GetByUsername(t.Context(), "root")
			if err != nil || !isPassword(t, u.PasswordHash, root.Password) {
				t.Errorf("the new password: %v", err)
			}
			if _, err := st.Tokens.FindByDigest(t.Context(), secret.Digest(root.Token), nil); err != nil {
				t.Errorf("the new token: %v", err)
			}
			if _, err := st.Tokens.FindByDigest(t.Context(), secret.Digest(first.Token), nil); !store.IsNotFound(err) {
				t.Errorf("the old token: %v", err)
			}
			if err := use(st, u.ID); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if root, err := RenewFirstSecrets(t.Context(), st, "", ""); root != nil || err != nil {
					t.Errorf("made anew although it was used: %v %v", root, err)
				}
			}
		})
	}
}

func TestSecretsThatWereGivenAreKept(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	if _, err := CreateFirstAdmin(t.Context(), st, "a password", "any string of twenty"); err != nil {
		t.Fatal(err)
	}
	if root, err := RenewFirstSecrets(t.Context(), st, "", ""); root != nil || err != nil {
		t.Errorf("%v %v", root, err)
	}
}
