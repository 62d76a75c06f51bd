package server

import (
	"context"
	"errors"
	"net/http"

	"svc/gen"
	"svc/oauth"
	"svc/server/domain/account"
	"svc/server/domain/key"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/config"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/server/transport/middleware/limit"
	"svc/server/transport/sitehttp"
	"svc/server/transport/web"
	"svc/store"
	"svc/store/model"
)

// newProvider returns the OAuth provider. It checks usernames and passwords by the same rules as git over HTTP.
func newProvider(
	cfg config.Config, st *store.Store, auth *access.Authenticator, limiter *limit.Limiter, show present.Presenter,
) (*oauth.Provider, error) {
	return oauth.New(st, oauth.Options{
		BaseURL: cfg.URL, SecretKey: cfg.SecretKey, Scopes: access.OAuthScopes(),
		Restricted: access.AdministratorScopes, Picture: show.UserAvatar, AccessLifetime: cfg.TokenTTL,
		Password: func(ctx context.Context, login, password string) (model.Caller, error) {
			actor, err := auth.Password(ctx, login, password)
			if err != nil {
				return model.Caller{}, err
			}
			in := events.User(actor.User.ID, actor.User.Username)
			return actor.User, events.Audit(ctx, st, events.Change{
				Type: "user_signed_in", Entity: in, Target: in.AsTarget(),
				Message: "Signed in with a password to get a token for an application",
				Author:  &events.Author{ID: in.ID, Name: actor.User.Name},
			})
		},
		Revoked: func(ctx context.Context, owner model.Caller, id int64) error {
			return events.Audit(ctx, st, events.Change{
				Type: "oauth_token_revoked", Entity: events.User(owner.ID, owner.Username),
				Target:  events.Target{Type: "OAuthToken", ID: id, Details: owner.Username},
				Message: "Revoked a token of an application", Remove: "oauth_token",
				Author: &events.Author{ID: owner.ID, Name: owner.Name},
			})
		},
		CountAttempt: func(ctx context.Context) (int, error) {
			res, err := limiter.Take(ctx, limit.PasswordGrant, reqctx.Of(ctx).IP.String())
			if err != nil || !res.Over() {
				return 0, err
			}
			return res.Wait(), nil
		},
		IsRefusal: func(err error) bool {
			var e *apierr.Error
			return errors.As(err, &e) && e.Status < http.StatusInternalServerError
		},
	})
}

// passwordLimit limits how many passwords an IP address can try over git.
func passwordLimit(limiter *limit.Limiter) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		res, err := limiter.Take(ctx, limit.PasswordGit, reqctx.Of(ctx).IP.String())
		if err == nil && res.Over() {
			err = apierr.TooManyUntil(res.Wait())
		}
		return err
	}
}

// newWeb returns the web pages of the service.
func newWeb(d dependencies) (*web.Web, error) {
	s := d.services
	return web.New(web.Dependencies{
		Store: s.store, Auth: d.auth, Judge: d.access, Limiter: d.limiter,
		OAuth: s.provider, Letters: s.accountMails, Keys: key.New(s.store, s.hookAnnouncer), Links: s.unsubscribeLinks,
		URL: s.cfg.URL, Key: s.cfg.SecretKey,
		Document: gen.SpecJSON, Lifetime: access.Lifetime(s.cfg.MaxTokenLifetime),
		Sites: siteFinder(s.siteFinder), Ask: enqueue[account.MailLink](s), Packages: newPagePackages(d),
	})
}

// siteFinder returns the function with which the web pages find a Pages site, or nil if sites are off.
func siteFinder(finder *sitehttp.Finder) func(ctx context.Context, host, address string) (web.Site, error) {
	if finder == nil {
		return nil
	}
	return func(ctx context.Context, host, address string) (web.Site, error) {
		found, err := finder.Resolve(ctx, host, address)
		return web.Site(found), err
	}
}
