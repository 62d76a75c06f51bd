package store

import (
	"context"
	"slices"
	"time"

	"svc/store/model"

	"gorm.io/gorm"
)

// Members are users' roles in groups and projects.
type Members struct{ *base }

const (
	member     = "Member"
	ownersLock = "owners of a group"
)

// LastOwnerError is a change that would leave a group without an owner.
type LastOwnerError struct{}

func (*LastOwnerError) Error() string { return "a group needs an owner" }

// HigherRoleError is a change of a role that is higher than the one who changes it may touch.
type HigherRoleError struct{}

func (*HigherRoleError) Error() string { return "the role is too high to be changed" }

// Add makes a user a member, which settles what they asked for; a *ConflictError when they are one.
func (s Members) Add(ctx context.Context, m *model.Member) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		same := s.write(ctx).Where("source_type = ? AND source_id = ? AND user_id = ?", m.SourceType, m.SourceID, m.UserID).Session(&gorm.Session{})
		// A membership that is over but not yet cleared away is not there any more.
		if err := same.Where("expires_at <= ?", today()).Delete(&model.Member{}).Error; err != nil {
			return translate(err)
		}
		if err := s.write(ctx).Create(m).Error; err != nil {
			return translate(err)
		}
		return translate(same.Delete(&model.AccessRequest{}).Error)
	})
}

// MemberFilter narrows a list of members.
type MemberFilter struct {
	SourceType string
	SourceID   int64
	Inherited  bool // also those of the groups above and of invited groups, each with the highest role
	Query      string
	UserIDs    []int64
}

// List returns one page of members, in the order of their users' ids, with users and makers in two more queries.
func (s Members) List(ctx context.Context, f MemberFilter, p Page) ([]model.MemberRow, Total, error) {
	q := s.read(ctx).Table("members").Order("user_id")
	if f.Inherited {
		q = s.effective(q, f)
	} else {
		q = q.Where("source_type = ? AND source_id = ?", f.SourceType, f.SourceID)
	}
	q = q.Where("(expires_at IS NULL OR expires_at > ?)", today())
	if len(f.UserIDs) > 0 {
		q = q.Where("user_id IN ?", f.UserIDs)
	}
	if f.Query != "" {
		like := "%" + likeEscaper.Replace(f.Query) + "%"
		q = q.Where(`user_id IN (SELECT id FROM users WHERE lower(name) LIKE lower(?) ESCAPE '\' OR lower(username) LIKE lower(?) ESCAPE '\')`, like, like)
	}
	rows, total, err := list[model.Member](q, p)
	if err != nil {
		return nil, Total{}, err
	}
	out, err := s.withUsers(ctx, rows)
	return out, total, err
}

// Get returns a member by user.
func (s Members) Get(ctx context.Context, f MemberFilter, userID int64) (model.MemberRow, error) {
	f.UserIDs = []int64{userID}
	rows, _, err := s.List(ctx, f, Page{Limit: 1})
	if err == nil && len(rows) == 0 {
		err = &NotFoundError{Resource: member}
	}
	if err != nil {
		return model.MemberRow{}, err
	}
	return rows[0], nil
}

func (s Members) withUsers(ctx context.Context, rows []model.Member) ([]model.MemberRow, error) {
	var ids []int64
	for _, m := range rows {
		ids = append(ids, m.UserID)
		if m.CreatedByID != nil {
			ids = append(ids, *m.CreatedByID)
		}
	}
	users, err := Users(s).ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]model.MemberRow, len(rows))
	for i, m := range rows {
		out[i] = model.MemberRow{Member: m, User: users[m.UserID]}
		if m.CreatedByID != nil {
			if maker, ok := users[*m.CreatedByID]; ok {
				out[i].Maker = &maker
			}
		}
	}
	return out, nil
}

// Update changes a member's role or expiry, unless it is higher than most: then it is a *HigherRoleError. The last owner
// of a group stays one.
func (s Members) Update(ctx context.Context, sourceType string, sourceID, userID int64, most model.Access, set map[string]any) error {
	return s.keepOwner(ctx, sourceType, sourceID, func(ctx context.Context) error {
		open := s.of(ctx, sourceType, sourceID, userID)
		res := open.Model(&model.Member{}).Where("access_level <= ?", most).Updates(set)
		if res.Error != nil || res.RowsAffected > 0 {
			return translate(res.Error)
		}
		if _, err := take[model.Member](open, member); err != nil {
			return err
		}
		return &HigherRoleError{}
	})
}

