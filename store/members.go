package store

import (
	"context"
	"slices"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Members holds the roles of users in groups and projects.
type Members struct{ *base }

const (
	member     = "Member"
	ownersLock = "owners of a group"
)

// LastOwnerError says that a change would leave a group without an owner.
type LastOwnerError struct{}

func (*LastOwnerError) Error() string { return "a group needs an owner" }

// HigherRoleError says that a role is higher than the caller may change.
type HigherRoleError struct{}

func (*HigherRoleError) Error() string { return "the role is too high to change" }

// Add makes a user a member and removes their access request. It returns a *ConflictError if the user is a member
// already.
func (s Members) Add(ctx context.Context, m *model.Member) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		same := s.db.Write(ctx).Where("source_type = ? AND source_id = ? AND user_id = ?", m.SourceType, m.SourceID, m.UserID).
			Session(&gorm.Session{})
		// An expired membership that is not deleted yet must not cause a conflict.
		if err := same.Where("expires_at <= ?", s.today()).Delete(&model.Member{}).Error; err != nil {
			return query.Translate(err)
		}
		if err := s.db.Write(ctx).Create(m).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(same.Delete(&model.AccessRequest{}).Error)
	})
}

// Get returns a member by user id.
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

// withUsers adds the users and custom roles of members.
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
	var roleIDs []int64
	for _, m := range rows {
		if m.MemberRoleID != nil {
			roleIDs = append(roleIDs, *m.MemberRoleID)
		}
	}
	roles, err := MemberRoles(s).ByID(ctx, roleIDs)
	if err != nil {
		return nil, err
	}
	out := make([]model.MemberRow, len(rows))
	for i, m := range rows {
		out[i] = model.MemberRow{Member: m, User: users[m.UserID]}
		if m.MemberRoleID != nil {
			if role, ok := roles[*m.MemberRoleID]; ok {
				out[i].Role = &role
			}
		}
		if m.CreatedByID != nil {
			if maker, ok := users[*m.CreatedByID]; ok {
				out[i].Maker = &maker
			}
		}
	}
	return out, nil
}

// Update changes the role or expiry of a member. It returns a *HigherRoleError if the current role is higher than the
// limit most, and a *LastOwnerError if a group would have no owner.
func (s Members) Update(ctx context.Context, sourceType string, sourceID, userID int64, most model.Access, set map[string]any) error {
	return s.keepOwner(ctx, sourceType, sourceID, func(ctx context.Context) error {
		open := s.of(ctx, sourceType, sourceID, userID)
		res := open.Model(&model.Member{}).Where("access_level <= ?", most).Updates(set)
		if res.Error != nil || res.RowsAffected > 0 {
			return query.Translate(res.Error)
		}
		if _, err := query.Take[model.Member](open, member); err != nil {
			return err
		}
		return &HigherRoleError{}
	})
}

// Remove removes a member, unless the membership was changed after the given time. It returns a *HigherRoleError if the
// role is higher than the limit most, and a *LastOwnerError if a group would have no owner.
func (s Members) Remove(
	ctx context.Context, sourceType string, sourceID, userID int64, most model.Access, unchangedSince *time.Time,
) error {
	return s.keepOwner(ctx, sourceType, sourceID, func(ctx context.Context) error {
		open := s.of(ctx, sourceType, sourceID, userID)
		res := query.Unchanged(open.Where("access_level <= ?", most), unchangedSince).Delete(&model.Member{})
		if res.Error != nil || res.RowsAffected > 0 {
			return query.Translate(res.Error)
		}
		m, err := query.Take[model.Member](open, member)
		switch {
		case err != nil:
			return err
		case m.AccessLevel > most:
			return &HigherRoleError{}
		}
		return &ChangedError{Resource: member}
	})
}

// of selects the membership of a user in a group or project, unless it has expired.
func (s Members) of(ctx context.Context, sourceType string, sourceID, userID int64) *gorm.DB {
	return s.db.Write(ctx).Where("source_type = ? AND source_id = ? AND user_id = ? AND (expires_at IS NULL OR expires_at > ?)",
		sourceType, sourceID, userID, s.today()).Session(&gorm.Session{})
}

