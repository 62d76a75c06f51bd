package web

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"image"
	"image/png"
	"mime/multipart"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"

	"golang.org/x/crypto/ssh"
)

const (
	twoFactor = "/-/profile/two_factor_auth"
	tokens    = "/-/profile/personal_access_tokens"
)

var settings = []string{
	"/-/profile", "/-/profile/password", twoFactor, "/-/profile/emails", tokens, "/-/profile/keys", "/-/profile/active_sessions",
}

func TestSettingsNeedASignIn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.SignedIn(h.NewUserWithPassword().User)
	for _, path := range append(settings, "/admin/users") {
		stranger := h.Browser()
		checkPage(t, stranger.Get(path), 200, signInPath, "Sign in")
		if back := stranger.Page.URL.Query().Get("return_to"); back != path {
			t.Errorf("%s comes back to %q", path, back)
		}
	}
	for _, path := range settings {
		checkPage(t, b.Get(path), 200, path, "")
		if !strings.Contains(b.Page.Body, `<a href="`+path+`" aria-current="page">`) {
			t.Errorf("%s does not say where one is", path)
		}
	}
	checkPage(t, b.Get("/admin/users"), 404, "", "Page not found")
	checkPage(t, b.Get("/-/profile/keys?a=%00"), 400, "", "UTF-8")
}

// turnOnTwoFactor turns the second factor on and returns its key and the recovery codes.
func turnOnTwoFactor(t *testing.T, b *harness.Browser) (key []byte, codes []string) {
	t.Helper()
	page := b.Get(twoFactor)
	text := regexp.MustCompile(`<code class="mono">([A-Z2-7 ]+)</code>`).FindStringSubmatch(page.Body)
	if text == nil {
		t.Fatal(page.Text())
	}
	key, err := secret.ParseTOTP(text[1])
	if err != nil {
		t.Fatal(err)
	}
	checkPage(t, b.Submit(twoFactor, url.Values{
		"code": {"000000"}, "current_password": {"wrong"},
	}), 422, twoFactor, "Current password is wrong")
	checkPage(t, b.Submit(twoFactor, url.Values{
		"code": {"000000"}, "current_password": {harness.Password},
	}), 422, twoFactor, "is wrong or has expired")
	if !strings.Contains(b.Page.Body, text[1]) {
		t.Error("after a mistake there is another secret, which no app has")
	}
	code := secret.TOTPCode(key, time.Now())
	sent, _ := b.Page.Fields(twoFactor)
	checkPage(t, b.Submit(twoFactor, url.Values{
		"code": {code[:3] + " " + code[3:]}, "current_password": {harness.Password},
	}), 200, twoFactor, "Recovery codes")
	for _, m := range regexp.MustCompile(`<li><code>([a-z2-7-]+)</code>`).FindAllStringSubmatch(b.Page.Body, -1) {
		codes = append(codes, m[1])
	}
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes", len(codes))
	}
	// Sending the same form again does nothing.
	sent.Set("code", code)
	sent.Set("current_password", harness.Password)
	if page := b.Post(twoFactor, sent); strings.Contains(page.Body, codes[0]) || strings.Contains(page.Text(), "Each of these codes") {
		t.Error("a form that was sent again shows codes")
	}
	return key, codes
}

