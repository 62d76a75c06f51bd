package store

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Iterations holds the iterations of groups.
type Iterations struct{ *base }

const iteration = "Iteration"

// ErrOverlap is returned for an iteration whose days are in another iteration of the group.
var ErrOverlap = errors.New("the days are in another iteration")

func (s Iterations) shown(ctx context.Context) *gorm.DB {
	return s.db.Read(ctx).Table("iterations").
		Select("iterations.*, (SELECT full_path FROM namespaces WHERE namespaces.id = iterations.group_id) AS place")
}

// inherited limits a query to the iterations of a namespace, if it is a group, and of the groups above it.
func (s Iterations) inherited(ctx context.Context, namespaceID int64) *gorm.DB {
	return s.shown(ctx).Where("group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ?)", namespaceID)
}

// IterationFilter narrows a list of iterations.
type IterationFilter struct {
	State         string // opened, upcoming, current or closed; empty for all
	Search        string // part of the title
	Ancestors     bool   // also iterations of the groups above
	UpdatedAfter  *time.Time
	UpdatedBefore *time.Time
}

// List returns one page of the iterations of a namespace, the earliest first.
func (s Iterations) List(ctx context.Context, namespaceID int64, f IterationFilter, p Page) ([]model.IterationRow, Total, error) {
	q := s.shown(ctx).Where("group_id = ?", namespaceID)
	if f.Ancestors {
		q = s.inherited(ctx, namespaceID)
	}
	today := dayOf(s.now())
	switch f.State {
	case "opened":
		q = q.Where("due_date >= ?", today)
	case "upcoming":
		q = q.Where("start_date > ?", today)
	case "current", "started":
		q = q.Where("start_date <= ? AND due_date >= ?", today, today)
	case "closed":
		q = q.Where("due_date < ?", today)
	}
	if f.Search != "" {
		q = q.Where(`lower(title) LIKE ? ESCAPE '\'`, "%"+likeEscaper.Replace(strings.ToLower(f.Search))+"%")
	}
	if f.UpdatedAfter != nil {
		q = q.Where("updated_at >= ?", utc(f.UpdatedAfter))
	}
	if f.UpdatedBefore != nil {
		q = q.Where("updated_at <= ?", utc(f.UpdatedBefore))
	}
	return query.List[model.IterationRow](q.Order("start_date, id"), p)
}

// Get returns an iteration of a group itself.
func (s Iterations) Get(ctx context.Context, groupID, id int64) (model.IterationRow, error) {
	return query.Take[model.IterationRow](s.shown(ctx).Where("group_id = ? AND id = ?", groupID, id), iteration)
}

// Find returns an iteration that issues in a namespace may have: one of its group or of a group above.
func (s Iterations) Find(ctx context.Context, namespaceID, id int64) (model.IterationRow, error) {
	return query.Take[model.IterationRow](s.inherited(ctx, namespaceID).Where("id = ?", id), iteration)
}

// Create adds an iteration and gives it its number. It returns ErrOverlap if another iteration of the group has one of its
// days.
func (s Iterations) Create(ctx context.Context, i *model.Iteration) error {
	return s.Tx(ctx, func(ctx context.Context) (err error) {
		if i.IID, err = s.nextInGroup(ctx, i.GroupID, "iterations"); err != nil {
			return err
		}
		if err := s.checkFree(ctx, *i); err != nil {
			return err
		}
		return query.Translate(s.db.Write(ctx).Create(i).Error)
	})
}

// Update changes an iteration. Like Create, it may return ErrOverlap.
func (s Iterations) Update(ctx context.Context, i model.Iteration) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.checkFree(ctx, i); err != nil {
			return err
		}
		return query.Translate(s.db.Write(ctx).Model(&model.Iteration{}).Where("id = ?", i.ID).UpdateColumns(map[string]any{
			"title": i.Title, "description": i.Description, "start_date": i.StartDate, "due_date": i.DueDate, "updated_at": s.now(),
		}).Error)
	})
}

// checkFree returns ErrOverlap if another iteration of the group has one of the days. Concurrent calls for a group wait for
// each other.
func (s Iterations) checkFree(ctx context.Context, i model.Iteration) error {
	if err := s.db.Lock(ctx, "iterations"); err != nil {
		return err
	}
	var n int64
	err := query.ScanFirst(s.db.Write(ctx).Raw("SELECT count(*) FROM iterations WHERE group_id = ? AND id <> ? AND start_date <= ? "+
		"AND due_date >= ?", i.GroupID, i.ID, i.DueDate, i.StartDate), &n)
	if err == nil && n > 0 {
		return ErrOverlap
	}
	return query.Translate(err)
}

// Delete removes an iteration. Its issues lose it.
func (s Iterations) Delete(ctx context.Context, id int64) error {
	return query.DeleteWhere[model.Iteration](ctx, s.db, iteration, nil, "id = ?", id)
}

// iterationsOf reads iterations by their ids in one statement.
func (b *base) iterationsOf(ctx context.Context, wanted map[int64]bool) (map[int64]*model.IterationRow, error) {
	found := make(map[int64]*model.IterationRow, len(wanted))
	if len(wanted) == 0 {
		return found, nil
	}
	ids := make([]int64, 0, len(wanted))
	for id := range wanted {
		ids = append(ids, id)
	}
	rows, err := query.Find[model.IterationRow](Iterations{b}.shown(ctx).Where("id IN ?", ids), len(ids))
	for i := range rows {
		found[rows[i].Iteration.ID] = &rows[i]
	}
	return found, query.Translate(err)
}
