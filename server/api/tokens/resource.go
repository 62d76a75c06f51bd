package tokens

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// list returns one page of the tokens of a group or project.
func (t *Tokens) list(
	ctx context.Context, src access.TokenSource, p gen.ListProjectAccessTokensParams,
) ([]gen.ResourceAccessToken, pagination.Headers, error) {
	if err := pagination.NoKeyset(p.Pagination); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := t.pages.Offset(ctx, pagination.Kind{Name: "PersonalAccessToken"}, p.Page, p.PerPage)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := t.store.Bots.List(ctx, src.Source, filterOf(p), window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	now := time.Now()
	shown := present.All(rows, func(row model.ResourceToken) gen.ResourceAccessToken { return present.ResourceToken(row, now) })
	return shown, window.Headers(total), nil
}

// findResourceToken returns a token of a group or project, or a 404.
func (t *Tokens) findResourceToken(ctx context.Context, src access.TokenSource, id int64) (model.ResourceToken, error) {
	row, err := t.store.Bots.Token(ctx, src.Source, id)
	if store.IsNotFound(err) {
		err = apierr.NotFound(fmt.Sprintf("Could not find %s access token with token_id: %d", src.Noun, id))
	}
	return row, err
}

// revokeOf revokes a token of a group or project. If another caller revokes it at the same time, token and bot user are
// gone, and the answer is a 404.
func (t *Tokens) revokeOf(ctx context.Context, src access.TokenSource, id int64, unmodifiedSince *string) error {
	row, err := t.findResourceToken(ctx, src, id)
	if err != nil {
		return err
	}
	err = t.revoke(ctx, row.Token, unmodifiedSince, entityOf(src))
	if err == nil {
		return nil
	}
	if _, gone := t.findResourceToken(ctx, src, id); gone != nil {
		return gone
	}
	return err
}

// createResourceToken creates a token of a group or project, and the bot user that the token acts as. The token's role cannot be
// higher than the caller's.
func (t *Tokens) createResourceToken(
	ctx context.Context, src access.TokenSource, n account.NewPersonalToken, level *model.Access,
) (gen.ResourceAccessTokenWithToken, error) {
	var none gen.ResourceAccessTokenWithToken
	actor, now := reqctx.Of(ctx).Actor, time.Now()
	if actor.User.Kind == model.UserProjectBot {
		return none, apierr.Forbidden()
	}
	role := model.Maintainer
	if level != nil {
		role = *level
	}
	if role > src.Role {
		return none, apierr.BadRequest("Access level of the token can't be greater than the access level of the user who created the token")
	}
	bot := t.newBot(src, n.Name, actor.User.ID, now)
	row, broken := n.Build(bot.Caller(), t.lifetime, now)
	if len(broken) == 0 {
		broken = checkBotName(n.Name)
	}
	if len(broken) > 0 {
		return none, apierr.BadRequest(account.Sentence(broken))
	}
	token := secret.NewToken()
	row.Digest = secret.Digest(token)
	made := store.NewBot{Source: src.Source, User: bot, Token: row, Member: model.Member{AccessLevel: role, CreatedByID: &actor.User.ID}}
	err := events.Audited(ctx, t.store, func(ctx context.Context) (events.Change, error) {
		err := t.store.Bots.Create(ctx, &made)
		return events.AccessToken(
			entityOf(src), made.Token, src.Noun+"_access_token_created",
			"Created "+src.Noun+" access token with scopes "+made.Token.Scopes,
		), err
	})
	if err != nil {
		return none, err
	}
	return present.ResourceTokenWithToken(model.ResourceToken{Token: made.Token, AccessLevel: &role}, token, now), nil
}

// newBot returns a bot user for a token. It has no password, so nobody can sign in as the bot. It can create nothing
// outside the project or group in which it has a role.
func (t *Tokens) newBot(src access.TokenSource, name string, maker int64, now time.Time) model.User {
	var random [16]byte
	rand.Read(random[:]) // never fails
	now = now.UTC().Truncate(time.Microsecond)
	u := model.DefaultUser()
	u.Kind, u.Name, u.CreatedByID, u.ConfirmedAt = model.UserProjectBot, name, &maker, &now
	u.Username = fmt.Sprintf("%s_%d_bot_%s", src.Noun, src.ID, hex.EncodeToString(random[:]))
	u.Email = u.Username + "@noreply." + t.mailHost
	u.CanCreateGroup, u.ProjectsLimit = false, 0
	return u
}

// checkBotName checks the name of a token against the rules for user names, because the bot user gets the same name.
func checkBotName(name string) []account.BrokenRule {
	wrong := account.FieldErrors{}
	account.CheckName(wrong, name)
	var broken []account.BrokenRule
	for _, text := range wrong["name"] {
		broken = append(broken, account.BrokenRule{Member: "name", Text: text})
	}
	return broken
}

// rotateOf replaces a token of a group or project. The caller gets the new secret and with it the token's role, so that
// role must not be higher than the caller's. A bot may not replace the token of another bot: otherwise it could stay
// active after its own token is revoked.
func (t *Tokens) rotateOf(
	ctx context.Context, src access.TokenSource, id int64, body *gen.TokenRotation,
) (gen.ResourceAccessTokenWithToken, error) {
	row, err := t.findResourceToken(ctx, src, id)
	if err != nil {
		return gen.ResourceAccessTokenWithToken{}, err
	}
	actor := reqctx.Of(ctx).Actor
	switch {
	case actor.User.Kind == model.UserProjectBot && row.Token.UserID != actor.User.ID:
		return gen.ResourceAccessTokenWithToken{}, apierr.Forbidden()
	case row.AccessLevel != nil && *row.AccessLevel > src.Role:
		return gen.ResourceAccessTokenWithToken{}, apierr.BadRequest("Not eligible to rotate token with access level higher than the user")
	}
	return t.rotateResourceToken(ctx, src, row, body)
}

// rotateSelf replaces the token that the request was made with.
func (t *Tokens) rotateSelf(
	ctx context.Context, src access.TokenSource, body *gen.TokenRotation,
) (gen.ResourceAccessTokenWithToken, error) {
	var none gen.ResourceAccessTokenWithToken
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return none, apierr.Unauthorized()
	}
	if actor.TokenID == 0 || actor.User.Kind != model.UserProjectBot {
		return none, apierr.MethodNotAllowed()
	}
	row, err := t.store.Bots.Token(ctx, src.Source, actor.TokenID)
	if store.IsNotFound(err) || (err == nil && row.Token.UserID != actor.User.ID) {
		return none, apierr.Unauthorized()
	}
	if err != nil {
		return none, err
	}
	return t.rotateResourceToken(ctx, src, row, body)
}

// rotateResourceToken replaces a token and presents the new one, which keeps the role of the old one.
func (t *Tokens) rotateResourceToken(
	ctx context.Context, src access.TokenSource, old model.ResourceToken, body *gen.TokenRotation,
) (gen.ResourceAccessTokenWithToken, error) {
	now := time.Now()
	row, token, err := t.replace(ctx, old.Token, body, now, entityOf(src))
	if err != nil {
		return gen.ResourceAccessTokenWithToken{}, err
	}
	return present.ResourceTokenWithToken(model.ResourceToken{Token: row, AccessLevel: old.AccessLevel}, token, now), nil
}

// entityOf returns the group or project in whose audit log changes of the token are recorded.
func entityOf(src access.TokenSource) events.Entity { return events.Source(src.Type, src.ID, src.Path) }