func TestASecondFactorIsSetUpAndRequiredAtSignIn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	u := h.NewUserWithPassword().User
	b := h.SignedIn(u)
	key, codes := turnOnTwoFactor(t, b)
	if text := h.MailedText(u.Email, 1); !strings.Contains(text, "was turned on") {
		t.Errorf("the letter is %s", text)
	}
	next := func() string { return secret.TOTPCode(key, time.Now().Add(30*time.Second)) }

	other := h.Browser()
	checkPage(t, login(other, u.Username, "wrong"), 422, signInPath, refused)
	checkPage(t, login(other, u.Username, harness.Password), 200, "/users/two_factor", "Enter the code")
	if other.Cookie("_svc_session") != "" {
		t.Fatal("the password alone opens a session")
	}
	checkPage(t, other.Get("/-/profile"), 200, signInPath, "")
	other.Get("/users/two_factor")
	second := func(b *harness.Browser, code string) harness.Page {
		return b.Submit("/users/two_factor", url.Values{"code": {code}})
	}
	for _, bad := range []string{
		"000000", "", "aaaa-bbbb-cccc-dddd", secret.TOTPCode(key, time.Now().Add(-time.Hour)),
		strings.Repeat("1", 10000),
	} {
		checkPage(t, second(other, bad), 422, "/users/two_factor", "The code is wrong")
	}
	form, _ := other.Page.Fields("/users/two_factor")
	good := next()
	checkPage(t, second(other, good), 200, "/", "Your projects")
	// The same code and the same form cannot be used a second time.
	again := h.Browser()
	login(again, u.Username, harness.Password)
	checkPage(t, second(again, good), 422, "/users/two_factor", "The code is wrong")
	form.Set("code", good)
	if page := other.Post("/users/two_factor", form); page.Status == 200 && page.URL.Path == "/" {
		t.Error("the form is good twice")
	}
	checkPage(t, second(again, strings.ToUpper(strings.ReplaceAll(codes[0], "-", " "))), 200, "/", "Your projects")
	third := h.Browser()
	login(third, u.Username, harness.Password)
	checkPage(t, second(third, codes[0]), 422, "/users/two_factor", "The code is wrong")
	checkPage(t, second(third, codes[1]), 200, "/", "Your projects")

	third.Get(twoFactor)
	checkPage(t, third.Submit(twoFactor+"/codes", url.Values{"current_password": {"wrong"}}), 422, "", "Current password is wrong")
	checkPage(t, third.Submit(twoFactor+"/codes", url.Values{"current_password": {harness.Password}}), 200, "", "Each of these codes")
	fourth := h.Browser()
	login(fourth, u.Username, harness.Password)
	checkPage(t, second(fourth, codes[2]), 422, "", "The code is wrong") // the codes were replaced
	third.Get(twoFactor)
	checkPage(t, third.Submit(twoFactor+"/disable", url.Values{"current_password": {harness.Password}}), 200, twoFactor, "is off")
	checkPage(t, login(h.Browser(), u.Username, harness.Password), 200, "/", "Your projects")
	if log := h.Logs.String(); strings.Contains(log, secret.TOTPText(key)) || strings.Contains(log, codes[3]) {
		t.Error("the log has a secret")
	}
}

func TestWrongCodesLockTheAccount(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	key, _ := turnOnTwoFactor(t, h.SignedIn(u))
	b := h.Browser()
	login(b, u.Username, harness.Password)
	for i := 0; b.Page.URL.Path == "/users/two_factor" && i < 20; i++ {
		b.Submit("/users/two_factor", url.Values{"code": {"00000" + strconv.Itoa(i%10)}})
	}
	if row, err := h.Store.Users.Get(t.Context(), u.ID); err != nil || row.LockedAt == nil {
		t.Fatalf("%v, %v", row.LockedAt, err)
	}
	// Now neither the correct code nor the password helps.
	b.Get("/users/two_factor")
	checkPage(t, b.Page, 200, signInPath, "Please sign in again")
	checkPage(t, login(b, u.Username, harness.Password), 422, signInPath, refused)
	_ = key
}

func TestAPasswordChangeEndsAnUnfinishedSignIn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	key, _ := turnOnTwoFactor(t, h.SignedIn(u))
	b := h.Browser()
	checkPage(t, login(b, u.Username, harness.Password), 200, "/users/two_factor", "")
	if err := h.Store.Users.Update(t.Context(), u.ID, map[string]any{"password_hash": "another"}); err != nil {
		t.Fatal(err)
	}
	checkPage(
		t, b.Submit("/users/two_factor", url.Values{"code": {secret.TOTPCode(key, time.Now().Add(30*time.Second))}}),
		200, signInPath, "Please sign in again",
	)
	forged := h.Browser()
	forged.SetCookie("_svc_pending", "AAAA")
	checkPage(t, forged.Get("/users/two_factor"), 200, signInPath, "Please sign in again")
}

