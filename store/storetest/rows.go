package storetest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

var serial atomic.Int64

// User creates an active user; change it with edit.
func User(t testing.TB, st *store.Store, edit ...func(*model.User)) model.User {
	t.Helper()
	u := model.DefaultUser()
	n := serial.Add(1)
	u.Username, u.Name, u.Email = fmt.Sprintf("user%d", n), fmt.Sprintf("User %d", n), fmt.Sprintf("user%d@example.com", n)
	for _, f := range edit {
		f(&u)
	}
	if err := st.Users.Create(context.Background(), &u); err != nil {
		t.Fatal(err)
	}
	return u
}

// Admin makes the user an administrator.
func Admin(u *model.User) { u.Admin = true }

// Token creates an access token of a user and returns its clear text.
func Token(t testing.TB, st *store.Store, u model.User, scopes string, edit ...func(*model.PersonalAccessToken)) string {
	t.Helper()
	token := secret.NewToken()
	row := model.PersonalAccessToken{UserID: u.ID, Name: "test", Digest: secret.Digest(token), Scopes: scopes}
	for _, f := range edit {
		f(&row)
	}
	if err := st.Tokens.Create(context.Background(), &row); err != nil {
		t.Fatal(err)
	}
	return token
}
