package store

import (
	"context"
	"errors"
	"fmt"

	"svc/store/model"

	"gorm.io/gorm"
)

// Bots are the users that access tokens of groups and projects act as. A bot has one token that is good, the last of its
// family, and goes with it.
type Bots struct{ *base }

// Source is a group or project.
type Source struct {
	Type string // model.SourceGroup or model.SourceProject
	ID   int64
}

// NewBot is a bot user with its role and its token; which rows they belong to is worked out by Create.
type NewBot struct {
	Source Source
	User   model.User
	Member model.Member
	Token  model.PersonalAccessToken
}

// Create adds a bot user, without a namespace of its own, its role and its token. The role ends with the token.
func (s Bots) Create(ctx context.Context, n *NewBot) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.holdSource(ctx, n.Source); err != nil {
			return err
		}
		if err := s.claimEmail(ctx, n.User.Email, 0, 0); err != nil {
			return err
		}
		if err := translate(s.write(ctx).Create(&n.User).Error); err != nil {
			return err
		}
		bot := model.Bot{UserID: n.User.ID, SourceType: n.Source.Type, SourceID: n.Source.ID}
		if err := translate(s.write(ctx).Create(&bot).Error); err != nil {
			return err
		}
		n.Token.UserID = n.User.ID
		if err := Tokens(s).Create(ctx, &n.Token); err != nil {
			return err
		}
		n.Member.SourceType, n.Member.SourceID, n.Member.UserID, n.Member.ExpiresAt = n.Source.Type, n.Source.ID, n.User.ID, n.Token.ExpiresAt
		return Members(s).Add(ctx, &n.Member)
	})
}

// sourcesInUse is the lock under which tokens are made for groups and projects, and these are deleted.
const sourcesInUse = "tokens of groups and projects"

// holdSource makes sure that a group or project is there until the transaction ends: a token that is made while it is
// deleted would be left over.
func (b *base) holdSource(ctx context.Context, src Source) error {
	if err := b.lockShared(ctx, sourcesInUse); err != nil {
		return err
	}
	var err error
	if src.Type == model.SourceProject {
		_, err = take[model.Project](b.write(ctx).Where("id = ?", src.ID), project)
	} else {
		_, err = take[model.Namespace](b.write(ctx).Where("id = ? AND kind = ?", src.ID, model.NamespaceGroup), group)
	}
	return err
}

// lockRemoval is for a transaction that may remove a bot: like whoever deletes groups, projects and users it begins with the lock
// of the namespaces, so that they wait for each other there and not in the middle, each with rows that the other one needs. Other
// users stay, and nothing is locked.
func (b *base) lockRemoval(ctx context.Context, userID int64) error {
	if _, err := (Bots{b}).Of(ctx, userID); IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	return b.lock(ctx, "namespaces")
}

// deleteTokensOf ends all tokens of groups or projects that are about to be deleted, with the bots. The condition is on
// source_id.
func (b *base) deleteTokensOf(ctx context.Context, sourceType, where string, args ...any) error {
	if err := b.lock(ctx, sourcesInUse); err != nil {
		return err
	}
	args = append([]any{sourceType}, args...)
	if err := b.write(ctx).Where("source_type = ? AND source_id "+where, args...).Delete(&model.DeployToken{}).Error; err != nil {
		return translate(err)
	}
	return Bots{b}.removeAll(ctx, b.write(ctx).Where("source_type = ? AND source_id "+where, args...))
}

// Of returns the group or project that a user is a bot of.
func (s Bots) Of(ctx context.Context, userID int64) (Source, error) {
	bot, err := take[model.Bot](s.read(ctx).Where("user_id = ?", userID), "Bot")
	return Source{Type: bot.SourceType, ID: bot.SourceID}, err
}

// List returns one page of the tokens of a group or project.
func (s Bots) List(ctx context.Context, src Source, f TokenFilter, p Page) ([]model.ResourceToken, Total, error) {
	return list[model.ResourceToken](f.limit(s.tokens(ctx, src), now()).Order(f.order()), p)
}

// Token returns a token of a group or project.
func (s Bots) Token(ctx context.Context, src Source, id int64) (model.ResourceToken, error) {
	return take[model.ResourceToken](s.tokens(ctx, src).Where("id = ?", id), "Token")
}

// tokens reads the tokens of a group or project, each with the role of its bot, in one query.
func (s Bots) tokens(ctx context.Context, src Source) *gorm.DB {
	return s.read(ctx).Table("personal_access_tokens").
		Select("personal_access_tokens.*, (SELECT m.access_level FROM members m WHERE m.source_type = ? AND m.source_id = ? "+
			"AND m.user_id = personal_access_tokens.user_id) AS access_level", src.Type, src.ID).
		Where("user_id IN (SELECT b.user_id FROM bots b WHERE b.source_type = ? AND b.source_id = ?)", src.Type, src.ID)
}

// idle holds for the bots without a token that is good. The places: false, today.
const idle = "NOT EXISTS (SELECT 1 FROM personal_access_tokens t WHERE t.user_id = bots.user_id AND t.revoked = ? " +
	"AND (t.expires_at IS NULL OR t.expires_at > ?))"

// DeleteIdle removes the bots whose tokens are all revoked or expired, each in a transaction of its own.
func (s Bots) DeleteIdle(ctx context.Context) error {
	return s.removeAll(ctx, s.read(ctx).Where(idle, false, today()))
}

// removeAll removes the bots of a query with all that is theirs, by the one way in which users are removed. One that
// cannot be removed does not keep the others, unless they share a transaction.
func (s Bots) removeAll(ctx context.Context, q *gorm.DB) error {
	gone, err := find[model.Bot](q.Order("user_id"), 0)
	if err != nil {
		return translate(err)
	}
	var errs []error
	for _, bot := range gone {
		if err := Users(s).Remove(ctx, bot.UserID); err != nil {
			errs = append(errs, fmt.Errorf("remove bot user %d: %w", bot.UserID, err))
		}
	}
	return errors.Join(errs...)
}

// leaveIdle removes a bot after its token has ended; other users stay.
func (s Bots) leaveIdle(ctx context.Context, userID int64) error {
	return s.removeAll(ctx, s.write(ctx).Where("user_id = ?", userID).Where(idle, false, today()))
}

// prolong lets a bot's role end with its new token.
func (s Bots) prolong(ctx context.Context, t model.PersonalAccessToken) error {
	return translate(s.write(ctx).Model(&model.Member{}).
		Where("user_id = ? AND EXISTS (SELECT 1 FROM bots b WHERE b.user_id = members.user_id "+
			"AND b.source_type = members.source_type AND b.source_id = members.source_id)", t.UserID).
		Updates(map[string]any{"expires_at": t.ExpiresAt}).Error)
}
