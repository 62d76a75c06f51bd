package account

import (
	"errors"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

const (
	badUsername = "username can contain letters, digits, '_', '-' and '.', and must not start with '-' or '.' or end " +
		"with '.', '.git', '.atom' or '.json'"
	badEmail    = "email must be a mail address"
	badPassword = "password must have at least 8 characters"
)

func TestANewUserIsReadyToBeUsed(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	made, err := Create(
		t.Context(), st,
		NewUser{Username: "Sidney", Name: "Sidney Jones", Email: "sidney@example.com", Password: "correct horse", Admin: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	got, err := st.Users.GetByUsername(t.Context(), "sidney")
	if err != nil {
		t.Fatal(err)
	}
	if !isPassword(t, got.PasswordHash, "correct horse") || strings.Contains(got.PasswordHash, "horse") {
		t.Errorf("the password is kept as %q", got.PasswordHash)
	}
	if got.ConfirmedAt == nil || time.Since(*got.ConfirmedAt) > time.Minute || got.NamespaceID == nil {
		t.Errorf("confirmed at %v, namespace %v", got.ConfirmedAt, got.NamespaceID)
	}
	want := model.DefaultUser()
	want.ID, want.Username, want.Name, want.Email, want.Admin = made.ID, "Sidney", "Sidney Jones", "sidney@example.com", true
	want.PasswordHash, want.ConfirmedAt, want.NamespaceID = got.PasswordHash, got.ConfirmedAt, got.NamespaceID
	want.CreatedAt, want.UpdatedAt = got.CreatedAt, got.UpdatedAt
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAUserWithoutANameIsCalledByUsername(t *testing.T) {
	t.Parallel()
	u, err := Create(t.Context(), storetest.New(t), NewUser{Username: "sidney", Email: "s@example.com", Password: "correct horse"})
	if err != nil || u.Name != "sidney" || u.Admin {
		t.Errorf("name is %q, administrator: %v, %v", u.Name, u.Admin, err)
	}
}

func TestAllMistakesInANewUserAreToldAtOnce(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	cases := []struct {
		name string
		user NewUser
		want []string
	}{
		{"all", NewUser{}, []string{badUsername, badEmail, badPassword}},
		{"username", NewUser{Username: "a b", Email: "a@example.com", Password: "12345678"}, []string{badUsername}},
		{"ending", NewUser{Username: "a.git", Email: "a@example.com", Password: "12345678"}, []string{badUsername}},
		{
			"name",
			NewUser{Username: "a", Name: "a\nb", Email: "a@example.com", Password: "12345678"},
			[]string{"full name must be one line of at most 255 characters"},
		},
		{"email", NewUser{Username: "a", Email: "example.com", Password: "12345678"}, []string{badEmail}},
		{"password", NewUser{Username: "a", Email: "a@example.com", Password: "1234567"}, []string{badPassword}},
		{"password of 12 bytes in 4 characters", NewUser{Username: "a", Email: "a@example.com", Password: "密码密码"}, []string{badPassword}},
	}
	for _, c := range cases {
		if _, err := Create(t.Context(), st, c.user); err == nil || err.Error() != strings.Join(c.want, "\n") {
			t.Errorf("%s: error is %v, want %v", c.name, err, c.want)
		}
	}
	if any, err := st.Users.Any(t.Context()); any || err != nil {
		t.Errorf("a user was made all the same: %v, %v", any, err)
	}
}

func TestUsernamesThatFitIntoAPathAreTaken(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a": true, "ab": true, "A1": true, "_": true, "a.b-c_d": true, "a-": true, "0": true, strings.Repeat("a", 255): true,
		"": false, ".a": false, "-a": false, "a.": false, "a b": false, "ä": false, "a/b": false, "a\n": false, "..": false, "a@b": false,
		strings.Repeat("a", 256): false,
	} {
		if got := usernameFormat.MatchString(name); got != want {
			t.Errorf("%q is taken: %v, want %v", name, got, want)
		}
	}
}

func TestOnlyABareAddressIsTaken(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	for _, email := range []string{
		"", "a", "a@", "@b", "A <a@example.com>", "<a@example.com>", "a@example.com, b@example.com", "a b@example.com",
		"a@example.com\n", "a@example.com(comment)",
	} {
		if _, err := Create(t.Context(), st, NewUser{Username: "a", Email: email, Password: "12345678"}); err == nil ||
			err.Error() != badEmail {
			t.Errorf("%q: error is %v", email, err)
		}
	}
}

func TestATakenNameOrAddressIsNamed(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	storetest.User(t, st, func(u *model.User) { u.Username, u.Email = "sidney", "s@example.com" })
	for want, n := range map[string]NewUser{
		"a user or group with this name already exists":    {Username: "SIDNEY", Email: "other@example.com", Password: "12345678"},
		"a user or group with this address already exists": {Username: "other", Email: "S@example.com", Password: "12345678"},
	} {
		if _, err := Create(t.Context(), st, n); err == nil || err.Error() != want {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
}

func TestAPasswordIsReplaced(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	old, err := secret.HashPassword(t.Context(), "old password")
	if err != nil {
		t.Fatal(err)
	}
	u := storetest.User(t, st, func(u *model.User) { u.PasswordHash = old })
	session := model.Session{UserID: u.ID, Digest: []byte("digest"), CSRFDigest: []byte("digest"), ExpiresAt: time.Now().Add(time.Hour)}
	if err := st.Sessions.Create(t.Context(), &session); err != nil {
		t.Fatal(err)
	}
	if err := SetPassword(t.Context(), st, strings.ToUpper(u.Username), "new password"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := st.Sessions.FindByDigest(t.Context(), session.Digest); !store.IsNotFound(err) {
		t.Errorf("a session of the old password goes on: %v", err)
	}
	if err := SetPassword(t.Context(), st, u.Username, "short"); err == nil || err.Error() != badPassword {
		t.Errorf("error is %v", err)
	}
	got, err := st.Users.Get(t.Context(), u.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !isPassword(t, got.PasswordHash, "new password") || isPassword(t, got.PasswordHash, "old password") {
		t.Error("the password is not the new one")
	}
}

func TestAUserIsMadeAnAdministrator(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u, other := storetest.User(t, st), storetest.User(t, st)
	if err := MakeAdmin(t.Context(), st, u.Username); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[int64]bool{u.ID: true, other.ID: false} {
		if got, err := st.Users.Get(t.Context(), id); got.Admin != want || err != nil {
			t.Errorf("user %d is an administrator: %v, %v, want %v", id, got.Admin, err, want)
		}
	}
}

func TestAnUnknownUserIsNotFound(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	for what, err := range map[string]error{
		"password": SetPassword(t.Context(), st, "nobody", "12345678"), "administrator": MakeAdmin(t.Context(), st, "nobody"),
	} {
		var missing *store.NotFoundError
		if !errors.As(err, &missing) || missing.Resource != "User" {
			t.Errorf("%s: error is %v", what, err)
		}
	}
}

func isPassword(t *testing.T, hash, password string) bool {
	t.Helper()
	right, err := secret.CheckPassword(t.Context(), hash, password)
	if err != nil {
		t.Error(err)
	}
	return right
}
