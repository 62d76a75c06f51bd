package access

import (
	"context"
	"strconv"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// Source finds the caller of a token by the digest of the token. It fails with a *store.NotFoundError if there is no
// such token.
type Source func(ctx context.Context, digest []byte) (*reqctx.Actor, error)

// Authenticator identifies callers by their credentials.
type Authenticator struct {
	store         *store.Store
	usage         *Usage
	impersonation bool
	bearers       []Source
	applications  []Source // the same sources, with application tokens first
	jobs          []Source
	locked        func(ctx context.Context, u model.User) error
	blocked       func(ctx context.Context, u model.User) error
}

// NewAuthenticator returns an authenticator for sessions and for the tokens of users, applications and running jobs.
// AddBearer and AddJobs add more kinds of tokens.
func NewAuthenticator(st *store.Store, usage *Usage, impersonation bool) *Authenticator {
	a := &Authenticator{store: st, usage: usage, impersonation: impersonation}
	a.bearers, a.applications = []Source{a.personal, a.application}, []Source{a.application, a.personal}
	a.jobs = []Source{a.job}
	return a
}

// AddBearer adds a kind of token that clients send as a bearer token.
func (a *Authenticator) AddBearer(s Source) {
	a.bearers, a.applications = append(a.bearers, s), append(a.applications, s)
}

// AddJobs adds a kind of token that clients send as a job token.
func (a *Authenticator) AddJobs(s Source) { a.jobs = append(a.jobs, s) }

// Bearer returns the caller of an access token.
func (a *Authenticator) Bearer(ctx context.Context, token string) (*reqctx.Actor, error) {
	if looksLikeApplication(token) { // so that the first lookup finds either kind
		return a.find(ctx, a.applications, token)
	}
	return a.find(ctx, a.bearers, token)
}

// Job returns the caller of a job token.
func (a *Authenticator) Job(ctx context.Context, token string) (*reqctx.Actor, error) {
	return a.find(ctx, a.jobs, token)
}

func (a *Authenticator) find(ctx context.Context, sources []Source, token string) (*reqctx.Actor, error) {
	digest := secret.Digest(token)
	for _, source := range sources {
		actor, err := source(ctx, digest)
		if store.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return a.admit(ctx, actor)
	}
	return nil, apierr.Unauthorized()
}

// Session returns the caller of a session cookie. A request that writes also needs the session's CSRF token.
func (a *Authenticator) Session(ctx context.Context, cookie, csrf string, reads bool) (*reqctx.Actor, error) {
	session, actor, err := a.Browser(ctx, cookie)
	if err != nil {
		return nil, err
	}
	if !reads && !secret.Equal(session.CSRFDigest, secret.Digest(csrf)) {
		return nil, apierr.Unauthorized()
	}
	if FactorOverdue(session, clock.Now(ctx)) {
		return nil, apierr.Forbidden("One of your groups requires two-factor authentication. Turn it on at /-/profile/two_factor_auth.")
	}
	return actor, nil
}

// FactorOverdue reports whether a group requires a second factor, the user of the session has none, and the grace
// period is over. Such a session only gives access to the page that turns the second factor on.
func FactorOverdue(s model.Session, now time.Time) bool {
	return s.TwoFactorDue != nil && !now.Before(*s.TwoFactorDue)
}

// Browser returns a session and its user. The caller must check FactorOverdue before giving access to anything.
func (a *Authenticator) Browser(ctx context.Context, cookie string) (model.Session, *reqctx.Actor, error) {
	session, u, err := a.store.Sessions.FindByDigest(ctx, secret.Digest(cookie))
	if store.IsNotFound(err) || (err == nil && !clock.Now(ctx).Before(session.ExpiresAt)) {
		return session, nil, apierr.Unauthorized()
	}
	if err != nil {
		return session, nil, err
	}
	if session.TwoFactorRequired {
		if session.TwoFactorDue, err = a.store.Members.TwoFactorDue(ctx, u.ID); err != nil {
			return session, nil, err
		}
	}
	actor, err := a.admit(ctx, &reqctx.Actor{User: u, Kind: reqctx.Session})
	return session, actor, err
}

func (a *Authenticator) personal(ctx context.Context, digest []byte) (*reqctx.Actor, error) {
	t, err := a.store.Tokens.FindByDigest(ctx, digest, reqctx.Of(ctx).Ahead)
	if err != nil {
		return nil, err
	}
	switch {
	case !secret.Equal(t.Digest, digest):
		return nil, &store.NotFoundError{Resource: "Token"}
	case t.Revoked:
		return nil, apierr.RevokedToken()
	case model.Expired(t.ExpiresAt, clock.Now(ctx)):
		return nil, apierr.ExpiredToken()
	case t.Impersonation && !a.impersonation:
		return nil, apierr.InvalidToken("Token is an impersonation token but impersonation was disabled.")
	}
	actor := &reqctx.Actor{
		User: t.Caller, Kind: reqctx.PersonalToken, TokenID: t.ID, LastUsed: t.LastUsedAt, Scopes: strings.Fields(t.Scopes),
		Impersonated: t.Impersonation,
	}
	if t.MakerID != nil && t.Maker != nil {
		actor.Impersonator = &reqctx.Impersonator{ID: *t.MakerID, Name: *t.Maker}
	}
	return actor, nil
}

// RevokeReusedFamily revokes all tokens of a token's family if the token is already revoked but was used again to get a new one:
// either that client or the one that rotated the token before may have stolen it. Reused returns the given refusal
// unchanged unless the store fails.
func (a *Authenticator) RevokeReusedFamily(ctx context.Context, token string, refused error) error {
	t, err := a.store.Tokens.FindByDigest(ctx, secret.Digest(token), nil)
	if store.IsNotFound(err) || (err == nil && !t.Revoked) {
		return refused
	}
	if err == nil {
		err = a.store.Tokens.EndFamily(ctx, t.ID)
	}
	if err != nil {
		return err
	}
	return refused
}

func (a *Authenticator) admit(ctx context.Context, actor *reqctx.Actor) (*reqctx.Actor, error) {
	if err := CheckState(actor.User); err != nil {
		return nil, err
	}
	a.usage.Note(ctx, actor)
	return actor, nil
}

// Sudo returns an actor that acts as another user, given by id or username.
func (a *Authenticator) Sudo(ctx context.Context, actor *reqctx.Actor, as string) (*reqctx.Actor, error) {
	switch {
	case actor == nil:
		return nil, apierr.Unauthorized()
	case !actor.User.Admin:
		return nil, apierr.Forbidden("Must be admin to use sudo")
	case actor.Kind != reqctx.PersonalToken && actor.Kind != reqctx.OAuthToken:
		return nil, apierr.Forbidden("Must be authenticated using an OAuth or personal access token to use sudo")
	case !actor.HasScope("sudo"):
		return nil, apierr.InsufficientScope("sudo")
	}
	target, err := a.user(ctx, as)
	leaving := false
	if err == nil {
		leaving, err = a.store.Users.BeingDeleted(ctx, target.ID)
	}
	if leaving || store.IsNotFound(err) {
		return nil, apierr.NotFound("User with ID or username '" + as + "'")
	}
	if err != nil {
		return nil, err
	}
	if err := CheckState(target.Caller()); err != nil {
		return nil, apierr.Forbidden("The user given in sudo cannot use the service: the account is blocked, " +
			"deactivated or not approved yet")
	}
	other := *actor
	other.User, other.SudoBy = target.Caller(), &actor.User
	return &other, nil
}

func (a *Authenticator) user(ctx context.Context, idOrName string) (model.User, error) {
	if id, err := strconv.ParseInt(idOrName, 10, 64); err == nil {
		return a.store.Users.Get(ctx, id)
	}
	return a.store.Users.GetByUsername(ctx, idOrName)
}
