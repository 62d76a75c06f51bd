package store

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"svc/store/internal/query"
	"svc/store/model"
)

// parseID parses an id in a filter. Text that is not a number becomes -1, which matches nobody.
func parseID(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return id
}

// People are the users of an issue or merge request.
type People struct {
	Author    *model.User
	ClosedBy  *model.User
	MergedBy  *model.User
	Assignees []*model.User
	Reviewers []*model.User
}

const (
	roleAuthor = iota
	roleClosedBy
	roleAssignee
	roleMergedBy
	roleReviewer
)

// parts are what other tables have about issues or merge requests, by item.
type parts struct {
	people map[int64]*People
	labels map[int64][]model.Label // ordered by name
}

// partsOf reads the users and labels of issues or merge requests, and what more reads, in one message. An item that was removed
// after its id was read gets the ghost user as author.
func (b *base) partsOf(ctx context.Context, in issuable, ids []int64, more ...func() query.Reading) (p parts, err error) {
	if len(ids) == 0 {
		return p, nil
	}
	err = b.db.RowsTogether(ctx, func() []query.Reading {
		p = parts{make(map[int64]*People, len(ids)), make(map[int64][]model.Label, len(ids))}
		readings := []query.Reading{b.readPeople(in, ids, p.people), b.readLabels(in, ids, p.labels)}
		for _, reading := range more {
			readings = append(readings, reading())
		}
		return readings
	})
	if err != nil || len(p.people) == len(ids) {
		return p, query.Translate(err)
	}
	ghost, err := Users{b}.Ghost(ctx)
	for _, id := range ids {
		if p.people[id] == nil {
			p.people[id] = &People{Author: &ghost}
		}
	}
	return p, err
}

// readPeople returns the statement that reads the users of issues or merge requests.
func (b *base) readPeople(in issuable, ids []int64, found map[int64]*People) query.Reading {
	some := b.inIDs(ids)
	parts := "SELECT id AS item, 0 AS role, author_id AS user_id FROM " + in.table + " WHERE id " + some.text +
		" UNION ALL SELECT id, 1, closed_by_id FROM " + in.table + " WHERE closed_by_id IS NOT NULL AND id " + some.text +
		" UNION ALL SELECT " + in.column + ", 2, user_id FROM " + in.assignees + " WHERE " + in.column + " " + some.text
	args := append(append(append([]any{}, some.args...), some.args...), some.args...)
	if in.kind == model.OnMergeRequest {
		parts += " UNION ALL SELECT id, 3, merge_user_id FROM merge_requests WHERE merge_user_id IS NOT NULL AND id " + some.text +
			" UNION ALL SELECT merge_request_id, 4, user_id FROM merge_request_reviewers WHERE merge_request_id " + some.text
		args = append(append(args, some.args...), some.args...)
	}
	users := map[int64]*model.User{}
	statement := "SELECT item, role, " + shownUserColumns + " FROM (" + parts +
		") AS parts JOIN users ON users.id = parts.user_id ORDER BY item, role, id"
	return query.Reading{Text: statement, Args: args, Scan: func(row query.Scanner) error {
		var item, role int64
		u := &model.User{}
		err := row.Scan(append([]any{&item, &role}, shownUserFields(u)...)...)
		if known := users[u.ID]; known != nil {
			u = known
		}
		users[u.ID] = u
		found[item] = found[item].add(role, u)
		return err
	}}
}

func (p *People) add(role int64, u *model.User) *People {
	if p == nil {
		p = &People{}
	}
	switch role {
	case roleAuthor:
		p.Author = u
	case roleClosedBy:
		p.ClosedBy = u
	case roleMergedBy:
		p.MergedBy = u
	case roleAssignee:
		p.Assignees = append(p.Assignees, u)
	case roleReviewer:
		p.Reviewers = append(p.Reviewers, u)
	}
	return p
}

