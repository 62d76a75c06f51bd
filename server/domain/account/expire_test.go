package account

import (
	"context"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// sessionsLeft returns the digests of the remaining sessions, in order.
func sessionsLeft(t testing.TB, st *store.Store) []string {
	t.Helper()
	return texts(t, st, "SELECT digest FROM sessions ORDER BY id")
}

func texts(t testing.TB, st *store.Store, query string) []string {
	t.Helper()
	rows, err := st.SQL().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var text []byte
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func fill(t testing.TB, st *store.Store, now time.Time) {
	t.Helper()
	u := storetest.User(t, st)
	for _, row := range []struct {
		name string
		ends time.Time
	}{{"ended", now.Add(-time.Second)}, {"open", now.Add(time.Hour)}, {"long ended", now.Add(-1000 * time.Hour)}} {
		session := &model.Session{UserID: u.ID, Digest: []byte(row.name), CSRFDigest: []byte("c"), ExpiresAt: row.ends}
		if err := st.Sessions.Create(t.Context(), session); err != nil {
			t.Fatal(err)
		}
		status := &model.UserStatus{
			UserID: storetest.User(t, st).ID, Emoji: row.name, Availability: model.AvailabilityNotSet,
			ClearStatusAt: &row.ends,
		}
		if err := st.UserStatuses.Replace(t.Context(), status); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExpireDeletesOnlyWhatIsOverAndIsSafeTwice(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now().UTC()
	fill(t, st, now)
	storetest.Token(t, st, storetest.User(t, st), "api", func(row *model.PersonalAccessToken) { row.ExpiresAt = &time.Time{} })
	for range 2 {
		if err := Expire(t.Context(), st, now); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"open"}, sessionsLeft(t, st)); diff != "" {
			t.Errorf("sessions:\n%s", diff)
		}
		if diff := cmp.Diff([]string{"open"}, texts(t, st, "SELECT emoji FROM user_statuses ORDER BY id")); diff != "" {
			t.Errorf("statuses:\n%s", diff)
		}
	}
	// An expired token is refused with a reason of its own, so its row must stay.
	if got := texts(t, st, "SELECT name FROM personal_access_tokens"); len(got) != 1 {
		t.Errorf("%d tokens, want 1", len(got))
	}
}

func TestExpireComparesInstantsNotClocks(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now()
	fill(t, st, now.UTC())
	if err := Expire(t.Context(), st, now.In(time.FixedZone("", -11*60*60))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"open"}, sessionsLeft(t, st)); diff != "" {
		t.Error(diff)
	}
}

func TestExpireTellsWhatFailed(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Expire(ctx, st, time.Now()); err == nil {
		t.Error("no error")
	}
}

// newBot creates a bot user of a project with one token.
func newBot(t testing.TB, st *store.Store, projectID int64, name string, expires time.Time) int64 {
	t.Helper()
	u := model.DefaultUser()
	u.Kind, u.Username, u.Name, u.Email = model.UserProjectBot, name, name, name+"@noreply.example.com"
	n := store.NewBot{
		Source: store.Source{Type: model.SourceProject, ID: projectID}, User: u, Member: model.Member{AccessLevel: model.Guest},
		Token: model.PersonalAccessToken{Name: name, Digest: []byte(name), Scopes: "api", ExpiresAt: &expires},
	}
	if err := st.Bots.Create(t.Context(), &n); err != nil {
		t.Fatal(err)
	}
	return n.Token.ID
}

func TestExpireRemovesBotsWithoutAGoodToken(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now().UTC()
	p := model.DefaultProject()
	p.NamespaceID, p.Name, p.Path = *storetest.User(t, st).NamespaceID, "p", "p"
	if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
		t.Fatal(err)
	}
	tomorrow := now.AddDate(0, 0, 1)
	newBot(t, st, p.ID, "good", tomorrow)
	newBot(t, st, p.ID, "expired", now)
	ended := newBot(t, st, p.ID, "ended", tomorrow)
	rotated, err := st.Tokens.Get(t.Context(), newBot(t, st, p.ID, "rotated", tomorrow))
	if err != nil {
		t.Fatal(err)
	}
	if _, done, err := st.Tokens.Rotate(t.Context(), rotated, []byte("next"), tomorrow); !done || err != nil {
		t.Fatal(done, err)
	}
	if err := st.Tokens.EndFamily(t.Context(), ended); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Expire(t.Context(), st, now); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(
			[]string{"good", "rotated"},
			texts(t, st, "SELECT username FROM users WHERE kind = 'project_bot' ORDER BY id"),
		); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(
			[]string{"good", "rotated", "rotated"}, texts(t, st, "SELECT name FROM personal_access_tokens ORDER BY id"),
		); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(
			[]string{"good", "rotated"},
			texts(t, st, "SELECT u.name FROM members m JOIN users u ON u.id = m.user_id WHERE u.kind = 'project_bot' ORDER BY u.id"),
		); diff != "" {
			t.Error(diff)
		}
	}
}
