package store

import (
	"context"
	"errors"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// ScheduledDeletions holds the projects and groups that are deleted later.
type ScheduledDeletions struct{ *base }

// ErrAlreadyMarked is returned for a project or group that is marked for deletion already.
var ErrAlreadyMarked = errors.New("marked for deletion already")

// ErrGroupMarked is returned if a group above is marked for deletion, too, so that something cannot be restored alone.
var ErrGroupMarked = errors.New("a group above is marked for deletion")

const scheduledDeletion = "Scheduled deletion"

// MarkProject marks a project for its deletion: it gets another name and path, and becomes read-only. The old path leads
// to the new one until something else gets it.
func (s ScheduledDeletions) MarkProject(ctx context.Context, p model.Project, userID int64, deleteAt time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := Projects(s).lockProject(ctx, p.ID); err != nil {
			return err
		}
		now, err := query.Take[model.Project](s.db.Write(ctx).Where("id = ?", p.ID), project)
		if err != nil {
			return err
		}
		if now.MarkedForDeletionAt != nil {
			return ErrAlreadyMarked
		}
		row := model.ScheduledDeletion{
			ProjectID: &p.ID, UserID: &userID, Name: now.Name, Path: now.Path, Archived: now.Archived, DeleteAt: deleteAt,
		}
		if err := query.Translate(s.db.Write(ctx).Create(&row).Error); err != nil {
			return err
		}
		return Projects(s).Update(ctx, p.ID, map[string]any{
			"name": model.ScheduledName(now.Name, p.ID), "path": model.ScheduledName(now.Path, p.ID), "archived": true,
			"marked_for_deletion_at": s.now(),
		})
	})
}

// RestoreProject brings a marked project back, with its name, its path and its state. It returns a *NotFoundError if the
// project is not marked, and ErrGroupMarked if its group is marked, too.
func (s ScheduledDeletions) RestoreProject(ctx context.Context, p model.Project) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := Projects(s).lockProject(ctx, p.ID); err != nil {
			return err
		}
		row, err := query.Take[model.ScheduledDeletion](s.db.Write(ctx).Where("project_id = ?", p.ID), scheduledDeletion)
		if err != nil {
			return err
		}
		if err := s.checkAbove(ctx, p.NamespaceID); err != nil {
			return err
		}
		if err := query.Translate(s.db.Write(ctx).Where("id = ?", row.ID).Delete(&model.ScheduledDeletion{}).Error); err != nil {
			return err
		}
		return Projects(s).Update(ctx, p.ID, map[string]any{
			"name": row.Name, "path": row.Path, "archived": row.Archived, "marked_for_deletion_at": nil,
		})
	})
}

// checkAbove returns ErrGroupMarked if a group is marked. All groups below a marked one are marked.
func (s ScheduledDeletions) checkAbove(ctx context.Context, groupID int64) error {
	var marked bool
	err := query.ScanFirst(s.db.Read(ctx).
		Raw("SELECT marked_for_deletion_at IS NOT NULL FROM namespaces WHERE id = ?", groupID), &marked)
	if err == nil && marked {
		return ErrGroupMarked
	}
	return query.Translate(err)
}

// below selects the groups in a group at any depth, with the group itself.
const below = "SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?"

// MarkGroup marks a group for its deletion, with everything in it. The group gets another name and path.
func (s ScheduledDeletions) MarkGroup(ctx context.Context, g model.Namespace, userID int64, deleteAt time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "namespaces"); err != nil {
			return err
		}
		now, err := query.Take[model.Namespace](s.db.Write(ctx).Where("id = ? AND kind = ?", g.ID, model.NamespaceGroup), group)
		if err != nil {
			return err
		}
		if now.MarkedForDeletionAt != nil {
			return ErrAlreadyMarked
		}
		row := model.ScheduledDeletion{GroupID: &g.ID, UserID: &userID, Name: now.Name, Path: now.Path, DeleteAt: deleteAt}
		if err := query.Translate(s.db.Write(ctx).Create(&row).Error); err != nil {
			return err
		}
		if err := s.markContents(ctx, row); err != nil {
			return err
		}
		return Namespaces(s).Update(ctx, g.ID, map[string]any{
			"name": model.ScheduledName(now.Name, g.ID), "path": model.ScheduledName(now.Path, g.ID), "marked_for_deletion_at": s.now(),
		})
	})
}

