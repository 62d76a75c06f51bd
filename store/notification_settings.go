package store

import (
	"context"
	"slices"
	"strconv"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// NotificationSettings holds the notification settings of users: global ones, for groups and for projects.
type NotificationSettings struct{ *base }

// NotificationScope is the project or group that a setting is for. Without either, the setting is global.
type NotificationScope struct{ ProjectID, GroupID *int64 }

func (p NotificationScope) where(q *gorm.DB, userID int64) *gorm.DB {
	q = q.Where("user_id = ?", userID)
	// The condition uses the expressions of the unique index, so that the database uses that index.
	var project, group int64
	if p.ProjectID != nil {
		project = *p.ProjectID
	}
	if p.GroupID != nil {
		group = *p.GroupID
	}
	return q.Where("coalesce(project_id, 0) = ? AND coalesce(group_id, 0) = ?", project, group)
}

// Get returns the settings of a user at a place. If there are none, it returns the defaults, with id 0.
func (s NotificationSettings) Get(ctx context.Context, userID int64, at NotificationScope) (model.NotificationSetting, error) {
	row, err := query.Take[model.NotificationSetting](at.where(s.db.Read(ctx), userID), "")
	if IsNotFound(err) {
		return defaultSetting(userID, at), nil
	}
	return row, err
}

func defaultSetting(userID int64, at NotificationScope) model.NotificationSetting {
	row := model.NotificationSetting{UserID: userID, ProjectID: at.ProjectID, GroupID: at.GroupID, Level: model.LevelGlobal, Events: "{}"}
	if at.ProjectID == nil && at.GroupID == nil {
		row.Level = model.LevelParticipating
	}
	return row
}

// Change lets edit change the settings of a user at a place. Concurrent changes wait for each other, so none is lost.
func (s NotificationSettings) Change(
	ctx context.Context, userID int64, at NotificationScope, edit func(*model.NotificationSetting) error,
) (row model.NotificationSetting, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "notification settings of user "+strconv.FormatInt(userID, 10)); err != nil {
			return err
		}
		if row, err = s.Get(ctx, userID, at); err != nil {
			return err
		}
		if err := edit(&row); err != nil {
			return err
		}
		row.UpdatedAt = s.now()
		return query.Translate(s.db.Write(ctx).Save(&row).Error)
	})
	return row, err
}

// watchingLevels lists the levels that notify users about more than what they participate in.
var watchingLevels = []string{model.LevelWatch, model.LevelCustom}

// Watchers returns the users who may want notifications about a project without participating: by a setting for the
// project, for a group above it or, for members of the project, by their global setting.
func (s NotificationSettings) Watchers(ctx context.Context, p model.Project) ([]int64, error) {
	day := s.today()
	const all = `SELECT user_id FROM notification_settings WHERE project_id = ? AND level IN ?
UNION SELECT user_id FROM notification_settings WHERE group_id IN (SELECT ancestor_id FROM namespace_ancestors
	WHERE descendant_id = ?) AND level IN ?
UNION SELECT user_id FROM notification_settings WHERE project_id IS NULL AND group_id IS NULL AND level IN ?
  AND user_id IN (SELECT member_user FROM (` + ofGroups + ofInvitedGroups + ofProject + `) AS roles)`
	return s.ids(s.db.Read(ctx).Raw(all, p.ID, watchingLevels, p.NamespaceID, watchingLevels, watchingLevels,
		p.NamespaceID, day, p.NamespaceID, day, day, p.ID, day, p.ID, day, day))
}

// Resolved is the notification level of a user in a project, and the address for the notifications.
type Resolved struct {
	Level  string
	Events string // of the level custom
	Email  string // empty for the primary address
}

// Resolve returns the notification levels of users in a project: by their setting for the project, else for the nearest
// group above it, else by their global setting.
func (s NotificationSettings) Resolve(ctx context.Context, p model.Project, userIDs []int64) (map[int64]Resolved, error) {
	type above struct{ AncestorID, Depth int64 }
	var groups []above
	if err := s.db.Read(ctx).Raw("SELECT ancestor_id, depth FROM namespace_ancestors WHERE descendant_id = ?", p.NamespaceID).
		Scan(&groups).Error; err != nil {
		return nil, query.Translate(err)
	}
	depth, in := map[int64]int64{}, make([]int64, len(groups))
	for i, g := range groups {
		depth[g.AncestorID], in[i] = g.Depth, g.AncestorID
	}
	wanted := make(map[int64]Resolved, len(userIDs))
	for some := range slices.Chunk(userIDs, someRows) {
		q := s.db.Read(ctx).
			Where("user_id IN ? AND (project_id = ? OR group_id IN ? OR (project_id IS NULL AND group_id IS NULL))", some, p.ID, in)
		rows, err := query.Find[model.NotificationSetting](q, len(some))
		if err != nil {
			return nil, query.Translate(err)
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

// resolve uses the nearest setting whose level is not global.
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
