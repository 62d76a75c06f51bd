package store_test

import (
	"strings"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// asCaller finds the caller of a token together with what a request is about.
func asCaller(t *testing.T, st *store.Store, token model.PersonalAccessToken, ahead *store.Ahead) *store.Reader {
	t.Helper()
	use, err := st.Tokens.FindByDigest(t.Context(), token.Digest, ahead)
	if err != nil || use.ID != token.ID || use.Caller.ID != token.UserID {
		t.Fatalf("the token is %+v, %v", use, err)
	}
	return &store.Reader{UserID: use.Caller.ID, Admin: use.Caller.Admin, External: use.Caller.External}
}

func TestAProjectThatIsFoundWithItsCallerIsTheSame(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	owner := storetest.User(t, st)
	p := storetest.Project(t, st, owner)
	member, outsider, admin := storetest.User(t, st), storetest.User(t, st), storetest.User(t, st, storetest.Admin)
	err := st.Members.Add(t.Context(), &model.Member{
		SourceType: model.SourceProject, SourceID: p.ID, UserID: member.ID, AccessLevel: model.Reporter,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range []model.User{owner, member, outsider, admin} {
		token := named(t, st, u, "token of "+u.Username)
		for range 2 { // the second time, the tokens of administrators are known
			for _, ref := range []struct {
				id   int64
				path string
			}{{p.ID, ""}, {0, strings.ToUpper(p.FullPath)}} {
				ahead := store.AheadOfProject(ref.id, ref.path)
				r := asCaller(t, st, token, ahead)
				statements := st.Statements()
				got, err := st.Projects.GetAhead(t.Context(), ahead, ref.id, ref.path, r)
				if err != nil {
					t.Fatal(err)
				}
				read := st.Statements() - statements
				want, err := st.Projects.Get(t.Context(), ref.id, ref.path, r)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %v: the rows differ:\n%s", u.Username, ref, diff)
				}
				if read > 1 { // 1 if the project is not in the cache yet
					t.Errorf("%s, %v: it took %d more statements", u.Username, ref, read)
				}
			}
		}
	}
}

// What was found serves one lookup by the same caller. Whoever asks again sees what has changed.
func TestWhatIsFoundWithACallerServesOneLookup(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	owner, other := storetest.User(t, st), storetest.User(t, st)
	p := storetest.Project(t, st, owner)
	token := named(t, st, owner, "token")
	ahead := store.AheadOfProject(p.ID, "")
	r := asCaller(t, st, token, ahead)
	if _, err := st.Projects.GetAhead(t.Context(), ahead, p.ID, "", r); err != nil {
		t.Fatal(err)
	}
	if err := st.Projects.Update(t.Context(), p.ID, map[string]any{"description": "new"}); err != nil {
		t.Fatal(err)
	}
	if row, err := st.Projects.GetAhead(t.Context(), ahead, p.ID, "", r); err != nil || *row.Project.Description != "new" {
		t.Errorf("the second lookup returns %v, %v", row.Project.Description, err)
	}
	ahead = store.AheadOfProject(p.ID, "")
	asCaller(t, st, token, ahead)
	if err := st.Projects.Update(t.Context(), p.ID, map[string]any{"description": "newer"}); err != nil {
		t.Fatal(err)
	}
	ahead.MakeOld() // as if the body of the request had taken long to arrive
	if row, err := st.Projects.GetAhead(t.Context(), ahead, p.ID, "", r); err != nil || *row.Project.Description != "newer" {
		t.Errorf("a late lookup returns %v, %v", row.Project.Description, err)
	}
	ahead = store.AheadOfProject(p.ID, "")
	asCaller(t, st, token, ahead)
	row, err := st.Projects.GetAhead(t.Context(), ahead, p.ID, "", &store.Reader{UserID: other.ID}) // as with sudo
	if err != nil || row.Role() != model.NoAccess {
		t.Errorf("another user has the role %d, %v", row.Role(), err)
	}
	ahead = store.AheadOfProject(p.ID, "")
	asCaller(t, st, token, ahead)
	if row, err = st.Projects.GetAhead(t.Context(), ahead, p.ID, "", nil); err != nil || row.SignedIn || row.Role() != model.NoAccess {
		t.Errorf("an anonymous caller is %+v, %v", row, err)
	}
	ahead = store.AheadOfProject(p.ID, "")
	asCaller(t, st, token, ahead)
	if _, err = st.Projects.GetAhead(t.Context(), ahead, p.ID+1, "", r); !store.IsNotFound(err) {
		t.Errorf("another project is %v", err)
	}
}

// An administrator who is one no longer has only the roles that are theirs, although their token is remembered.
func TestAFormerAdministratorHasNoMoreThanTheirRoles(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := storetest.Project(t, st, storetest.User(t, st))
	former := storetest.User(t, st, storetest.Admin)
	token := named(t, st, former, "token")
	for _, admin := range []bool{true, false} {
		role := model.NoAccess
		if admin {
			role = model.Owner
		}
		if err := st.Users.Update(t.Context(), former.ID, map[string]any{"admin": admin}); err != nil {
			t.Fatal(err)
		}
		ahead := store.AheadOfProject(p.ID, "")
		r := asCaller(t, st, token, ahead)
		row, err := st.Projects.GetAhead(t.Context(), ahead, p.ID, "", r)
		if err != nil || row.Admin != admin || row.Role() != role {
			t.Errorf("administrator %t: %t, role %d, %v", admin, row.Admin, row.Role(), err)
		}
	}
}

func TestACallerIsFoundAlthoughTheirProjectOrGroupIsNot(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	token := named(t, st, storetest.User(t, st), "token")
	for _, ahead := range []*store.Ahead{
		nil, store.AheadOfProject(1000, ""), store.AheadOfProject(0, "a/b"), store.AheadOfGroup(1000, ""), store.AheadOfGroup(0, "a"),
	} {
		r := asCaller(t, st, token, ahead)
		if _, err := st.Projects.GetAhead(t.Context(), ahead, 1000, "", r); !store.IsNotFound(err) {
			t.Error(err)
		}
		if _, _, err := st.Namespaces.GetGroupAhead(t.Context(), ahead, 1000, "", r); !store.IsNotFound(err) {
			t.Error(err)
		}
		if _, err := st.Tokens.FindByDigest(t.Context(), []byte("another"), ahead); !store.IsNotFound(err) {
			t.Errorf("an unknown token is %v", err)
		}
	}
}

func TestAGroupThatIsFoundWithItsCallerIsTheSame(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u, admin := storetest.User(t, st), storetest.User(t, st, storetest.Admin)
	g := model.DefaultNamespace(model.NamespaceGroup)
	g.Name, g.Path, g.Visibility = "Team", "team", model.Private
	if err := st.Namespaces.Create(t.Context(), &g); err != nil {
		t.Fatal(err)
	}
	for _, of := range []model.User{u, admin} {
		token := named(t, st, of, "token of "+of.Username)
		for _, path := range []string{"", "TEAM"} {
			id := g.ID
			if path != "" {
				id = 0
			}
			ahead := store.AheadOfGroup(id, path)
			r := asCaller(t, st, token, ahead)
			got, role, err := st.Namespaces.GetGroupAhead(t.Context(), ahead, id, path, r)
			if err != nil {
				t.Fatal(err)
			}
			want, wanted, err := st.Namespaces.GetGroup(t.Context(), id, path, r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got) + cmp.Diff(wanted, role); diff != "" {
				t.Errorf("%s, %q: the rows differ:\n%s", of.Username, path, diff)
			}
		}
	}
	// A personal namespace is no group.
	ahead := store.AheadOfGroup(*u.NamespaceID, "")
	r := asCaller(t, st, named(t, st, u, "again"), ahead)
	if _, _, err := st.Namespaces.GetGroupAhead(t.Context(), ahead, *u.NamespaceID, "", r); !store.IsNotFound(err) {
		t.Error(err)
	}
}
