package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Invitations holds the email addresses that are invited to groups and projects.
type Invitations struct{ *base }

const invitation = "Invitation"

// Create adds an invitation and returns 0. If the address is a confirmed one of a user, it adds nothing and returns the
// id of that user. It returns a *ConflictError if the address is invited already. Until the transaction ends nobody can
// confirm the address, so a user who confirms it at that moment does not miss the invitation.
func (s Invitations) Create(ctx context.Context, i *model.Invitation) (int64, error) {
	var userID int64
	err := s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "email "+strings.ToLower(i.Email)); err != nil {
			return err
		}
		err := query.ScanFirst(s.db.Write(ctx).Raw("SELECT id FROM users WHERE lower(email) = lower(?) AND confirmed_at IS NOT NULL "+
			"UNION ALL SELECT user_id FROM emails WHERE lower(email) = lower(?) AND confirmed_at IS NOT NULL", i.Email, i.Email), &userID)
		if !errors.Is(err, sql.ErrNoRows) {
			return query.Translate(err)
		}
		// An expired invitation that is not deleted yet must not cause a conflict.
		over := s.of(ctx, i.SourceType, i.SourceID, i.Email).Where("expires_at <= ?", s.today())
		if err := over.Delete(&model.Invitation{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(i).Error)
	})
	return userID, err
}

func (s Invitations) of(ctx context.Context, sourceType string, sourceID int64, address string) *gorm.DB {
	return s.db.Write(ctx).Where("source_type = ? AND source_id = ? AND lower(email) = lower(?)", sourceType, sourceID, address)
}

// List returns one page of the invitations to a group or project, the oldest first. With a query, only addresses that
// contain it are listed.
func (s Invitations) List(
	ctx context.Context, sourceType string, sourceID int64, statement string, p Page,
) ([]model.InvitationRow, Total, error) {
	q := s.db.Read(ctx).
		Where("source_type = ? AND source_id = ? AND (expires_at IS NULL OR expires_at > ?)", sourceType, sourceID, s.today()).Order("id")
	if statement != "" {
		q = q.Where(`lower(email) LIKE lower(?) ESCAPE '\'`, "%"+likeEscaper.Replace(statement)+"%")
	}
	rows, total, err := query.List[model.Invitation](q, p)
	if err != nil {
		return nil, Total{}, err
	}
	out, err := s.withMakers(ctx, rows)
	return out, total, err
}

func (s Invitations) withMakers(ctx context.Context, rows []model.Invitation) ([]model.InvitationRow, error) {
	var ids []int64
	for _, i := range rows {
		if i.CreatedByID != nil {
			ids = append(ids, *i.CreatedByID)
		}
	}
	users, err := Users(s).byID(ctx, ids, shownUserColumns, shownUserFields)
	if err != nil {
		return nil, err
	}
	out := make([]model.InvitationRow, len(rows))
	for n, i := range rows {
		out[n].Invitation = i
		if i.CreatedByID != nil {
			if maker, ok := users[*i.CreatedByID]; ok {
				out[n].Maker = &maker
			}
		}
	}
	return out, nil
}

// Update changes the role or expiry of an invitation. It returns a *HigherRoleError if the invitation is to a role
// higher than the limit most.
func (s Invitations) Update(
	ctx context.Context, sourceType string, sourceID int64, address string, most model.Access, set map[string]any,
) (model.InvitationRow, error) {
	var out model.InvitationRow
	err := s.Tx(ctx, func(ctx context.Context) error {
		open := s.of(ctx, sourceType, sourceID, address).Where("(expires_at IS NULL OR expires_at > ?)", s.today()).Session(&gorm.Session{})
		res := open.Model(&model.Invitation{}).Where("access_level <= ?", most).Updates(set)
		if res.Error != nil {
			return query.Translate(res.Error)
		}
		row, err := query.Take[model.Invitation](open, invitation)
		switch {
		case err != nil:
			return err
		case res.RowsAffected == 0:
			return &HigherRoleError{}
		}
		rows, err := s.withMakers(ctx, []model.Invitation{row})
		if err == nil {
			out = rows[0]
		}
		return err
	})
	return out, err
}

// Delete removes an invitation, unless it was changed after the given time. It returns a *HigherRoleError if the
// invitation is to a role higher than the limit most.
func (s Invitations) Delete(
	ctx context.Context, sourceType string, sourceID int64, address string, most model.Access, unchangedSince *time.Time,
) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		open := s.of(ctx, sourceType, sourceID, address).Where("(expires_at IS NULL OR expires_at > ?)", s.today()).Session(&gorm.Session{})
		res := query.Unchanged(open.Where("access_level <= ?", most), unchangedSince).Delete(&model.Invitation{})
		if res.Error != nil || res.RowsAffected > 0 {
			return query.Translate(res.Error)
		}
		row, err := query.Take[model.Invitation](open, invitation)
		switch {
		case err != nil:
			return err
		case row.AccessLevel > most:
			return &HigherRoleError{}
		}
		return &ChangedError{Resource: invitation}
	})
}

// DeleteExpired removes the expired invitations and returns how many it removed.
func (s Invitations) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.db.Write(ctx).Where("expires_at <= ?", before.UTC().Truncate(24*time.Hour)).Delete(&model.Invitation{})
	return res.RowsAffected, query.Translate(res.Error)
}

// acceptInvitations makes a user a member of the groups and projects that one of their addresses is invited to. Every
// transaction that stores or confirms an address calls it once the address is confirmed. Existing memberships stay as
// they are.
func (b *base) acceptInvitations(ctx context.Context, userID int64, address string) error {
	if err := b.db.Lock(ctx, "email "+strings.ToLower(address)); err != nil {
		return err
	}
	var invited bool
	err := query.ScanFirst(
		b.db.Write(ctx).Raw("SELECT EXISTS (SELECT 1 FROM invitations WHERE lower(email) = lower(?))", address),
		&invited,
	)
	if err != nil || !invited {
		return query.Translate(err)
	}
	day, at := b.today(), b.now()
	for _, q := range []*gorm.DB{
		// An expired membership that is not deleted yet must not get in the way.
		b.db.Write(ctx).Exec("DELETE FROM members WHERE user_id = ? AND expires_at <= ?", userID, day),
		b.db.Write(ctx).
			Exec("INSERT INTO members (source_type, source_id, user_id, access_level, expires_at, created_by_id, created_at, updated_at) "+
				"SELECT source_type, source_id, ?, access_level, expires_at, created_by_id, ?, ? FROM invitations "+
				"WHERE lower(email) = lower(?) AND (expires_at IS NULL OR expires_at > ?) ON CONFLICT DO NOTHING",
				userID, at, at, address, day),
		b.db.Write(ctx).Exec("DELETE FROM access_requests WHERE user_id = ? AND EXISTS (SELECT 1 FROM members m "+
			"WHERE m.user_id = access_requests.user_id AND m.source_type = access_requests.source_type AND "+
			"m.source_id = access_requests.source_id)", userID),
		b.db.Write(ctx).Exec("DELETE FROM invitations WHERE lower(email) = lower(?)", address),
	} {
		if q.Error != nil {
			return query.Translate(q.Error)
		}
	}
	return nil
}
