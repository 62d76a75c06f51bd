package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Milestones holds the milestones of issues and merge requests.
type Milestones struct{ *base }

const milestone = "Milestone"

// milestonePlace selects the path of the project or group that a milestone belongs to.
const milestonePlace = "coalesce((SELECT full_path FROM projects WHERE projects.id = milestones.project_id), " +
	"(SELECT full_path FROM namespaces WHERE namespaces.id = milestones.group_id)) AS place"

func (s Milestones) shown(ctx context.Context) *gorm.DB {
	return s.db.Read(ctx).Table("milestones").Select("milestones.*, " + milestonePlace)
}

// owned is like shown, for milestones that all belong to the same project or group. Its path is read only once.
func (s Milestones) owned(ctx context.Context, in ResourceOwner) *gorm.DB {
	place, args := placeOf(in)
	return s.db.Read(ctx).Table("milestones").Select("milestones.*, "+place, args...)
}

// placeOf selects the path of a project or group.
func placeOf(in ResourceOwner) (string, []any) {
	if in.ProjectID != nil {
		return "(SELECT full_path FROM projects WHERE id = ?) AS place", []any{*in.ProjectID}
	}
	return "(SELECT full_path FROM namespaces WHERE id = ?) AS place", []any{*in.GroupID}
}

// MilestoneFilter narrows a list of milestones.
type MilestoneFilter struct {
	IIDs          []int64
	State         string
	Title         string // exactly
	Search        string // part of title or description
	Ancestors     bool   // also milestones of the groups above
	UpdatedAfter  *time.Time
	UpdatedBefore *time.Time
}

// List returns one page of the milestones of a project or group, those with the earliest due date first.
func (s Milestones) List(ctx context.Context, in ResourceOwner, f MilestoneFilter, p Page) ([]model.MilestoneRow, Total, error) {
	place, args := placeOf(in)
	if f.Ancestors {
		place, args = milestonePlace, nil
	}
	return shortList[model.MilestoneRow]{
		columns: milestoneColumns + ", " + place, args: args, from: s.listed(in, f), order: "due_date IS NULL, due_date, id DESC",
		fields: func(row *model.MilestoneRow) []any { return append(milestoneFields(&row.Milestone), &row.Place) },
	}.page(ctx, s.base, p)
}

// listed returns the table with the conditions of a filter.
func (s Milestones) listed(in ResourceOwner, f MilestoneFilter) condition {
	c := in.ownedRows()
	if f.Ancestors {
		c = in.inheritedRows()
	}
	and := func(text string, args ...any) { c.text, c.args = c.text+" AND "+text, append(c.args, args...) }
	if len(f.IIDs) > 0 {
		numbers := s.inIDs(f.IIDs)
		and("iid "+numbers.text, numbers.args...)
	}
	if f.State != "" {
		and("state = ?", f.State)
	}
	if f.Title != "" {
		and("title = ?", f.Title)
	}
	if f.Search != "" {
		like := "%" + likeEscaper.Replace(strings.ToLower(f.Search)) + "%"
		and(`(lower(title) LIKE ? ESCAPE '\' OR lower(description) LIKE ? ESCAPE '\')`, like, like)
	}
	if f.UpdatedAfter != nil {
		and("updated_at >= ?", utc(f.UpdatedAfter))
	}
	if f.UpdatedBefore != nil {
		and("updated_at <= ?", utc(f.UpdatedBefore))
	}
	c.text = "milestones WHERE " + c.text
	return c
}

// Get returns a milestone that belongs to the project or group itself.
func (s Milestones) Get(ctx context.Context, in ResourceOwner, id int64) (model.MilestoneRow, error) {
	return query.Take[model.MilestoneRow](in.whereOwned(s.owned(ctx, in)).Where("id = ?", id), milestone)
}

// Find returns a milestone that issues and merge requests of a project may use: its own or one of the groups above it.
func (s Milestones) Find(ctx context.Context, in ResourceOwner, id int64) (model.MilestoneRow, error) {
	return query.Take[model.MilestoneRow](in.whereInherited(s.shown(ctx)).Where("id = ?", id), milestone)
}

// FindByTitles returns the milestones with these titles that a project may use: its own and those of the groups above it.
func (s Milestones) FindByTitles(ctx context.Context, in ResourceOwner, titles []string) ([]model.MilestoneRow, error) {
	return s.find(in.whereInherited(s.shown(ctx)).Where("title IN ?", titles), len(titles))
}

