package seed

import (
	"testing"

	"svc/server/domain/fixture"
	"svc/server/domain/fixture/fixturetest"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// all returns the data of a number, as an administrator sees it.
func all(t *testing.T, st *store.Store) (users, projects []string) {
	t.Helper()
	people, _, err := st.Users.List(t.Context(), store.UserFilter{}, store.UserOrder{Column: "id"}, store.Page{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range people {
		users = append(users, u.Username+" "+u.Name+" "+u.CreatedAt.String())
	}
	rows, _, err := st.Projects.List(
		t.Context(), store.ProjectFilter{}, store.ProjectOrder{Column: "id"}, &store.Reader{Admin: true},
		store.Page{Limit: 1000},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		projects = append(projects, r.Project.FullPath+" "+r.Project.Visibility.String()+" "+r.Project.Topics)
	}
	return users, projects
}

func TestTheSameNumberMakesTheSameData(t *testing.T) {
	t.Parallel()
	made := map[string]Result{}
	shown := map[string][][]string{}
	for name, number := range map[string]uint64{"one": 7, "two": 7, "other": 8} {
		to := fixturetest.Target(t)
		st := to.Store
		got, err := Fill(t.Context(), to, number, Small, nil)
		if err != nil {
			t.Fatal(err)
		}
		users, projects := all(t, st)
		made[name], shown[name] = got, [][]string{users, projects}
		for _, p := range got.ExampleUsers {
			u, err := st.Users.GetByUsername(t.Context(), p.Username)
			if err != nil {
				t.Fatal(err)
			}
			if good, err := secret.CheckPassword(t.Context(), u.PasswordHash, got.Password); err != nil || !good {
				t.Errorf("%s does not have the password (%v)", p.Username, err)
			}
			if used, err := st.Tokens.FindByDigest(t.Context(), secret.Digest(p.Token), nil); err != nil || used.Caller.ID != u.ID {
				t.Errorf("the token of %s does not work: %v", p.Username, err)
			}
		}
	}
	if diff := cmp.Diff(shown["one"], shown["two"]); diff != "" {
		t.Errorf("the same number made other data:\n%s", diff)
	}
	if diff := cmp.Diff(made["one"], made["two"]); diff != "" {
		t.Errorf("the same number made other secrets:\n%s", diff)
	}
	if cmp.Equal(shown["one"], shown["other"]) || made["one"].ExampleUsers[0].Token == made["other"].ExampleUsers[0].Token {
		t.Error("another number made the same data")
	}
	if len(shown["one"][0]) != Small.Users || len(shown["one"][1]) != Small.Projects {
		t.Errorf("%d users and %d projects, want %+v", len(shown["one"][0]), len(shown["one"][1]), Small)
	}
}

func TestDemonstrationDataGoesIntoANewInstanceOnly(t *testing.T) {
	t.Parallel()
	to := fixturetest.Target(t)
	st := to.Store
	storetest.User(t, st)
	if _, err := Fill(t.Context(), to, 1, Small, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Fill(t.Context(), to, 1, Small, nil); err == nil {
		t.Error("it was filled twice")
	}
	if users, _ := all(t, st); len(users) != Small.Users+1 {
		t.Errorf("%d users", len(users))
	}
}

func TestThereIsSomethingOfEveryKind(t *testing.T) {
	t.Parallel()
	to := fixturetest.Target(t)
	st := to.Store
	told := map[string]int{}
	if _, err := Fill(
		t.Context(), to, 3, Size{Users: 40, Groups: 40, Projects: 60},
		func(kind string, done, _ int) { told[kind] = done },
	); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"users": 40, "groups": 40, "projects": 60}, told); diff != "" {
		t.Errorf("progress differs:\n%s", diff)
	}
	for _, v := range visibilities {
		_, total, err := st.Projects.List(
			t.Context(), store.ProjectFilter{Visibility: &v}, store.ProjectOrder{Column: "id"},
			&store.Reader{Admin: true}, store.Page{Limit: 1},
		)
		if err != nil || total.Count == 0 {
			t.Errorf("no project is %s (%v)", v, err)
		}
	}
	archived := true
	_, total, err := st.Projects.List(
		t.Context(), store.ProjectFilter{Archived: &archived}, store.ProjectOrder{Column: "id"},
		&store.Reader{Admin: true}, store.Page{Limit: 1},
	)
	if err != nil || total.Count == 0 {
		t.Errorf("no project is archived (%v)", err)
	}
	finn, err := st.Users.GetByUsername(t.Context(), "finn")
	if err != nil || !finn.External {
		t.Errorf("finn is not external (%v)", err)
	}
	if gil, err := st.Users.GetByUsername(t.Context(), "gil"); err != nil || gil.State != model.UserBlocked {
		t.Errorf("gil is not blocked (%v)", err)
	}
}

func TestADocumentOfASeedHasNoMistakes(t *testing.T) {
	t.Parallel()
	for _, number := range []uint64{1, 2, 7, 1000} {
		doc, _ := Document(number, Small)
		text, err := doc.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fixture.Read("seed", text); err != nil {
			t.Errorf("seed %d: %v", number, err)
		}
	}
}
