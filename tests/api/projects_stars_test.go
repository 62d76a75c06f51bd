package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// starrers returns the usernames in a response, in order.
func starrers(t *testing.T, a harness.Answer) string {
	t.Helper()
	if a.Status != 200 {
		t.Fatalf("answered %d %s", a.Status, a.Body)
	}
	var found []string
	for _, part := range strings.Split(a.Body, `"username":"`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		found = append(found, name)
	}
	return strings.Join(found, " ")
}

func TestProjectsAreStarred(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	web := h.Project(h.Group(at("acme"), seen(model.Public)).ID, called("web", model.Public))
	secret := h.Project(h.Group().ID, called("secret", model.Private))
	ann, bob := h.NewUser(named("ann")), h.NewUser(named("bob", func(u *model.User) { u.PrivateProfile = true }))
	cid := h.NewUser(named("cid"))
	star := fmt.Sprintf("/projects/%d/star", web.ID)
	starred := ann.Send("POST", star, "")
	expect(t, starred, 201, "")
	if member(t, starred, "star_count") != float64(1) {
		t.Errorf("it is %s", starred.Body)
	}
	expect(t, ann.Send("POST", star, ""), 304, "")
	expect(t, bob.Send("POST", star, ""), 201, "")
	expect(t, cid.Send("POST", star, ""), 201, "")
	expect(t, h.Anonymous().Send("POST", star, ""), 401, "")
	expect(t, ann.Send("POST", fmt.Sprintf("/projects/%d/star", secret.ID), ""), 404, "")
	if got := paths(t, ann.Send("GET", "/projects?starred=true", "")); got != "acme/web" {
		t.Errorf("starred are %q", got)
	}
	for _, c := range []struct {
		who   *harness.Caller
		query string
		want  string
	}{
		{ann, "", "cid ann"},
		{bob, "", "cid bob ann"},
		{h.Anonymous(), "", "cid ann"},
		{h.Root(), "", "cid bob ann"},
		{ann, "?search=NN", "ann"},
		{ann, "?search=bob", ""},
		{ann, "?search=_%25", ""},
		{ann, "?per_page=1&page=2", "ann"},
	} {
		if got := starrers(t, c.who.Send("GET", fmt.Sprintf("/projects/%d/starrers%s", web.ID, c.query), "")); got != c.want {
			t.Errorf("%s is shown %q with %q, want %q", c.who.User.Username, got, c.query, c.want)
		}
	}
	h.Golden("listProjectStarrers/one", ann.Send("GET", fmt.Sprintf("/projects/%d/starrers?search=ann", web.ID), "").Body)
	// Stars of deleted users and removed stars are no longer counted.
	if err := h.Store.Users.Remove(t.Context(), cid.User.ID); err != nil {
		t.Fatal(err)
	}
	unstar := fmt.Sprintf("/projects/%d/unstar", web.ID)
	unstarred := bob.Send("POST", unstar, "")
	expect(t, unstarred, 201, "")
	expect(t, bob.Send("POST", unstar, ""), 304, "")
	if member(t, unstarred, "star_count") != float64(1) {
		t.Errorf("it is %s", unstarred.Body)
	}
}

func TestConcurrentStarsAreCountedCorrectly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	web := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	var users []*harness.Caller
	for range 4 {
		users = append(users, h.NewUser())
	}
	star, unstar := fmt.Sprintf("/projects/%d/star", web.ID), fmt.Sprintf("/projects/%d/unstar", web.ID)
	got := atOnce(12, func(i int) harness.Answer { return users[i%4].Send("POST", star, "") })
	if got[201] != 4 || got[304] != 8 || number(t, h, web.ID, "star_count") != 4 {
		t.Errorf("statuses %v, %d stars", got, number(t, h, web.ID, "star_count"))
	}
	got = atOnce(6, func(i int) harness.Answer {
		if i < 2 { // two users are deleted while two others remove their stars
			if err := h.Store.Users.Remove(t.Context(), users[i].User.ID); err != nil {
				t.Error(err)
			}
			return harness.Answer{Status: 201}
		}
		return users[2+i%2].Send("POST", unstar, "")
	})
	if got[201] != 4 || got[304] != 2 || number(t, h, web.ID, "star_count") != 0 {
		t.Errorf("statuses %v, %d stars", got, number(t, h, web.ID, "star_count"))
	}
}

func TestArchivedProjectsAreReadOnly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	web := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	owner, maintainer := h.ProjectMember(web, model.Owner), h.ProjectMember(web, model.Maintainer)
	expect(t, maintainer.Send("POST", "/projects/acme%2Fweb/archive", ""), 403, "")
	archived := owner.Send("POST", "/projects/acme%2Fweb/archive", "")
	expect(t, archived, 201, "")
	expect(t, owner.Send("POST", "/projects/acme%2Fweb/archive", ""), 201, "")
	if member(t, archived, "archived") != true {
		t.Errorf("it is %s", archived.Body)
	}
	expect(t, owner.JSON("PUT", "/projects/acme%2Fweb", `{"description":"x"}`), 403, "")
	expect(t, maintainer.Send("POST", "/projects/acme%2Fweb/unarchive", ""), 403, "")
	open := owner.Send("POST", "/projects/acme%2Fweb/unarchive", "")
	expect(t, open, 201, "")
	if member(t, open, "archived") != false {
		t.Errorf("it is %s", open.Body)
	}
	expect(t, owner.JSON("PUT", "/projects/acme%2Fweb", `{"description":"x"}`), 200, "")
}

func TestLanguagesOfAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), seen(model.Public))
	web := h.Project(group.ID, called("web", model.Public))
	h.Project(group.ID, called("empty", model.Public))
	for name, share := range map[string]float64{"Go": 66.666, "C++": 33.334} {
		if _, err := h.Store.SQL().ExecContext(t.Context(),
			fmt.Sprintf("INSERT INTO project_languages (project_id, name, share) VALUES (%d, '%s', %f)", web.ID, name, share)); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, h.Anonymous().Send("GET", "/projects/acme%2Fweb/languages", ""), 200, `{"C++":33.33,"Go":66.67}`)
	expect(t, h.Anonymous().Send("GET", "/projects/acme%2Fempty/languages", ""), 200, `{}`)
	for query, want := range map[string]string{"Go": "acme/web", "C%2B%2B": "acme/web", "go": "", "Rust": ""} {
		if got := paths(t, h.Anonymous().Send("GET", "/projects?with_programming_language="+query, "")); got != want {
			t.Errorf("in %s are %q, want %q", query, got, want)
		}
	}
}
