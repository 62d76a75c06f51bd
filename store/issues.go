package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Issues holds the issues of projects.
type Issues struct{ *base }

const issue = "Issue"

// IssueFilter narrows a list of issues.
type IssueFilter struct {
	IssuableFilter
	Confidential *bool
	IssueType    string
	Weight       string // a number, none or any
	Iteration    string // an id, none or any
	Sprint       string // the title of an iteration
	Due          string // 0 for none, any, overdue, today, tomorrow, week, month or next_month_and_previous_two_weeks
}

// shown selects issues with their project paths and counts. The rest is added by complete.
func (s Issues) shown(ctx context.Context, r *Reader) *gorm.DB {
	beside := s.beside(r)
	return s.db.Read(ctx).Table("issues").Select("issues.*, "+beside.text, beside.args...)
}

// beside returns the columns that are shown with an issue besides its own, as the reader sees them.
func (s Issues) beside(r *Reader) condition {
	all := IssuableScope{Reader: r}
	projects, args := all.projects(onIssues, s.today())
	seen, more := all.seen("blocked", s.today())
	return condition{
		"(SELECT epic_id FROM epic_issues WHERE epic_issues.issue_id = issues.id) AS epic_id, " +
			"(SELECT full_path FROM projects WHERE projects.id = issues.project_id) AS project_path, " +
			"(SELECT count(*) FROM merge_request_issues c WHERE c.issue_id = issues.id AND c.closes) AS merge_requests_count, " +
			"(SELECT count(*) FROM issue_links k JOIN issues blocked ON blocked.id = k.target_id WHERE k.source_id = " +
			"issues.id AND k.link_type = 'blocks' " +
			"AND blocked.state = 'opened' AND blocked.project_id IN (" + projects + ") AND " + seen + ") AS blocking_count",
		append(args, more...),
	}
}

// besideOne is beside for a single issue, with whether the reader is subscribed to it.
func (s Issues) besideOne(r *Reader) condition {
	var userID int64
	if r != nil {
		userID = r.UserID
	}
	beside, subscribed := s.beside(r), onIssues.subscribed(userID)
	return condition{beside.text + ", " + subscribed.text + " AS subscribed", append(beside.args, subscribed.args...)}
}

// List returns one page of the issues that a reader sees.
func (s Issues) List(ctx context.Context, scope IssuableScope, f IssueFilter, p Page) ([]model.IssueRow, Total, error) {
	rows, total, err := listIssuables(ctx, s.base, s.list(ctx, scope, f), p, issueRowFields)
	if err != nil {
		return nil, total, err
	}
	return rows, total, s.complete(ctx, rows, scope.Reader)
}

func (s Issues) list(ctx context.Context, scope IssuableScope, f IssueFilter) issuableList {
	whole := f
	whole.OrderBy, whole.Asc = "", false
	beside := s.beside(scope.Reader)
	return issuableList{
		in: onIssues, scope: scope, filter: f.IssuableFilter, whole: whole,
		shown: condition{issueColumns + ", " + beside.text, beside.args},
		rows:  func() *gorm.DB { return s.db.Read(ctx).Table("issues") },
		where: func(q *gorm.DB, in issuable) *gorm.DB { return f.where(q, in, scope.Reader) },
	}
}

func (f IssueFilter) where(q *gorm.DB, in issuable, r *Reader) *gorm.DB {
	q = in.where(q, f.IssuableFilter, r)
	if f.Confidential != nil {
		q = q.Where("issues.confidential = ?", *f.Confidential)
	}
	if f.IssueType != "" {
		q = q.Where("issues.issue_type = ?", f.IssueType)
	}
	switch f.Weight {
	case "":
	case "none":
		q = q.Where("issues.weight IS NULL")
	case "any":
		q = q.Where("issues.weight IS NOT NULL")
	default:
		q = q.Where("issues.weight = ?", parseID(f.Weight))
	}
	return f.whereDue(f.whereIteration(q))
}

// whereIteration limits a query to issues by their iteration.
func (f IssueFilter) whereIteration(q *gorm.DB) *gorm.DB {
	switch f.Iteration {
	case "":
	case "none":
		q = q.Where("issues.iteration_id IS NULL")
	case "any":
		q = q.Where("issues.iteration_id IS NOT NULL")
	default:
		q = q.Where("issues.iteration_id = ?", parseID(f.Iteration))
	}
	if f.Sprint != "" {
		q = q.Where("issues.iteration_id IN (SELECT id FROM iterations WHERE title = ?)", f.Sprint)
	}
	return q
}

