package store

import (
	"context"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// The methods named Behind read the parts of a group in pages. Each page starts after the last row of the one before,
// in the order of an index.

// Tree returns a group and all groups below it, at most the given number. Each group comes after the group that it is
// in.
func (s Namespaces) Tree(ctx context.Context, id int64, most int) ([]model.Namespace, error) {
	q := s.db.Read(ctx).Joins("JOIN namespace_ancestors a ON a.descendant_id = namespaces.id").Where("a.ancestor_id = ?", id).
		Select("namespaces.*").Order("a.depth, namespaces.id").Limit(most)
	rows, err := query.Find[model.Namespace](q, 0)
	return rows, query.Translate(err)
}

// ListAfterName returns the labels of a group whose names come after the given one.
func (s Labels) ListAfterName(ctx context.Context, groupID int64, name string, most int) ([]model.Label, error) {
	rows, err := query.Find[model.Label](s.db.Read(ctx).Where("group_id = ? AND name > ?", groupID, name).Order("name").Limit(most), most)
	return rows, query.Translate(err)
}

// ListAfterIID returns the milestones of a group whose numbers are higher than the given one.
func (s Milestones) ListAfterIID(ctx context.Context, groupID, iid int64, most int) ([]model.Milestone, error) {
	rows, err := query.Find[model.Milestone](s.db.Read(ctx).Where("group_id = ? AND iid > ?", groupID, iid).Order("iid").Limit(most), most)
	return rows, query.Translate(err)
}

// ListAfterUser returns the direct human members of a group whose user ids are higher than the given one.
func (s Members) ListAfterUser(ctx context.Context, groupID, userID int64, most int) ([]model.MemberAddress, error) {
	q := s.db.Read(ctx).Table("members").Joins("JOIN users ON users.id = members.user_id").
		Select("members.user_id, members.access_level, members.expires_at, users.username, users.public_email").
		Where("members.source_type = ? AND members.source_id = ? AND members.user_id > ?", model.SourceGroup, groupID, userID).
		Where("users.kind = ? AND (members.expires_at IS NULL OR members.expires_at > ?)", model.UserHuman, s.today()).
		Order("members.user_id").Limit(most)
	rows, err := query.Find[model.MemberAddress](q, most)
	return rows, query.Translate(err)
}

// AddAll adds many labels.
func (s Labels) AddAll(ctx context.Context, rows []model.Label) error {
	return addAll(ctx, s.base, rows)
}

// AddAll adds many badges.
func (s Badges) AddAll(ctx context.Context, rows []model.Badge) error {
	return addAll(ctx, s.base, rows)
}

// AddAll adds many milestones of a group, which have their numbers already.
func (s Milestones) AddAll(ctx context.Context, groupID int64, rows []model.Milestone) error {
	if err := addAll(ctx, s.base, rows); err != nil || len(rows) == 0 {
		return err
	}
	last := int64(0)
	for _, m := range rows {
		last = max(last, m.IID)
	}
	return query.Translate(s.db.Write(ctx).Exec(`INSERT INTO group_counters (group_id, name, last) VALUES (?, ?, ?)
		ON CONFLICT (group_id, name) DO UPDATE SET last = excluded.last WHERE group_counters.last < excluded.last`,
		groupID, counterMilestones, last).Error)
}

// AddAll adds many boards of a group with their lists, in the given order. The label of a list is found by its name, in
// the group or in the groups above it. A label that does not exist is created.
func (s Boards) AddAll(ctx context.Context, in ResourceOwner, rows []model.BoardRow) error {
	boards, names, known := make([]model.Board, len(rows)), []string{}, map[string]model.Label{}
	for i, row := range rows {
		boards[i] = row.Board
		for _, l := range row.Lists {
			if _, seen := known[l.Label.Name]; !seen {
				names, known[l.Label.Name] = append(names, l.Label.Name), l.Label
			}
		}
	}
	if err := addAll(ctx, s.base, boards); err != nil {
		return err
	}
	ids, err := s.labels(ctx, in, names, known)
	if err != nil {
		return err
	}
	var lists []model.BoardList
	for i, row := range rows {
		for at, l := range row.Lists {
			lists = append(lists, model.BoardList{BoardID: boards[i].ID, LabelID: ids[l.Label.Name], Position: int64(at)})
		}
	}
	return addAll(ctx, s.base, lists)
}

// labels finds labels by their names and creates the missing ones.
func (s Boards) labels(ctx context.Context, in ResourceOwner, names []string, known map[string]model.Label) (map[string]int64, error) {
	ids := make(map[string]int64, len(names))
	if len(names) == 0 {
		return ids, nil
	}
	found, err := Labels(s).named(ctx, in, names)
	if err != nil {
		return nil, err
	}
	for _, l := range found {
		ids[l.Name] = l.ID
	}
	var fresh []model.Label
	for _, name := range names {
		if _, ok := ids[name]; !ok {
			l := known[name]
			fresh = append(fresh, model.Label{
				ProjectID: in.ProjectID, GroupID: in.GroupID, Name: l.Name, Color: l.Color, Description: l.Description,
			})
		}
	}
	err = addAll(ctx, s.base, fresh)
	for _, l := range fresh {
		ids[l.Name] = l.ID
	}
	return ids, err
}

// memberAbove is a membership in a group or in a group above it.
type memberAbove struct {
	UserID      int64
	AccessLevel model.Access
	Depth       int64
}

// TableName returns the table that GORM reads the rows from.
func (memberAbove) TableName() string { return "members" }

// AddAll makes many users members of a group and returns the new members. It skips users who are direct members already
// or have a higher role in a group above.
func (s Members) AddAll(ctx context.Context, groupID int64, rows []model.Member) ([]model.Member, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(rows))
	for i, m := range rows {
		ids[i] = m.UserID
	}
	q := s.db.Write(ctx).Table("members").Select("members.user_id, members.access_level, a.depth").
		Joins("JOIN namespace_ancestors a ON a.ancestor_id = members.source_id").
		Where("a.descendant_id = ? AND members.source_type = ?", groupID, model.SourceGroup).
		Where("members.user_id IN ? AND (a.depth = 0 OR members.expires_at IS NULL OR members.expires_at > ?)", ids, s.today())
	above, err := query.Find[memberAbove](q, 0)
	if err != nil {
		return nil, query.Translate(err)
	}
	least := map[int64]model.Access{}
	for _, m := range above {
		if m.Depth == 0 {
			m.AccessLevel = model.Owner + 1 // direct members keep their role
		}
		least[m.UserID] = max(least[m.UserID], m.AccessLevel)
	}
	var fresh []model.Member
	for _, m := range rows {
		if m.AccessLevel >= least[m.UserID] {
			fresh = append(fresh, m)
		}
	}
	return fresh, addAll(ctx, s.base, fresh)
}

