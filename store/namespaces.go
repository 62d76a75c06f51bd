package store

import (
	"context"
	"errors"
	"maps"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Namespaces holds the namespaces of projects: personal ones and groups.
type Namespaces struct{ *base }

const (
	group = "Group"
	// MaxDepth is the number of levels that groups can nest.
	MaxDepth = 20
	// MaxFullPath is the largest length of the full path of a group. An index cannot hold much more.
	MaxFullPath = 1024
)

// TooDeepError says that a group would be nested too deeply.
type TooDeepError struct{}

func (*TooDeepError) Error() string { return "groups can be nested at most 20 levels deep" }

// PathTooLongError says that the full path of a group would be longer than MaxFullPath.
type PathTooLongError struct{}

func (*PathTooLongError) Error() string {
	return "the full path of a group can have at most 1024 characters"
}

// CycleError says that a group would be inside itself.
type CycleError struct{}

func (*CycleError) Error() string { return "a group cannot be inside itself" }

// RunWithGroupsLocked runs f in a transaction during which nobody else changes, moves or deletes a group, or creates a subgroup. The
// positions and visibilities of groups that f reads stay the same until f has written.
func (s Namespaces) RunWithGroupsLocked(ctx context.Context, f func(ctx context.Context) error) error {
	return s.Exclusive(ctx, "namespaces", f)
}

// Create adds a namespace below its ParentID and sets its full path and full name.
func (s Namespaces) Create(ctx context.Context, n *model.Namespace) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		n.FullPath, n.FullName = n.Path, n.Name
		if n.ParentID != nil {
			// The parent must not be moved or deleted in the meantime.
			if err := s.db.Lock(ctx, "namespaces"); err != nil {
				return err
			}
			parent, err := query.Take[model.Namespace](s.db.Read(ctx).Where("id = ?", *n.ParentID), group)
			if err != nil {
				return err
			}
			n.FullPath, n.FullName = parent.FullPath+"/"+n.Path, parent.FullName+" / "+n.Name
		}
		if len(n.FullPath) > MaxFullPath {
			return &PathTooLongError{}
		}
		if n.RequireTwoFactorAuthentication {
			now := s.now()
			n.TwoFactorRequiredAt = &now
		}
		if err := query.Translate(s.db.Write(ctx).Create(n).Error); err != nil {
			return err
		}
		if err := s.addAncestors(ctx, n.ID, n.ParentID); err != nil {
			return err
		}
		if err := s.checkProjects(ctx, n.ID); err != nil {
			return err
		}
		return s.checkDepth(ctx, n.ID)
	})
}

// addAncestors records the ancestors of a new namespace.
func (s Namespaces) addAncestors(ctx context.Context, id int64, parentID *int64) error {
	q := s.db.Write(ctx).Exec("INSERT INTO namespace_ancestors (descendant_id, ancestor_id, depth) VALUES (?, ?, 0)", id, id)
	if q.Error == nil && parentID != nil {
		q = s.db.Write(ctx).Exec("INSERT INTO namespace_ancestors (descendant_id, ancestor_id, depth) "+
			"SELECT ?, ancestor_id, depth + 1 FROM namespace_ancestors WHERE descendant_id = ?", id, *parentID)
	}
	return query.Translate(q.Error)
}

// checkDepth returns a *TooDeepError if the namespace or one below it is nested too deeply.
func (s Namespaces) checkDepth(ctx context.Context, id int64) error {
	var deepest int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT coalesce(max(a.depth), 0) FROM namespace_ancestors a "+
		"JOIN namespace_ancestors below ON below.descendant_id = a.descendant_id WHERE below.ancestor_id = ?", id), &deepest)
	if err != nil {
		return query.Translate(err)
	}
	if deepest >= MaxDepth {
		return &TooDeepError{}
	}
	return nil
}

// Update changes columns of a group. A new path or name changes the full paths and names of everything below it.
func (s Namespaces) Update(ctx context.Context, id int64, set map[string]any) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "namespaces"); err != nil {
			return err
		}
		if len(set) > 0 {
			set = noteRequirement(set, s.now())
			res := s.db.Write(ctx).Model(&model.Namespace{}).Where("id = ?", id).Updates(set)
			if res.Error != nil {
				return query.Translate(res.Error)
			}
			if res.RowsAffected == 0 {
				return &NotFoundError{Resource: group}
			}
		}
		_, path := set["path"]
		_, name := set["name"]
		_, parent := set["parent_id"]
		if path || name || parent {
			return s.rename(ctx, id)
		}
		return nil
	})
}

