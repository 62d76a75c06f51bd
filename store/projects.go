package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Projects holds the projects.
type Projects struct{ *base }

const project = "Project"

// TooVisibleError means that a project would be more visible than its group.
type TooVisibleError struct{ Wanted, Group model.Visibility }

func (*TooVisibleError) Error() string { return "more visible than the group" }

// TakenError means that another project has the name or the path.
type TakenError struct{ Name, Path bool }

func (*TakenError) Error() string { return "the name or path is taken" }

// Create adds a project to the namespace p.NamespaceID and sets its full path and full name. In a personal namespace
// the user becomes the owner of the project. If limit is not nil and the namespace already has that many projects, it
// returns a *LimitError.
func (s Projects) Create(ctx context.Context, p *model.Project, limit *int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.setFullPath(ctx, p); err != nil {
			return err
		}
		if limit != nil {
			if err := s.checkLimit(ctx, p.NamespaceID, *limit); err != nil {
				return err
			}
		}
		p.LastActivityAt = s.now()
		if err := query.Translate(s.db.Write(ctx).Create(p).Error); err != nil {
			return err
		}
		if err := s.setTopics(ctx, p.ID, p.TopicList()); err != nil {
			return err
		}
		if err := s.removeRedirect(ctx, p.FullPath); err != nil {
			return err
		}
		return s.addOwner(ctx, *p)
	})
}

// addOwner makes the user of a personal namespace an owner of a project in it. It replaces any role that they have
// there.
func (s Projects) addOwner(ctx context.Context, p model.Project) error {
	var owner int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT id FROM users WHERE namespace_id = ?", p.NamespaceID), &owner)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // the project is in a group
	}
	if err != nil {
		return query.Translate(err)
	}
	has := s.db.Write(ctx).Where("source_type = ? AND source_id = ? AND user_id = ?", model.SourceProject, p.ID, owner)
	if err := has.Delete(&model.Member{}).Error; err != nil {
		return query.Translate(err)
	}
	return Members(s).Add(ctx, &model.Member{
		SourceType: model.SourceProject, SourceID: p.ID, UserID: owner, AccessLevel: model.Owner,
		CreatedByID: p.CreatorID,
	})
}

// setFullPath sets the full path and full name of a project. Until the end of the transaction, no group can be moved or
// renamed.
func (s Projects) setFullPath(ctx context.Context, p *model.Project) error {
	if err := s.db.LockShared(ctx, "namespaces"); err != nil {
		return err
	}
	in, err := query.Take[model.Namespace](s.db.Read(ctx).Where("id = ?", p.NamespaceID), namespace)
	if err != nil {
		return err
	}
	if in.Kind == model.NamespaceGroup && p.Visibility > in.Visibility {
		return &TooVisibleError{Wanted: p.Visibility, Group: in.Visibility}
	}
	p.FullPath, p.FullName = in.FullPath+"/"+p.Path, in.FullName+" / "+p.Name
	return s.checkFree(ctx, *p)
}

// checkFree returns a *TakenError if another project or a group has the name or the path. If two transactions run at
// the same time, the unique indexes refuse one of them.
func (s Projects) checkFree(ctx context.Context, p model.Project) error {
	var taken TakenError
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT EXISTS (SELECT 1 FROM projects WHERE namespace_id = ? AND lower(name) = "+
		"lower(?) AND id <> ?), "+
		"EXISTS (SELECT 1 FROM projects WHERE lower(full_path) = lower(?) AND id <> ?) OR EXISTS (SELECT 1 FROM "+
		"namespaces WHERE lower(full_path) = lower(?))",
		p.NamespaceID, p.Name, p.ID, p.FullPath, p.ID, p.FullPath), &taken.Name, &taken.Path)
	if err == nil && (taken.Name || taken.Path) {
		return &taken
	}
	return query.Translate(err)
}

func (s Projects) checkLimit(ctx context.Context, namespaceID, limit int64) error {
	// Two transactions must not both add the last project.
	if err := s.db.Lock(ctx, fmt.Sprintf("projects of namespace %d", namespaceID)); err != nil {
		return err
	}
	var n int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT count(*) FROM projects WHERE namespace_id = ?", namespaceID), &n)
	if err == nil && n >= limit {
		return &LimitError{Most: int(limit)}
	}
	return query.Translate(err)
}

// removeRedirect removes the redirect from a path that now belongs to a project.
func (s Projects) removeRedirect(ctx context.Context, fullPath string) error {
	return query.Translate(s.db.Write(ctx).Exec("DELETE FROM project_redirects WHERE path = lower(?)", fullPath).Error)
}

// Update changes columns of a project. If the name, path or namespace changes, it sets the full path and full name, and
// redirects the old path to the new one.
func (s Projects) Update(ctx context.Context, id int64, set map[string]any) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lockProject(ctx, id); err != nil {
			return err
		}
		if !locates(set) {
			return s.updateInPlace(ctx, id, set)
		}
		var p model.Project
		err := s.db.WriteRow(ctx, "SELECT "+projectColumns+" FROM projects WHERE id = ?", []any{id}, projectFields(&p)...)
		if err != nil {
			return query.Translate(err, project)
		}
		before, old := p, p.FullPath
		if applyLocation(&p, set) {
			if err := s.setFullPath(ctx, &p); err != nil {
				return err
			}
			set["full_path"], set["full_name"] = p.FullPath, p.FullName
		}
		if len(set) > 0 {
			text, args := assignments(set, s.now())
			if err := s.change(ctx, "UPDATE projects SET "+text+" WHERE id = ?", append(args, id)...); err != nil {
				return err
			}
		}
		if err := s.checkForks(ctx, before, set); err != nil {
			return err
		}
		if err := s.saveTopics(ctx, id, set); err != nil {
			return err
		}
		if strings.EqualFold(old, p.FullPath) {
			return nil
		}
		redirect := model.ProjectRedirect{Path: strings.ToLower(old), ProjectID: id}
		return errors.Join(
			query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&redirect).Error),
			s.removeRedirect(ctx, p.FullPath),
		)
	})
}