func TestATokenIsShownOnceAndWorksInTheAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	b.Get(tokens)
	if strings.Contains(b.Page.Body, `value="sudo"`) {
		t.Error("there is a scope that is not the user's to give")
	}
	day := time.Now().AddDate(0, 0, 10).Format(time.DateOnly)
	checkPage(t, b.Submit(tokens, url.Values{
		"name": {"<b>laptop</b>"}, "scopes": {"read_user", "read_api"}, "expires_at": {day},
	}), 200, tokens, "it will not be shown again")
	found := regexp.MustCompile(`id="secret"[^>]* value="(svcpat-[^"]+)"`).FindStringSubmatch(b.Page.Body)
	if found == nil || !strings.Contains(b.Page.Body, "&lt;b&gt;laptop") || strings.Count(b.Page.Body, "<script") != 1 {
		t.Fatal(b.Page.Body)
	}
	if strings.Contains(b.Get(tokens).Body, found[1]) {
		t.Error("the token is shown twice")
	}
	api := h.WithHeaders("PRIVATE-TOKEN", found[1])
	if got := api.Send("GET", "/user", ""); got.Status != 200 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := api.Send("GET", "/personal_access_tokens/self", ""); !strings.Contains(got.Body, `"scopes":["read_api","read_user"]`) ||
		!strings.Contains(got.Body, day) {
		t.Errorf("%s", got.Body)
	}
	revoke := regexp.MustCompile(`action="(`+tokens+`/\d+/revoke)"`).FindAllStringSubmatch(b.Page.Body, -1)
	if len(revoke) != 2 { // the other one is from the harness
		t.Fatalf("%d tokens", len(revoke))
	}
	other := h.SignedIn(h.NewUserWithPassword().User)
	other.Get(tokens)
	form, _ := other.Page.Fields("/users/sign_out")
	checkPage(t, other.Post(revoke[0][1], form), 404, "", "Page not found")
	if got := api.Send("GET", "/user", ""); got.Status != 200 {
		t.Error("another has revoked it")
	}
	checkPage(t, b.Submit(revoke[0][1], nil), 200, tokens, "The token was revoked")
	if got := api.Send("GET", "/user", ""); got.Status != 401 {
		t.Errorf("after it was revoked: %d", got.Status)
	}
	for want, fill := range map[string]url.Values{
		"Name can't be blank":                    {"name": {" "}, "scopes": {"api"}},
		"Name is too long":                       {"name": {strings.Repeat("x", 256)}, "scopes": {"api"}},
		"Scopes can't be blank":                  {"name": {"a"}},
		"Scopes can only contain available":      {"name": {"a"}, "scopes": {"sudo"}},
		"Expires on is invalid":                  {"name": {"a"}, "scopes": {"api"}, "expires_at": {"soon"}},
		"Expires on must be in the future":       {"name": {"a"}, "scopes": {"api"}, "expires_at": {"2020-01-01"}},
		"Expires on must not be after":           {"name": {"a"}, "scopes": {"api"}, "expires_at": {"9999-01-01"}},
		"Scopes can only contain available scop": {"name": {"a"}, "scopes": {"all"}},
	} {
		b.Get(tokens)
		checkPage(t, b.Submit(tokens, fill), 422, tokens, want)
	}
}

func publicKey(t *testing.T) string {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	k, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return string(ssh.MarshalAuthorizedKey(k))
}

func TestSSHKeysAreAddedAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	line := publicKey(t)
	b.Get("/-/profile/keys")
	checkPage(t, b.Submit("/-/profile/keys", url.Values{"key": {line}, "title": {"laptop"}}), 200, "/-/profile/keys", "laptop SHA256:")
	if got := u.Send("GET", "/user/keys", ""); !strings.Contains(got.Body, `"title":"laptop"`) {
		t.Errorf("%s", got.Body)
	}
	checkPage(t, b.Submit("/-/profile/keys", url.Values{"key": {line}, "title": {"again"}}), 422, "", "Key has already been taken")
	checkPage(t, b.Submit("/-/profile/keys", url.Values{
		"key": {"-----BEGIN OPENSSH PRIVATE KEY-----"}, "title": {"x"},
	}), 422, "", "is a private key")
	checkPage(t, b.Submit("/-/profile/keys", url.Values{"key": {publicKey(t)}, "title": {""}}), 422, "", "Title can't be blank")
	checkPage(t, b.Submit("/-/profile/keys", url.Values{
		"key": {publicKey(t)}, "title": {"a"}, "expires_at": {"2020-01-01"},
	}), 422, "", "must be in the future")
	remove := regexp.MustCompile(`action="(/-/profile/keys/\d+/delete)"`).FindStringSubmatch(b.Page.Body)
	other := h.SignedIn(h.NewUserWithPassword().User)
	form, _ := other.Page.Fields("/users/sign_out")
	checkPage(t, other.Post(remove[1], form), 404, "", "")
	checkPage(t, b.Submit(remove[1], nil), 200, "/-/profile/keys", "You have no SSH keys.")
	checkPage(t, b.Post("/-/profile/keys/abc/delete", form), 422, "", "")
	b.Get("/-/profile/keys")
	own, _ := b.Page.Fields("/users/sign_out")
	checkPage(t, b.Post("/-/profile/keys/abc/delete", own), 404, "", "")
}

func TestTheProfilePageFollowsTheRulesOfTheAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	b.Get("/-/profile")
	checkPage(t, b.Submit("/-/profile", url.Values{
		"name": {"Ann <Lee>"}, "bio": {"one\r\ntwo"}, "location": {"Bern"}, "website_url": {"https://example.com"},
		"public_email": {u.User.Email}, "private_profile": {"1"},
	}), 200, "/-/profile", "Your profile was saved")
	row, err := h.Store.Users.Get(t.Context(), u.User.ID)
	if err != nil || row.Name != "Ann <Lee>" || row.Bio != "one\ntwo" || *row.Location != "Bern" ||
		row.PublicEmail == nil || !row.PrivateProfile || row.Pronouns != nil {
		t.Errorf("%+v, %v", row, err)
	}
	fields, _ := b.Page.Fields("/-/profile")
	if fields.Get("name") != "Ann <Lee>" || fields.Get("private_profile") != "1" {
		t.Errorf("%v", fields)
	}
	for want, fill := range map[string]url.Values{
		"Full name can't be blank":                 {"name": {""}},
		"Website is not a valid URL":               {"website_url": {"javascript:alert(1)"}},
		"Location is too long":                     {"location": {strings.Repeat("x", 256)}},
		"Public mail address must be an email you": {"public_email": {"other@example.com"}},
	} {
		b.Get("/-/profile")
		checkPage(t, b.Submit("/-/profile", fill), 422, "/-/profile", want)
	}
	b.Get("/-/profile")
	checkPage(t, b.Submit("/-/profile/status", url.Values{
		"message": {"lunch"}, "emoji": {"pizza"}, "busy": {"1"}, "clear_after": {"3_hours"},
	}), 200, "", "Your status was saved")
	if got := u.Send("GET", "/user/status", ""); !strings.Contains(got.Body, `"emoji":"pizza","availability":"busy","message":"lunch"`) {
		t.Errorf("%s", got.Body)
	}
	checkPage(t, b.Submit("/-/profile/status", url.Values{"emoji": {"no such"}}), 422, "", "Emoji is not a valid emoji name")
	checkPage(t, b.Submit("/-/profile/status", url.Values{"message": {""}, "emoji": {""}, "busy": nil}), 200, "", "")
	if got := u.Send("GET", "/user/status", ""); !strings.Contains(got.Body, `"message":null`) {
		t.Errorf("%s", got.Body)
	}
}

func TestAnAvatarIsUploadedAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	b.Get("/-/profile")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	upload := func(data string) harness.Page {
		form, _ := b.Page.Fields("/-/profile/avatar")
		var body strings.Builder
		w := multipart.NewWriter(&body)
		_ = w.WriteField("authenticity_token", form.Get("authenticity_token"))
		part, err := w.CreateFormFile("avatar", "../../me.png")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write([]byte(data))
		w.Close()
		return b.Send("POST", "/-/profile/avatar", body.String(), "Content-Type", w.FormDataContentType())
	}
	checkPage(t, upload(picture.String()), 200, "/-/profile", "Your picture was saved")
	src := regexp.MustCompile(`<img class="avatar" src="([^"]+)"`).FindStringSubmatch(b.Page.Body)
	if src == nil {
		t.Fatal(b.Page.Body)
	}
	if got := h.Anonymous().Send("GET", src[1], ""); got.Status != 200 || got.Header.Get("Content-Type") != "image/png" {
		t.Errorf("%d %v", got.Status, got.Header)
	}
	checkPage(t, b.Submit("/-/profile/avatar", url.Values{"remove": {"1"}}), 200, "/-/profile", "Your picture was saved")
	if strings.Contains(b.Page.Body, "<img") {
		t.Error("it is still there")
	}
	checkPage(t, upload("<svg onload=alert(1)>"), 422, "", "file format is not supported")
	checkPage(t, upload(strings.Repeat("x", 300<<10)), 422, "", "too big")
	checkPage(t, upload(""), 422, "", "is missing")
}

func TestEmailAddressesAreAddedConfirmedAndMadePrimary(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	u, other := h.NewUserWithPassword(), h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	const path, fresh = "/-/profile/emails", "new@example.com"
	b.Get(path)
	checkPage(t, b.Submit(path, url.Values{"email": {fresh}}), 200, path, "new@example.com not confirmed")
	checkPage(t, b.Submit(path, url.Values{"email": {other.User.Email}}), 422, path, "has already been taken")
	checkPage(t, b.Submit(path, url.Values{"email": {"x"}}), 422, path, "is invalid")
	link := h.MailedLink(fresh, 1)
	action := func(verb string) string {
		m := regexp.MustCompile(`action="(` + path + `/\d+/` + verb + `)"`).FindStringSubmatch(b.Page.Body)
		if m == nil {
			t.Fatalf("there is no %s: %s", verb, b.Page.Text())
		}
		return m[1]
	}
	promote := strings.Replace(action("confirm"), "confirm", "primary", 1)
	form, _ := b.Page.Fields(action("confirm"))
	checkPage(t, b.Post(promote, form), 404, "", "") // not confirmed yet
	h.Browser().Get(link)
	reader := h.Browser() // the user reads the mail in another browser
	reader.Get(link)
	checkPage(t, reader.Submit("/users/confirmation", nil), 200, signInPath, "Your mail address is confirmed")
	b.Get(path)
	checkPage(t, b.Submit(action("primary"), nil), 200, path, "Your primary address was changed")
	row, err := h.Store.Users.Get(t.Context(), u.User.ID)
	if err != nil || row.Email != fresh || row.ConfirmedAt == nil {
		t.Errorf("%s, %v, %v", row.Email, row.ConfirmedAt, err)
	}
	if text := h.MailedText(u.User.Email, 1); !strings.Contains(text, "is now new@example.com") {
		t.Errorf("the letter to the old address is %s", text)
	}
	checkPage(t, b.Submit(action("delete"), nil), 200, path, "The address was removed")
}

func TestChangingThePasswordNeedsTheCurrentOne(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b, other := h.SignedIn(u), h.SignedIn(u)
	const path = "/-/profile/password"
	change := func(current, password string) harness.Page {
		b.Get(path)
		return b.Submit(path, url.Values{"current_password": {current}, "password": {password}, "password_confirmation": {password}})
	}
	checkPage(t, change("wrong", newPassword), 422, path, "Current password is wrong")
	checkPage(t, change(harness.Password, "short"), 422, path, "is too short")
	checkPage(t, change(harness.Password, newPassword), 200, signInPath, "Your password was changed")
	checkPage(t, other.Get(path), 200, signInPath, "")
	checkPage(t, login(b, u.Username, newPassword), 200, "/", "")
}

