package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Create adds an epic with its labels and gives it the next number in its group.
func (s Epics) Create(ctx context.Context, e *model.Epic, labels []model.Label) error {
	return s.Tx(ctx, func(ctx context.Context) (err error) {
		if e.IID, err = s.nextInGroup(ctx, e.GroupID, counterEpics); err != nil {
			return err
		}
		if err := s.db.Write(ctx).Create(e).Error; err != nil {
			return query.Translate(err)
		}
		_, _, err = s.relabel(ctx, onEpics, e.ID, labels)
		return err
	})
}

// Lock reads an epic that the transaction is about to change. Other transactions that lock it wait.
func (s Epics) Lock(ctx context.Context, id int64) (model.Epic, error) {
	q := s.db.Write(ctx).Where("id = ?", id)
	if s.Postgres() {
		q = q.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
	}
	return query.Take[model.Epic](q, epic)
}

// Update changes columns of an epic.
func (s Epics) Update(ctx context.Context, id int64, set map[string]any) error {
	set["updated_at"] = s.now()
	return query.Translate(s.db.Write(ctx).Model(&model.Epic{}).Where("id = ?", id).UpdateColumns(set).Error)
}

// Relabel replaces the labels of an epic and returns the labels that it added and removed.
func (s Epics) Relabel(ctx context.Context, id int64, labels []model.Label) (added, removed []model.Label, err error) {
	return s.relabel(ctx, onEpics, id, labels)
}

// Delete removes an epic, unless it was changed after the given time. Its issues and children stay.
func (s Epics) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteWhere[model.Epic](ctx, s.db, epic, unchangedSince, "id = ?", id); err != nil {
			return err
		}
		return s.deleteRowsAbout(ctx, model.OnEpic, id)
	})
}

// HasPublicParts reports whether an epic has issues or children that are not confidential.
func (s Epics) HasPublicParts(ctx context.Context, id int64) (bool, error) {
	var n int64
	err := query.ScanFirst(s.db.Write(ctx).Raw("SELECT (SELECT count(*) FROM epic_issues x JOIN issues ON issues.id = x.issue_id WHERE "+
		"x.epic_id = ? AND NOT issues.confidential) + (SELECT count(*) FROM epics WHERE parent_id = ? AND NOT confidential)", id, id), &n)
	return n > 0, query.Translate(err)
}

// SetParent makes an epic the last child of another one; nil removes the parent.
func (s Epics) SetParent(ctx context.Context, id int64, parent *int64) error {
	set := map[string]any{"parent_id": parent}
	if parent != nil {
		last, err := s.lastPosition(ctx, "epics WHERE parent_id = ?", *parent)
		if err != nil {
			return err
		}
		set["relative_position"] = last + 1
	}
	return s.Update(ctx, id, set)
}

func (s Epics) lastPosition(ctx context.Context, from string, id int64) (int64, error) {
	var last int64
	err := query.ScanFirst(s.db.Write(ctx).Raw("SELECT coalesce(max(relative_position), 0) FROM "+from, id), &last)
	return last, query.Translate(err)
}

// Nesting returns the ids of an epic and of all epics above it, and how many levels of epics begin at another epic: 1
// without children.
func (s Epics) Nesting(ctx context.Context, parent, child int64) (above []int64, levels int64, err error) {
	above, err = s.ids(s.db.Write(ctx).Raw("WITH RECURSIVE above (id, parent_id) AS (SELECT id, parent_id FROM epics WHERE id = ? UNION "+
		"SELECT epics.id, epics.parent_id FROM epics JOIN above ON epics.id = above.parent_id) SELECT id FROM above", parent))
	if err != nil {
		return nil, 0, err
	}
	err = query.ScanFirst(s.db.Write(ctx).Raw("WITH RECURSIVE below (id, level) AS (SELECT id, 1 FROM epics WHERE id = ? UNION ALL "+
		"SELECT epics.id, below.level + 1 FROM epics JOIN below ON epics.parent_id = below.id) SELECT coalesce(max(level), 1) FROM below",
		child), &levels)
	return above, levels, query.Translate(err)
}

// MoveChild moves a child of an epic directly before another child, or directly after it.
func (s Epics) MoveChild(ctx context.Context, parent, id, anchor int64, after bool) error {
	return s.move(s.db.Write(ctx).Table("epics").Where("parent_id = ?", parent), id, anchor, after)
}

// move moves a row of an ordered query directly before another row, or directly after it. The caller must have locked
// the epic that the rows belong to.
func (s Epics) move(rows *gorm.DB, id, anchor int64, after bool) error {
	rows = rows.Session(&gorm.Session{})
	var places []struct{ ID, RelativePosition int64 }
	if err := rows.Select("id, relative_position").Where("id IN ?", []int64{id, anchor}).Scan(&places).Error; err != nil {
		return query.Translate(err)
	}
	place := map[int64]int64{}
	for _, p := range places {
		place[p.ID] = p.RelativePosition
	}
	at, known := place[anchor]
	if _, own := place[id]; !known || !own {
		return &NotFoundError{Resource: epicIssue}
	}
	if id == anchor {
		return nil
	}
	if after {
		at++
	}
	now := s.now()
	shift := map[string]any{"relative_position": gorm.Expr("relative_position + 1")}
	if err := rows.Where("relative_position >= ?", at).UpdateColumns(shift).Error; err != nil {
		return query.Translate(err)
	}
	return query.Translate(rows.Where("id = ?", id).UpdateColumns(map[string]any{"relative_position": at, "updated_at": now}).Error)
}