// locates reports whether a change may move the project, or concern its forks.
func locates(set map[string]any) bool {
	for _, column := range []string{"name", "path", "visibility", "namespace_id", "repository_access_level"} {
		if _, ok := set[column]; ok {
			return true
		}
	}
	return false
}

// updateInPlace changes columns of a locked project that stays where it is.
func (s Projects) updateInPlace(ctx context.Context, id int64, set map[string]any) error {
	if len(set) == 0 {
		return nil
	}
	text, args := assignments(set, s.now())
	if err := s.later(ctx, "UPDATE projects SET "+text+" WHERE id = ?", append(args, id)...); err != nil {
		return err
	}
	return s.saveTopics(ctx, id, set)
}

// saveTopics stores the topics of a project if they are part of a change.
func (s Projects) saveTopics(ctx context.Context, id int64, set map[string]any) error {
	topics, ok := set["topics"].(string)
	if !ok {
		return nil
	}
	return s.setTopics(ctx, id, model.Project{Topics: topics}.TopicList())
}

// UpdateInternal changes columns that the service maintains itself. The time of the last change stays as it is.
func (s Projects) UpdateInternal(ctx context.Context, id int64, set map[string]any) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Project{}).Where("id = ?", id).UpdateColumns(set).Error)
}

// lockProject makes changes to one project wait for each other, and prevents moves and renames of groups, until the end of the
// transaction. It must come before any row is changed, because renaming a group also changes the rows of its projects.
func (s Projects) lockProject(ctx context.Context, id int64) error {
	if !s.Postgres() {
		return nil
	}
	if err := s.later(ctx, query.LockShared, "namespaces"); err != nil {
		return err
	}
	return s.later(ctx, query.Lock, fmt.Sprintf("project %d", id))
}

// applyLocation copies the changes that affect the path, name or visibility of a project into p, and reports whether there
// are any.
func applyLocation(p *model.Project, set map[string]any) bool {
	name, renamed := set["name"].(string)
	if renamed {
		p.Name = name
	}
	path, repathed := set["path"].(string)
	if repathed {
		p.Path = path
	}
	visibility, shown := set["visibility"].(model.Visibility)
	if shown {
		p.Visibility = visibility
	}
	namespaceID, moved := set["namespace_id"].(int64)
	if moved {
		p.NamespaceID = namespaceID
	}
	return renamed || repathed || shown || moved
}

// Delete removes a project, unless it was changed after the given time.
func (s Projects) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		// The project's bots are deleted too, and that begins with this lock.
		if err := s.db.Lock(ctx, "namespaces"); err != nil {
			return err
		}
		// If two transactions delete the project at the same time, only one finds it.
		if err := s.lockProject(ctx, id); err != nil {
			return err
		}
		row, err := query.Take[model.Project](s.db.Write(ctx).Where("id = ?", id), project)
		if err != nil {
			return err
		}
		if ChangedAfter(row.UpdatedAt, unchangedSince) {
			return &ChangedError{Resource: project}
		}
		return s.deleteProjects(ctx, "projects.id = ?", id)
	})
}

// deleteProjects removes the projects that match a condition, and the rows that no foreign key removes.
func (b *base) deleteProjects(ctx context.Context, where string, args ...any) error {
	gone := "SELECT projects.id FROM projects WHERE " + where
	if err := b.deleteTokensOf(ctx, model.SourceProject, "IN ("+gone+")", args...); err != nil {
		return err
	}
	for _, table := range []string{"members", "access_requests", "invitations"} {
		q := b.db.Write(ctx).Exec("DELETE FROM "+table+" WHERE source_type = 'Project' AND source_id IN ("+gone+")", args...)
		if q.Error != nil {
			return query.Translate(q.Error)
		}
	}
	q := b.db.Write(ctx).Exec("UPDATE projects SET forks_count = forks_count - "+
		"(SELECT count(*) FROM projects gone WHERE gone.forked_from_id = projects.id AND gone.id IN ("+gone+")) "+
		"WHERE id IN (SELECT forked_from_id FROM projects WHERE forked_from_id IS NOT NULL AND id IN ("+gone+"))",
		append(append([]any{}, args...), args...)...)
	if q.Error != nil {
		return query.Translate(q.Error)
	}
	in := "project_id IN (" + gone + ")"
	tables := map[string]string{"issues": in, "merge_requests": in, "notes": in, "labels": in, "snippets": in}
	if err := b.deleteRowsAboutAll(ctx, tables, args...); err != nil {
		return err
	}
	if err := (Avatars{b}).deleteOf(ctx, model.AvatarProject, gone, args...); err != nil {
		return err
	}
	q = b.db.Write(ctx).Exec(
		"INSERT INTO deleted_repositories (project_id, storage, created_at) SELECT id, repository_storage, ? FROM projects WHERE id IN ("+
			gone+")",
		append([]any{b.now()}, args...)...)
	if q.Error != nil {
		return query.Translate(q.Error)
	}
	return query.Translate(b.db.Write(ctx).Exec("DELETE FROM projects WHERE id IN ("+gone+")", args...).Error)
}
