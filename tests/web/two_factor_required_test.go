package web

import (
	"encoding/base64"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// graceOver moves the start of all requirements and memberships into the past, so that every grace period is over.
func graceOver(t *testing.T, h *harness.H) {
	t.Helper()
	for _, query := range []string{
		"UPDATE namespaces SET two_factor_required_at = $1 WHERE two_factor_required_at IS NOT NULL", "UPDATE members SET created_at = $1",
	} {
		if _, err := h.Store.SQL().ExecContext(t.Context(), query, time.Now().UTC().Add(-1000*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
}

// byPassword returns the answer that git gets from a project with a username and a password.
func byPassword(h *harness.H, u model.User, p model.Project, password string) harness.Page {
	login := base64.StdEncoding.EncodeToString([]byte(u.Username + ":" + password))
	return h.Browser().Send("GET", "/"+p.FullPath+".git/info/refs?service=git-upload-pack", "", "Authorization", "Basic "+login)
}

// The requirement of a group applies to members of every role in that group, in its subgroups and in its parents, and
// to nobody else.
func TestAGroupRequiresASecondFactorAfterTheGracePeriod(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group()
	strict := h.Group(func(g *model.Namespace) { g.ParentID = &top.ID })
	below := h.Group(func(g *model.Namespace) { g.ParentID = &strict.ID })
	project := h.Project(strict.ID, func(p *model.Project) { p.Visibility = model.Private })
	type person struct {
		name  string
		user  model.User
		bound bool
	}
	people := []person{
		{"an outsider", h.NewUserWithPassword().User, false},
		{"a member of the project", h.NewUserWithPassword().User, false},
		{"a member with a second factor", h.NewUserWithPassword(func(u *model.User) { u.TwoFactor = true }).User, false},
		{"a member above", h.NewUserWithPassword().User, true},
		{"a member below", h.NewUserWithPassword().User, true},
		{"an administrator who is a member", h.NewUserWithPassword(func(u *model.User) { u.Admin = true }).User, true},
	}
	h.JoinProject(project, people[1].user, model.Maintainer)
	h.Join(strict, people[2].user, model.Developer)
	h.Join(top, people[3].user, model.Reporter)
	h.Join(below, people[4].user, model.Reporter)
	h.Join(strict, people[5].user, model.Guest)
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner} {
		u := h.NewUserWithPassword().User
		h.Join(strict, u, role)
		people = append(people, person{"a member with role " + strconv.Itoa(int(role)), u, true})
	}
	check := func(strictNow bool) {
		t.Helper()
		for _, p := range people {
			if p.user.TwoFactor {
				continue // this user cannot sign in with the password alone anyway
			}
			bound := strictNow && p.bound
			status, page := 200, "/-/profile"
			if bound {
				status, page = 403, twoFactor
			}
			b := h.SignedIn(p.user)
			checkPage(t, b.Get("/-/profile"), 200, page, "")
			api := h.WithHeaders("Cookie", "_svc_session="+b.Cookie("_svc_session"))
			if got := api.Send("GET", "/user", ""); got.Status != status {
				t.Errorf("%s: the API by session answers %d %s", p.name, got.Status, got.Body)
			}
			if got := byPassword(h, p.user, project, harness.Password); (got.Status == 401) != bound {
				t.Errorf("%s: git answers %d %s", p.name, got.Status, got.Body)
			}
		}
	}
	check(false)
	body := `{"require_two_factor_authentication":true,"two_factor_grace_period":100}`
	if got := h.Root().JSON("PUT", "/groups/"+strconv.FormatInt(strict.ID, 10), body); got.Status != 200 {
		t.Fatal(got.Body)
	}
	check(false)
	member := people[len(people)-1].user
	if text := h.SignedIn(member).Get("/").Text(); !strings.Contains(text, "One of your groups requires two-factor authentication.") {
		t.Errorf("the page does not say what comes: %s", text)
	}
	graceOver(t, h)
	check(true)

	// A token still works everywhere. The page to turn the second factor on and the sign-out also work.
	if got := h.WithToken(member, "api").Send("GET", "/user", ""); got.Status != 200 {
		t.Errorf("a token answers %d", got.Status)
	}
	if got := byPassword(
		h, member, project, harness.Password,
	); !strings.Contains(got.Body, "One of your groups requires two-factor authentication") {
		t.Errorf("git says %s", got.Body)
	}
	b := h.SignedIn(member)
	checkPage(t, b.Get("/"+project.FullPath+"/-/jobs/1"), 200, twoFactor, "")
	turnOnTwoFactor(t, b)
	checkPage(t, b.Get("/-/profile"), 200, "/-/profile", "")
	other := h.SignedIn(people[3].user)
	other.Get("/")
	checkPage(t, other.Submit("/users/sign_out", nil), 200, signInPath, "You are signed out.")
}
