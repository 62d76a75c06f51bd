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

func TestStrangersRegisterOnlyWhereTheyMay(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.Browser()
	shows(t, b.Get(signUp), 404, signUp, "There is no such page")
	b.Get(signInPath)
	form, _ := b.Page.Fields(signInPath)
	form.Set("name", "Ann")
	form.Set("username", "ann")
	form.Set("email", "ann@example.com")
	form.Set("password", better)
	shows(t, b.Post(signUp, form), 404, signUp, "")
	if strings.Contains(b.Get(signInPath).Body, signUp) {
		t.Error("the sign-in page leads there")
	}
}

func TestAStrangerRegistersAndConfirmsTheAddress(t *testing.T) {
	t.Parallel()
	h := harness.New(t, open)
	h.Work()
	b := h.Browser()
	shows(t, register(b, "Ann Lee", "ann", "Ann@example.com", better), 200, signInPath, "A mail is on its way to you")
	shows(t, login(h.Browser(), "ann", better), 403, signInPath, "not confirmed yet")
	shows(t, login(h.Browser(), "ann", "wrong"), 422, signInPath, refused)
	link := h.MailedLink("Ann@example.com", 1)
	shows(t, b.Get(link), 200, "/users/confirmation", "Is Ann@example.com your mail address?")
	if u, err := h.Store.Users.GetByUsername(t.Context(), "ann"); err != nil || u.ConfirmedAt != nil {
		t.Errorf("opening the link confirms it: %v, %v", u.ConfirmedAt, err)
	}
	shows(t, b.Submit("/users/confirmation", nil), 200, signInPath, "Your mail address is confirmed")
	shows(t, b.Get(link), 200, "/users/confirmation/new", "not good any more")
	shows(t, login(b, "ann", better), 200, "/", "ann")
}

func TestARegistrationIsHeldToTheRulesOfAccounts(t *testing.T) {
	t.Parallel()
	h := harness.New(t, open)
	taken := h.Person().User
	for _, c := range []struct{ name, username, email, password, want string }{
		{"", "ann", "ann@example.com", better, "Full name can't be blank"},
		{"Ann", "", "ann@example.com", better, "Username can't be blank"},
		{"Ann", "admin", "ann@example.com", better, "admin is a reserved name"},
		{"Ann", "a b", "ann@example.com", better, "can contain only letters"},
		{"Ann", strings.ToUpper(taken.Username), "ann@example.com", better, "has already been taken"},
		{"Ann", strings.ToUpper(taken.Username), taken.Email, better, "has already been taken"},
		{"Ann", "ann", "ann", better, "Mail address is invalid"},
		{"Ann", "ann", "ann@example.com", "short", "is too short"},
		{"Ann", "anneliese", "ann@example.com", "anneliese", "must not contain commonly used"},
		{"<script>", "a<b>", "ann@example.com", better, "can contain only letters"},
	} {
		shows(t, register(h.Browser(), c.name, c.username, c.email, c.password), 422, signUp, c.want)
	}
	if _, err := h.Store.Users.GetByUsername(t.Context(), "ann"); err == nil {
		t.Error("a user was made")
	}
}

func TestATakenAddressIsToldToItsOwnerOnly(t *testing.T) {
	t.Parallel()
	h := harness.New(t, open)
	h.Work()
	owner := h.Person().User
	taken := register(h.Browser(), "Ann", "ann", strings.ToUpper(owner.Email), better)
	free := register(h.Browser(), "Bea", "bea", "bea@example.com", better)
	if taken.Text() != free.Text() || taken.Status != free.Status {
		t.Errorf("the answers differ: %s, %s", taken.Text(), free.Text())
	}
	if text := h.MailedText(strings.ToUpper(owner.Email), 1); !strings.Contains(text, "belongs to an account already") {
		t.Errorf("the letter is %s", text)
	}
	if _, err := h.Store.Users.GetByUsername(t.Context(), "ann"); err == nil {
		t.Error("a user was made")
	}
}

func TestANewAccountWaitsForApproval(t *testing.T) {
	t.Parallel()
	h := harness.New(t, approval)
	h.Work()
	b := h.Browser()
	b.Get(signUp)
	shows(t, b.Page, 200, signUp, "An administrator looks at every new account")
	shows(t, register(b, "Ann", "ann", "ann@example.com", better), 200, signInPath, "Then an administrator will look at your account")
	b.Get(h.MailedLink("ann@example.com", 1))
	b.Submit("/users/confirmation", nil)
	shows(t, login(b, "ann", better), 403, signInPath, "pending approval")
	u, err := h.Store.Users.GetByUsername(t.Context(), "ann")
	if err != nil || u.State != model.UserPendingApproval {
		t.Fatal(u.State, err)
	}
	if got := h.Root().Send("POST", "/users/"+id(u)+"/approve", ""); got.Status != 201 {
		t.Fatal(got)
	}
	shows(t, login(b, "ann", better), 200, "/", "ann")
}
