package store_test

import (
	"fmt"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// place builds groups, members and links for a test case.
type place struct {
	t     *testing.T
	st    *store.Store
	count int
}

func (p *place) group(parent *model.Namespace) *model.Namespace {
	p.t.Helper()
	p.count++
	g := model.DefaultNamespace(model.NamespaceGroup)
	g.Name, g.Path, g.Visibility = "g", fmt.Sprintf("g%d", p.count), model.Private
	if parent != nil {
		g.ParentID = &parent.ID
	}
	if err := p.st.Namespaces.Create(p.t.Context(), &g); err != nil {
		p.t.Fatal(err)
	}
	return &g
}

func (p *place) join(g *model.Namespace, u model.User, role model.Access, ends *time.Time) {
	p.t.Helper()
	m := model.Member{SourceType: model.SourceGroup, SourceID: g.ID, UserID: u.ID, AccessLevel: role, ExpiresAt: ends}
	if err := p.st.Members.Add(p.t.Context(), &m); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) share(g, with *model.Namespace, role model.Access, ends *time.Time) {
	p.t.Helper()
	l := model.GroupLink{GroupID: g.ID, SharedWithGroupID: with.ID, AccessLevel: role, ExpiresAt: ends}
	if err := p.st.GroupLinks.Create(p.t.Context(), &l); err != nil {
		p.t.Fatal(err)
	}
}

// The role that permissions use is always the role in the list of all members.
func TestTheEffectiveRoleInAGroup(t *testing.T) {
	t.Parallel()
	today := time.Now().UTC().Truncate(24 * time.Hour)
	tomorrow := today.AddDate(0, 0, 1)
	// low is in mid, and mid is in top; team is in company.
	type groups struct{ top, mid, low, company, team *model.Namespace }
	for name, c := range map[string]struct {
		build func(p *place, g groups, u model.User)
		want  model.Access
	}{
		"none":      {func(*place, groups, model.User) {}, 0},
		"direct":    {func(p *place, g groups, u model.User) { p.join(g.low, u, model.Reporter, nil) }, model.Reporter},
		"inherited": {func(p *place, g groups, u model.User) { p.join(g.top, u, model.Developer, nil) }, model.Developer},
		"direct below inherited": {func(p *place, g groups, u model.User) {
			p.join(g.top, u, model.Developer, nil)
			p.join(g.low, u, model.Guest, nil)
		}, model.Developer},
		"shared, the link lower": {func(p *place, g groups, u model.User) {
			p.join(g.team, u, model.Owner, nil)
			p.share(g.low, g.team, model.Reporter, nil)
		}, model.Reporter},
		"shared, the membership lower": {func(p *place, g groups, u model.User) {
			p.join(g.team, u, model.Guest, nil)
			p.share(g.low, g.team, model.Maintainer, nil)
		}, model.Guest},
		"shared above": {func(p *place, g groups, u model.User) {
			p.join(g.team, u, model.Owner, nil)
			p.share(g.top, g.team, model.Maintainer, nil)
		}, model.Maintainer},
		"shared with the group below the member's": {func(p *place, g groups, u model.User) {
			p.join(g.company, u, model.Developer, nil)
			p.share(g.low, g.team, model.Maintainer, nil)
		}, model.Developer},
		"shared above with the group below the member's": {func(p *place, g groups, u model.User) {
			p.join(g.company, u, model.Owner, nil)
			p.share(g.mid, g.team, model.Developer, nil)
		}, model.Developer},
		"shared with the group above the member's": {func(p *place, g groups, u model.User) {
			p.join(g.team, u, model.Owner, nil)
			p.share(g.low, g.company, model.Owner, nil)
		}, 0},
		"shared below": {func(p *place, g groups, u model.User) {
			p.join(g.team, u, model.Owner, nil)
			p.share(p.group(g.low), g.team, model.Owner, nil)
		}, 0},
		"shared at second hand": {func(p *place, g groups, u model.User) {
			other := p.group(nil)
			p.join(other, u, model.Owner, nil)
			p.share(g.team, other, model.Owner, nil)
			p.share(g.low, g.team, model.Owner, nil)
		}, 0},
		"direct and shared higher": {func(p *place, g groups, u model.User) {
			p.join(g.low, u, model.Guest, nil)
			p.join(g.team, u, model.Owner, nil)
			p.share(g.low, g.team, model.Developer, nil)
		}, model.Developer},
		"direct and shared lower": {func(p *place, g groups, u model.User) {
			p.join(g.low, u, model.Maintainer, nil)
			p.join(g.team, u, model.Owner, nil)
			p.share(g.low, g.team, model.Developer, nil)
		}, model.Maintainer},
		"inherited and shared twice": {func(p *place, g groups, u model.User) {
			p.join(g.top, u, model.Guest, nil)
			p.join(g.team, u, model.Developer, nil)
			p.share(g.top, g.team, model.Owner, nil)
			p.share(g.low, g.company, model.Owner, nil)
			p.join(g.company, u, model.Reporter, nil)
		}, model.Developer},
		"membership expired": {func(p *place, g groups, u model.User) { p.join(g.low, u, model.Owner, &today) }, 0},
		"link expired": {func(p *place, g groups, u model.User) {
			p.join(g.team, u, model.Owner, nil)
			p.share(g.low, g.team, model.Developer, &today)
		}, 0},
		"invited membership expired": {func(p *place, g groups, u model.User) {
			p.join(g.team, u, model.Owner, &today)
			p.share(g.low, g.team, model.Developer, nil)
		}, 0},
		"not yet expired": {func(p *place, g groups, u model.User) {
			p.join(g.team, u, model.Owner, &tomorrow)
			p.share(g.low, g.team, model.Developer, &tomorrow)
		}, model.Developer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &place{t: t, st: storetest.New(t)}
			var g groups
			g.top = p.group(nil)
			g.mid = p.group(g.top)
			g.low = p.group(g.mid)
			g.company = p.group(nil)
			g.team = p.group(g.company)
			u := storetest.User(t, p.st)
			c.build(p, g, u)
			checkRole(t, p.st, g.low, u, c.want)
		})
	}
}

