package token

import (
	"errors"
	"strings"
	"testing"
	"time"

	"svc/server/platform/access"
	"svc/store"
	"svc/store/secret"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestATokenHasTheScopesAskedFor(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st, storetest.Admin)
	day := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 10)
	token, err := CreateByUsername(
		t.Context(), st,
		NewToken{Username: u.Username, Name: "ci", Scopes: []string{"api", "sudo"}, Expires: &day, Lifetime: 10},
	)
	if err != nil {
		t.Fatal(err)
	}
	use, err := st.Tokens.FindByDigest(t.Context(), secret.Digest(token), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := store.TokenUse{ID: use.ID, Digest: secret.Digest(token), Scopes: "api sudo", ExpiresAt: &day, Caller: u.Caller()}
	if diff := cmp.Diff(want, use); diff != "" {
		t.Error(diff)
	}
	cases := []struct {
		scopes []string
		want   string
	}{
		{nil, "a token needs at least one scope"},
		{[]string{"api", "all"}, `scope "all" is not one of ` + strings.Join(access.Scopes, ", ")},
		{[]string{"openid"}, `scope "openid" is not one of ` + strings.Join(access.Scopes, ", ")},
		{[]string{"api sudo"}, `scope "api sudo" is not one of ` + strings.Join(access.Scopes, ", ")},
	}
	for _, c := range cases {
		if token, err := CreateByUsername(
			t.Context(), st, NewToken{Username: u.Username, Name: "x", Scopes: c.scopes, Lifetime: 10},
		); err == nil || err.Error() != c.want || token != "" {
			t.Errorf("%v: token %q, error is %v, want %s", c.scopes, token, err, c.want)
		}
	}
}

func TestATokenFromTheCommandLineKeepsTheRules(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	before := today.AddDate(0, 0, -1)
	last, late := today.AddDate(0, 0, 10), today.AddDate(0, 0, 11)
	create := func(scope string, day *time.Time) (string, error) {
		return CreateByUsername(t.Context(), st, NewToken{
			Username: u.Username, Name: "x", Scopes: []string{scope}, Expires: day, Lifetime: 10,
		})
	}
	token, err := create("api", nil)
	if err != nil {
		t.Fatal(err)
	}
	use, err := st.Tokens.FindByDigest(t.Context(), secret.Digest(token), nil)
	if err != nil || use.ExpiresAt == nil || !use.ExpiresAt.Equal(last) {
		t.Errorf("it ends on %v, %v, want %v", use.ExpiresAt, err, last)
	}
	for _, c := range []struct {
		scope string
		day   *time.Time
		want  string
	}{
		{"api", &late, "Expires at must not be after " + last.Format(time.DateOnly)},
		{"api", &before, "Expires at must be in the future"},
		{
			"sudo", nil,
			u.Username + " is not an administrator; only tokens of administrators can have the scopes sudo, " +
				"admin_mode and read_service_ping",
		},
	} {
		if token, err := create(c.scope, c.day); err == nil || err.Error() != c.want || token != "" {
			t.Errorf("token %q, error is %v, want %s", token, err, c.want)
		}
	}
}

func TestATokenOfAnUnknownUserIsRefused(t *testing.T) {
	t.Parallel()
	n := NewToken{Username: "nobody", Name: "x", Scopes: []string{"api"}, Lifetime: 10}
	_, err := CreateByUsername(t.Context(), storetest.New(t), n)
	var missing *store.NotFoundError
	if !errors.As(err, &missing) || missing.Resource != "User" {
		t.Errorf("error is %v", err)
	}
}