// markContents marks the groups and projects in a group that are not marked yet.
func (s ScheduledDeletions) markContents(ctx context.Context, of model.ScheduledDeletion) error {
	columns := ", by_group_id, user_id, name, path, archived, delete_at, created_at) SELECT id, ?, ?, name, path, "
	marked := " AND marked_for_deletion_at IS NULL"
	return run(
		s.db.Write(ctx).Exec("INSERT INTO scheduled_deletions (project_id"+columns+"archived, ?, ? FROM projects WHERE namespace_id IN ("+
			below+")"+marked, *of.GroupID, of.UserID, of.DeleteAt, s.now(), *of.GroupID),
		s.db.Write(ctx).Exec("INSERT INTO scheduled_deletions (group_id"+columns+"false, ?, ? FROM namespaces WHERE id <> ? AND id IN ("+
			below+")"+marked, *of.GroupID, of.UserID, of.DeleteAt, s.now(), *of.GroupID, *of.GroupID),
		s.db.Write(ctx).Exec("UPDATE projects SET archived = true, marked_for_deletion_at = ? WHERE id IN "+
			"(SELECT project_id FROM scheduled_deletions WHERE by_group_id = ? AND project_id IS NOT NULL)", s.now(), *of.GroupID),
		s.db.Write(ctx).Exec("UPDATE namespaces SET marked_for_deletion_at = ? WHERE id IN "+
			"(SELECT group_id FROM scheduled_deletions WHERE by_group_id = ? AND group_id IS NOT NULL)", s.now(), *of.GroupID),
	)
}

// RestoreGroup brings a marked group back with everything that was marked with it. It returns a *NotFoundError if the
// group is not marked, and ErrGroupMarked if the group above it is marked, too.
func (s ScheduledDeletions) RestoreGroup(ctx context.Context, g model.Namespace) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "namespaces"); err != nil {
			return err
		}
		row, err := query.Take[model.ScheduledDeletion](s.db.Write(ctx).Where("group_id = ?", g.ID), scheduledDeletion)
		if err != nil {
			return err
		}
		if g.ParentID != nil {
			if err := s.checkAbove(ctx, *g.ParentID); err != nil {
				return err
			}
		}
		if err := s.restoreContents(ctx, g.ID); err != nil {
			return err
		}
		return Namespaces(s).Update(ctx, g.ID, map[string]any{
			"name": row.Name, "path": row.Path, "marked_for_deletion_at": nil,
		})
	})
}

// restoreContents brings back what was marked with a group, and removes the marks.
func (s ScheduledDeletions) restoreContents(ctx context.Context, groupID int64) error {
	return run(
		s.db.Write(ctx).Exec("UPDATE projects SET marked_for_deletion_at = NULL, archived = "+
			"(SELECT d.archived FROM scheduled_deletions d WHERE d.project_id = projects.id) WHERE id IN "+
			"(SELECT project_id FROM scheduled_deletions WHERE by_group_id = ? AND project_id IS NOT NULL)", groupID),
		s.db.Write(ctx).Exec("UPDATE namespaces SET marked_for_deletion_at = NULL WHERE id IN "+
			"(SELECT group_id FROM scheduled_deletions WHERE by_group_id = ? AND group_id IS NOT NULL)", groupID),
		s.db.Write(ctx).Exec("DELETE FROM scheduled_deletions WHERE by_group_id = ? OR group_id = ?", groupID, groupID),
	)
}

// run returns the first error of statements.
func run(statements ...*gorm.DB) error {
	for _, q := range statements {
		if q.Error != nil {
			return query.Translate(q.Error)
		}
	}
	return nil
}

// Due returns what must be deleted at a time, the longest waiting first, at most the given number.
func (s ScheduledDeletions) Due(ctx context.Context, at time.Time, most int) ([]model.ScheduledDeletion, error) {
	q := s.db.Read(ctx).Where("by_group_id IS NULL AND delete_at <= ?", at).Order("delete_at").Order("id").Limit(most)
	rows, err := query.Find[model.ScheduledDeletion](q, 0)
	return rows, query.Translate(err)
}

// OfProject returns when a marked project is deleted. It returns a *NotFoundError if the project is not marked.
func (s ScheduledDeletions) OfProject(ctx context.Context, id int64) (model.ScheduledDeletion, error) {
	return query.Take[model.ScheduledDeletion](s.db.Read(ctx).Where("project_id = ?", id), scheduledDeletion)
}

// OfGroup returns when a marked group is deleted. It returns a *NotFoundError if the group is not marked.
func (s ScheduledDeletions) OfGroup(ctx context.Context, id int64) (model.ScheduledDeletion, error) {
	return query.Take[model.ScheduledDeletion](s.db.Read(ctx).Where("group_id = ?", id), scheduledDeletion)
}
