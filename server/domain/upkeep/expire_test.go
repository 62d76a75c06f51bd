package upkeep

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"svc/server/platform/worker"
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
		if _, err := st.RateCounters.Add(t.Context(), row.name, row.ends.Add(-time.Minute), row.ends, 1); err != nil {
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
		if err := expire(t.Context(), st, now); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"open"}, sessionsLeft(t, st)); diff != "" {
			t.Errorf("sessions:\n%s", diff)
		}
		if diff := cmp.Diff([]string{"open"}, texts(t, st, "SELECT key FROM rate_counters ORDER BY key")); diff != "" {
			t.Errorf("counters:\n%s", diff)
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

func TestExpireEndsTheSharingOfGroups(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now().UTC()
	var ids []int64
	for _, path := range []string{"a", "b", "c"} {
		g := model.DefaultNamespace(model.NamespaceGroup)
		g.Name, g.Path = path, path
		if err := st.Namespaces.Create(t.Context(), &g); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, g.ID)
	}
	for i, day := range []time.Time{now, now.AddDate(0, 0, 1)} {
		day = day.Truncate(24 * time.Hour)
		link := model.GroupLink{GroupID: ids[0], SharedWithGroupID: ids[i+1], AccessLevel: model.Guest, ExpiresAt: &day}
		if err := st.GroupLinks.Create(t.Context(), &link); err != nil {
			t.Fatal(err)
		}
	}
	if err := expire(t.Context(), st, now); err != nil {
		t.Fatal(err)
	}
	left := texts(t, st, "SELECT n.path FROM group_links l JOIN namespaces n ON n.id = l.shared_with_group_id")
	if diff := cmp.Diff([]string{"c"}, left); diff != "" {
		t.Error(diff)
	}
}

// Memberships expire in groups and in projects alike, and so do invitations that nobody has accepted.
func TestExpireEndsMembershipsAndInvitations(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now().UTC()
	today := now.Truncate(24 * time.Hour)
	tomorrow := today.AddDate(0, 0, 1)
	for _, source := range []string{model.SourceGroup, model.SourceProject} {
		for name, day := range map[string]*time.Time{"over": &today, "open": &tomorrow, "endless": nil} {
			u := storetest.User(t, st, func(u *model.User) { u.Name = name })
			m := model.Member{SourceType: source, SourceID: 7, UserID: u.ID, AccessLevel: model.Owner, ExpiresAt: day}
			if err := st.Members.Add(t.Context(), &m); err != nil {
				t.Fatal(err)
			}
			i := model.Invitation{
				SourceType: source, SourceID: 7, Email: name + "@example.com", AccessLevel: model.Guest, ExpiresAt: day,
				TokenDigest: []byte(source + name),
			}
			if _, err := st.Invitations.Create(t.Context(), &i); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 {
		if err := expire(t.Context(), st, now); err != nil {
			t.Fatal(err)
		}
		want := []string{"Namespace endless", "Namespace open", "Project endless", "Project open"}
		if diff := cmp.Diff(
			want,
			texts(t, st, "SELECT m.source_type || ' ' || u.name FROM members m JOIN users u ON u.id = m.user_id ORDER BY 1"),
		); diff != "" {
			t.Errorf("members:\n%s", diff)
		}
		if diff := cmp.Diff(
			want,
			texts(t, st, "SELECT source_type || ' ' || replace(email, '@example.com', '') FROM invitations ORDER BY 1"),
		); diff != "" {
			t.Errorf("invitations:\n%s", diff)
		}
	}
}

func TestExpireComparesInstantsNotClocks(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now()
	fill(t, st, now.UTC())
	if err := expire(t.Context(), st, now.In(time.FixedZone("", -11*60*60))); err != nil {
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
	if err := expire(ctx, st, time.Now()); err == nil {
		t.Error("no error")
	}
}

func TestExpireRunsWhenTheServerStarts(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	fill(t, st, time.Now().UTC())
	jobs := worker.NewJobs()
	Register(jobs, st)
	w, err := worker.New(st, slog.New(slog.NewTextHandler(io.Discard, nil)), jobs)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(30 * time.Second); len(sessionsLeft(t, st)) != 1; {
		if time.Now().After(end) {
			t.Fatalf("after 30 s there are still %v", sessionsLeft(t, st))
		}
		<-time.After(5 * time.Millisecond)
	}
	if err := w.Stop(t.Context()); err != nil {
		t.Error(err)
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
		if err := expire(t.Context(), st, now); err != nil {
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

func TestMembersWhoseTimeIsOverAreToldOf(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now()
	u := storetest.User(t, st)
	p := model.DefaultProject()
	p.NamespaceID, p.Name, p.Path = *u.NamespaceID, "Web", "web"
	if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		m := model.Member{SourceType: model.SourceProject, SourceID: p.ID, UserID: storetest.User(t, st).ID, AccessLevel: model.Developer}
		if err := st.Members.Add(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := st.SQL().ExecContext(t.Context(), "UPDATE members SET expires_at = '2020-01-01' WHERE access_level = 30"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second run finds nothing more
		if err := expireMembers(t.Context(), st, now); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string]string{
		"SELECT count(*) FROM members": "1", "SELECT count(*) FROM events WHERE action = 'expired'": "3",
		"SELECT count(*) FROM audit_events WHERE event_type = 'member_expired' AND entity_type = 'Project' AND author_id = -1": "3",
	} {
		if got := texts(t, st, query); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
}

func TestEventsAreKeptForThreeYears(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now()
	u := storetest.User(t, st)
	for _, at := range []time.Time{now.AddDate(-3, 0, -1), now.AddDate(-3, 0, 1), now} {
		if _, err := st.SQL().ExecContext(
			t.Context(), "INSERT INTO events (author_id, action, created_at) VALUES ("+
				strconv.FormatInt(u.ID, 10)+", 'left', '"+at.UTC().Format("2006-01-02 15:04:05")+"')",
		); err != nil {
			t.Fatal(err)
		}
	}
	if err := expireEvents(t.Context(), st, now); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, st, "SELECT count(*) FROM events"); got[0] != "2" {
		t.Errorf("%v are left", got)
	}
}
