package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// newBot builds a bot of a group or project with one token, which has the bot's name.
func newBot(src store.Source, name string, expires *time.Time) store.NewBot {
	u := model.DefaultUser()
	u.Kind, u.Username, u.Name, u.Email = model.UserProjectBot, name, name, name+"@noreply.example.com"
	return store.NewBot{
		Source: src, User: u, Member: model.Member{AccessLevel: model.Developer},
		Token: model.PersonalAccessToken{Name: name, Digest: []byte(name), Scopes: "api", ExpiresAt: expires},
	}
}

func newProject(t testing.TB, st *store.Store, in int64, path string) model.Project {
	t.Helper()
	p := model.DefaultProject()
	p.NamespaceID, p.Name, p.Path = in, path, path
	if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// newProjectBot creates a bot of a new project whose token expires on a day.
func newProjectBot(t testing.TB, st *store.Store, expires time.Time) store.NewBot {
	t.Helper()
	p := newProject(t, st, *storetest.User(t, st).NamespaceID, "p")
	n := newBot(store.Source{Type: model.SourceProject, ID: p.ID}, "bot", &expires)
	if err := st.Bots.Create(t.Context(), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// roleOf returns the membership of a bot.
func roleOf(t testing.TB, st *store.Store, n store.NewBot) model.Member {
	t.Helper()
	m, err := st.Members.Get(t.Context(), store.MemberFilter{SourceType: n.Source.Type, SourceID: n.Source.ID}, n.User.ID)
	if err != nil {
		t.Fatal(err)
	}
	return m.Member
}

// rotate replaces the token of a bot.
func rotate(t testing.TB, st *store.Store, n store.NewBot, expires time.Time) model.PersonalAccessToken {
	t.Helper()
	row, err := st.Bots.Token(t.Context(), n.Source, n.Token.ID)
	if err != nil {
		t.Fatal(err)
	}
	next, done, err := st.Tokens.Rotate(t.Context(), row.Token, []byte("next"), expires)
	if !done || err != nil {
		t.Fatal(done, err)
	}
	return next
}

func TestABotHasNoNamespaceAndARoleThatEndsWithItsToken(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	day := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	n := newProjectBot(t, st, day)
	got, err := st.Users.Get(t.Context(), n.User.ID)
	if err != nil || got.NamespaceID != nil || got.Kind != model.UserProjectBot {
		t.Errorf("%+v, %v", got, err)
	}
	if m := roleOf(t, st, n); m.AccessLevel != model.Developer || m.ExpiresAt == nil || !m.ExpiresAt.Equal(day) {
		t.Errorf("%+v", m)
	}
	row, err := st.Bots.Token(t.Context(), n.Source, n.Token.ID)
	if err != nil || row.AccessLevel == nil || *row.AccessLevel != model.Developer {
		t.Errorf("%+v, %v", row, err)
	}
	later := day.AddDate(1, 0, 0)
	rotate(t, st, n, later)
	if m := roleOf(t, st, n); !m.ExpiresAt.Equal(later) {
		t.Errorf("after the rotation: %+v", m)
	}
}

func TestTheTokenOfABotIsLeftWithoutARoleUntilItIsRevoked(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	day := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	n := newProjectBot(t, st, day)
	src, next := n.Source, rotate(t, st, n, day)
	if err := st.Members.Remove(t.Context(), src.Type, src.ID, n.User.ID, model.Owner, nil); err != nil {
		t.Fatal(err)
	}
	if row, err := st.Bots.Token(t.Context(), src, next.ID); err != nil || row.AccessLevel != nil {
		t.Errorf("a role is left: %+v, %v", row, err)
	}
	if _, err := st.Bots.Token(t.Context(), store.Source{Type: model.SourceGroup, ID: src.ID}, next.ID); !store.IsNotFound(err) {
		t.Errorf("a group with the project's id has the token: %v", err)
	}
	if done, err := st.Tokens.Revoke(t.Context(), next, nil); !done || err != nil {
		t.Fatal(done, err)
	}
	for _, digest := range []string{"bot", "next"} {
		if _, err := st.Tokens.FindByDigest(t.Context(), []byte(digest), nil); !store.IsNotFound(err) {
			t.Errorf("%s is left: %v", digest, err)
		}
	}
}

func TestNothingOfABotIsLeftThatCannotBeMade(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := newProject(t, st, *storetest.User(t, st).NamespaceID, "p")
	src := store.Source{Type: model.SourceProject, ID: p.ID}
	named(t, st, storetest.User(t, st), "taken")
	n := newBot(src, "taken", nil) // another token has the same digest
	if err := st.Bots.Create(t.Context(), &n); err == nil {
		t.Error("made")
	}
	for _, gone := range []store.Source{
		{Type: model.SourceProject, ID: 999}, {Type: model.SourceGroup, ID: 999}, {Type: model.SourceGroup, ID: p.NamespaceID},
	} {
		n := newBot(gone, "bot", nil)
		if err := st.Bots.Create(t.Context(), &n); !store.IsNotFound(err) {
			t.Errorf("%+v: %v", gone, err)
		}
		d := model.DeployToken{SourceType: gone.Type, SourceID: gone.ID, Name: "d", Digest: []byte("d"), Scopes: "read_registry"}
		if err := st.DeployTokens.Create(t.Context(), &d); !store.IsNotFound(err) {
			t.Errorf("%+v: %v", gone, err)
		}
	}
	for _, table := range []string{"bots", "deploy_tokens"} {
		if got := texts(t, st, "SELECT CAST(count(*) AS text) FROM "+table); got[0] != "0" {
			t.Errorf("%s %s are left", got[0], table)
		}
	}
	if got := texts(t, st, "SELECT username FROM users WHERE kind = 'project_bot'"); got != nil {
		t.Errorf("%v are left", got)
	}
}

// useBots creates bots, rotates their tokens and revokes some, until the group or project of the bots is deleted.
func useBots(t testing.TB, st *store.Store, src store.Source, name string) {
	t.Helper()
	for try := range 20 {
		n := newBot(src, fmt.Sprintf("bot_%s_%d", name, try), nil)
		err := st.Bots.Create(t.Context(), &n)
		if store.IsNotFound(err) {
			return
		}
		if err != nil {
			t.Error(err)
			return
		}
		digest := fmt.Appendf(nil, "next %s %d", name, try)
		next, done, err := st.Tokens.Rotate(t.Context(), n.Token, digest, time.Now().AddDate(0, 0, 9))
		if err != nil {
			t.Error(err)
			return
		}
		if done && try%2 == 0 {
			if _, err := st.Tokens.Revoke(t.Context(), next, nil); err != nil {
				t.Error(err)
			}
		}
	}
}

// Tokens that are created, rotated and revoked while their project or group is deleted do not outlive it.
func TestTokensDoNotOutliveWhatTheyBelongTo(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	for round := range 6 {
		g := model.DefaultNamespace(model.NamespaceGroup)
		g.Name, g.Path = fmt.Sprintf("g%d", round), fmt.Sprintf("g%d", round)
		if err := st.Namespaces.Create(t.Context(), &g); err != nil {
			t.Fatal(err)
		}
		p := newProject(t, st, g.ID, "p")
		sources := []store.Source{{Type: model.SourceProject, ID: p.ID}, {Type: model.SourceGroup, ID: g.ID}}
		var wg sync.WaitGroup
		for i, src := range sources {
			wg.Go(func() { useBots(t, st, src, fmt.Sprintf("%d_%d", round, i)) })
		}
		wg.Go(func() {
			if round%2 == 0 {
				if err := st.Projects.Delete(t.Context(), p.ID, nil); err != nil {
					t.Error(err)
				}
			}
			if err := st.Namespaces.Delete(t.Context(), g.ID, nil); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
	}
	left := texts(t, st, "SELECT username FROM users WHERE kind = 'project_bot'")
	if diff := cmp.Diff([]string(nil), left); diff != "" {
		t.Error(diff)
	}
	if left := texts(t, st, "SELECT name FROM personal_access_tokens"); left != nil {
		t.Errorf("%v are left", left)
	}
}

func TestADeployTokenIsFoundWhileItIsGood(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := newProject(t, st, *storetest.User(t, st).NamespaceID, "p")
	past, future := time.Now().Add(-time.Second).UTC(), time.Now().Add(time.Hour).UTC()
	own := "k8s"
	for name, c := range map[string]struct {
		row  model.DeployToken
		good bool
	}{
		"usual":   {model.DeployToken{}, true},
		"own":     {model.DeployToken{Username: &own}, true},
		"ends":    {model.DeployToken{ExpiresAt: &future}, true},
		"ended":   {model.DeployToken{ExpiresAt: &past}, false},
		"revoked": {model.DeployToken{Revoked: true}, false},
	} {
		row := c.row
		row.SourceType, row.SourceID, row.Name, row.Digest, row.Scopes = model.SourceProject, p.ID, name, []byte(name), "read_repository"
		if err := st.DeployTokens.Create(t.Context(), &row); err != nil {
			t.Fatal(err)
		}
		got, err := st.DeployTokens.Authenticate(t.Context(), []byte(name), row.Login())
		if c.good != (err == nil) || (c.good && got.ID != row.ID) || (!c.good && !store.IsNotFound(err)) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		for _, login := range []string{"", "K8S", "root"} {
			if _, err := st.DeployTokens.Authenticate(t.Context(), []byte(name), login); !store.IsNotFound(err) {
				t.Errorf("%s as %q: %v", name, login, err)
			}
		}
	}
}