// addAll inserts many rows and sets their ids.
func addAll[T any](ctx context.Context, b *base, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	return query.Translate(b.db.Write(ctx).CreateInBatches(rows, someRows).Error)
}

// addressOwner is a user with one of their addresses.
type addressOwner struct {
	ID      int64
	Address string
}

// TableName returns the table that GORM reads the rows from.
func (addressOwner) TableName() string { return "users" }

// ByAddress returns the ids of users by confirmed address in lower case. It leaves out bots and users who may not sign
// in.
func (s Users) ByAddress(ctx context.Context, addresses []string) (map[string]int64, error) {
	owners := make(map[string]int64, len(addresses))
	if len(addresses) == 0 {
		return owners, nil
	}
	lower := make([]string, len(addresses))
	for i, a := range addresses {
		lower[i] = strings.ToLower(a)
	}
	q := s.db.Write(ctx).Raw(
		"SELECT id, lower(email) AS address FROM users WHERE lower(email) IN ? AND confirmed_at IS NOT NULL AND kind = ? AND state = ? "+
			"UNION ALL SELECT u.id, lower(e.email) FROM emails e JOIN users u ON u.id = e.user_id WHERE "+
			"lower(e.email) IN ? AND e.confirmed_at IS NOT NULL AND u.kind = ? AND u.state = ?",
		lower, model.UserHuman, model.UserActive, lower, model.UserHuman, model.UserActive)
	rows, err := query.Find[addressOwner](q, len(addresses))
	for _, row := range rows {
		owners[row.Address] = row.ID
	}
	return owners, query.Translate(err)
}

// ScheduleBlobRemoval schedules a file for removal at the given time. The file stays if it is put to use before that.
func (b *base) ScheduleBlobRemoval(ctx context.Context, key string, due time.Time) error {
	return query.Translate(b.db.Write(ctx).Clauses(clause.OnConflict{UpdateAll: true}).
		Create(&model.BlobRemoval{Key: key, DueAt: due}).Error)
}