// noteRequirement adds the time since when a group requires two-factor authentication, if the change turns that on.
func noteRequirement(set map[string]any, at time.Time) map[string]any {
	required, given := set["require_two_factor_authentication"].(bool)
	if !given {
		return set
	}
	set = maps.Clone(set)
	set["two_factor_required_at"] = nil
	if required {
		set["two_factor_required_at"] = gorm.Expr(
			"CASE WHEN require_two_factor_authentication THEN two_factor_required_at ELSE ? END", at,
		)
	}
	return set
}

// Rename changes the name or path of a namespace; nil leaves it as it is.
func (s Namespaces) Rename(ctx context.Context, id int64, name, path *string) error {
	set := map[string]any{}
	if name != nil {
		set["name"] = *name
	}
	if path != nil {
		set["path"] = *path
	}
	return s.Update(ctx, id, set)
}

// rename updates the full paths and names of a namespace and of all namespaces below it, level by level.
func (s Namespaces) rename(ctx context.Context, id int64) error {
	for depth := range int64(MaxDepth) {
		res := s.db.Write(ctx).Exec("UPDATE namespaces SET "+
			"full_path = coalesce((SELECT p.full_path || '/' FROM namespaces p WHERE p.id = namespaces.parent_id), '') || path, "+
			"full_name = coalesce((SELECT p.full_name || ' / ' FROM namespaces p WHERE p.id = namespaces.parent_id), '') || name "+
			"WHERE id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ? AND depth = ?)", id, depth)
		if res.Error != nil {
			return query.Translate(res.Error)
		}
		if res.RowsAffected == 0 {
			break
		}
	}
	if err := s.checkLength(ctx, id); err != nil {
		return err
	}
	if err := s.renameProjects(ctx, id); err != nil {
		return err
	}
	return s.checkProjects(ctx, id)
}

// checkLength returns a *PathTooLongError if the path of a namespace or of one below it is too long for an index.
func (s Namespaces) checkLength(ctx context.Context, id int64) error {
	var longest int64
	err := query.ScanFirst(s.db.Read(ctx).
		Raw("SELECT coalesce(max(length(n.full_path)), 0) FROM namespaces n JOIN namespace_ancestors a ON a.descendant_id = n.id "+
			"WHERE a.ancestor_id = ?", id), &longest)
	if err == nil && longest > MaxFullPath {
		return &PathTooLongError{}
	}
	return query.Translate(err)
}

// renameProjects updates the full paths and names of the projects below a namespace. The old paths redirect to the new
// ones.
func (s Namespaces) renameProjects(ctx context.Context, id int64) error {
	below := "SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?"
	for _, q := range []*gorm.DB{
		s.db.Write(ctx).Exec("INSERT INTO project_redirects (path, project_id, created_at) SELECT lower(p.full_path), p.id, ? "+
			"FROM projects p JOIN namespaces n ON n.id = p.namespace_id "+
			"WHERE p.namespace_id IN ("+below+") AND lower(p.full_path) <> lower(n.full_path || '/' || p.path) "+
			"ON CONFLICT (path) DO UPDATE SET project_id = excluded.project_id, created_at = excluded.created_at", s.now(), id),
		s.db.Write(ctx).Exec("UPDATE projects SET full_path = (SELECT n.full_path || '/' || projects.path FROM "+
			"namespaces n WHERE n.id = projects.namespace_id), "+
			"full_name = (SELECT n.full_name || ' / ' || projects.name FROM namespaces n WHERE n.id = projects.namespace_id) "+
			"WHERE namespace_id IN ("+below+")", id),
		s.db.Write(ctx).
			Exec("DELETE FROM project_redirects WHERE path IN (SELECT lower(full_path) FROM projects WHERE namespace_id IN ("+
				below+"))", id),
	} {
		if q.Error != nil {
			return query.Translate(q.Error)
		}
	}
	return nil
}

// checkProjects returns a *ConflictError if a group or one below it has the full path of a project.
func (s Namespaces) checkProjects(ctx context.Context, id int64) error {
	var same int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT count(*) FROM namespaces n JOIN namespace_ancestors a ON a.descendant_id = n.id "+
		"JOIN projects p ON lower(p.full_path) = lower(n.full_path) WHERE a.ancestor_id = ?", id), &same)
	if err == nil && same > 0 {
		return &ConflictError{Constraint: "projects_full_path"}
	}
	return query.Translate(err)
}

