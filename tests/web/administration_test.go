package web

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

func TestAdministratorsMakeChangeAndDeleteUsers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	root := h.NewUserWithPassword(func(u *model.User) { u.Admin = true }).User
	b := h.SignedIn(root)
	b.Get("/admin/users/new")
	page := b.Submit("/admin/users/new", url.Values{
		"name": {"Zoë <b>"}, "username": {"zoe"}, "email": {"zoe@example.com"}, "confirmed": {"1"}, "note": {"met at the roof"},
	})
	checkPage(t, page, 200, "", "The user was created")
	path := page.URL.Path
	checkPage(t, openPage(t, h, b, path, 8), 200, path, "Zoë <b>")
	has(t, page, "Zoë &lt;b&gt;", "met at the roof", "zoe@example.com")
	if link := h.MailedLink("zoe@example.com", 1); !strings.Contains(link, "/users/password/edit") {
		t.Errorf("the mail leads to %s", link)
	}
	for text, fill := range map[string]url.Values{
		"Username has already been taken": {"name": {"X"}, "username": {"ZOE"}, "email": {"x@example.com"}},
		"Email has already been taken":    {"name": {"X"}, "username": {"xx"}, "email": {"zoe@example.com"}},
		"Username can":                    {"name": {"X"}, "username": {"a b"}, "email": {"x@example.com"}},
		"Password is too short":           {"name": {"X"}, "username": {"xx"}, "email": {"x@example.com"}, "password": {"short"}},
	} {
		b.Get("/admin/users/new")
		checkPage(t, b.Submit("/admin/users/new", fill), 422, "/admin/users/new", text)
	}
	b.Get(path + "/edit")
	page = b.Submit(path+"/edit", url.Values{"name": {"Zoe"}, "external": {"1"}, "note": {""}, "password": {"correct horse battery 2"}})
	checkPage(t, page, 200, path, "The user was saved")
	has(t, page, "external")
	b.Get(path + "/edit")
	checkPage(t, b.Submit(path+"/edit", url.Values{"username": {root.Username}}), 422, "", "has already been taken")
	b.Get(path)
	checkPage(t, b.Submit(path+"/reset_password", nil), 200, path, "The password was reset")
	checkPage(t, b.Submit(path+"/delete", url.Values{"confirmation": {"someone"}}), 422, path+"/delete", "must be zoe")
	checkPage(t, b.Submit(path+"/delete", url.Values{"confirmation": {"zoe"}}), 200, "/admin/users", "will be deleted")
	own := "/admin/users/" + id(root)
	page = b.Get(own)
	lacks(t, page, own+"/delete", own+"/block", own+"/reset_password")
	b.Get(own + "/edit")
	form, _ := b.Page.Fields(own + "/edit")
	form.Del("admin")
	checkPage(t, b.Post(own+"/edit", form), 422, "", "from yourself")
}

func TestAdministratorsRemoveSecondFactorsAndRevokeTokens(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	admin := h.NewUserWithPassword(func(u *model.User) { u.Admin = true })
	u := h.NewUserWithPassword().User
	made(t, admin, "/users/"+id(u)+"/impersonation_tokens", `{"name":"look <x>","scopes":["api"]}`)
	b := h.SignedIn(admin.User)
	path := "/admin/users/" + id(u)
	page := openPage(t, h, b, path, 8)
	has(t, page, "look &lt;x&gt;", "active")
	page = b.Submit(addressIn(t, page.Body, path+"/impersonation_tokens/"), nil)
	checkPage(t, page, 200, path, "The token was revoked")
	has(t, page, "revoked")
	form, _ := b.Page.Fields("/users/sign_out")
	checkPage(t, b.Post(path+"/disable_two_factor", form), 200, path, "has no second factor")
	checkPage(t, b.Post("/admin/users/"+id(admin.User)+"/disable_two_factor", form), 403, "", "svc admin reset-second-factor")
	checkPage(t, b.Post(path+"/impersonation_tokens/99999/revoke", form), 404, "", "")
}

