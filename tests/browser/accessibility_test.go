package browser

import (
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"

	"github.com/chromedp/chromedp"
)

func TestThePagesOfAccountsAreAccessible(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.Registration = "open" })
	u := h.NewUserWithPassword(func(u *model.User) { u.Admin, u.Name = true, "Ann Lee" }).User
	group := h.Group()
	h.Join(group, u, model.Owner)
	h.Project(*u.NamespaceID)
	b := open(t, h)
	b.accessible("", []shown{
		{"/users/sign_in", "sign-in"},
		{"/users/sign_up", "register"},
		{"/users/password/new", "forgotten"},
		{"/users/confirmation/new", "confirmation-new"},
		{"/-/help", "help"},
		{"/-/explore", "explore-anonymous"},
		{"/oauth/authorize/native?code=" + strings.Repeat("0123456789abcdef", 4), "native"},
	})
	b.visit("/no/such/page")
	b.accessibleHere(shown{"/no/such/page", "missing"})
	signIn(b, u, "Your projects")
	b.accessible("", []shown{
		{"/", "home"},
		{"/-/profile", "profile"},
		{"/-/profile/personal_access_tokens", "tokens"},
		{"/-/profile/two_factor_auth", "two-factor"},
		{"/-/profile/emails", "emails"},
		{"/-/profile/keys", "keys"},
		{"/-/profile/active_sessions", "sessions"},
		{"/-/profile/password", "password"},
		{"/-/profile/applications", "applications"},
		{"/-/profile/group_applications", "owned-groups"},
		{"/-/profile/authorized_applications", "authorized"},
		{"/admin/applications", "admin-applications"},
		{"/groups/" + group.FullPath + "/-/settings/applications", "group-applications"},
		{"/admin/users", "admin-users"},
	})
}

func TestShortcutsOpenTabs(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := codeProject(t, h, owner, func(p *model.Project) { p.Visibility = model.Public })
	b := open(t, h)
	b.visit("/" + project.FullPath)
	b.run(chromedp.KeyEvent("gc"))
	b.until(`document.readyState === "complete" && document.querySelector("h1")?.textContent === "Commits"`)
	b.run(chromedp.KeyEvent("s"))
	b.until(`document.activeElement.id === "search"`)
	b.run(chromedp.KeyEvent("gb")) // this is the text of a search now
	b.until(`document.activeElement.value.endsWith("gb") && document.querySelector("h1").textContent === "Commits"`)
	b.visit("/" + project.FullPath)
	b.run(chromedp.KeyEvent("?"))
	b.until(`document.querySelector("h1")?.textContent === "Help"`)
}
