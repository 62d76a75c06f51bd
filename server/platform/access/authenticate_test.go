package access

import (
	"context"
	"errors"
	"testing"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func authenticator(t testing.TB, impersonation bool) (*store.Store, *Authenticator) {
	t.Helper()
	st := storetest.New(t)
	return st, NewAuthenticator(st, NewUsage(st), impersonation)
}

func badToken(description string) string {
	return `{"error":"invalid_token","error_description":"` + description + `","message":"401 Unauthorized"}`
}

func TestATokenIsTheCallerUnlessItIsNoLongerGood(t *testing.T) {
	t.Parallel()
	const (
		expired      = "Token is expired. You can either do re-authorization or token refresh."
		revoked      = "Token was revoked. You have to re-authorize from the user."
		impersonates = "Token is an impersonation token but impersonation was disabled."
		blocked      = `{"message":"403 Forbidden - Your account has been blocked."}`
	)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	on := func(day time.Time) func(*model.PersonalAccessToken) {
		return func(row *model.PersonalAccessToken) { row.ExpiresAt = &day }
	}
	revoke := func(row *model.PersonalAccessToken) { row.Revoked = true }
	impersonate := func(row *model.PersonalAccessToken) { row.Impersonation = true }
	st, auth := authenticator(t, true)
	strict := NewAuthenticator(st, NewUsage(st), false)
	cases := []struct {
		name   string
		auth   *Authenticator
		state  model.UserState
		edits  []func(*model.PersonalAccessToken)
		status int
		body   string
	}{
		{"good", auth, model.UserActive, nil, 0, ""},
		{"expires tomorrow", auth, model.UserActive, []func(*model.PersonalAccessToken){on(today.AddDate(0, 0, 1))}, 0, ""},
		{"expires today", auth, model.UserActive, []func(*model.PersonalAccessToken){on(today)}, 401, badToken(expired)},
		{
			"expired a year ago", auth, model.UserActive,
			[]func(*model.PersonalAccessToken){on(today.AddDate(-1, 0, 0))},
			401, badToken(expired),
		},
		{"revoked", auth, model.UserActive, []func(*model.PersonalAccessToken){revoke}, 401, badToken(revoked)},
		{"revoked and expired", auth, model.UserActive, []func(*model.PersonalAccessToken){revoke, on(today)}, 401, badToken(revoked)},
		{"impersonation on", auth, model.UserActive, []func(*model.PersonalAccessToken){impersonate}, 0, ""},
		{"impersonation off", strict, model.UserActive, []func(*model.PersonalAccessToken){impersonate}, 401, badToken(impersonates)},
		{"impersonation off, own token", strict, model.UserActive, nil, 0, ""},
		{"blocked user", auth, model.UserBlocked, nil, 403, blocked},
		{"blocked user with a revoked token", auth, model.UserBlocked, []func(*model.PersonalAccessToken){revoke}, 401, badToken(revoked)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := storetest.User(t, st, func(u *model.User) { u.State = c.state })
			token := storetest.Token(t, st, u, "read_api sudo", c.edits...)
			actor, err := c.auth.Bearer(t.Context(), token)
			wantAnswer(t, err, c.status, c.body)
			if c.status != 0 {
				if actor != nil {
					t.Error("refused, but an actor comes with it")
				}
				return
			}
			if actor.TokenID == 0 {
				t.Error("the actor does not know its token")
			}
			want := &reqctx.Actor{
				User: u.Caller(), Kind: reqctx.PersonalToken, Scopes: []string{"read_api", "sudo"},
				TokenID: actor.TokenID, Impersonated: c.name == "impersonation on",
			}
			if diff := cmp.Diff(want, actor); diff != "" {
				t.Errorf("actor differs:\n%s", diff)
			}
		})
	}
}

func TestAnUnknownTokenIsRefused(t *testing.T) {
	t.Parallel()
	st, auth := authenticator(t, true)
	token := storetest.Token(t, st, storetest.User(t, st), "api")
	for _, wrong := range []string{
		"", "unknown", token + "x", token[:len(token)-1], " " + token, string(secret.Digest(token)), "\x00\xff",
	} {
		actor, err := auth.Bearer(t.Context(), wrong)
		wantAnswer(t, err, 401, unauthorized)
		if actor != nil {
			t.Errorf("%q is %s", wrong, actor.User.Username)
		}
	}
	_, err := auth.Job(t.Context(), token) // no source of job tokens has been added yet
	wantAnswer(t, err, 401, unauthorized)
}