// whereDue limits a query to issues that are due at a time.
func (f IssueFilter) whereDue(q *gorm.DB) *gorm.DB {
	day := dayOf(q.NowFunc())
	between := func(from, to int) *gorm.DB {
		return q.Where("issues.due_date >= ? AND issues.due_date <= ?", day.AddDate(0, 0, from), day.AddDate(0, 0, to))
	}
	switch f.Due {
	case "0":
		return q.Where("issues.due_date IS NULL")
	case "any":
		return q.Where("issues.due_date IS NOT NULL")
	case "overdue":
		return q.Where("issues.due_date < ?", day)
	case "today":
		return between(0, 0)
	case "tomorrow":
		return between(1, 1)
	case "week":
		monday := -(int(day.Weekday()) + 6) % 7
		return between(monday, monday+6)
	case "month":
		return q.Where("issues.due_date >= ? AND issues.due_date <= ?", day.AddDate(0, 0, 1-day.Day()), day.AddDate(0, 1, -day.Day()))
	case "next_month_and_previous_two_weeks":
		return q.Where("issues.due_date >= ? AND issues.due_date <= ?", day.AddDate(0, 0, -14), day.AddDate(0, 2, -day.Day()))
	}
	return q
}

// complete adds people, labels, milestones, iterations, duplicates and epics.
func (s Issues) complete(ctx context.Context, rows []model.IssueRow, r *Reader) error {
	iterations := map[int64]bool{}
	for i := range rows {
		if sprint := rows[i].Issue.IterationID; sprint != nil {
			iterations[*sprint] = true
		}
	}
	found, err := s.issuePartsOf(ctx, rows)
	if err != nil {
		return err
	}
	sprints, err := s.iterationsOf(ctx, iterations)
	if err != nil {
		return err
	}
	for i := range rows {
		found.addTo(&rows[i])
		rows[i].Iteration = of(sprints, rows[i].Issue.IterationID)
	}
	if err := s.addEpics(ctx, rows, r); err != nil {
		return err
	}
	return s.addDuplicates(ctx, rows, r)
}

// addEpics adds the epics of issues, if the reader sees them.
func (s Issues) addEpics(ctx context.Context, rows []model.IssueRow, r *Reader) error {
	var ids []int64
	for _, row := range rows {
		if row.EpicID != nil {
			ids = append(ids, *row.EpicID)
		}
	}
	epics, err := Epics(s).keys(ctx, ids, r)
	for i := range rows {
		if id := rows[i].EpicID; id != nil {
			rows[i].Epic = epics[*id]
		}
	}
	return err
}

