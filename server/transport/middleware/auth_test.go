package middleware

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/server/transport/middleware/limit"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"
)

func TestCredentialsAreLookedForInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, uri string
		headers   []string
		want      credentials
	}{
		{"none", "/", nil, credentials{}},
		{"private_token", "/?private_token=a", nil, credentials{bearer: "a"}},
		{"access_token", "/?access_token=a", nil, credentials{bearer: "a"}},
		{"header", "/", []string{"PRIVATE-TOKEN", "a"}, credentials{bearer: "a"}},
		{"Bearer", "/", []string{"Authorization", "Bearer a"}, credentials{bearer: "a", either: true}},
		{"bearer in small letters", "/", []string{"Authorization", "bearer  a "}, credentials{bearer: "a", either: true}},
		{"Basic is no token", "/", []string{"Authorization", "Basic YTpi"}, credentials{}},
		{"Bearer of nothing", "/", []string{"Authorization", "Bearer"}, credentials{}},
		{"query before header", "/?private_token=a", []string{"PRIVATE-TOKEN", "b", "Authorization", "Bearer c"}, credentials{bearer: "a"}},
		{"private before access", "/?access_token=b&private_token=a", nil, credentials{bearer: "a"}},
		{"header before Bearer", "/", []string{"PRIVATE-TOKEN", "a", "Authorization", "Bearer b"}, credentials{bearer: "a"}},
		{"an empty one is none", "/?private_token=", []string{"PRIVATE-TOKEN", "a"}, credentials{bearer: "a"}},
		{"job_token", "/?job_token=a", nil, credentials{job: "a"}},
		{"job header", "/", []string{"JOB-TOKEN", "a"}, credentials{job: "a"}},
		{"job query before header", "/?job_token=a", []string{"JOB-TOKEN", "b"}, credentials{job: "a"}},
		{"cookie", "/", []string{"Cookie", "other=x; _svc_session=a"}, credentials{session: "a"}},
		{"two cookies", "/", []string{"Cookie", "_svc_session=a; _svc_session=b"}, credentials{session: "a", doubled: true}},
		{"an escaped value", "/?private_token=a%2Bb", nil, credentials{bearer: "a+b"}},
		{"an escaped name", "/?private%5Ftoken=a", nil, credentials{bearer: "a"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("GET", c.uri, nil)
			for i := 0; i+1 < len(c.headers); i += 2 {
				r.Header.Set(c.headers[i], c.headers[i+1])
			}
			got := find(r)
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(credentials{})); diff != "" {
				t.Error(diff)
			}
			if hasCredential(r) != (c.want != credentials{}) {
				t.Error("hasCredential says otherwise")
			}
		})
	}
}

// signedIn is a server that responds with the caller. One user has a token, a job token and a session.
type signedIn struct {
	*echo.Echo
	store *store.Store
	user  model.User
	token string
}