// RemoveFromDescendants removes a user from the groups below a group and from all its projects, and returns the
// memberships. If the group itself has no owner, the user stays the owner of groups below it.
func (s Members) RemoveFromDescendants(ctx context.Context, groupID, userID int64) (ended []model.Member, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		owners, err := s.owners(ctx, groupID)
		if err != nil {
			return err
		}
		below := "SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?"
		groups := s.db.Write(ctx).
			Where("user_id = ? AND source_type = ? AND source_id IN ("+below+" AND depth > 0)", userID, model.SourceGroup, groupID)
		if owners == 0 {
			groups = groups.Where("access_level < ?", model.Owner)
		}
		projects := s.db.Write(ctx).
			Where("user_id = ? AND source_type = ? AND source_id IN (SELECT id FROM projects WHERE namespace_id IN ("+below+"))",
				userID, model.SourceProject, groupID)
		for _, q := range []*gorm.DB{groups, projects} {
			q = q.Session(&gorm.Session{})
			rows, err := query.Find[model.Member](q.Order("source_id"), 0)
			if err != nil {
				return query.Translate(err)
			}
			ended = append(ended, rows...)
			if err := q.Delete(&model.Member{}).Error; err != nil {
				return query.Translate(err)
			}
		}
		return nil
	})
	return ended, err
}

// keepOwner makes a change and rolls it back with a *LastOwnerError if a group that had an owner has none afterwards.
// Such changes wait for each other, so that two owners cannot remove each other.
func (s Members) keepOwner(ctx context.Context, sourceType string, sourceID int64, change func(ctx context.Context) error) error {
	if sourceType != model.SourceGroup {
		return s.Tx(ctx, change)
	}
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, ownersLock); err != nil {
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

// owners counts the owners of a group, direct and inherited. Bots do not count, because they are removed with their
// tokens. Owners with an expiry do not count either.
func (s Members) owners(ctx context.Context, groupID int64) (int64, error) {
	var n int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT count(*) FROM members m JOIN namespace_ancestors a ON a.ancestor_id = m.source_id "+
		"JOIN users u ON u.id = m.user_id WHERE a.descendant_id = ? AND m.source_type = ? AND m.access_level >= ? "+
		"AND m.expires_at IS NULL AND u.state = ? AND u.kind <> ?",
		groupID, model.SourceGroup, model.Owner, model.UserActive, model.UserProjectBot), &n)
	return n, query.Translate(err)
}

// DeleteExpired removes the expired memberships and returns how many it removed. The last owner of a group never
// expires, because an owner with an expiry does not count as an owner.
func (s Members) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	rows, err := s.TakeExpired(ctx, before, -1)
	return int64(len(rows)), err
}

// TakeExpired deletes at most the given number of expired memberships and returns them. Memberships that another
// process deletes at the same time are not among them.
func (s Members) TakeExpired(ctx context.Context, before time.Time, most int) ([]model.Member, error) {
	var rows []model.Member
	err := s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "expired members"); err != nil {
			return err
		}
		var err error
		expired := s.db.Write(ctx).Where("expires_at <= ?", before.UTC().Truncate(24*time.Hour)).Order("id").Limit(most)
		if rows, err = query.Find[model.Member](expired, 0); err != nil {
			return query.Translate(err)
		}
		ids := make([]int64, len(rows))
		for i := range rows {
			ids[i] = rows[i].ID
		}
		for part := range slices.Chunk(ids, someRows) {
			if err := s.db.Write(ctx).Where("id IN ?", part).Delete(&model.Member{}).Error; err != nil {
				return query.Translate(err)
			}
		}
		return nil
	})
	return rows, err
}

// UserIDsOfProject returns the ids of all users with a role in a project, whether in the project itself or inherited.
func (s Members) UserIDsOfProject(ctx context.Context, p model.Project) ([]int64, error) {
	day := s.today()
	return s.ids(s.db.Read(ctx).Raw("SELECT DISTINCT member_user FROM ("+ofGroups+ofInvitedGroups+ofProject+") AS roles",
		p.NamespaceID, day, p.NamespaceID, day, day, p.ID, day, p.ID, day, day))
}