// labelsOf reads the labels of issues, merge requests or epics, by item and ordered by name.
func (b *base) labelsOf(ctx context.Context, in issuable, ids []int64) (map[int64][]model.Label, error) {
	found := make(map[int64][]model.Label, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	r := b.readLabels(in, ids, found)
	return found, query.Translate(b.db.Rows(ctx, r.Text, r.Args, r.Scan))
}

// readLabels returns the statement that reads the labels of issues, merge requests or epics.
func (b *base) readLabels(in issuable, ids []int64, found map[int64][]model.Label) query.Reading {
	some := b.inIDs(ids)
	statement := "SELECT x." + in.column + ", l.id, l.project_id, l.group_id, l.name, l.description, l.color, l.created_at, l.updated_at " +
		"FROM labels l JOIN " + in.labels + " x ON x.label_id = l.id WHERE x." + in.column + " " + some.text + " ORDER BY l.name, l.id"
	return query.Reading{Text: statement, Args: some.args, Scan: func(row query.Scanner) error {
		var item int64
		var l model.Label
		err := row.Scan(&item, &l.ID, &l.ProjectID, &l.GroupID, &l.Name, &l.Description, &l.Color, &l.CreatedAt, &l.UpdatedAt)
		found[item] = append(found[item], l)
		return err
	}}
}

// milestonesOf reads milestones by their ids in one statement.
func (b *base) milestonesOf(ctx context.Context, wanted map[int64]bool) (map[int64]*model.MilestoneRow, error) {
	found := make(map[int64]*model.MilestoneRow, len(wanted))
	if len(wanted) == 0 {
		return found, nil
	}
	r := b.readMilestones(wanted, found)
	return found, query.Translate(b.db.Rows(ctx, r.Text, r.Args, r.Scan))
}

// readMilestones returns the statement that reads milestones by their ids. There must be at least one.
func (b *base) readMilestones(wanted map[int64]bool, found map[int64]*model.MilestoneRow) query.Reading {
	some := b.inIDs(slices.Collect(maps.Keys(wanted)))
	statement := "SELECT " + milestoneColumns + ", " + milestonePlace + " FROM milestones WHERE id " + some.text
	return query.Reading{Text: statement, Args: some.args, Scan: func(row query.Scanner) error {
		m := &model.MilestoneRow{}
		err := row.Scan(append(milestoneFields(&m.Milestone), &m.Place)...)
		found[m.Milestone.ID] = m
		return err
	}}
}

// relabel replaces the labels of an issue or merge request and returns the labels that it added and removed.
func (b *base) relabel(ctx context.Context, in issuable, id int64, want []model.Label) (added, removed []model.Label, err error) {
	before, err := b.labelsOf(ctx, in, []int64{id})
	if err != nil {
		return nil, nil, err
	}
	has, wanted := map[int64]bool{}, map[int64]bool{}
	for _, l := range before[id] {
		has[l.ID] = true
	}
	for _, l := range want {
		if !has[l.ID] && !wanted[l.ID] {
			added = append(added, l)
		}
		wanted[l.ID] = true
	}
	var gone []int64
	for _, l := range before[id] {
		if !wanted[l.ID] {
			removed, gone = append(removed, l), append(gone, l.ID)
		}
	}
	if len(gone) > 0 {
		if err := b.db.Write(ctx).Exec("DELETE FROM "+in.labels+" WHERE "+in.column+" = ? AND label_id IN ?", id, gone).Error; err != nil {
			return nil, nil, query.Translate(err)
		}
	}
	if len(added) > 0 {
		rows := make([]map[string]any, len(added))
		for i, l := range added {
			rows[i] = map[string]any{in.column: id, "label_id": l.ID}
		}
		if err := b.db.Write(ctx).Table(in.labels).Create(rows).Error; err != nil {
			return nil, nil, query.Translate(err)
		}
	}
	return added, removed, nil
}

// reassign replaces the assignees of an issue or merge request.
func (b *base) reassign(ctx context.Context, in issuable, id int64, users []int64) error {
	if err := b.db.Write(ctx).Exec("DELETE FROM "+in.assignees+" WHERE "+in.column+" = ?", id).Error; err != nil || len(users) == 0 {
		return query.Translate(err)
	}
	rows := make([]map[string]any, len(users))
	for i, user := range users {
		rows[i] = map[string]any{in.column: id, "user_id": user}
	}
	return query.Translate(b.db.Write(ctx).Table(in.assignees).Create(rows).Error)
}