func newSignedIn(t testing.TB, throttle int) signedIn {
	t.Helper()
	st := storetest.New(t)
	s := signedIn{store: st, user: storetest.User(t, st)}
	s.token = storetest.Token(t, st, s.user, "read_user")
	ops, auth := operations(t), access.NewAuthenticator(st, access.NewUsage(st), true)
	auth.AddJobs(func(_ context.Context, digest []byte) (*reqctx.Actor, error) {
		if !secret.Equal(digest, secret.Digest("job")) {
			return nil, &store.NotFoundError{Resource: "Job"}
		}
		actor := &reqctx.Actor{Kind: reqctx.JobToken}
		actor.User.Username, actor.User.State = "job", model.UserActive
		return actor, nil
	})
	session := &model.Session{
		UserID: s.user.ID, Digest: secret.Digest("cookie"), CSRFDigest: secret.Digest("csrf"),
		ExpiresAt: time.Now().UTC().Add(time.Hour),
	}
	if err := st.Sessions.Create(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	throttles := Throttles{Limiter: limit.New(st), Unauthenticated: limit.Fixed(limit.Rule{Name: "x", Max: throttle, Window: day})}
	s.Echo = server(t, Authenticate(ops, auth, throttles), Sudo(ops, auth))
	who := func(c echo.Context) error {
		actor := info(c).Actor
		if actor == nil {
			return c.String(http.StatusOK, "nobody")
		}
		return c.String(http.StatusOK, string(actor.Kind)+" "+actor.User.Username)
	}
	for key := range ops.byRoute {
		s.Add(key.method, key.path, who)
	}
	s.GET("/page", who)
	return s
}

func TestAWrongCredentialIsRefusedEverywhere(t *testing.T) {
	t.Parallel()
	s := newSignedIn(t, 0)
	const no = `{"message":"401 Unauthorized"}`
	personal := "personal_access_token " + s.user.Username
	cases := []struct {
		name, method, path string
		headers            []string
		status             int
		body               string
	}{
		{"a token", "GET", "/api/v4/version", []string{"PRIVATE-TOKEN", s.token}, 200, personal},
		{"a token in the query", "GET", "/api/v4/version?private_token=" + s.token, nil, 200, personal},
		{"a token where none is needed", "GET", "/api/v4/things/1", []string{"PRIVATE-TOKEN", s.token}, 200, personal},
		{"none", "GET", "/api/v4/version", nil, 401, no},
		{"none where none is needed", "GET", "/api/v4/open", nil, 200, "nobody"},
		{"a wrong one where none is needed", "GET", "/api/v4/open", []string{"PRIVATE-TOKEN", "wrong"}, 401, no},
		{
			"a wrong one beside a good session", "GET", "/api/v4/version",
			[]string{"PRIVATE-TOKEN", "wrong", "Cookie", "__Host-_svc_session=cookie"},
			401, no,
		},
		{"a wrong one on HEAD", "HEAD", "/api/v4/open", []string{"PRIVATE-TOKEN", "wrong"}, 401, no},
		{"a wrong one outside the document", "GET", "/page", []string{"PRIVATE-TOKEN", "wrong"}, 200, "nobody"},
		{"a job token", "GET", "/api/v4/job", []string{"JOB-TOKEN", "job"}, 200, "job_token job"},
		{"a job token as a bearer", "GET", "/api/v4/job", []string{"Authorization", "Bearer job"}, 200, "job_token job"},
		{"a job token elsewhere", "GET", "/api/v4/open", []string{"JOB-TOKEN", "job"}, 401, no},
		{"a job token as a bearer elsewhere", "GET", "/api/v4/open", []string{"Authorization", "Bearer job"}, 401, no},
		{"a wrong job token", "GET", "/api/v4/job", []string{"JOB-TOKEN", "wrong"}, 401, no},
		{
			"a session that reads", "GET", "/api/v4/version",
			[]string{"Cookie", "__Host-_svc_session=cookie"},
			200,
			"session " + s.user.Username,
		},
		{
			"a session that writes", "PUT", "/api/v4/things/1",
			[]string{"Cookie", "__Host-_svc_session=cookie", "X-CSRF-Token", "csrf"},
			200, "session " + s.user.Username,
		},
		{"a session that writes without CSRF token", "PUT", "/api/v4/things/1", []string{"Cookie", "__Host-_svc_session=cookie"}, 401, no},
		{"two sessions", "GET", "/api/v4/open", []string{"Cookie", "__Host-_svc_session=cookie; __Host-_svc_session=wrong"}, 401, no},
		{"a wrong session", "GET", "/api/v4/open", []string{"Cookie", "__Host-_svc_session=wrong"}, 401, no},
		{
			"too little scope", "PUT", "/api/v4/things/1",
			[]string{"PRIVATE-TOKEN", s.token},
			403,
			`{"error":"insufficient_scope","error_description":"The request requires higher privileges than provided ` +
				`by the access token.","scope":"api"}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rec := ask(s, c.method, c.path, "", c.headers...)
			wantAnswer(t, rec, c.status, c.body)
			if got := rec.Header().Get("WWW-Authenticate"); strings.HasPrefix(got, `Bearer realm="The API"`) !=
				(c.status == 401 || strings.Contains(rec.Body.String(), "insufficient_scope")) {
				t.Errorf("WWW-Authenticate is %q", got)
			}
		})
	}
}

func TestGuessingTokensIsThrottled(t *testing.T) {
	t.Parallel()
	s := newSignedIn(t, 2)
	for i, want := range []int{401, 401, 429, 429} {
		if got := ask(s, "GET", "/api/v4/version", "", "PRIVATE-TOKEN", "wrong").Code; got != want {
			t.Errorf("guess %d is answered %d, want %d", i+1, got, want)
		}
	}
	wantAnswer(t, ask(s, "GET", "/api/v4/version", "", "PRIVATE-TOKEN", s.token), 200, "personal_access_token "+s.user.Username)
}

func TestSudoComesByHeaderOrQueryAndLiftsNoScope(t *testing.T) {
	t.Parallel()
	s := newSignedIn(t, 0)
	root := storetest.User(t, s.store, storetest.Admin)
	admin, full := storetest.Token(t, s.store, root, "sudo"), storetest.Token(t, s.store, root, "sudo api")
	as := "personal_access_token " + s.user.Username
	wantAnswer(t, ask(s, "PUT", "/api/v4/things/1", "", "PRIVATE-TOKEN", full, "Sudo", s.user.Username), 200, as)
	wantAnswer(t, ask(s, "PUT", "/api/v4/things/1?sudo="+s.user.Username, "", "PRIVATE-TOKEN", full), 200, as)
	wantAnswer(t, ask(s, "PUT", "/api/v4/things/1?%73udo="+s.user.Username, "", "PRIVATE-TOKEN", full), 200, as)
	for _, request := range [][2]string{{"PUT", "/api/v4/things/1"}, {"GET", "/api/v4/version"}} {
		if got := ask(s, request[0], request[1], "", "PRIVATE-TOKEN", admin, "Sudo", s.user.Username).Code; got != 403 {
			t.Errorf("%v with the scope sudo alone is answered %d, want 403", request, got)
		}
	}
	for _, query := range []string{"sudo[]=x", "sudo%5B%5D=x", "sudo[0]=x", "sudo[a]=x", "sudo=x&sudo=y", "sudo=root&sudo[]=x"} {
		wantAnswer(t, ask(s, "PUT", "/api/v4/things/1?"+query, "", "PRIVATE-TOKEN", full), 400, `{"error":"sudo is invalid"}`)
	}
	wantAnswer(
		t, ask(s, "PUT", "/api/v4/things/1?sudo=x", "", "PRIVATE-TOKEN", full, "Sudo", s.user.Username), 400,
		`{"error":"sudo is invalid"}`,
	)
	wantAnswer(
		t, ask(s, "GET", "/api/v4/version", "", "PRIVATE-TOKEN", s.token, "Sudo", "x"), 403,
		`{"message":"403 Forbidden - Must be admin to use sudo"}`,
	)
	wantAnswer(t, ask(s, "GET", "/api/v4/open", "", "Sudo", "x"), 401, `{"message":"401 Unauthorized"}`)
	wantAnswer(t, ask(s, "GET", "/api/v4/version?sudo=%00", "", "PRIVATE-TOKEN", admin), 400, `{"error":"sudo is invalid"}`)
	wantAnswer(
		t, ask(s, "GET", "/api/v4/version?sudo=nobody", "", "PRIVATE-TOKEN", admin), 404,
		`{"message":"404 User with ID or username 'nobody' Not Found"}`,
	)
	if got := ask(s, "GET", "/api/v4/version", "", "PRIVATE-TOKEN", admin).Code; got != 403 { // the scope sudo alone gives no access
		t.Errorf("without sudo: %d, want 403", got)
	}
}

// Go's own query parser drops a pair with a bare semicolon. A credential or a sudo must not disappear that way.
func TestASemicolonHidesNoParameter(t *testing.T) {
	t.Parallel()
	s := newSignedIn(t, 0)
	admin := storetest.Token(t, s.store, storetest.User(t, s.store, storetest.Admin), "sudo read_user")
	for _, name := range []string{"private_token", "access_token", "job_token"} {
		wantAnswer(t, ask(s, "GET", "/api/v4/open?"+name+"=wrong;", ""), 401, `{"message":"401 Unauthorized"}`)
	}
	wantAnswer(
		t, ask(s, "GET", "/api/v4/version?sudo=nobody;", "", "PRIVATE-TOKEN", admin), 404,
		`{"message":"404 User with ID or username 'nobody;' Not Found"}`,
	)
}

func TestAStoreThatFailsIsNoUnauthorized(t *testing.T) {
	t.Parallel()
	if isUnauthorized(errors.New("no database")) || isUnauthorized(nil) {
		t.Error("a failure counts as a wrong credential")
	}
}