func TestOtherKindsOfTokenFindTheirPlace(t *testing.T) {
	t.Parallel()
	st, auth := authenticator(t, true)
	owner := storetest.User(t, st)
	blocked := storetest.User(t, st, func(u *model.User) { u.State = model.UserBlocked })
	source := func(kind reqctx.Kind, known map[string]model.User) Source {
		return func(_ context.Context, digest []byte) (*reqctx.Actor, error) {
			for token, u := range known {
				if secret.Equal(digest, secret.Digest(token)) {
					return &reqctx.Actor{User: u.Caller(), Kind: kind, Scopes: []string{"api"}}, nil
				}
			}
			return nil, &store.NotFoundError{Resource: "Token"}
		}
	}
	auth.AddBearer(source(reqctx.OAuthToken, map[string]model.User{"oauth": owner, "blocked": blocked}))
	auth.AddJobs(source(reqctx.JobToken, map[string]model.User{"job": owner}))

	actor, err := auth.Bearer(t.Context(), "oauth")
	if err != nil || actor.Kind != reqctx.OAuthToken || actor.User.ID != owner.ID {
		t.Errorf("the OAuth token is %+v, %v", actor, err)
	}
	actor, err = auth.Job(t.Context(), "job")
	if err != nil || actor.Kind != reqctx.JobToken || actor.User.ID != owner.ID {
		t.Errorf("the job token is %+v, %v", actor, err)
	}
	if actor, err = auth.Bearer(t.Context(), storetest.Token(t, st, owner, "api")); err != nil || actor.Kind != reqctx.PersonalToken {
		t.Errorf("the personal token is %+v, %v", actor, err)
	}
	_, err = auth.Bearer(t.Context(), "blocked")
	wantAnswer(t, err, 403, `{"message":"403 Forbidden - Your account has been blocked."}`)
	for _, try := range []func(context.Context, string) (*reqctx.Actor, error){auth.Bearer, auth.Job} {
		_, err = try(t.Context(), "unknown")
		wantAnswer(t, err, 401, unauthorized)
	}
	_, err = auth.Bearer(t.Context(), "job")
	wantAnswer(t, err, 401, unauthorized)
}

func TestASourceThatFailsIsNotTakenForAnUnknownToken(t *testing.T) {
	t.Parallel()
	_, auth := authenticator(t, true)
	broken := errors.New("no database")
	auth.AddBearer(func(context.Context, []byte) (*reqctx.Actor, error) { return nil, broken })
	auth.AddBearer(func(context.Context, []byte) (*reqctx.Actor, error) {
		return nil, errors.New("asked in spite of that")
	})
	if _, err := auth.Bearer(t.Context(), "x"); !errors.Is(err, broken) {
		t.Errorf("error is %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	var told *apierr.Error
	if _, err := auth.Bearer(gone, "x"); err == nil || errors.As(err, &told) {
		t.Errorf("bearer: error is %v, want that of the store", err)
	}
	if _, err := auth.Session(gone, "x", "", true); err == nil || errors.As(err, &told) {
		t.Errorf("session: error is %v, want that of the store", err)
	}
}

func TestASessionReadsAloneAndWritesWithItsCSRFToken(t *testing.T) {
	t.Parallel()
	st, auth := authenticator(t, true)
	u := storetest.User(t, st)
	blocked := storetest.User(t, st, func(u *model.User) { u.State = model.UserBlocked })
	session := func(cookie string, owner model.User, life time.Duration) {
		row := &model.Session{
			UserID: owner.ID, Digest: secret.Digest(cookie), CSRFDigest: secret.Digest("csrf of " + cookie),
			ExpiresAt: time.Now().UTC().Add(life),
		}
		if err := st.Sessions.Create(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	session("open", u, time.Hour)
	session("another", u, time.Hour)
	session("ended", u, -time.Second)
	session("blocked", blocked, time.Hour)
	cases := []struct {
		name, cookie, csrf string
		reads              bool
		status             int
	}{
		{"read", "open", "", true, 0},
		{"read with a wrong CSRF token", "open", "wrong", true, 0},
		{"write", "open", "csrf of open", false, 0},
		{"write without", "open", "", false, 401},
		{"write with a wrong one", "open", "csrf of ope", false, 401},
		{"write with another session's", "open", "csrf of another", false, 401},
		{"write with the cookie", "open", "open", false, 401},
		{"read, ended", "ended", "", true, 401},
		{"write, ended", "ended", "csrf of ended", false, 401},
		{"unknown", "unknown", "", true, 401},
		{"empty", "", "", true, 401},
		{"blocked", "blocked", "", true, 403},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			actor, err := auth.Session(t.Context(), c.cookie, c.csrf, c.reads)
			body := unauthorized
			if c.status == 403 {
				body = `{"message":"403 Forbidden - Your account has been blocked."}`
			}
			wantAnswer(t, err, c.status, body)
			if c.status == 0 && (actor.Kind != reqctx.Session || actor.User.ID != u.ID || actor.Scopes != nil || actor.TokenID != 0) {
				t.Errorf("actor is %+v", actor)
			}
		})
	}
}
