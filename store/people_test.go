package store_test

import (
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// east is a time zone in which it is already tomorrow when it is evening in UTC.
var east = time.FixedZone("", 10*60*60)

func TestAUserIsFoundByNameWhateverItsCase(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	want := storetest.User(t, st, func(u *model.User) { u.Username = "Sidney.J" })
	for _, name := range []string{"Sidney.J", "sidney.j", "SIDNEY.J"} {
		got, err := st.Users.GetByUsername(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	for _, name := range []string{"Sidney%", "Sidney_J", "", "' OR 1=1 --"} {
		if got, err := st.Users.GetByUsername(t.Context(), name); !store.IsNotFound(err) {
			t.Errorf("%q finds %q, %v", name, got.Username, err)
		}
	}
}

func TestANewUserHasANamespace(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	if u.NamespaceID == nil {
		t.Fatal("the user has no namespace")
	}
	var kind, path string
	query := "SELECT kind || '', path FROM namespaces WHERE id = (SELECT namespace_id FROM users WHERE username = '" + u.Username + "')"
	if err := st.SQL().QueryRowContext(t.Context(), query).Scan(&kind, &path); err != nil {
		t.Fatal(err)
	}
	if kind != model.NamespaceUser || path != u.Username {
		t.Errorf("the namespace is a %s at %s", kind, path)
	}
}

func TestAnyTellsWhetherThereIsAUser(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	if any, err := st.Users.Any(t.Context()); any || err != nil {
		t.Errorf("an empty table has users: %v, %v", any, err)
	}
	storetest.User(t, st)
	if any, err := st.Users.Any(t.Context()); !any || err != nil {
		t.Errorf("there is a user, but: %v, %v", any, err)
	}
}

func TestActivityIsNotedForAllUsersInOneStatementAndNeverGoesBack(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	monday := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	tuesday := monday.AddDate(0, 0, 1)
	never, before, after, other := storetest.User(t, st),
		storetest.User(t, st, func(u *model.User) { u.LastActivityOn = &monday }),
		storetest.User(t, st, func(u *model.User) { wednesday := monday.AddDate(0, 0, 2); u.LastActivityOn = &wednesday }),
		storetest.User(t, st)
	statements := st.Statements()
	if err := st.Users.StoreActivity(t.Context(), []int64{never.ID, before.ID, after.ID}, tuesday); err != nil {
		t.Fatal(err)
	}
	if got := st.Statements() - statements; got != 1 {
		t.Errorf("%d statements, want 1", got)
	}
	for name, c := range map[string]struct {
		user model.User
		want *time.Time
	}{
		"never active": {never, &tuesday}, "active before": {before, &tuesday},
		"active later": {after, after.LastActivityOn}, "not named": {other, nil},
	} {
		got, err := st.Users.Get(t.Context(), c.user.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got.LastActivityOn); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func newToken(t testing.TB, st *store.Store, row model.PersonalAccessToken) model.PersonalAccessToken {
	t.Helper()
	row.Name, row.Scopes = "t", "api read_user"
	if err := st.Tokens.Create(t.Context(), &row); err != nil {
		t.Fatal(err)
	}
	return row
}

func TestATokenIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	about, day := "for CI", time.Date(2030, 2, 28, 0, 0, 0, 0, time.UTC)
	used := time.Date(2024, 2, 29, 12, 0, 0, 123456000, time.UTC)
	u := storetest.User(t, st)
	newToken(t, st, model.PersonalAccessToken{UserID: u.ID, Digest: []byte("another")})
	want := newToken(t, st, model.PersonalAccessToken{
		UserID: u.ID, Digest: []byte{0, 1, 255}, Description: &about, Impersonation: true, ExpiresAt: &day, LastUsedAt: &used,
	})
	got, err := st.Tokens.Get(t.Context(), want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the token differs:\n%s", diff)
	}
	statements := st.Statements()
	use, err := st.Tokens.FindByDigest(t.Context(), want.Digest, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := st.Statements() - statements; n != 1 {
		t.Errorf("a token check costs %d statements, want 1", n)
	}
	wantUse := store.TokenUse{
		ID: want.ID, Digest: want.Digest, Scopes: want.Scopes, Impersonation: true, ExpiresAt: &day, LastUsedAt: &used, Caller: u.Caller(),
	}
	if diff := cmp.Diff(wantUse, use); diff != "" {
		t.Errorf("its use differs:\n%s", diff)
	}
}

// PostgreSQL stores only the day in a date column. The value that SQLite stores must mean the same.
func TestATokensExpiryIsADay(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	at := time.Date(2030, 2, 28, 15, 30, 0, 0, time.UTC)
	row := newToken(t, st, model.PersonalAccessToken{UserID: u.ID, Digest: []byte("d"), ExpiresAt: &at})
	got, err := st.Tokens.Get(t.Context(), row.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := at.Truncate(24 * time.Hour)
	if diff := cmp.Diff(&want, got.ExpiresAt); diff != "" {
		t.Error(diff)
	}
}

func TestARevokedTokenStaysRevoked(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	row := newToken(t, st, model.PersonalAccessToken{UserID: u.ID, Digest: []byte("d")})
	other := newToken(t, st, model.PersonalAccessToken{UserID: u.ID, Digest: []byte("other")})
	var first time.Time
	for range 2 {
		if done, err := st.Tokens.Revoke(t.Context(), row, nil); err != nil || done != first.IsZero() {
			t.Fatal(done, err)
		}
		got, err := st.Tokens.Get(t.Context(), row.ID)
		if err != nil || !got.Revoked {
			t.Fatalf("revoked is %v, %v", got.Revoked, err)
		}
		if first.IsZero() {
			first = got.UpdatedAt
		}
		if !got.UpdatedAt.Equal(first) {
			t.Error("revoking it again changed it")
		}
	}
	if got, err := st.Tokens.Get(t.Context(), other.ID); got.Revoked || err != nil {
		t.Errorf("another token: revoked is %v, %v", got.Revoked, err)
	}
}

func TestUseIsNotedForAllTokensInOneStatement(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	var ids []int64
	for _, digest := range []string{"a", "b"} {
		ids = append(ids, newToken(t, st, model.PersonalAccessToken{UserID: u.ID, Digest: []byte(digest)}).ID)
	}
	other := newToken(t, st, model.PersonalAccessToken{UserID: u.ID, Digest: []byte("c")})
	at := time.Date(2024, 2, 29, 12, 0, 0, 123456000, time.UTC)
	statements := st.Statements()
	if err := st.Tokens.MarkUsed(t.Context(), ids, at); err != nil {
		t.Fatal(err)
	}
	if got := st.Statements() - statements; got != 1 {
		t.Errorf("%d statements, want 1", got)
	}
	for digest, want := range map[string]*time.Time{"a": &at, "b": &at, "c": other.LastUsedAt} {
		got, err := st.Tokens.FindByDigest(t.Context(), []byte(digest), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.LastUsedAt); diff != "" {
			t.Errorf("%s:\n%s", digest, diff)
		}
	}
}

func TestOnlySessionsThatEndedAreDeletedWhateverTheirZone(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	now := time.Date(2024, 2, 29, 20, 0, 0, 0, time.UTC)
	for digest, end := range map[string]time.Time{
		"ended": now.Add(-time.Second), "ended, east": now.Add(-time.Second).In(east),
		"now": now, "open": now.Add(time.Second), "open, east": now.Add(time.Second).In(east),
	} {
		if err := st.Sessions.Create(
			t.Context(), &model.Session{UserID: u.ID, Digest: []byte(digest), CSRFDigest: []byte("c"), ExpiresAt: end},
		); err != nil {
			t.Fatal(err)
		}
	}
	for round, want := range []int64{2, 0} {
		if n, err := st.Sessions.DeleteExpired(t.Context(), now.In(east)); n != want || err != nil {
			t.Errorf("round %d: %d deleted, %v, want %d", round, n, err, want)
		}
	}
	for digest, want := range map[string]bool{"ended": false, "ended, east": false, "now": true, "open": true, "open, east": true} {
		if _, _, err := st.Sessions.FindByDigest(t.Context(), []byte(digest)); store.IsNotFound(err) == want {
			t.Errorf("%s: %v, want it kept: %v", digest, err, want)
		}
	}
}