func TestSessionsAreListedAndRevoked(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b, other := h.SignedIn(u), h.SignedIn(u)
	const path = "/-/profile/active_sessions"
	checkPage(t, b.Get(path), 200, path, "Test browser this one 127.0.0.1")
	ends := regexp.MustCompile(`action="(`+path+`/\d+/revoke)"`).FindAllStringSubmatch(b.Page.Body, -1)
	if len(ends) != 2 {
		t.Fatalf("%d sessions", len(ends))
	}
	stranger := h.SignedIn(h.NewUserWithPassword().User)
	form, _ := stranger.Page.Fields("/users/sign_out")
	checkPage(t, stranger.Post(ends[0][1], form), 404, "", "")
	checkPage(t, other.Get(path), 200, path, "")
	checkPage(t, b.Submit(ends[0][1], nil), 200, path, "The session was ended") // the other session is the newest
	checkPage(t, other.Get(path), 200, signInPath, "")
	third := h.SignedIn(u)
	b.Get(path)
	checkPage(t, b.Submit(path+"/revoke_all", nil), 200, signInPath, "You are signed out everywhere")
	checkPage(t, third.Get(path), 200, signInPath, "")
}

func TestAdministratorsFindAndBlockUsers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.NewUserWithPassword(func(u *model.User) { u.Admin = true }).User
	waits := h.NewUserWithPassword(func(u *model.User) { u.State = model.UserPendingApproval }).User
	u := h.NewUserWithPassword(func(u *model.User) { u.Name = "Zoë 100%_" }).User
	theirs := h.SignedIn(u)
	b := h.SignedIn(root)
	checkPage(t, b.Get("/admin/users"), 200, "", "@"+u.Username)
	block := "/admin/users/" + id(u) + "/block"
	form, _ := theirs.Page.Fields("/users/sign_out")
	checkPage(t, theirs.Post(block, form), 404, "", "Page not found")
	checkPage(t, b.Submit(block, nil), 200, "/admin/users", "state was changed")
	checkPage(t, theirs.Get("/"), 200, signInPath, "")
	checkPage(t, b.Get("/admin/users?state=blocked"), 200, "", "@"+u.Username)
	if strings.Contains(b.Page.Text(), "@"+waits.Username) {
		t.Error("one who waits is listed as blocked")
	}
	checkPage(t, b.Submit("/admin/users/"+id(u)+"/unblock", nil), 200, "/admin/users", "")
	checkPage(t, b.Get("/admin/users?state=pending"), 200, "", "@"+waits.Username)
	checkPage(t, b.Submit("/admin/users/"+id(waits)+"/approve", nil), 200, "", "The user was approved")
	checkPage(t, b.Get("/admin/users?search="+url.QueryEscape("zoë 100%_")), 200, "", "@"+u.Username)
	checkPage(t, b.Get("/admin/users?search=nobodyatall&page=99999999999999999999"), 200, "", "No users found")
	own, _ := b.Page.Fields("/users/sign_out")
	checkPage(t, b.Post("/admin/users/"+id(root)+"/block", own), 403, "", "cannot be blocked")
	checkPage(t, b.Post("/admin/users/99999/block", own), 404, "", "")
	for range 30 {
		h.NewUser()
	}
	checkPage(t, b.Get("/admin/users"), 200, "", "Next page")
	checkPage(t, b.Get("/admin/users?page=2"), 200, "", "Previous page")
}

func TestTheHomePageListsOnlyOwnProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u, other := h.NewUserWithPassword().User, h.NewUser().User
	mine := h.Project(*u.NamespaceID)
	public := h.Project(*other.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	b := h.SignedIn(u)
	checkPage(t, b.Get("/"), 200, "/", mine.FullPath)
	if strings.Contains(b.Page.Text(), public.FullPath) {
		t.Error("another's project is there")
	}
}
