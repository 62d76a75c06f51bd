package store_test

import (
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

func (p *place) project(in *model.Namespace) *model.Project {
	p.t.Helper()
	row := model.DefaultProject()
	row.NamespaceID, row.Name, row.Path = in.ID, "p", "p"
	if err := p.st.Projects.Create(p.t.Context(), &row, nil); err != nil {
		p.t.Fatal(err)
	}
	return &row
}

func (p *place) joinProject(to *model.Project, u model.User, role model.Access, ends *time.Time) {
	p.t.Helper()
	m := model.Member{SourceType: model.SourceProject, SourceID: to.ID, UserID: u.ID, AccessLevel: role, ExpiresAt: ends}
	if err := p.st.Members.Add(p.t.Context(), &m); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) shareProject(what *model.Project, with *model.Namespace, role model.Access, ends *time.Time) {
	p.t.Helper()
	l := model.ProjectLink{ProjectID: what.ID, GroupID: with.ID, AccessLevel: role, ExpiresAt: ends}
	if err := p.st.ProjectLinks.Create(p.t.Context(), &l); err != nil {
		p.t.Fatal(err)
	}
}

// The role that permissions use is always the role in the list of all members.
func TestTheEffectiveRoleInAProject(t *testing.T) {
	t.Parallel()
	today := time.Now().UTC().Truncate(24 * time.Hour)
	tomorrow := today.AddDate(0, 0, 1)
	// The project web is in the group low, and low is in top; team is in company.
	type places struct {
		top, low, company, team *model.Namespace
		web                     *model.Project
	}
	for name, c := range map[string]struct {
		build func(p *place, g places, u model.User)
		want  model.Access
	}{
		"none":      {func(*place, places, model.User) {}, 0},
		"direct":    {func(p *place, g places, u model.User) { p.joinProject(g.web, u, model.Reporter, nil) }, model.Reporter},
		"inherited": {func(p *place, g places, u model.User) { p.join(g.top, u, model.Developer, nil) }, model.Developer},
		"direct below inherited": {func(p *place, g places, u model.User) {
			p.join(g.top, u, model.Developer, nil)
			p.joinProject(g.web, u, model.Guest, nil)
		}, model.Developer},
		"direct above inherited": {func(p *place, g places, u model.User) {
			p.join(g.top, u, model.Guest, nil)
			p.joinProject(g.web, u, model.Owner, nil)
		}, model.Owner},
		"its group shared": {func(p *place, g places, u model.User) {
			p.join(g.team, u, model.Owner, nil)
			p.share(g.top, g.team, model.Maintainer, nil)
		}, model.Maintainer},
		"shared, the link lower": {func(p *place, g places, u model.User) {
			p.join(g.team, u, model.Owner, nil)
			p.shareProject(g.web, g.team, model.Reporter, nil)
		}, model.Reporter},
		"shared, the membership lower": {func(p *place, g places, u model.User) {
			p.join(g.team, u, model.Guest, nil)
			p.shareProject(g.web, g.team, model.Maintainer, nil)
		}, model.Guest},
		"shared with the group below the member's": {func(p *place, g places, u model.User) {
			p.join(g.company, u, model.Developer, nil)
			p.shareProject(g.web, g.team, model.Maintainer, nil)
		}, model.Developer},
		"shared with the group above the member's": {func(p *place, g places, u model.User) {
			p.join(g.team, u, model.Developer, nil)
			p.shareProject(g.web, g.company, model.Maintainer, nil)
		}, 0},
		"all ways at once": {func(p *place, g places, u model.User) {
			p.joinProject(g.web, u, model.Guest, nil)
			p.join(g.low, u, model.Reporter, nil)
			p.join(g.team, u, model.Owner, nil)
			p.shareProject(g.web, g.team, model.Developer, nil)
			p.share(g.low, g.team, model.Reporter, nil)
		}, model.Developer},
		"membership expired": {func(p *place, g places, u model.User) { p.joinProject(g.web, u, model.Owner, &today) }, 0},
		"link expired": {func(p *place, g places, u model.User) {
			p.join(g.team, u, model.Owner, nil)
			p.shareProject(g.web, g.team, model.Developer, &today)
		}, 0},
		"invited membership expired": {func(p *place, g places, u model.User) {
			p.join(g.team, u, model.Owner, &today)
			p.shareProject(g.web, g.team, model.Developer, nil)
		}, 0},
		"not yet expired": {func(p *place, g places, u model.User) {
			p.join(g.team, u, model.Owner, &tomorrow)
			p.shareProject(g.web, g.team, model.Developer, &tomorrow)
		}, model.Developer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &place{t: t, st: storetest.New(t)}
			var g places
			g.top = p.group(nil)
			g.low = p.group(g.top)
			g.company = p.group(nil)
			g.team = p.group(g.company)
			g.web = p.project(g.low)
			// Another project with a member who has no role here.
			p.joinProject(p.project(g.top), storetest.User(t, p.st), model.Owner, nil)
			u := storetest.User(t, p.st)
			c.build(p, g, u)
			checkProjectRole(t, p.st, g.web, u, c.want)
		})
	}
}

func checkProjectRole(t *testing.T, st *store.Store, p *model.Project, u model.User, want model.Access) {
	t.Helper()
	row, err := st.Projects.Get(t.Context(), p.ID, "", &store.Reader{UserID: u.ID})
	if err != nil || row.Role() != want {
		t.Errorf("the role is %d, want %d (%v)", row.Role(), want, err)
	}
	checkListedRole(t, st, row, u, want)
	all := store.MemberFilter{SourceType: model.SourceProject, SourceID: p.ID, Inherited: true}
	rows, total, err := st.Members.List(t.Context(), all, store.Page{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	var shown model.Access
	for _, row := range rows {
		shown = row.Member.AccessLevel
		if row.User.ID != u.ID {
			t.Errorf("user %d is listed, who has no role", row.User.ID)
		}
	}
	if shown != want || int(total.Count) != len(rows) || len(rows) > 1 {
		t.Errorf("the list shows %d of %d members with role %d, want %d", len(rows), total.Count, shown, want)
	}
	if m, err := st.Members.Get(t.Context(), all, u.ID); (want == 0) != store.IsNotFound(err) || m.Member.AccessLevel != want {
		t.Errorf("the member is shown with %d, want %d (%v)", m.Member.AccessLevel, want, err)
	}
}

// checkListedRole checks that the lists of projects agree with the role. The project is private, so it is listed and
// counted exactly if the role is high enough, with the same roles as when it is read alone.
func checkListedRole(t *testing.T, st *store.Store, alone model.ProjectRow, u model.User, want model.Access) {
	t.Helper()
	for _, least := range []model.Access{model.NoAccess, model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner} {
		filter := store.ProjectFilter{MinAccess: least}
		rows, total, err := st.Projects.List(t.Context(), filter, store.ProjectOrder{Column: "name"},
			&store.Reader{UserID: u.ID}, store.Page{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		listed := false
		for _, row := range rows {
			listed = listed || row.Project.ID == alone.Project.ID
			if row.Project.ID == alone.Project.ID && (row.Direct != alone.Direct || row.Inherited != alone.Inherited) {
				t.Errorf("listed with roles %d and %d, alone %d and %d", row.Direct, row.Inherited, alone.Direct, alone.Inherited)
			}
		}
		// The project in the group above may be listed too, but never without this one.
		if seen := want > 0 && want >= least; (seen != (total.Count > 0)) || (seen && total.Count == 1 && !listed) {
			t.Errorf("with at least %d: listed %v of %d, the role is %d", least, listed, total.Count, want)
		}
	}
}
