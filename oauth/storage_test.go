package oauth

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"

	"github.com/ory/fosite"
)

// fixture is a storage with an application and a user, and a clock that tests can move.
type fixture struct {
	*storage
	t     *testing.T
	st    *store.Store
	app   model.OAuthApplication
	user  model.User
	shift atomic.Int64
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	b := &fixture{t: t, st: storetest.New(t)}
	b.user = storetest.User(t, b.st)
	b.app = model.OAuthApplication{
		UID: newText(), Name: "app", SecretDigest: secret.Digest("s"), RedirectURI: "https://app/cb",
		Scopes: "api openid", Confidential: true,
	}
	if err := b.st.OAuthApplications.Create(t.Context(), &b.app); err != nil {
		t.Fatal(err)
	}
	b.storage = &storage{store: b.st, lifetime: DefaultAccessLifetime, now: func() time.Time {
		return time.Now().Add(time.Duration(b.shift.Load()))
	}}
	return b
}

func (b *fixture) request() *fosite.Request {
	return &fosite.Request{
		Client: &client{app: b.app}, GrantedScope: fosite.Arguments{"api"}, Form: url.Values{},
		Session: &session{
			user: b.user.Caller(), redirectURI: "https://app/cb", challenge: "challenge", nonce: "n",
			signedInAt: time.Now().UTC(),
		},
	}
}

// code returns the signature of a new code.
func (b *fixture) code() string {
	b.t.Helper()
	signature := digestOf(newText())
	if err := b.CreateAuthorizeCodeSession(b.t.Context(), signature, b.request()); err != nil {
		b.t.Fatal(err)
	}
	return signature
}

// pair returns a new access token and refresh token of a code.
func (b *fixture) pair(code string) (access, refresh string) {
	b.t.Helper()
	r, err := b.GetAuthorizeCodeSession(b.t.Context(), code, nil)
	if r == nil {
		b.t.Fatal(err)
	}
	request, _ := r.(*fosite.Request)
	request.Client = &client{app: b.app}
	access, refresh = digestOf(newText()), digestOf(newText())
	if err := b.CreateAccessTokenSession(b.t.Context(), access, request); err != nil {
		b.t.Fatal(err)
	}
	if err := b.CreateRefreshTokenSession(b.t.Context(), refresh, access, request); err != nil {
		b.t.Fatal(err)
	}
	return access, refresh
}

func (b *fixture) ended(access string) bool {
	b.t.Helper()
	row, err := b.st.OAuthTokens.Get(b.t.Context(), []byte(access))
	if err != nil {
		b.t.Fatal(err)
	}
	return row.RevokedAt != nil
}

// The cases run on both databases: create, read, use twice, rotate, revoke, expire.
func TestStorage(t *testing.T) {
	t.Parallel()
	cases := map[string]func(t *testing.T, b *fixture){
		"an application is found by its application ID":                     checkApplicationIsFound,
		"a code comes back as it was stored":                                checkCodeIsStored,
		"an unknown code is not there":                                      checkUnknownCode,
		"a code is used once, and then known as used":                       checkCodeIsUsedOnce,
		"a code expires after ten minutes":                                  checkCodeExpires,
		"the challenge stays when fosite deletes it":                        checkChallengeStays,
		"an answer's ticket works once":                                     checkTicketWorksOnce,
		"a refresh token comes back with what was granted":                  checkRefreshTokenIsStored,
		"a refresh token is used once, then not there, later known as used": checkRefreshTokenIsUsedOnce,
		"revoking ends the family and no other":                             checkRevokingEndsTheFamily,
		"nothing is there for a blocked user":                               checkBlockedUser,
		"a user sees who was allowed what, and takes it back":               checkUserTakesBackAGrant,
		"all goes with the application":                                     checkApplicationIsDeleted,
		"what ended long ago is deleted, and nothing else":                  checkEndedTokensAreDeleted,
	}
	for name, f := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, newFixture(t))
		})
	}
}

func checkApplicationIsFound(t *testing.T, b *fixture) {
	c, err := b.GetClient(t.Context(), b.app.UID)
	if err != nil || c.GetID() != b.app.UID || c.IsPublic() || len(c.GetRedirectURIs()) != 1 || len(c.GetScopes()) != 2 {
		t.Errorf("%v, %v", c, err)
	}
	if _, err := b.GetClient(t.Context(), "other"); !errors.Is(err, fosite.ErrNotFound) {
		t.Error(err)
	}
}

