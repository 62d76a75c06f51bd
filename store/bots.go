package store

import (
	"context"
	"errors"
	"fmt"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Bots holds the users that access tokens of groups and projects act as. A bot has one active token, the last one of
// its rotation family, and is removed when that token ends.
type Bots struct{ *base }

// Source is a group or project.
type Source struct {
	Type string // model.SourceGroup or model.SourceProject
	ID   int64
}

// NewBot is a bot user with its role and its token. Create fills in the ids that connect the rows.
type NewBot struct {
	Source Source
	User   model.User
	Member model.Member
	Token  model.PersonalAccessToken
}

// Create adds a bot user, its role and its token. The user gets no namespace. The role expires together with the token.
func (s Bots) Create(ctx context.Context, n *NewBot) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lockSource(ctx, n.Source); err != nil {
			return err
		}
		if err := s.claimEmail(ctx, n.User.Email, 0, 0); err != nil {
			return err
		}
		if err := query.Translate(s.db.Write(ctx).Create(&n.User).Error); err != nil {
			return err
		}
		bot := model.Bot{UserID: n.User.ID, SourceType: n.Source.Type, SourceID: n.Source.ID}
		if err := query.Translate(s.db.Write(ctx).Create(&bot).Error); err != nil {
			return err
		}
		n.Token.UserID = n.User.ID
		if err := Tokens(s).Create(ctx, &n.Token); err != nil {
			return err
		}
		n.Member.SourceType, n.Member.SourceID, n.Member.UserID, n.Member.ExpiresAt = n.Source.Type, n.Source.ID, n.User.ID,
			n.Token.ExpiresAt
		return Members(s).Add(ctx, &n.Member)
	})
}

// sourcesInUse names the lock that is held while tokens of groups and projects are created and while groups and
// projects are deleted.
const sourcesInUse = "tokens of groups and projects"

// lockSource makes sure that a group or project exists until the transaction ends. A token that is created while its
// group or project is deleted would be left over.
func (b *base) lockSource(ctx context.Context, src Source) error {
	if err := b.db.LockShared(ctx, sourcesInUse); err != nil {
		return err
	}
	var err error
	if src.Type == model.SourceProject {
		_, err = query.Take[model.Project](b.db.Write(ctx).Where("id = ?", src.ID), project)
	} else {
		_, err = query.Take[model.Namespace](b.db.Write(ctx).Where("id = ? AND kind = ?", src.ID, model.NamespaceGroup), group)
	}
	return err
}

// lockBotRemoval is called first in a transaction that may remove a bot. It takes the lock of the namespaces, as
// transactions do that delete groups, projects and users: so they wait for each other at the start, and not in the
// middle, where each may hold rows that the other one needs. If the user is not a bot, nothing is locked.
func (b *base) lockBotRemoval(ctx context.Context, userID int64) error {
	if _, err := (Bots{b}).Of(ctx, userID); IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	return b.db.Lock(ctx, "namespaces")
}

// deleteTokensOf deletes all tokens, bots and service accounts of groups or projects that are about to be deleted. The condition is on
// source_id.
func (b *base) deleteTokensOf(ctx context.Context, sourceType, where string, args ...any) error {
	if err := b.db.Lock(ctx, sourcesInUse); err != nil {
		return err
	}
	args = append([]any{sourceType}, args...)
	if err := b.db.Write(ctx).Where("source_type = ? AND source_id "+where, args...).Delete(&model.DeployToken{}).Error; err != nil {
		return query.Translate(err)
	}
	if err := (Bots{b}).removeAll(ctx, b.db.Write(ctx).Where("source_type = ? AND source_id "+where, args...)); err != nil {
		return err
	}
	return ServiceAccounts{b}.removeAll(ctx, "source_type = ? AND source_id "+where, args...)
}

// Of returns the group or project that a bot user belongs to.
func (s Bots) Of(ctx context.Context, userID int64) (Source, error) {
	bot, err := query.Take[model.Bot](s.db.Read(ctx).Where("user_id = ?", userID), "Bot")
	return Source{Type: bot.SourceType, ID: bot.SourceID}, err
}

// shownColumnsOfBots are the columns of the access tokens in a list.
const shownColumnsOfBots = "id, user_id, name, description, scopes, revoked, expires_at, last_used_at, created_at, access_level"

// List returns one page of the access tokens of a group or project, with what a list shows of them.
func (s Bots) List(ctx context.Context, src Source, f TokenFilter, p Page) ([]model.ResourceToken, Total, error) {
	return query.ListShort[model.ResourceToken](f.limit(s.tokens(ctx, src, shownColumnsOfBots), s.now()).Order(f.order()), p)
}

// Token returns an access token of a group or project.
func (s Bots) Token(ctx context.Context, src Source, id int64) (model.ResourceToken, error) {
	return query.Take[model.ResourceToken](s.tokens(ctx, src, "personal_access_tokens.*, access_level").Where("id = ?", id), "Token")
}

// tokens reads the tokens of a group or project, each with the role of its bot, in one query.
func (s Bots) tokens(ctx context.Context, src Source, columns string) *gorm.DB {
	return s.db.Read(ctx).Table("personal_access_tokens").Select(columns).
		Joins("LEFT JOIN (SELECT user_id AS bot_id, access_level FROM members WHERE source_type = ? AND source_id = ?) AS roles "+
			"ON roles.bot_id = personal_access_tokens.user_id", src.Type, src.ID).
		Where("user_id IN (SELECT b.user_id FROM bots b WHERE b.source_type = ? AND b.source_id = ?)", src.Type, src.ID)
}

// idleBots is a condition for bots without an active token. Arguments: false, today.
const idleBots = "NOT EXISTS (SELECT 1 FROM personal_access_tokens t WHERE t.user_id = bots.user_id AND t.revoked = ? " +
	"AND (t.expires_at IS NULL OR t.expires_at > ?))"

// DeleteIdle removes the bots whose tokens are all revoked or expired, each in its own transaction.
func (s Bots) DeleteIdle(ctx context.Context) error {
	return s.removeAll(ctx, s.db.Read(ctx).Where(idleBots, false, s.today()))
}

// removeAll removes the bots of a query and everything they own, in the same way as other users are removed. If one bot
// cannot be removed, the others still are, unless they share a transaction.
func (s Bots) removeAll(ctx context.Context, q *gorm.DB) error {
	gone, err := query.Find[model.Bot](q.Order("user_id"), 0)
	if err != nil {
		return query.Translate(err)
	}
	var errs []error
	for _, bot := range gone {
		if err := Users(s).Remove(ctx, bot.UserID); err != nil {
			errs = append(errs, fmt.Errorf("remove bot user %d: %w", bot.UserID, err))
		}
	}
	return errors.Join(errs...)
}

// removeIfIdle removes a bot if it has no active token left. Other users stay.
func (s Bots) removeIfIdle(ctx context.Context, userID int64) error {
	return s.removeAll(ctx, s.db.Write(ctx).Where("user_id = ?", userID).Where(idleBots, false, s.today()))
}

// extendRole sets the expiry of a bot's role to that of its new token.
func (s Bots) extendRole(ctx context.Context, t model.PersonalAccessToken) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Member{}).
		Where("user_id = ? AND EXISTS (SELECT 1 FROM bots b WHERE b.user_id = members.user_id "+
			"AND b.source_type = members.source_type AND b.source_id = members.source_id)", t.UserID).
		Updates(map[string]any{"expires_at": t.ExpiresAt}).Error)
}
