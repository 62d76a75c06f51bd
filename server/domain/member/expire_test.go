package member

import (
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

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
	if err := New(st, nil).Expire(t.Context(), now); err != nil {
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
		if err := New(st, nil).Expire(t.Context(), now); err != nil {
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
		if err := New(st, nil).expireMembers(t.Context(), now); err != nil {
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
