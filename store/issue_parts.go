package store

import (
	"context"
	"slices"

	"svc/store/internal/query"
	"svc/store/model"
)

// issueParts are what other tables have about issues.
type issueParts struct {
	users      map[int64]*model.User
	assignees  map[int64][]int64       // the ids of users by issue
	labels     map[int64][]model.Label // by issue, ordered by name
	milestones map[int64]*model.MilestoneRow
	ghost      *model.User // stands for an author who was removed since the issue was read
}

// issuePartsOf reads the users, labels and milestones of issues in one message. It reads a user only once, however many issues
// the user has.
func (b *base) issuePartsOf(ctx context.Context, rows []model.IssueRow) (p issueParts, err error) {
	if len(rows) == 0 {
		return p, nil
	}
	issues, authors := make([]int64, len(rows)), make([]int64, 0, len(rows))
	milestones := map[int64]bool{}
	for i := range rows {
		row := &rows[i].Issue
		issues[i] = row.ID
		authors = append(authors, row.AuthorID)
		if row.ClosedByID != nil {
			authors = append(authors, *row.ClosedByID)
		}
		if row.MilestoneID != nil {
			milestones[*row.MilestoneID] = true
		}
	}
	slices.Sort(authors)
	authors = slices.Compact(authors)
	err = b.db.RowsTogether(ctx, func() []query.Reading {
		p = issueParts{
			users: make(map[int64]*model.User, len(rows)), assignees: make(map[int64][]int64, len(rows)),
			labels: make(map[int64][]model.Label, len(rows)), milestones: make(map[int64]*model.MilestoneRow, len(milestones)),
		}
		readings := append(b.readIssuePeople(issues, authors, &p), b.readLabels(onIssues, issues, p.labels))
		if len(milestones) > 0 {
			readings = append(readings, b.readMilestones(milestones, p.milestones))
		}
		return readings
	})
	if err != nil {
		return p, query.Translate(err)
	}
	return p, b.addGhost(ctx, rows, &p)
}

// readIssuePeople returns the statements that read the assignees of issues, and all users of the issues.
func (b *base) readIssuePeople(issues, authors []int64, p *issueParts) []query.Reading {
	assigned, wrote := b.inIDs(issues), b.inIDs(authors)
	pairs := query.Reading{
		Text: "SELECT issue_id, user_id FROM issue_assignees WHERE issue_id " + assigned.text, Args: assigned.args,
		Scan: func(row query.Scanner) error {
			var id, user int64
			err := row.Scan(&id, &user)
			p.assignees[id] = append(p.assignees[id], user)
			return err
		},
	}
	var read model.User
	into := shownUserFields(&read)
	users := query.Reading{
		Text: "SELECT " + shownUserColumns + " FROM users WHERE id IN (SELECT user_id FROM issue_assignees WHERE issue_id " +
			assigned.text + " UNION SELECT id FROM users WHERE id " + wrote.text + ")",
		Args: slices.Concat(assigned.args, wrote.args),
		Scan: func(row query.Scanner) error {
			read = model.User{} // fields of the user before must not stay, nor share memory
			err := row.Scan(into...)
			u := read
			p.users[u.ID] = &u
			return err
		},
	}
	return []query.Reading{pairs, users}
}

// addGhost reads the ghost user if the author of an issue was not found.
func (b *base) addGhost(ctx context.Context, rows []model.IssueRow, p *issueParts) error {
	for i := range rows {
		if p.users[rows[i].Issue.AuthorID] == nil {
			ghost, err := Users{b}.Ghost(ctx)
			p.ghost = &ghost
			return err
		}
	}
	return nil
}

// addTo adds the parts of an issue to it.
func (p *issueParts) addTo(row *model.IssueRow) {
	if row.Author = p.users[row.Issue.AuthorID]; row.Author == nil {
		row.Author = p.ghost
	}
	row.ClosedBy, row.Milestone = of(p.users, row.Issue.ClosedByID), of(p.milestones, row.Issue.MilestoneID)
	row.Labels, row.Assignees = p.labels[row.Issue.ID], nil
	assignees := p.assignees[row.Issue.ID]
	slices.Sort(assignees)
	for _, id := range assignees {
		if u := p.users[id]; u != nil { // nil if the user was removed meanwhile
			row.Assignees = append(row.Assignees, u)
		}
	}
}
