package token

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/naming"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// FindResource returns a token of a group or project, or a 404.
func (s *Service) FindResource(ctx context.Context, src access.TokenSource, id int64) (model.ResourceToken, error) {
	row, err := s.store.Bots.Token(ctx, src.Source, id)
	if store.IsNotFound(err) {
		err = apierr.NotFound(fmt.Sprintf("Could not find %s access token with token_id: %d", src.Noun, id))
	}
	return row, err
}

// CreateResource creates a token of a group or project, and the bot user that the token acts as. It returns the secret
// of the token. The token's role cannot be higher than the caller's; without a role, it is Maintainer.
func (s *Service) CreateResource(
	ctx context.Context, src access.TokenSource, r Request, level *model.Access, now time.Time,
) (model.ResourceToken, string, error) {
	actor := reqctx.Of(ctx).Actor
	if actor.User.Kind == model.UserProjectBot {
		return model.ResourceToken{}, "", apierr.Forbidden()
	}
	role := model.Maintainer
	if level != nil {
		role = *level
	}
	if role > src.Role {
		return model.ResourceToken{}, "", apierr.BadRequest(
			"Access level of the token can't be greater than the access level of the user who created the token",
		)
	}
	bot := s.newBot(src, r.Name, actor.User.ID, now)
	row, broken := r.Build(bot.Caller(), s.longest(), now)
	if text := naming.Person(r.Name); len(broken) == 0 && text != "" { // the bot user gets the same name
		broken = []BrokenRule{{Member: "name", Text: text}}
	}
	if len(broken) > 0 {
		return model.ResourceToken{}, "", apierr.BadRequest(Sentence(broken))
	}
	plain := secret.NewToken()
	row.Digest = secret.Digest(plain)
	made := store.NewBot{
		Source: src.Source, User: bot, Token: row,
		Member: model.Member{AccessLevel: role, CreatedByID: &actor.User.ID},
	}
	if err := s.addBot(ctx, src, &made); err != nil {
		return model.ResourceToken{}, "", err
	}
	return model.ResourceToken{Token: made.Token, AccessLevel: &role}, plain, nil
}

// newBot returns a bot user for a token. It has no password, so nobody can sign in as the bot. It can create nothing
// outside the project or group in which it has a role.
func (s *Service) newBot(src access.TokenSource, name string, maker int64, now time.Time) model.User {
	var random [16]byte
	rand.Read(random[:]) // never fails
	now = now.UTC().Truncate(time.Microsecond)
	u := model.DefaultUser()
	u.Kind, u.Name, u.CreatedByID, u.ConfirmedAt = model.UserProjectBot, name, &maker, &now
	u.Username = fmt.Sprintf("%s_%d_bot_%s", src.Noun, src.ID, hex.EncodeToString(random[:]))
	u.Email = u.Username + "@noreply." + s.mailHost
	u.CanCreateGroup, u.ProjectsLimit = false, 0
	return u
}

// addBot stores a bot user with its token and membership.
func (s *Service) addBot(ctx context.Context, src access.TokenSource, bot *store.NewBot) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Bots.Create(ctx, bot)
		return events.AccessToken(
			entityOf(src), bot.Token, src.Noun+"_access_token_created",
			"Created "+src.Noun+" access token with scopes "+bot.Token.Scopes,
		), err
	})
}

// RevokeResource revokes a token of a group or project, unless the token was changed after the given time. If another
// caller revokes it at the same time, token and bot user are gone, and the answer is a 404.
func (s *Service) RevokeResource(
	ctx context.Context, src access.TokenSource, id int64, unchangedSince *time.Time,
) error {
	row, err := s.FindResource(ctx, src, id)
	if err != nil {
		return err
	}
	err = s.Revoke(ctx, row.Token, unchangedSince, entityOf(src))
	if err == nil {
		return nil
	}
	if _, gone := s.FindResource(ctx, src, id); gone != nil {
		return gone
	}
	return err
}

// entityOf returns the group or project in whose audit log changes of the token are recorded.
func entityOf(src access.TokenSource) events.Entity { return events.Source(src.Type, src.ID, src.Path) }
