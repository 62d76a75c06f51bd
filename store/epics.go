package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Epics holds the epics of groups.
type Epics struct{ *base }

const (
	epic      = "Epic"
	epicIssue = "Epic issue"
)

var onEpics = issuable{
	kind: model.OnEpic, table: "epics", labels: "epic_labels", column: "epic_id",
	orders: map[string]string{"created_at": "created_at", "updated_at": "updated_at", "title": "title"},
}

// epicPath selects the path of the group of an epic.
const epicPath = "(SELECT full_path FROM namespaces WHERE namespaces.id = epics.group_id) AS group_path"

// EpicFilter narrows a list of epics.
type EpicFilter struct {
	IssuableFilter
	Confidential *bool
	Ancestors    bool // also epics of the groups above
	Descendants  bool // also epics of the groups below
}

// shown selects the epics that a reader sees. The rest is added by complete.
func (s Epics) shown(ctx context.Context, r *Reader) *gorm.DB {
	return s.seen(ctx, s.db.Read(ctx).Table("epics").Select("epics.*, "+epicPath), r)
}

// seen limits a query to the epics that a reader sees: those of groups that the reader sees, and confidential ones only
// where the reader is at least a reporter.
func (s Epics) seen(ctx context.Context, q *gorm.DB, r *Reader) *gorm.DB {
	if r != nil && r.Admin {
		return q
	}
	groups := Namespaces(s).groups(ctx, GroupFilter{}, r).Model(&model.Namespace{}).Select("id")
	q = q.Where("epics.group_id IN (?)", groups)
	if r == nil {
		return q.Where("NOT epics.confidential")
	}
	return q.Where("(NOT epics.confidential OR epics.group_id IN (SELECT group_id FROM ("+rolesInGroups+") AS roles WHERE level >= ?))",
		append(rolesArgs(r.UserID, s.today()), model.Reporter)...)
}

// List returns one page of the epics of a group that a reader sees.
func (s Epics) List(ctx context.Context, groupID int64, f EpicFilter, r *Reader, p Page) ([]model.EpicRow, Total, error) {
	groups, args := "epics.group_id = ?", []any{groupID}
	if f.Descendants {
		groups += " OR epics.group_id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)"
		args = append(args, groupID)
	}
	if f.Ancestors {
		groups += " OR epics.group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ?)"
		args = append(args, groupID)
	}
	q := onEpics.where(s.shown(ctx, r).Where("("+groups+")", args...), f.IssuableFilter, r)
	if f.Confidential != nil {
		q = q.Where("epics.confidential = ?", *f.Confidential)
	}
	return s.page(ctx, q.Order(onEpics.order(f.IssuableFilter)), r, p)
}

// Children returns one page of the child epics of an epic that a reader sees, in their order.
func (s Epics) Children(ctx context.Context, id int64, r *Reader, p Page) ([]model.EpicRow, Total, error) {
	return s.page(ctx, s.shown(ctx, r).Where("epics.parent_id = ?", id).Order("epics.relative_position, epics.id"), r, p)
}

func (s Epics) page(ctx context.Context, q *gorm.DB, r *Reader, p Page) ([]model.EpicRow, Total, error) {
	rows, total, err := query.ListFiltered[model.EpicRow](q, p)
	if err != nil {
		return nil, total, err
	}
	return rows, total, s.complete(ctx, rows, r)
}

// Get returns an epic by its number in a group, if the reader sees it.
func (s Epics) Get(ctx context.Context, groupID, iid int64, r *Reader) (model.EpicRow, error) {
	return s.one(ctx, s.shown(ctx, r).Where("epics.group_id = ? AND epics.iid = ?", groupID, iid), r)
}

// GetByID returns an epic of any group, if the reader sees it.
func (s Epics) GetByID(ctx context.Context, id int64, r *Reader) (model.EpicRow, error) {
	return s.one(ctx, s.shown(ctx, r).Where("epics.id = ?", id), r)
}

func (s Epics) one(ctx context.Context, q *gorm.DB, r *Reader) (model.EpicRow, error) {
	row, err := query.Take[model.EpicRow](q, epic)
	if err != nil {
		return row, err
	}
	rows := []model.EpicRow{row}
	err = s.complete(ctx, rows, r)
	return rows[0], err
}

// complete adds authors, labels, parents and inherited dates, in a fixed number of statements.
func (s Epics) complete(ctx context.Context, rows []model.EpicRow, r *Reader) error {
	ids, parents, authors := make([]int64, len(rows)), []int64{}, map[int64]bool{}
	for i := range rows {
		e := rows[i].Epic
		ids[i], authors[e.AuthorID] = e.ID, true
		if e.ParentID != nil {
			parents = append(parents, *e.ParentID)
		}
	}
	people, err := Users(s).shown(ctx, authors)
	if err != nil {
		return err
	}
	labels, err := s.labelsOf(ctx, onEpics, ids)
	if err != nil {
		return err
	}
	above, err := s.keys(ctx, parents, r)
	if err != nil {
		return err
	}
	dates, err := s.inheritedDates(ctx, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		row.Author, row.Labels = people[row.Epic.AuthorID], labels[row.Epic.ID]
		if p := row.Epic.ParentID; p != nil {
			row.Parent = above[*p]
		}
		row.InheritedStart, row.InheritedDue = dates.inherited(row.Epic.ID)
	}
	return nil
}

// keys returns the names of the given epics that a reader sees, by their ids.
func (s Epics) keys(ctx context.Context, ids []int64, r *Reader) (map[int64]*model.EpicKey, error) {
	found := map[int64]*model.EpicKey{}
	if len(ids) == 0 {
		return found, nil
	}
	q := s.seen(ctx, s.db.Read(ctx).Table("epics").Select("epics.id, epics.group_id, epics.iid, epics.title, "+epicPath), r)
	rows, err := query.Find[model.EpicKey](q.Where("epics.id IN ?", ids), len(ids))
	for i := range rows {
		found[rows[i].ID] = &rows[i]
	}
	return found, query.Translate(err)
}
