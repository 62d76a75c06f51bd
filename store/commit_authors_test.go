package store_test

import (
	"fmt"
	"testing"
	"time"

	"svc/store/model"
	"svc/store/storetest"
)

func TestAuthorsAreFoundByConfirmedAddresses(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	now := time.Now().UTC()
	ann := storetest.User(t, st, func(u *model.User) { u.Email, u.ConfirmedAt = "Ann@example.com", &now })
	storetest.User(t, st, func(u *model.User) { u.Email, u.ConfirmedAt = "bob@example.com", nil })
	for address, at := range map[string]*time.Time{"Ann@work.example": &now, "ann@home.example": nil} {
		if err := st.Emails.Create(t.Context(), &model.Email{UserID: ann.ID, Email: address, ConfirmedAt: at}); err != nil {
			t.Fatal(err)
		}
	}
	asked := []string{"ann@EXAMPLE.com", "bob@example.com", "ANN@work.example", "ann@home.example", ""}
	for i := range 1200 { // more than fit into one statement
		asked = append(asked, fmt.Sprintf("nobody%d@example.com", i))
	}
	found, err := st.Users.ByConfirmedEmail(t.Context(), asked)
	if err != nil || len(found) != 2 || found["ann@example.com"].ID != ann.ID || found["ann@work.example"].ID != ann.ID {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestMembersAmongUsers(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	in := &place{t: t, st: st}
	above, other := in.group(nil), in.group(nil)
	below := in.group(above)
	p := in.project(below)
	yesterday := time.Now().UTC().AddDate(0, 0, -1)
	var ids []int64
	for _, m := range []model.Member{
		{SourceType: model.SourceProject, SourceID: p.ID},
		{SourceType: model.SourceGroup, SourceID: below.ID},
		{SourceType: model.SourceGroup, SourceID: above.ID},
		{SourceType: model.SourceGroup, SourceID: other.ID},
		{SourceType: model.SourceGroup, SourceID: below.ID, ExpiresAt: &yesterday},
		{},
	} {
		u := storetest.User(t, st)
		ids = append(ids, u.ID)
		if m.SourceID == 0 {
			continue
		}
		m.UserID, m.AccessLevel = u.ID, model.Guest
		if err := st.Members.Add(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string, got map[int64]bool, err error, want ...bool) {
		t.Helper()
		for i, id := range ids {
			if err != nil || got[id] != want[i] {
				t.Errorf("%s: user %d is a member: %v, %v", name, i, got[id], err)
			}
		}
	}
	got, err := st.Projects.MembersAmong(t.Context(), p.ID, ids)
	check("the project", got, err, true, true, true, false, false, false)
	got, err = st.Namespaces.MembersAmong(t.Context(), []int64{below.ID, other.ID}, ids)
	check("two groups", got, err, false, true, true, true, false, false)
	got, err = st.Namespaces.MembersAmong(t.Context(), nil, ids)
	check("no groups", got, err, false, false, false, false, false, false)
}
