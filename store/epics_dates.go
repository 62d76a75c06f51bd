package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// epicDates holds what the dates of epics depend on: the epics below them, and the milestones of their issues.
type epicDates struct {
	children   map[int64][]model.Epic
	milestones map[int64][]epicMilestone
}

// epicMilestone has the dates of a milestone of an issue of an epic.
type epicMilestone struct {
	EpicID    int64
	StartDate *time.Time
	DueDate   *time.Time
}

// TableName returns the table that most columns come from.
func (epicMilestone) TableName() string { return "milestones" }

// epicsBelow selects the given epics and all epics below them.
const epicsBelow = "WITH RECURSIVE below (id) AS (SELECT id FROM epics WHERE id IN ? UNION SELECT epics.id FROM epics " +
	"JOIN below ON epics.parent_id = below.id) SELECT id FROM below"

// inheritedDates reads what the dates of epics depend on, in two statements.
func (s Epics) inheritedDates(ctx context.Context, ids []int64) (epicDates, error) {
	d := epicDates{children: map[int64][]model.Epic{}, milestones: map[int64][]epicMilestone{}}
	if len(ids) == 0 {
		return d, nil
	}
	below, err := query.Find[model.Epic](s.db.Read(ctx).Where("parent_id IS NOT NULL AND id IN ("+epicsBelow+")", ids), 0)
	if err != nil {
		return d, query.Translate(err)
	}
	all := append([]int64{}, ids...)
	for _, e := range below {
		d.children[*e.ParentID] = append(d.children[*e.ParentID], e)
		all = append(all, e.ID)
	}
	rows, err := query.Find[epicMilestone](s.db.Read(ctx).Table("milestones").
		Select("DISTINCT x.epic_id, milestones.start_date, milestones.due_date").
		Joins("JOIN issues ON issues.milestone_id = milestones.id JOIN epic_issues x ON x.issue_id = issues.id").
		Where("x.epic_id IN ?", all), 0)
	for _, m := range rows {
		d.milestones[m.EpicID] = append(d.milestones[m.EpicID], m)
	}
	return d, query.Translate(err)
}

// inherited returns the earliest start date and the latest due date of the milestones of the issues of an epic and of
// its children. Epics are never below themselves.
func (d epicDates) inherited(id int64) (start, due *time.Time) {
	earlier := func(at *time.Time) {
		if at != nil && (start == nil || at.Before(*start)) {
			start = at
		}
	}
	later := func(at *time.Time) {
		if at != nil && (due == nil || at.After(*due)) {
			due = at
		}
	}
	for _, m := range d.milestones[id] {
		earlier(m.StartDate)
		later(m.DueDate)
	}
	for _, child := range d.children[id] {
		childStart, childDue := d.inherited(child.ID)
		if child.StartDateIsFixed {
			childStart = child.StartDateFixed
		}
		if child.DueDateIsFixed {
			childDue = child.DueDateFixed
		}
		earlier(childStart)
		later(childDue)
	}
	return start, due
}