func checkRole(t *testing.T, st *store.Store, g *model.Namespace, u model.User, want model.Access) {
	t.Helper()
	_, role, err := st.Namespaces.GetGroup(t.Context(), g.ID, "", &store.Reader{UserID: u.ID})
	if err != nil || role.Access != want {
		t.Errorf("the role is %d, want %d (%v)", role.Access, want, err)
	}
	all := store.MemberFilter{SourceType: model.SourceGroup, SourceID: g.ID, Inherited: true}
	rows, total, err := st.Members.List(t.Context(), all, store.Page{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	var shown model.Access
	for _, row := range rows {
		if row.User.ID == u.ID {
			shown = row.Member.AccessLevel
		}
	}
	if shown != want || int(total.Count) != len(rows) || len(rows) > 1 {
		t.Errorf("the list shows %d of %d members with role %d, want %d", len(rows), total.Count, shown, want)
	}
	if m, err := st.Members.Get(t.Context(), all, u.ID); (want == 0) != store.IsNotFound(err) || m.Member.AccessLevel != want {
		t.Errorf("the member is shown with %d, want %d (%v)", m.Member.AccessLevel, want, err)
	}
}

func TestExpiredLinksAreClearedAwayAndDoNotStandInTheWay(t *testing.T) {
	t.Parallel()
	p := &place{t: t, st: storetest.New(t)}
	a, b, c := p.group(nil), p.group(nil), p.group(nil)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	tomorrow := today.AddDate(0, 0, 1)
	p.share(a, b, model.Guest, &today)
	p.share(a, c, model.Guest, &tomorrow)
	if err := p.st.GroupLinks.Delete(t.Context(), a.ID, b.ID, nil); !store.IsNotFound(err) {
		t.Errorf("an expired link was there: %v", err)
	}
	p.share(a, b, model.Guest, &today) // the expired link does not get in the way
	if n, err := p.st.GroupLinks.DeleteExpired(t.Context(), today); n != 1 || err != nil {
		t.Errorf("%d links ended, %v", n, err)
	}
	left, err := p.st.GroupLinks.ListByGroup(t.Context(), a.ID, &store.Reader{Admin: true})
	if err != nil || len(left) != 1 || left[0].GroupID != c.ID || !left[0].ExpiresAt.Equal(tomorrow) {
		t.Errorf("left are %v, %v", left, err)
	}
}