func checkCodeIsStored(t *testing.T, b *fixture) {
	r, err := b.GetAuthorizeCodeSession(t.Context(), b.code(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := sessionOf(r)
	if r.GetClient().GetID() != b.app.UID || s.user.ID != b.user.ID || s.nonce != "n" ||
		r.GetRequestForm().Get("redirect_uri") != "https://app/cb" ||
		!r.GetGrantedScopes().ExactOne("api") || r.GetRequestForm().Get("code_challenge_method") != "S256" ||
		s.grantID == 0 || s.signedInAt.IsZero() {
		t.Errorf("%+v", r)
	}
}

func checkUnknownCode(t *testing.T, b *fixture) {
	if _, err := b.GetAuthorizeCodeSession(t.Context(), digestOf("no"), nil); !errors.Is(err, fosite.ErrNotFound) {
		t.Error(err)
	}
}

func checkCodeIsUsedOnce(t *testing.T, b *fixture) {
	code := b.code()
	if err := b.InvalidateAuthorizeCodeSession(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	if err := b.InvalidateAuthorizeCodeSession(t.Context(), code); !errors.Is(err, errAlreadyUsed) {
		t.Error(err)
	}
	if r, err := b.GetAuthorizeCodeSession(t.Context(), code, nil); !errors.Is(err, fosite.ErrInvalidatedAuthorizeCode) ||
		r == nil {
		t.Errorf("%v, %v", r, err)
	}
}

func checkCodeExpires(t *testing.T, b *fixture) {
	code := b.code()
	b.shift.Store(int64(9*time.Minute + 50*time.Second))
	if _, err := b.GetAuthorizeCodeSession(t.Context(), code, nil); err != nil {
		t.Error(err)
	}
	b.shift.Store(int64(10*time.Minute + time.Second))
	if _, err := b.GetAuthorizeCodeSession(t.Context(), code, nil); !errors.Is(err, fosite.ErrNotFound) {
		t.Error(err)
	}
}

func checkChallengeStays(t *testing.T, b *fixture) {
	code := b.code()
	if err := b.DeletePKCERequestSession(t.Context(), code); err != nil {
		t.Error(err)
	}
	r, err := b.GetPKCERequestSession(t.Context(), code, nil)
	if err != nil || r.GetRequestForm().Get("code_challenge") != "challenge" {
		t.Errorf("%v, %v", r, err)
	}
}

func checkTicketWorksOnce(t *testing.T, b *fixture) {
	r := b.request()
	sessionOf(r).ticket = []byte("t")
	if err := b.CreateAuthorizeCodeSession(t.Context(), digestOf("1"), r); err != nil {
		t.Fatal(err)
	}
	var again *store.ConflictError
	if err := b.CreateAuthorizeCodeSession(t.Context(), digestOf("2"), r); !errors.As(err, &again) {
		t.Error(err)
	}
}

func checkRefreshTokenIsStored(t *testing.T, b *fixture) {
	_, refresh := b.pair(b.code())
	r, err := b.GetRefreshTokenSession(t.Context(), refresh, nil)
	if err != nil || r.GetClient().GetID() != b.app.UID || sessionOf(r).redirectURI != "https://app/cb" ||
		!r.GetGrantedScopes().ExactOne("api") {
		t.Errorf("%v, %v", r, err)
	}
}

func checkRefreshTokenIsUsedOnce(t *testing.T, b *fixture) {
	access, refresh := b.pair(b.code())
	if err := b.RotateRefreshToken(t.Context(), "", refresh); err != nil || !b.ended(access) {
		t.Fatal(err)
	}
	if err := b.RotateRefreshToken(t.Context(), "", refresh); !errors.Is(err, errAlreadyUsed) {
		t.Error(err)
	}
	b.shift.Store(int64(59 * time.Second))
	if _, err := b.GetRefreshTokenSession(t.Context(), refresh, nil); !errors.Is(err, fosite.ErrNotFound) {
		t.Error(err)
	}
	b.shift.Store(int64(61 * time.Second))
	if r, err := b.GetRefreshTokenSession(t.Context(), refresh, nil); !errors.Is(err, fosite.ErrInactiveToken) || r == nil {
		t.Errorf("%v, %v", r, err)
	}
}

func checkRevokingEndsTheFamily(t *testing.T, b *fixture) {
	code := b.code()
	one, refresh := b.pair(code)
	other, _ := b.pair(b.code())
	if err := b.RotateRefreshToken(t.Context(), "", refresh); err != nil {
		t.Fatal(err)
	}
	next, _ := b.pair(code)
	r, err := b.GetAuthorizeCodeSession(t.Context(), code, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.RevokeRefreshToken(t.Context(), r.GetID()); err != nil {
		t.Fatal(err)
	}
	if !b.ended(one) || !b.ended(next) || b.ended(other) {
		t.Errorf("ended: %v %v, another grant's: %v", b.ended(one), b.ended(next), b.ended(other))
	}
}

func checkBlockedUser(t *testing.T, b *fixture) {
	code := b.code()
	access, refresh := b.pair(code)
	if done, err := b.st.Users.SetState(t.Context(), b.user.ID, model.UserActive, model.UserBlocked, nil); !done || err != nil {
		t.Fatal(err)
	}
	if !b.ended(access) {
		t.Error("the access token goes on")
	}
	if _, err := b.GetRefreshTokenSession(t.Context(), refresh, nil); !errors.Is(err, fosite.ErrNotFound) {
		t.Error(err)
	}
	if _, err := b.GetAuthorizeCodeSession(t.Context(), code, nil); err == nil {
		t.Error("the code goes on")
	}
}

func checkUserTakesBackAGrant(t *testing.T, b *fixture) {
	one, _ := b.pair(b.code())
	two, _ := b.pair(b.code())
	waiting := b.code()
	checkGrantIsListed(t, b)
	if sets, err := b.st.OAuthTokens.Granted(t.Context(), b.user.ID, b.app.ID); err != nil || len(sets) != 1 ||
		sets[0].Scopes != "api" {
		t.Errorf("%v, %v", sets, err)
	}
	if err := b.st.OAuthTokens.RevokeApplication(t.Context(), b.user.ID, b.app.ID); err != nil {
		t.Fatal(err)
	}
	if rows, _, err := b.st.OAuthTokens.ListAuthorized(t.Context(), b.user.ID, store.Page{Limit: 10}); err != nil ||
		len(rows) != 0 || !b.ended(one) || !b.ended(two) {
		t.Errorf("%+v, %v", rows, err)
	}
	if err := b.InvalidateAuthorizeCodeSession(t.Context(), waiting); !errors.Is(err, errAlreadyUsed) {
		t.Errorf("the code that waits: %v", err)
	}
}

// checkGrantIsListed checks that the user sees the one application that has a grant.
func checkGrantIsListed(t *testing.T, b *fixture) {
	t.Helper()
	rows, _, err := b.st.OAuthTokens.ListAuthorized(t.Context(), b.user.ID, store.Page{Limit: 10})
	if err != nil || len(rows) != 1 || rows[0].Application != "app" || rows[0].UID != b.app.UID ||
		rows[0].Scopes != "api" || time.Since(rows[0].Since).Abs() > time.Minute {
		t.Fatalf("%+v, %v", rows, err)
	}
}

func checkApplicationIsDeleted(t *testing.T, b *fixture) {
	code := b.code()
	access, _ := b.pair(code)
	if err := b.st.OAuthApplications.Delete(t.Context(), b.app.ID, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.st.OAuthTokens.Get(t.Context(), []byte(access)); !store.IsNotFound(err) {
		t.Error(err)
	}
	if _, err := b.GetAuthorizeCodeSession(t.Context(), code, nil); !errors.Is(err, fosite.ErrNotFound) {
		t.Error(err)
	}
	if err := b.CreateAuthorizeCodeSession(t.Context(), digestOf("x"), b.request()); !store.IsNotFound(err) {
		t.Error(err)
	}
}

func checkEndedTokensAreDeleted(t *testing.T, b *fixture) {
	code := b.code()
	old, refresh := b.pair(code)
	live, _ := b.pair(b.code())
	if err := b.RotateRefreshToken(t.Context(), "", refresh); err != nil {
		t.Fatal(err)
	}
	if n, err := b.st.OAuthTokens.DeleteEnded(t.Context(), time.Now().UTC().Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	later := time.Now().UTC().Add(3 * time.Hour)
	if n, err := b.st.OAuthTokens.DeleteEnded(t.Context(), later); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := b.st.OAuthTokens.Get(t.Context(), []byte(old)); !store.IsNotFound(err) {
		t.Error(err)
	}
	if n, err := b.st.OAuthGrants.DeleteExpired(t.Context(), later); n != 1 || err != nil {
		t.Errorf("%d grants, %v", n, err)
	}
	if b.ended(live) {
		t.Error("the one that can be refreshed is ended")
	}
}

// Of many concurrent requests, exactly one uses a code, and exactly one a refresh token.
func TestOneOfManyWins(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	code := b.code()
	_, refresh := b.pair(b.code())
	for name, use := range map[string]func(ctx context.Context) error{
		"code":    func(ctx context.Context) error { return b.InvalidateAuthorizeCodeSession(ctx, code) },
		"refresh": func(ctx context.Context) error { return b.RotateRefreshToken(ctx, "", refresh) },
	} {
		var won, lost atomic.Int64
		var wait sync.WaitGroup
		for range 20 {
			wait.Go(func() {
				switch err := use(t.Context()); {
				case err == nil:
					won.Add(1)
				case errors.Is(err, errAlreadyUsed):
					lost.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if won.Load() != 1 || lost.Load() != 19 {
			t.Errorf("%s: %d won, %d lost", name, won.Load(), lost.Load())
		}
	}
}

// Ending a family while it is being refreshed leaves no token behind.
func TestEndingAFamilyMissesNoToken(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	for range 20 {
		code := b.code()
		_, refresh := b.pair(code)
		r, err := b.GetRefreshTokenSession(t.Context(), refresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		grant, _ := strconv.ParseInt(r.GetID(), 10, 64)
		next := digestOf(newText())
		var wait sync.WaitGroup
		wait.Go(func() {
			err := b.st.Tx(t.Context(), func(ctx context.Context) error {
				if err := b.st.OAuthTokens.LockUser(ctx, b.user.ID); err != nil {
					return err
				}
				if err := b.RotateRefreshToken(ctx, "", refresh); err != nil {
					return err
				}
				request, _ := r.(*fosite.Request)
				request.Client = &client{app: b.app}
				return b.CreateAccessTokenSession(ctx, next, request)
			})
			if err != nil && !errors.Is(err, errAlreadyUsed) {
				t.Error(err)
			}
		})
		wait.Go(func() {
			if err := b.st.OAuthTokens.RevokeGrant(t.Context(), grant); err != nil {
				t.Error(err)
			}
		})
		wait.Wait()
		if row, err := b.st.OAuthTokens.Get(t.Context(), []byte(next)); err == nil && row.RevokedAt == nil {
			t.Fatal("a token of the ended family is good")
		}
	}
}

// currentKey asks two processes for their key, several times at once, and returns the id of the one key that they make.
func currentKey(t *testing.T, one, two *keys) string {
	t.Helper()
	var wait sync.WaitGroup
	kids := make([]string, 8)
	for i := range kids {
		k := []*keys{one, two}[i%2]
		wait.Go(func() {
			s, err := k.current(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			kids[i] = s.kid
		})
	}
	wait.Wait()
	for _, kid := range kids {
		if kid != kids[0] || kid == "" {
			t.Fatalf("keys %v", kids)
		}
	}
	return kids[0]
}

func TestKeysAreMadeOnceAndReplaced(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	var shift atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(shift.Load())) }
	process := func(key string) *keys {
		vault, err := secret.NewVault(strings.Repeat(key, secret.MinKey), "oauth signing keys")
		if err != nil {
			t.Fatal(err)
		}
		return &keys{store: st, vault: vault, now: now}
	}
	one, two, other := process("k"), process("k"), process("o")
	first := currentKey(t, one, two)
	// A process with another secret key makes its own key; the first process continues with its own.
	s, err := other.current(t.Context())
	if err != nil || s.kid == first {
		t.Fatalf("%v, %v", s, err)
	}
	shift.Store(int64(2 * keyCached))
	if s, err := one.current(t.Context()); err != nil || s.kid != first {
		t.Errorf("%v, %v", s, err)
	}
	// When a key is old, a new one is made, and both are published until much later.
	shift.Store(int64(keyAge + time.Hour))
	if err := one.rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	next, err := one.current(t.Context())
	if err != nil || next.kid == first {
		t.Fatalf("%v, %v", next, err)
	}
	if shown, err := one.published(t.Context()); err != nil || len(shown) != 3 || shown[0].Kid != next.kid {
		t.Errorf("%v, %v", shown, err)
	}
	shift.Store(int64(2*keyAge + 2*time.Hour))
	if err := one.rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if shown, err := one.published(t.Context()); err != nil || len(shown) != 2 {
		t.Errorf("%v, %v", shown, err)
	}
}