// addDuplicates adds the issues that closed issues are duplicates of, if the reader sees them.
func (s Issues) addDuplicates(ctx context.Context, rows []model.IssueRow, r *Reader) error {
	var ids []int64
	for _, row := range rows {
		if to := row.Issue.DuplicatedToID; to != nil && row.Issue.State == model.Closed {
			ids = append(ids, *to)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var keys []model.IssueKey
	q := IssuableScope{Reader: r}.narrow(s.db.Read(ctx).Table("issues"), onIssues)
	err := q.Select("issues.id, issues.project_id, issues.iid").Where("issues.id IN ?", ids).Scan(&keys).Error
	byID := map[int64]*model.IssueKey{}
	for i := range keys {
		byID[keys[i].ID] = &keys[i]
	}
	for i := range rows {
		if to := rows[i].Issue.DuplicatedToID; to != nil && rows[i].Issue.State == model.Closed {
			rows[i].DuplicateOf = byID[*to]
		}
	}
	return query.Translate(err)
}

// Get returns an issue of the scope's project by its number in the project, if the reader sees it.
func (s Issues) Get(ctx context.Context, scope IssuableScope, iid int64) (model.IssueRow, error) {
	rows := make([]model.IssueRow, 1)
	row := &rows[0]
	beside := s.besideOne(scope.Reader)
	seen, args := scope.seen("issues", s.today())
	err := s.db.Row(
		ctx, "SELECT "+issueColumns+", "+beside.text+" FROM issues WHERE issues.project_id = ? AND issues.iid = ? AND "+seen,
		append(append(beside.args, *scope.ProjectID, iid), args...),
		append(issueRowFields(row), &row.Subscribed)...,
	)
	if err != nil {
		return model.IssueRow{}, query.Translate(err, issue)
	}
	err = s.complete(ctx, rows, scope.Reader)
	return *row, err
}

// FindID returns the id of an issue that the reader sees.
func (s Issues) FindID(ctx context.Context, scope IssuableScope, iid int64) (int64, error) {
	type found struct{ ID int64 }
	q := scope.narrow(s.db.Read(ctx).Table("issues").Select("issues.id"), onIssues).Where("issues.iid = ?", iid)
	row, err := query.Take[found](q, issue)
	return row.ID, err
}

// GetByID returns an issue of any project, if the reader sees it.
func (s Issues) GetByID(ctx context.Context, id int64, r *Reader) (model.IssueRow, error) {
	beside := s.besideOne(r)
	q := s.db.Read(ctx).Table("issues").Select("issues.*, "+beside.text, beside.args...)
	return s.one(ctx, IssuableScope{Reader: r}.narrow(q, onIssues).Where("issues.id = ?", id), r)
}

func (s Issues) one(ctx context.Context, q *gorm.DB, r *Reader) (model.IssueRow, error) {
	row, err := query.Take[model.IssueRow](q, issue)
	if err != nil {
		return row, err
	}
	rows := []model.IssueRow{row}
	err = s.complete(ctx, rows, r)
	return rows[0], err
}

// stateCount is the number of rows in a state.
type stateCount struct {
	State string
	N     int64
}

// Count returns the numbers of open and closed issues that a reader sees. It ignores the state in the filter.
func (s Issues) Count(ctx context.Context, scope IssuableScope, f IssueFilter) (opened, closed int64, err error) {
	f.State = ""
	q := f.where(scope.narrow(s.db.Read(ctx).Table("issues"), onIssues), onIssues, scope.Reader).Select("issues.state, count(*) AS n").
		Group("issues.state")
	rows, err := query.Find[stateCount](q, 2)
	for _, row := range rows {
		if row.State == model.Opened {
			opened = row.N
		} else {
			closed = row.N
		}
	}
	return opened, closed, query.Translate(err)
}

// CountAssigned counts the open issues that are assigned to the reader, in projects that are not archived and where the
// reader still sees them.
func (s Issues) CountAssigned(ctx context.Context, r *Reader) (int64, error) {
	opened, _, err := s.Count(ctx, IssuableScope{NonArchived: true, Reader: r},
		IssueFilter{IssuableFilter: IssuableFilter{Assignee: itoa(r.UserID)}})
	return opened, err
}

// CountMergeRequests counts the open merge requests that are assigned to the reader and those that the reader is asked to review,
// in projects that are not archived and where the reader still sees them.
func (s Issues) CountMergeRequests(ctx context.Context, r *Reader) (assigned, reviews int64, err error) {
	projects, args := IssuableScope{NonArchived: true, Reader: r}.projects(onMergeRequests, s.today())
	count := func(table string) string {
		return "(SELECT count(*) FROM " + table +
			" x JOIN merge_requests m ON m.id = x.merge_request_id WHERE x.user_id = ? AND m.state = 'opened' AND m.project_id IN (" +
			projects + "))"
	}
	all := append([]any{r.UserID}, args...)
	err = query.ScanFirst(s.db.Read(ctx).Raw("SELECT "+count("merge_request_assignees")+", "+count("merge_request_reviewers"),
		append(append([]any{}, all...), all...)...), &assigned, &reviews)
	return assigned, reviews, query.Translate(err)
}

// CountCreated counts the issues and merge requests that a user has created.
func (s Issues) CountCreated(ctx context.Context, userID int64) (issues, requests int64, err error) {
	err = query.ScanFirst(s.db.Read(ctx).Raw(
		"SELECT (SELECT count(*) FROM issues WHERE author_id = ?), (SELECT count(*) FROM merge_requests WHERE author_id = ?)",
		userID, userID,
	), &issues, &requests)
	return issues, requests, query.Translate(err)
}

// Participants returns one page of the users who take part in an issue or merge request: its author, its assignees and
// users who wrote a comment that is not internal.
func (s Issues) Participants(ctx context.Context, kind string, id int64, p Page) ([]model.User, Total, error) {
	in := onIssues
	if kind == model.OnMergeRequest {
		in = onMergeRequests
	}
	q := s.db.Read(ctx).
		Where("id IN (SELECT author_id FROM "+in.table+" WHERE id = ? UNION SELECT user_id FROM "+in.assignees+" WHERE "+in.column+" = ? "+
			"UNION SELECT author_id FROM notes WHERE noteable_type = ? AND noteable_id = ? AND NOT system AND NOT internal)",
			id, id, kind, id).Order("id")
	return query.ListComputed[model.User](q.Select(shownUserColumns), p)
}