// Remove ends a membership, unless its role is higher than most, which is a *HigherRoleError, or it was changed after the
// given time; the last owner of a group stays.
func (s Members) Remove(ctx context.Context, sourceType string, sourceID, userID int64, most model.Access, unchangedSince *time.Time) error {
	return s.keepOwner(ctx, sourceType, sourceID, func(ctx context.Context) error {
		open := s.of(ctx, sourceType, sourceID, userID)
		res := unchanged(open.Where("access_level <= ?", most), unchangedSince).Delete(&model.Member{})
		if res.Error != nil || res.RowsAffected > 0 {
			return translate(res.Error)
		}
		m, err := take[model.Member](open, member)
		switch {
		case err != nil:
			return err
		case m.AccessLevel > most:
			return &HigherRoleError{}
		}
		return &ChangedError{Resource: member}
	})
}

// of is the membership of a user in a group or project, unless it is over.
func (s Members) of(ctx context.Context, sourceType string, sourceID, userID int64) *gorm.DB {
	return s.write(ctx).Where("source_type = ? AND source_id = ? AND user_id = ? AND (expires_at IS NULL OR expires_at > ?)",
		sourceType, sourceID, userID, today()).Session(&gorm.Session{})
}

// RemoveBelow ends the memberships of a user in the groups below a group and in its projects. Where the group itself has no
// owner, those who own a group below stay.
func (s Members) RemoveBelow(ctx context.Context, groupID, userID int64) (left []int64, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		owners, err := s.owners(ctx, groupID)
		if err != nil {
			return err
		}
		below := "SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?"
		groups := s.write(ctx).Where("user_id = ? AND source_type = ? AND source_id IN ("+below+" AND depth > 0)", userID, model.SourceGroup, groupID)
		if owners == 0 {
			groups = groups.Where("access_level < ?", model.Owner)
		}
		if err := groups.Delete(&model.Member{}).Error; err != nil {
			return translate(err)
		}
		projects := s.write(ctx).Where("user_id = ? AND source_type = ? AND source_id IN (SELECT id FROM projects WHERE namespace_id IN ("+below+"))",
			userID, model.SourceProject, groupID).Session(&gorm.Session{})
		if err := projects.Model(&model.Member{}).Order("source_id").Pluck("source_id", &left).Error; err != nil {
			return translate(err)
		}
		return translate(projects.Delete(&model.Member{}).Error)
	})
	return left, err
}

// keepOwner makes a change and takes it back when it leaves a top-level group without an owner. Changes of one
// group wait for each other, so that two owners cannot remove each other.
func (s Members) keepOwner(ctx context.Context, sourceType string, sourceID int64, change func(ctx context.Context) error) error {
	if sourceType != model.SourceGroup {
		return s.Tx(ctx, change)
	}
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lock(ctx, ownersLock); err != nil {
			return err
		}
		before, err := s.owners(ctx, sourceID)
		if err != nil {
			return err
		}
		if err := change(ctx); err != nil {
			return err
		}
		after, err := s.owners(ctx, sourceID)
		if err == nil && before > 0 && after == 0 {
			err = &LastOwnerError{}
		}
		return err
	})
}

// owners counts who owns a group, in itself or from above; bots, which go with their tokens, are no owners to rely on.
func (s Members) owners(ctx context.Context, groupID int64) (int64, error) {
	var n int64
	err := one(s.read(ctx).Raw("SELECT count(*) FROM members m JOIN namespace_ancestors a ON a.ancestor_id = m.source_id "+
		"JOIN users u ON u.id = m.user_id WHERE a.descendant_id = ? AND m.source_type = ? AND m.access_level >= ? AND m.expires_at IS NULL AND u.state = ? AND u.kind <> ?",
		groupID, model.SourceGroup, model.Owner, model.UserActive, model.UserProjectBot), &n)
	return n, translate(err)
}

// DeleteExpired ends the memberships whose day has come and tells how many. A group's last owner never expires: an
// owner with an expiry does not count as one.
func (s Members) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	rows, err := s.TakeExpired(ctx, before, -1)
	return int64(len(rows)), err
}

// TakeExpired deletes memberships that are over, up to a number, and returns them. What another process deletes at the same
// time is not among them.
func (s Members) TakeExpired(ctx context.Context, before time.Time, most int) ([]model.Member, error) {
	var rows []model.Member
	err := s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lock(ctx, "expired members"); err != nil {
			return err
		}
		var err error
		expired := s.write(ctx).Where("expires_at <= ?", before.UTC().Truncate(24*time.Hour)).Order("id").Limit(most)
		if rows, err = find[model.Member](expired, 0); err != nil {
			return translate(err)
		}
		ids := make([]int64, len(rows))
		for i := range rows {
			ids[i] = rows[i].ID
		}
		for part := range slices.Chunk(ids, someRows) {
			if err := s.write(ctx).Where("id IN ?", part).Delete(&model.Member{}).Error; err != nil {
				return translate(err)
			}
		}
		return nil
	})
	return rows, err
}
