package store

import (
	"context"
	"slices"
	"strconv"

	"svc/store/model"

	"gorm.io/gorm"
)

// NotificationSettings are what people want to be told of: everywhere, in a group, in a project.
type NotificationSettings struct{ *base }

// Place is where a setting holds: in a project, in a group, or with neither everywhere.
type Place struct{ ProjectID, GroupID *int64 }

func (p Place) where(q *gorm.DB, userID int64) *gorm.DB {
	q = q.Where("user_id = ?", userID)
	// The words of the unique index, so that it is used.
	var project, group int64
	if p.ProjectID != nil {
		project = *p.ProjectID
	}
	if p.GroupID != nil {
		group = *p.GroupID
	}
	return q.Where("coalesce(project_id, 0) = ? AND coalesce(group_id, 0) = ?", project, group)
}

// Get returns what somebody has set at a place; what is not set has the defaults, without an id.
func (s NotificationSettings) Get(ctx context.Context, userID int64, at Place) (model.NotificationSetting, error) {
	row, err := take[model.NotificationSetting](at.where(s.read(ctx), userID), "")
	if IsNotFound(err) {
		return defaultSetting(userID, at), nil
	}
	return row, err
}

func defaultSetting(userID int64, at Place) model.NotificationSetting {
	row := model.NotificationSetting{UserID: userID, ProjectID: at.ProjectID, GroupID: at.GroupID, Level: model.LevelGlobal, Events: "{}"}
	if at.ProjectID == nil && at.GroupID == nil {
		row.Level = model.LevelParticipating
	}
	return row
}

// Change sets what somebody wants at a place; two changes at once both count.
func (s NotificationSettings) Change(ctx context.Context, userID int64, at Place, edit func(*model.NotificationSetting) error) (row model.NotificationSetting, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lock(ctx, "notification settings of user "+strconv.FormatInt(userID, 10)); err != nil {
			return err
		}
		if row, err = s.Get(ctx, userID, at); err != nil {
			return err
		}
		if err := edit(&row); err != nil {
			return err
		}
		row.UpdatedAt = now()
		return translate(s.write(ctx).Save(&row).Error)
	})
	return row, err
}

// loud are the levels of who hears of more than what they take part in.
var loud = []string{model.LevelWatch, model.LevelCustom}

// Watchers are who may want to hear of a project though they take no part: by a setting for it, for a group above it, or, of its
// members, everywhere.
func (s NotificationSettings) Watchers(ctx context.Context, p model.Project) ([]int64, error) {
	day := today()
	const all = `SELECT user_id FROM notification_settings WHERE project_id = ? AND level IN ?
UNION SELECT user_id FROM notification_settings WHERE group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ?) AND level IN ?
UNION SELECT user_id FROM notification_settings WHERE project_id IS NULL AND group_id IS NULL AND level IN ?
  AND user_id IN (SELECT member_user FROM (` + ofGroups + ofInvitedGroups + ofProject + `) AS roles)`
	return s.ids(s.read(ctx).Raw(all, p.ID, loud, p.NamespaceID, loud, loud,
		p.NamespaceID, day, p.NamespaceID, day, day, p.ID, day, p.ID, day, day))
}

// Resolved is what somebody wants to be told of in a project, and the addresses that they want it at.
type Resolved struct {
	Level  string
	Events string // of the level custom
	Email  string // empty for the primary address
}

// Resolve finds out what people want to be told of in a project: what they have set for it, else for the nearest group above it,
// else everywhere.
func (s NotificationSettings) Resolve(ctx context.Context, p model.Project, userIDs []int64) (map[int64]Resolved, error) {
	type above struct{ AncestorID, Depth int64 }
	var groups []above
	if err := s.read(ctx).Raw("SELECT ancestor_id, depth FROM namespace_ancestors WHERE descendant_id = ?", p.NamespaceID).Scan(&groups).Error; err != nil {
		return nil, translate(err)
	}
	depth, in := map[int64]int64{}, make([]int64, len(groups))
	for i, g := range groups {
		depth[g.AncestorID], in[i] = g.Depth, g.AncestorID
	}
	wanted := make(map[int64]Resolved, len(userIDs))
	for some := range slices.Chunk(userIDs, someRows) {
		q := s.read(ctx).Where("user_id IN ? AND (project_id = ? OR group_id IN ? OR (project_id IS NULL AND group_id IS NULL))", some, p.ID, in)
		rows, err := find[model.NotificationSetting](q, len(some))
		if err != nil {
			return nil, translate(err)
		}
		byUser := map[int64][]model.NotificationSetting{}
		for _, row := range rows {
			byUser[row.UserID] = append(byUser[row.UserID], row)
		}
		for _, id := range some {
			wanted[id] = resolve(byUser[id], depth)
		}
	}
	return wanted, nil
}

// resolve takes the nearest setting that does not leave it to the next one.
func resolve(rows []model.NotificationSetting, depth map[int64]int64) Resolved {
	far := func(row model.NotificationSetting) int64 {
		switch {
		case row.ProjectID != nil:
			return -1
		case row.GroupID != nil:
			return depth[*row.GroupID]
		}
		return 1 << 40
	}
	slices.SortFunc(rows, func(a, b model.NotificationSetting) int { return int(min(max(far(a)-far(b), -1), 1)) })
	out := Resolved{Level: model.LevelParticipating, Events: "{}"}
	decided := false
	for _, row := range rows {
		if !decided && row.Level != model.LevelGlobal {
			out.Level, out.Events, decided = row.Level, row.Events, true
		}
		if row.ProjectID == nil && row.GroupID == nil && row.NotificationEmail != nil {
			out.Email = *row.NotificationEmail
		}
	}
	return out
}