func TestAdministratorsRunFailedJobsAgain(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.SignedIn(h.NewUserWithPassword(func(u *model.User) { u.Admin = true }).User)
	const at = "'2026-01-02 03:04:05.000'"
	insert := "INSERT INTO river_job (args, kind, state, attempt, max_attempts, scheduled_at, created_at, attempted_at, finalized_at) " +
		"VALUES ('{}', 'send_mail', 'discarded', 25, 25, " + at + ", " + at + ", " + at + ", " + at + ")"
	if _, err := h.Store.SQL().ExecContext(t.Context(), insert); err != nil {
		t.Fatal(err)
	}
	checkPage(t, openPage(t, h, b, "/admin/background_jobs?kind=send_mail", 5), 200, "", "discarded")
	checkPage(t, b.Get("/admin/background_jobs?state=completed&kind=send_mail"), 200, "", "There are no such jobs")
	page := b.Get("/admin/background_jobs?state=discarded")
	retry := addressIn(t, page.Body, "/admin/background_jobs/")
	form, _ := page.Fields(retry)
	checkPage(t, b.Submit(retry, nil), 200, "/admin/background_jobs", "runs as soon as a process is free")
	checkPage(t, b.Post(retry, form), 409, "", "cannot be retried")
	checkPage(t, b.Get("/admin/health"), 200, "", "Stuck jobs none")
}

func TestAdministratorsMoveRepositoriesToAnotherStorage(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) {
		c.Storages = append(c.Storages, config.Storage{Name: "second", Folder: t.TempDir()})
	})
	h.StartWorker()
	owner := h.NewUserWithPassword(func(u *model.User) { u.Admin = true })
	project := h.Project(*owner.User.NamespaceID)
	local := harness.NewHistory(t)
	local.Write("a", "b")
	local.Commit("Ann <ann@example.com>", "Begin")
	local.Push(owner, project)
	b := h.SignedIn(owner.User)
	const path = "/admin/storages"
	checkPage(t, openPage(t, h, b, path, 10), 200, path, "second")
	move := url.Values{"kind": {"projects"}, "source": {"default"}, "destination": {"default"}}
	checkPage(t, b.Submit(path+"/move", move), 422, "", "must be another storage")
	move.Set("destination", "second")
	checkPage(t, b.Submit(path+"/move", move), 200, path, "are scheduled")
	for range 100 {
		if strings.Contains(b.Get(path).Text(), project.FullPath+" default second") {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("the move is not listed:\n%s", b.Page.Text())
}

func TestTheAdministrationIsForAdministrators(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	admin := h.NewUserWithPassword(func(u *model.User) { u.Admin = true })
	project := h.Project(*h.NewUser().User.NamespaceID)
	group := h.Group()
	b, other := h.SignedIn(admin.User), h.SignedIn(h.NewUserWithPassword().User)
	for path, text := range map[string]string{
		"/admin/users":                             "@" + admin.User.Username,
		"/admin/users/new":                         "New user",
		"/admin/users/" + id(admin.User):           admin.User.Name,
		"/admin/users/" + id(admin.User) + "/edit": "Change",
		"/admin/groups?search=" + group.Path:       group.FullPath,
		"/admin/projects?search=" + project.Path:   project.FullPath,
		"/admin/projects?storage=default":          project.FullPath,
		"/admin/projects?archived=yes":             "No projects found",
		"/admin/background_jobs":                   "Background jobs",
		"/admin/background_jobs?state=completed":   "Background jobs",
		"/admin/audit_log?entity_type=User":        "Audit log",
		"/admin/audit_log?from=2020-01-01":         "Audit log",
		"/admin/settings":                          "secret-key",
		"/admin/health":                            "The service is",
		"/admin/storages":                          "default",
	} {
		page := openPage(t, h, b, path, 12)
		checkPage(t, page, 200, "", text)
		if len(page.Body) > 150_000 {
			t.Errorf("%s has %d bytes", path, len(page.Body))
		}
		hidden(t, other, path)
		checkPage(t, h.Browser().Get(path), 200, "/users/sign_in", "")
	}
	settings := b.Get("/admin/settings")
	has(t, settings, "(hidden)")
	checkPage(t, b.Get("/admin/background_jobs?state=broken"), 400, "", "state")
	checkPage(t, b.Get("/admin/audit_log?from=yesterday"), 400, "", "A day is written like this")
	form, _ := b.Page.Fields("/users/sign_out")
	checkPage(t, b.Post("/admin/background_jobs/99999/retry", form), 404, "", "")
	checkPage(t, b.Post("/admin/storages/move", form), 422, "", "is not a storage")
	theirs, _ := other.Page.Fields("/users/sign_out")
	for _, path := range []string{
		"/admin/users/new", "/admin/users/" + id(admin.User) + "/delete", "/admin/background_jobs/1/retry", "/admin/storages/move",
		"/admin/users/" + id(admin.User) + "/reset_password",
	} {
		checkPage(t, other.Post(path, theirs), 404, "", "Page not found")
	}
}