// FindByIDs returns the milestones with these ids that a project may use: its own and those of the groups above it.
func (s Milestones) FindByIDs(ctx context.Context, in ResourceOwner, ids []int64) ([]model.MilestoneRow, error) {
	return s.find(in.whereInherited(s.shown(ctx)).Where("id IN ?", ids), len(ids))
}

func (s Milestones) find(q *gorm.DB, expected int) ([]model.MilestoneRow, error) {
	rows, err := query.Find[model.MilestoneRow](q.Order("id"), expected)
	return rows, query.Translate(err)
}

// Create adds a milestone and gives it its number.
func (s Milestones) Create(ctx context.Context, m *model.Milestone) error {
	return s.Tx(ctx, func(ctx context.Context) (err error) {
		if m.ProjectID != nil {
			m.IID, err = s.next(ctx, *m.ProjectID, counterMilestones)
		} else {
			m.IID, err = s.nextInGroup(ctx, *m.GroupID, counterMilestones)
		}
		if err != nil {
			return err
		}
		s.setTimes(&m.CreatedAt, &m.UpdatedAt)
		return s.insert(ctx, insertMilestone, milestoneFields(m))
	})
}

// milestoneColumns and milestoneFields belong together: all columns of a milestone, and the fields that they are scanned
// into.
const milestoneColumns = "id, project_id, group_id, iid, title, description, state, start_date, due_date, created_at, updated_at"

func milestoneFields(m *model.Milestone) []any {
	return []any{
		&m.ID, &m.ProjectID, &m.GroupID, &m.IID, &m.Title, &m.Description, &m.State, &m.StartDate, &m.DueDate, &m.CreatedAt,
		&m.UpdatedAt,
	}
}

var insertMilestone = insertion("milestones", milestoneColumns) + returningID

// Update changes columns of a milestone.
func (s Milestones) Update(ctx context.Context, id int64, set map[string]any) error {
	set["updated_at"] = s.now()
	return query.Translate(s.db.Write(ctx).Model(&model.Milestone{}).Where("id = ?", id).UpdateColumns(set).Error)
}

// Delete removes a milestone, unless it was changed after the given time. Its issues and merge requests lose their
// milestone.
func (s Milestones) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.Milestone](ctx, s.db, milestone, unchangedSince, "id = ?", id)
}

// Promote replaces the milestone of a project by a milestone of the group. Milestones with the same title in all
// projects of the group and of the groups below it are merged into that milestone.
func (s Milestones) Promote(ctx context.Context, m model.Milestone, groupID int64) (model.Milestone, error) {
	err := s.Exclusive(ctx, "promote in group "+strconv.FormatInt(groupID, 10), func(ctx context.Context) error {
		found, err := query.Take[model.Milestone](s.db.Write(ctx).Where("group_id = ? AND title = ?", groupID, m.Title), milestone)
		if IsNotFound(err) {
			found = model.Milestone{
				GroupID: &groupID, Title: m.Title, Description: m.Description, State: m.State, StartDate: m.StartDate, DueDate: m.DueDate,
			}
			err = s.Create(ctx, &found)
		}
		if err != nil {
			return err
		}
		const same = "SELECT m.id FROM milestones m JOIN projects p ON p.id = m.project_id WHERE m.title = ? AND p.namespace_id IN " +
			"(SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)"
		for _, table := range []string{"issues", "merge_requests"} {
			if err := s.db.Write(ctx).Exec("UPDATE "+table+" SET milestone_id = ? WHERE milestone_id IN ("+same+")",
				found.ID, m.Title, groupID).Error; err != nil {
				return query.Translate(err)
			}
		}
		if err := s.db.Write(ctx).Exec("INSERT INTO release_milestones (release_id, milestone_id) SELECT DISTINCT release_id, "+
			"CAST(? AS bigint) FROM release_milestones WHERE milestone_id IN ("+same+") ON CONFLICT DO NOTHING",
			found.ID, m.Title, groupID).Error; err != nil {
			return query.Translate(err)
		}
		err = s.db.Write(ctx).Exec("DELETE FROM milestones WHERE id IN ("+same+")", m.Title, groupID).Error
		m = found
		return query.Translate(err)
	})
	return m, err
}
