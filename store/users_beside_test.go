package store_test

import (
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// A single user is read with everything beside it in one statement, and must show the same as in a list.
func TestWhatIsBesideAUserIsTheSameInAListAndAlone(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	admin := storetest.User(t, st, storetest.Admin)
	made := storetest.User(t, st, func(u *model.User) { u.CreatedByID = &admin.ID })
	plain := storetest.User(t, st)
	saml := int64(7)
	for _, i := range []model.Identity{
		{UserID: made.ID, Provider: "saml", ExternUID: "one", SamlProviderID: &saml},
		{UserID: made.ID, Provider: "github", ExternUID: "two"},
	} {
		if err := st.Identities.Put(t.Context(), &i); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := st.UserFollows.Create(t.Context(), admin.ID, made.ID); err != nil {
		t.Fatal(err)
	}
	rows, _, err := st.Users.List(t.Context(), store.UserFilter{}, store.UserOrder{Column: "id"}, store.Page{Limit: 20})
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d users, %v", len(rows), err)
	}
	before := st.Statements()
	all, err := st.Users.Beside(t.Context(), admin.ID, rows)
	if err != nil || st.Statements()-before > 3 {
		t.Fatalf("%d statements, %v", st.Statements()-before, err)
	}
	for _, u := range []model.User{admin, made, plain} {
		before := st.Statements()
		row, alone, err := st.Users.GetBeside(t.Context(), u.ID, admin.ID)
		if n := st.Statements() - before; err != nil || n != 1 {
			t.Errorf("%d statements, %v", n, err)
		}
		whole, err := st.Users.Get(t.Context(), u.ID)
		if diff := cmp.Diff(whole, row); diff != "" || err != nil {
			t.Errorf("%s (%v)", diff, err)
		}
		if all.Followed[u.ID] != alone.Followed[u.ID] || alone.Followed[u.ID] != (u.ID == made.ID) {
			t.Errorf("%s: %v and %v", u.Username, all.Followed, alone.Followed)
		}
		visible := func(of store.UsersBeside) (shown []model.Identity) {
			for _, i := range of.Identities[u.ID] {
				shown = append(shown, model.Identity{Provider: i.Provider, ExternUID: i.ExternUID, SamlProviderID: i.SamlProviderID})
			}
			return shown
		}
		if diff := cmp.Diff(visible(all), visible(alone)); diff != "" {
			t.Error(diff)
		}
		if u.CreatedByID != nil {
			if diff := cmp.Diff(all.Creators[*u.CreatedByID], alone.Creators[*u.CreatedByID]); diff != "" || len(visible(alone)) != 2 {
				t.Error(diff)
			}
		}
		_, followed, err := st.Users.GetShown(t.Context(), u.ID, admin.ID)
		if err != nil || followed != all.Followed[u.ID] {
			t.Errorf("%v, %v", followed, err)
		}
	}
	if _, _, err := st.Users.GetBeside(t.Context(), 999, admin.ID); !store.IsNotFound(err) {
		t.Error(err)
	}
	if _, _, err := st.Users.GetShown(t.Context(), 999, admin.ID); !store.IsNotFound(err) {
		t.Error(err)
	}
}

// The list of all users has a statement of its own, and must show the same as one with a filter that all users meet.
func TestTheListOfAllUsersIsLikeAFilteredOne(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	for range 5 {
		storetest.User(t, st)
	}
	for _, order := range []string{"id", "name", "username", "created_at", "updated_at"} {
		for _, p := range []store.Page{{Limit: 20}, {Limit: 2}, {Limit: 2, Offset: 2}, {Limit: 2, Offset: 9}} {
			for _, basic := range []bool{false, true} {
				o := store.UserOrder{Column: order, Desc: p.Offset > 0}
				rows, total, err := st.Users.List(t.Context(), store.UserFilter{Basic: basic}, o, p)
				if err != nil {
					t.Fatal(err)
				}
				wanted, wantedTotal, err := st.Users.List(t.Context(), store.UserFilter{Basic: basic, WithoutProjects: true}, o, p)
				if diff := cmp.Diff(wanted, rows); diff != "" || err != nil || total != wantedTotal {
					t.Errorf("%+v %+v: %+v, not %+v (%v): %s", o, p, total, wantedTotal, err, diff)
				}
			}
		}
	}
	before := st.Statements()
	_, total, err := st.Users.List(t.Context(), store.UserFilter{}, store.UserOrder{Column: "id"}, store.Page{Limit: 2})
	if n := st.Statements() - before; err != nil || n != 1 || !total.More || total.Count != 5 {
		t.Errorf("%d statements, %+v, %v", n, total, err)
	}
}