// Move moves a group with everything below it into another group, or to the top if parentID is nil.
func (s Namespaces) Move(ctx context.Context, id int64, parentID *int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "namespaces"); err != nil {
			return err
		}
		if parentID != nil {
			var inside int64
			err := query.ScanFirst(s.db.Read(ctx).
				Raw("SELECT count(*) FROM namespace_ancestors WHERE descendant_id = ? AND ancestor_id = ?", *parentID, id), &inside)
			if err != nil {
				return query.Translate(err)
			}
			if inside > 0 {
				return &CycleError{}
			}
		}
		moved := "SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?"
		cut := s.db.Write(ctx).
			Exec("DELETE FROM namespace_ancestors WHERE descendant_id IN ("+moved+") AND ancestor_id NOT IN ("+moved+")", id, id)
		if cut.Error != nil {
			return query.Translate(cut.Error)
		}
		if parentID != nil {
			hung := s.db.Write(ctx).Exec("INSERT INTO namespace_ancestors (descendant_id, ancestor_id, depth) "+
				"SELECT below.descendant_id, above.ancestor_id, below.depth + above.depth + 1 FROM "+
				"namespace_ancestors below, namespace_ancestors above "+
				"WHERE below.ancestor_id = ? AND above.descendant_id = ?", id, *parentID)
			if hung.Error != nil {
				return query.Translate(hung.Error)
			}
		}
		if err := s.Update(ctx, id, map[string]any{"parent_id": parentID}); err != nil {
			return err
		}
		return s.checkDepth(ctx, id)
	})
}

// MostVisibleBelow returns the widest visibility of the groups below a group, at any depth.
func (s Namespaces) MostVisibleBelow(ctx context.Context, id int64) (model.Visibility, error) {
	var v model.Visibility
	err := query.ScanFirst(s.db.Read(ctx).
		Raw("SELECT coalesce(max(n.visibility), 0) FROM namespaces n JOIN namespace_ancestors a ON a.descendant_id = n.id "+
			"WHERE a.ancestor_id = ? AND a.depth > 0", id), &v)
	return v, query.Translate(err)
}

// MostVisibleProject returns the widest visibility of the projects in a group, at any depth.
func (s Namespaces) MostVisibleProject(ctx context.Context, id int64) (model.Visibility, error) {
	var v model.Visibility
	err := query.ScanFirst(s.db.Read(ctx).
		Raw("SELECT coalesce(max(p.visibility), 0) FROM projects p JOIN namespace_ancestors a ON a.descendant_id = p.namespace_id "+
			"WHERE a.ancestor_id = ?", id), &v)
	return v, query.Translate(err)
}

// Delete removes a group, all groups below it and their projects, unless it was changed after the given time.
func (s Namespaces) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "namespaces"); err != nil {
			return err
		}
		g, err := query.Take[model.Namespace](s.db.Read(ctx).Where("id = ? AND kind = ?", id, model.NamespaceGroup), group)
		if err != nil {
			return err
		}
		if ChangedAfter(g.UpdatedAt, unchangedSince) {
			return &ChangedError{Resource: group}
		}
		below := "SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?"
		// A row is deleted before its parent, so the links to parents are removed first.
		return errors.Join(
			s.deleteProjects(ctx, "namespace_id IN ("+below+")", id),
			s.deleteRowsAboutAll(ctx, map[string]string{"epics": "group_id IN (" + below + ")"}, id),
			s.deleteTokensOf(ctx, model.SourceGroup, "IN ("+below+")", id),
			query.Translate(s.db.Write(ctx).
				Exec("DELETE FROM members WHERE source_type = ? AND source_id IN ("+below+")", model.SourceGroup, id).Error),
			query.Translate(s.db.Write(ctx).
				Exec("DELETE FROM access_requests WHERE source_type = ? AND source_id IN ("+below+")", model.SourceGroup, id).Error),
			query.Translate(s.db.Write(ctx).
				Exec("DELETE FROM invitations WHERE source_type = ? AND source_id IN ("+below+")", model.SourceGroup, id).Error),
			query.Translate(s.db.Write(ctx).Exec("UPDATE namespaces SET parent_id = NULL, path = path || '-deleted-' || id, "+
				"full_path = full_path || '-deleted-' || id WHERE id IN ("+below+")", id).Error),
			Avatars(s).deleteOf(ctx, model.AvatarGroup, below, id),
			query.Translate(s.db.Write(ctx).Exec("DELETE FROM namespaces WHERE id IN ("+below+")", id).Error),
		)
	})
}
