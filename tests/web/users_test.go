package web

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAProfileShowsWhatTheCallerMaySee(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	site := "https://example.com"
	u := h.NewUserWithPassword(func(u *model.User) {
		u.Name, u.Bio, u.WebsiteURL, u.Location = "Ada <Byron>", "I <script>count</script>", site, &site
	})
	open := h.Project(*u.User.NamespaceID, func(p *model.Project) { p.Name, p.Visibility = "Engine", model.Public })
	secret := h.Project(*u.User.NamespaceID, func(p *model.Project) { p.Name = "Diary" })
	for _, p := range []model.Project{open, secret} {
		for range 30 {
			e := model.Event{AuthorID: u.User.ID, Action: model.EventCreated, CreatedAt: time.Now()}
			if err := h.Store.Events.Create(t.Context(), p, &e); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := "/" + u.User.Username
	own := openPage(t, h, h.SignedIn(u.User), path, 14)
	for _, want := range []string{"Ada <Byron>", "I <script>count</script>", site, "Engine", "Diary", "60 events", "Edit your profile"} {
		checkPage(t, own, 200, path, want)
	}
	reader := h.SignedIn(h.NewUserWithPassword().User)
	other := openPage(t, h, reader, path, 14)
	for _, want := range []string{"I <script>count</script>", "Engine", "30 events"} {
		checkPage(t, other, 200, path, want)
	}
	stranger := openPage(t, h, h.Browser(), path, 12)
	checkPage(t, stranger, 200, path, "30 events")
	for _, page := range []harness.Page{other, stranger} {
		if strings.Contains(page.Text(), "Diary") || strings.Contains(page.Text(), secret.FullPath) {
			t.Error("others see a private project")
		}
	}
	if strings.Contains(stranger.Text(), "count") {
		t.Error("an anonymous visitor sees details, which the API hides")
	}
	if err := h.Store.Users.Update(t.Context(), u.User.ID, map[string]any{"private_profile": true}); err != nil {
		t.Fatal(err)
	}
	private := reader.Get(path)
	checkPage(t, private, 200, path, "This profile is private.")
	if strings.Contains(private.Text(), "count") || strings.Contains(private.Text(), "30 events") {
		t.Error("a private profile shows activity or details")
	}
	checkPage(t, reader.Get(strings.ToUpper(path)), 200, path, "Ada")
	hidden(t, h.Browser(), "/nobody-of-this-name")
}

func TestTheStartPageHasTheWorkOfTheUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u, author := h.NewUserWithPassword(), h.NewUser()
	b := h.SignedIn(u.User)
	checkPage(t, openPage(t, h, b, "/", 12), 200, "/", "You are not a member of any project yet.")
	checkPage(t, h.Browser().Get("/"), 200, signInPath, "Sign in")
	p := h.Project(h.Group().ID, func(p *model.Project) { p.Name = "Roof" })
	h.JoinProject(p, u.User, model.Developer)
	h.JoinProject(p, author.User, model.Maintainer)
	h.Project(h.Group().ID, func(p *model.Project) { p.Name = "Elsewhere" })
	url := "/projects/" + strconv.FormatInt(p.ID, 10) + "/issues"
	for range 8 {
		got := author.Send("POST", url, `{"title":"Mend <it>","assignee_ids":[`+id(u.User)+`]}`, "Content-Type", "application/json")
		if got.Status != 201 {
			t.Fatal(got.Status, got.Body)
		}
	}
	shown := openPage(t, h, b, "/", 32)
	for _, want := range []string{"Roof", "assigned you", "Mend <it>", "Issues that are assigned to you"} {
		checkPage(t, shown, 200, "/", want)
	}
	if strings.Contains(shown.Text(), "Elsewhere") {
		t.Error("it shows projects of others")
	}
}

func TestToDosAreListedAndFinished(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u, author := h.NewUserWithPassword(), h.NewUser()
	p := h.Project(h.Group().ID)
	h.JoinProject(p, u.User, model.Developer)
	h.JoinProject(p, author.User, model.Maintainer)
	for _, title := range []string{"First", "Second", "Third"} {
		got := author.Send("POST", "/projects/"+strconv.FormatInt(p.ID, 10)+"/issues",
			`{"title":"`+title+`","assignee_ids":[`+id(u.User)+`]}`, "Content-Type", "application/json")
		if got.Status != 201 {
			t.Fatal(got.Status, got.Body)
		}
	}
	b := h.SignedIn(u.User)
	page := openPage(t, h, b, "/-/todos", 16)
	checkPage(t, page, 200, "/-/todos", "Third")
	link, _, _ := strings.Cut(page.Body[strings.Index(page.Body, `action="/-/todos/`)+8:], `"`)
	if link == "/-/todos/done" {
		rest := page.Body[strings.Index(page.Body, link)+len(link):]
		link, _, _ = strings.Cut(rest[strings.Index(rest, `action="/-/todos/`)+8:], `"`)
	}
	other := h.SignedIn(h.NewUserWithPassword().User)
	checkPage(t, again(other, link, url.Values{}), 404, "", "Page not found")
	checkPage(t, b.Submit(link, nil), 200, "/-/todos", "The to-do is done.")
	if strings.Contains(b.Page.Text(), "Third") {
		t.Error("it is still there")
	}
	checkPage(t, b.Get("/-/todos?state=done"), 200, "/-/todos", "Third")
	b.Get("/-/todos")
	checkPage(t, b.Submit("/-/todos/done", nil), 200, "/-/todos", "You have nothing to do.")
	checkPage(t, b.Post(link, url.Values{}), 422, "", "The form has expired")
}

func TestPeopleChooseTheirNotifications(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	const path = "/-/profile/notifications"
	checkPage(t, openPage(t, h, b, path, 6), 200, path, "Participate")
	checkPage(t, b.Submit(path, url.Values{"level": {"loud"}}), 422, path, "'loud' is not a valid level")
	checkPage(t, b.Submit(path, url.Values{"level": {"custom"}, "events": {"new_issue", "odd"}, "notification_email": {"x@example.com"}}),
		422, path, "must be an email you have verified")
	checkPage(t, b.Submit(path, url.Values{"level": {"custom"}, "events": {"new_issue", "odd"}, "notification_email": {""}}),
		200, path, "were saved")
	got := u.Send("GET", "/notification_settings", "").Body
	for _, want := range []string{`"level":"custom"`, `"new_issue":true`, `"new_note":false`, `"failed_pipeline":false`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}

func TestPeopleChooseTheNotificationsOfProjectsAndGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	g := h.Group()
	p := h.Project(g.ID)
	h.Join(g, u.User, model.Guest)
	b := h.SignedIn(u.User)
	for path, call := range map[string]string{
		"/" + p.FullPath + "/-/notifications":        "/projects/" + strconv.FormatInt(p.ID, 10),
		"/groups/" + g.FullPath + "/-/notifications": "/groups/" + strconv.FormatInt(g.ID, 10),
	} {
		hidden(t, h.Browser(), path)
		hidden(t, h.SignedIn(h.NewUserWithPassword().User), path)
		checkPage(t, openPage(t, h, b, path, 6), 200, path, "Global: as in the group above")
		checkPage(t, b.Submit(path, url.Values{"level": {"loud"}}), 422, path, "'loud' is not a valid level")
		checkPage(t, b.Submit(path, url.Values{"level": {"watch"}}), 200, path, "were saved")
		if got := u.Send("GET", call+"/notification_settings", "").Body; !strings.Contains(got, `"level":"watch"`) {
			t.Error(got)
		}
	}
}
