package web

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"
)

const newPassword = "a much better horse"

func choose(b *harness.Browser, action, password, again string) harness.Page {
	return b.Submit(action, url.Values{"password": {password}, "password_confirmation": {again}})
}

func TestAForgottenPasswordIsReplacedByMail(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	u := h.NewUserWithPassword().User
	other := h.SignedIn(u)
	b := h.Browser()
	b.Get("/users/password/new")
	checkPage(
		t, b.Submit("/users/password/new", url.Values{"email": {strings.ToUpper(u.Email)}}), 200, signInPath,
		"If this address belongs to an account",
	)
	link := h.MailedLink(u.Email, 1)
	checkPage(t, b.Get(link), 200, "/users/password/edit", "Choose a new password")
	checkPage(t, choose(b, "/users/password/edit", newPassword, "another"), 422, "", "Password confirmation doesn't match")
	checkPage(t, choose(b, "/users/password/edit", "short", "short"), 422, "", "is too short (minimum is 8 characters)")
	checkPage(t, choose(b, "/users/password/edit", harness.Password, harness.Password), 422, "", "must differ from the current one")
	old, _ := b.Page.Fields("/users/password/edit")
	checkPage(t, choose(b, "/users/password/edit", newPassword, newPassword), 200, signInPath, "Your password was changed")
	checkPage(t, other.Get("/"), 200, signInPath, "Sign in") // sessions with the old password have ended
	checkPage(t, login(h.Browser(), u.Username, harness.Password), 422, "", refused)
	checkPage(t, login(h.Browser(), u.Username, newPassword), 200, "/", u.Username)
	// The link works once, even if the form is sent again.
	checkPage(t, b.Get(link), 200, "/users/password/new", "no longer valid")
	old.Set("password", harness.Password)
	old.Set("password_confirmation", harness.Password)
	checkPage(t, b.Post("/users/password/edit", old), 200, "/users/password/new", "no longer valid")
	checkPage(t, login(h.Browser(), u.Username, newPassword), 200, "/", u.Username)
	if text := h.MailedText(u.Email, 2); !strings.Contains(text, "was changed through a link") {
		t.Errorf("the second letter is %s", text)
	}
	token, _ := url.Parse(link)
	opens := token.Query().Get("reset_password_token")
	for line := range strings.SplitSeq(h.Logs.String(), "\n") {
		if strings.Contains(line, opens) && !strings.Contains(line, "mail is not sent") {
			t.Errorf("the token is in the request log: %s", line)
		}
	}
}

func TestMailFormsDoNotRevealWhichAccountsExist(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	known, blocked := h.NewUserWithPassword().User, h.NewUserWithPassword(func(u *model.User) { u.State = model.UserBlocked }).User
	for _, path := range []string{"/users/password/new", "/users/confirmation/new"} {
		texts := map[string]bool{}
		for _, address := range []string{"nobody@example.com", blocked.Email, known.Email} {
			b := h.Browser()
			b.Get(path)
			texts[b.Submit(path, url.Values{"email": {address}}).Text()] = true
		}
		if len(texts) != 1 {
			t.Errorf("%s: %d answers", path, len(texts))
		}
		b := h.Browser()
		b.Get(path)
		checkPage(t, b.Submit(path, url.Values{"email": {"no address"}}), 422, path, "is invalid")
	}
	h.MailedLink(known.Email, 1) // jobs run in order, so the jobs for the others have run as well
	if n := len(h.Mails("nobody@example.com")) + len(h.Mails(blocked.Email)); n != 0 {
		t.Errorf("%d letters to people who should get none", n)
	}
	if n := len(h.Mails(known.Email)); n != 1 {
		t.Errorf("%d letters: a confirmed address needs no confirmation", n)
	}
}

