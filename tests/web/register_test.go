package web

import (
	"net/url"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

const signUp = "/users/sign_up"

func open(c *config.Config)     { c.Registration = "open" }
func approval(c *config.Config) { c.Registration = "approval" }

func register(b *harness.Browser, name, username, email, password string) harness.Page {
	b.Get(signUp)
	return b.Submit(signUp, url.Values{"name": {name}, "username": {username}, "email": {email}, "password": {password}})
}

func TestRegistrationIsClosedByDefault(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.Browser()
	checkPage(t, b.Get(signUp), 404, signUp, "Page not found")
	b.Get(signInPath)
	form, _ := b.Page.Fields(signInPath)
	form.Set("name", "Ann")
	form.Set("username", "ann")
	form.Set("email", "ann@example.com")
	form.Set("password", newPassword)
	checkPage(t, b.Post(signUp, form), 404, signUp, "")
	if strings.Contains(b.Get(signInPath).Body, signUp) {
		t.Error("the sign-in page leads there")
	}
}

func TestAStrangerRegistersAndConfirmsTheAddress(t *testing.T) {
	t.Parallel()
	h := harness.New(t, open)
	h.StartWorker()
	b := h.Browser()
	checkPage(t, register(b, "Ann Lee", "ann", "Ann@example.com", newPassword), 200, signInPath, "We sent you a mail")
	checkPage(t, login(h.Browser(), "ann", newPassword), 403, signInPath, "not confirmed yet")
	checkPage(t, login(h.Browser(), "ann", "wrong"), 422, signInPath, refused)
	link := h.MailedLink("Ann@example.com", 1)
	checkPage(t, b.Get(link), 200, "/users/confirmation", "Is Ann@example.com your mail address?")
	if u, err := h.Store.Users.GetByUsername(t.Context(), "ann"); err != nil || u.ConfirmedAt != nil {
		t.Errorf("opening the link confirms it: %v, %v", u.ConfirmedAt, err)
	}
	checkPage(t, b.Submit("/users/confirmation", nil), 200, signInPath, "Your mail address is confirmed")
	checkPage(t, b.Get(link), 200, "/users/confirmation/new", "no longer valid")
	checkPage(t, login(b, "ann", newPassword), 200, "/", "ann")
}

func TestARegistrationMustFollowTheAccountRules(t *testing.T) {
	t.Parallel()
	h := harness.New(t, open)
	taken := h.NewUserWithPassword().User
	for _, c := range []struct{ name, username, email, password, want string }{
		{"", "ann", "ann@example.com", newPassword, "Full name can't be blank"},
		{"Ann", "", "ann@example.com", newPassword, "Username can't be blank"},
		{"Ann", "admin", "ann@example.com", newPassword, "admin is a reserved name"},
		{"Ann", "a b", "ann@example.com", newPassword, "can contain only letters"},
		{"Ann", strings.ToUpper(taken.Username), "ann@example.com", newPassword, "has already been taken"},
		{"Ann", strings.ToUpper(taken.Username), taken.Email, newPassword, "has already been taken"},
		{"Ann", "ann", "ann", newPassword, "Mail address is invalid"},
		{"Ann", "ann", "ann@example.com", "short", "is too short"},
		{"Ann", "anneliese", "ann@example.com", "anneliese", "must not contain commonly used"},
		{"<script>", "a<b>", "ann@example.com", newPassword, "can contain only letters"},
	} {
		checkPage(t, register(h.Browser(), c.name, c.username, c.email, c.password), 422, signUp, c.want)
	}
	if _, err := h.Store.Users.GetByUsername(t.Context(), "ann"); err == nil {
		t.Error("a user was made")
	}
}

func TestOnlyTheOwnerLearnsThatAnAddressIsTaken(t *testing.T) {
	t.Parallel()
	h := harness.New(t, open)
	h.StartWorker()
	owner := h.NewUserWithPassword().User
	taken := register(h.Browser(), "Ann", "ann", strings.ToUpper(owner.Email), newPassword)
	free := register(h.Browser(), "Bea", "bea", "bea@example.com", newPassword)
	if taken.Text() != free.Text() || taken.Status != free.Status {
		t.Errorf("the answers differ: %s, %s", taken.Text(), free.Text())
	}
	if text := h.MailedText(strings.ToUpper(owner.Email), 1); !strings.Contains(text, "already belongs to an account") {
		t.Errorf("the letter is %s", text)
	}
	if _, err := h.Store.Users.GetByUsername(t.Context(), "ann"); err == nil {
		t.Error("a user was made")
	}
}

func TestANewAccountWaitsForApproval(t *testing.T) {
	t.Parallel()
	h := harness.New(t, approval)
	h.StartWorker()
	b := h.Browser()
	b.Get(signUp)
	checkPage(t, b.Page, 200, signUp, "An administrator must approve a new account")
	checkPage(t, register(b, "Ann", "ann", "ann@example.com", newPassword), 200, signInPath,
		"Then an administrator will review your account")
	b.Get(h.MailedLink("ann@example.com", 1))
	b.Submit("/users/confirmation", nil)
	checkPage(t, login(b, "ann", newPassword), 403, signInPath, "pending approval")
	u, err := h.Store.Users.GetByUsername(t.Context(), "ann")
	if err != nil || u.State != model.UserPendingApproval {
		t.Fatal(u.State, err)
	}
	if got := h.Root().Send("POST", "/users/"+id(u)+"/approve", ""); got.Status != 201 {
		t.Fatal(got)
	}
	checkPage(t, login(b, "ann", newPassword), 200, "/", "ann")
}