func TestAPasswordSetByAnAdministratorInvalidatesMailedLinks(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	u := h.NewUserWithPassword().User
	b := h.Browser()
	b.Get("/users/password/new")
	b.Submit("/users/password/new", url.Values{"email": {u.Email}})
	link := h.MailedLink(u.Email, 1)
	checkPage(t, h.Browser().Get(link), 200, "/users/password/edit", "")
	if got := h.Root().JSON("PUT", "/users/"+id(u), `{"password":"another horse battery"}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	checkPage(t, h.Browser().Get(link), 200, "/users/password/new", "no longer valid")
}

func TestAMailedLinkExpires(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	u := h.NewUserWithPassword().User
	ask := func() {
		b := h.Browser()
		b.Get("/users/password/new")
		b.Submit("/users/password/new", url.Values{"email": {u.Email}})
	}
	ask()
	first := h.MailedLink(u.Email, 1)
	row, err := h.Store.Users.Get(t.Context(), u.ID)
	if err != nil {
		t.Fatal(err)
	}
	// After a minute, a second letter replaces the first.
	if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE mailed_tokens SET created_at = '2020-01-01 00:00:00+00:00'"); err != nil {
		t.Fatal(err)
	}
	ask()
	second := h.MailedLink(row.Email, 2)
	checkPage(t, h.Browser().Get(first), 200, "/users/password/new", "no longer valid")
	checkPage(t, h.Browser().Get(second), 200, "/users/password/edit", "Choose a new password")
	if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE mailed_tokens SET expires_at = '2020-01-01 00:00:00+00:00'"); err != nil {
		t.Fatal(err)
	}
	checkPage(t, h.Browser().Get(second), 200, "/users/password/new", "no longer valid")
	checkPage(t, h.Browser().Get("/users/password/edit?reset_password_token=wrong"), 200, "/users/password/new", "no longer valid")
	checkPage(t, h.Browser().Get("/users/password/edit"), 200, "/users/password/new", "no longer valid")
}

func TestAPasswordSetByAnAdministratorMustBeChangedFirst(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	u := h.NewUserWithPassword().User
	if got := h.Root().JSON("PUT", "/users/"+id(u), `{"password":"chosen by another"}`); got.Status != 200 {
		t.Fatal(got)
	}
	if text := h.MailedText(u.Email, 1); !strings.Contains(text, "An administrator set a new password for your account") {
		t.Errorf("the letter is %s", text)
	}
	b := h.Browser()
	checkPage(t, login(b, u.Username, "chosen by another"), 200, "/users/password/expired", "Your password was set by someone else")
	checkPage(t, h.Browser().Get("/users/password/expired"), 200, signInPath, "Please sign in again")
	if b.Cookie("_svc_session") != "" {
		t.Error("there is a session before the password is changed")
	}
	chosen := choose(b, "/users/password/expired", "chosen by another", "chosen by another")
	checkPage(t, chosen, 422, "", "must differ from the current one")
	checkPage(t, choose(b, "/users/password/expired", newPassword, newPassword), 200, signInPath, "Your password was changed")
	checkPage(t, login(b, u.Username, newPassword), 200, "/", u.Username)
}

func TestANewUserChoosesAPasswordByMail(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	made := h.Root().JSON("POST", "/users", `{"email":"ann@example.com","name":"Ann","username":"ann","reset_password":true}`)
	if made.Status != 201 {
		t.Fatal(made)
	}
	links := []string{h.MailedLink("ann@example.com", 1), h.MailedLink("ann@example.com", 2)}
	reset := links[0]
	if !strings.Contains(reset, "reset_password_token") {
		reset = links[1]
	}
	b := h.Browser()
	b.Get(reset)
	checkPage(t, choose(b, "/users/password/edit", newPassword, newPassword), 200, signInPath, "Your password was changed")
	checkPage(t, login(b, "ann", newPassword), 200, "/", "ann") // the link has also confirmed the address
}

func TestANewPasswordUnlocksALockedAccount(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	u := h.NewUserWithPassword().User
	for range 10 {
		login(h.Browser(), u.Username, "wrong")
	}
	if text := h.MailedText(u.Email, 1); !strings.Contains(text, "It is locked for 10 minutes.") {
		t.Errorf("the letter is %s", text)
	}
	b := h.Browser()
	b.Get("/users/password/new")
	b.Submit("/users/password/new", url.Values{"email": {u.Email}})
	b.Get(h.MailedLink(u.Email, 2))
	checkPage(t, choose(b, "/users/password/edit", newPassword, newPassword), 200, signInPath, "Your password was changed")
	checkPage(t, login(h.Browser(), u.Username, newPassword), 200, "/", u.Username)
	if n := len(h.Mails(u.Email)); n != 2 && n != 3 {
		t.Errorf("%d letters", n)
	}
}

func TestAnUnknownUsernameTakesAsLongAsAWrongPassword(t *testing.T) {
	h := harness.New(t)
	hash, err := secret.HashPassword(t.Context(), harness.Password)
	if err != nil {
		t.Fatal(err)
	}
	known, unknown := time.Hour, time.Hour
	try := func(name string, least *time.Duration) {
		b := h.Browser()
		b.Get(signInPath)
		start := time.Now()
		b.Submit(signInPath, url.Values{"login": {name}, "password": {"wrong"}})
		*least = min(*least, time.Since(start))
	}
	// The quickest answers count: other load on the machine can only make an answer slower. A sign-in that skipped the
	// password would stay ten times quicker, however often it is tried. After seven tries the next user is taken, because
	// too many wrong passwords lock an account.
	for range 6 {
		u := h.NewUserWithPassword(func(u *model.User) { u.PasswordHash = hash }).User
		for range 7 {
			try(u.Username, &known)
			try("nobody", &unknown)
		}
		if known/2 < unknown && unknown/2 < known {
			return
		}
	}
	t.Errorf("%v for a user, %v for nobody", known, unknown)
}
