package store

import (
	"strings"
	"time"

	"svc/store/model"

	"gorm.io/gorm"
)

// issuable names the tables and columns of issues or merge requests. Both have authors, assignees, labels, a milestone
// and emoji.
type issuable struct {
	kind      string // the type in notes, emoji and events
	table     string
	assignees string
	labels    string
	column    string // refers to the row in the tables of assignees and labels
	level     string // the access level column of projects
	orders    map[string]string
	plan      listPlan // how a list finds its rows
}

var (
	onIssues = issuable{
		kind: model.OnIssue, table: "issues", assignees: "issue_assignees", labels: "issue_labels", column: "issue_id",
		level: "issues_access_level",
		orders: map[string]string{
			"created_at": "created_at", "updated_at": "updated_at", "due_date": "due_date", "title": "title",
			"relative_position": "relative_position", "popularity": "upvotes",
		},
	}
	onMergeRequests = issuable{
		kind: model.OnMergeRequest, table: "merge_requests", assignees: "merge_request_assignees", labels: "merge_request_labels",
		column: "merge_request_id", level: "merge_requests_access_level",
		orders: map[string]string{
			"created_at": "created_at", "updated_at": "updated_at", "title": "title", "popularity": "upvotes", "merged_at": "merged_at",
		},
	}
)

// IssuableScope selects the projects of a list, and the reader who sees the list.
type IssuableScope struct {
	ProjectID   *int64 // one project, which the reader may see
	Role        model.Access
	GroupID     *int64 // projects in a group and below it; neither means all
	NonArchived bool   // only projects that are not archived
	Reader      *Reader
}

// InProject returns the scope of one project, with the reader's role in it.
func InProject(row model.ProjectRow, r *Reader) IssuableScope {
	return IssuableScope{ProjectID: &row.Project.ID, Role: row.Role(), Reader: r}
}

// narrow limits a query of issues or merge requests to those in the scope that the reader sees.
func (s IssuableScope) narrow(q *gorm.DB, in issuable) *gorm.DB {
	if s.ProjectID != nil {
		q = q.Where(in.projectColumn()+" = ?", *s.ProjectID)
	} else {
		projects, args := s.projects(in, dayOf(q.NowFunc()))
		q = q.Where(in.inProjects(projects), args...)
	}
	if in.kind != model.OnIssue {
		return q
	}
	if seen, args := s.seen(in.table, dayOf(q.NowFunc())); seen != "TRUE" {
		q = q.Where(seen, args...)
	}
	return q
}

// projects returns a query for the projects of the scope in which the reader sees issues or merge requests.
func (s IssuableScope) projects(in issuable, day time.Time) (string, []any) {
	text, args := readableProjects(in, s.Reader, day)
	if s.GroupID != nil {
		text += " AND projects.namespace_id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)"
		args = append(args, *s.GroupID)
	}
	if s.NonArchived {
		text += " AND NOT projects.archived"
	}
	return text, args
}

// readableProjects returns a query for the projects whose issues, merge requests or other part a reader sees. model.ProjectRow has
// the same rules.
func readableProjects(in issuable, r *Reader, day time.Time) (string, []any) {
	open := "projects." + in.level + " = 'enabled' AND "
	on := "projects." + in.level + " <> 'disabled' AND "
	least := model.Guest
	if in.kind == model.OnMergeRequest {
		open += "projects.repository_access_level = 'enabled' AND "
		on += "projects.repository_access_level <> 'disabled' AND "
		least = model.Reporter
	}
	if in.kind == model.OnCommit {
		least = model.Reporter
	}
	text := "SELECT projects.id FROM projects WHERE "
	switch {
	case r == nil:
		return text + open + atLeast("projects.visibility", model.Public), nil
	case r.Admin:
		return text + on + "TRUE", nil
	}
	member, args := projectWithRole("projects", r.UserID, least, day)
	return text + "((" + open + atLeast("projects.visibility", widestVisible(r)) + ") OR (" + on + member + "))", args
}

// seen returns a condition for the issues that the reader sees: those that are not confidential, those that the reader
// wrote or is assigned to, and those in projects where the reader is at least a reporter.
func (s IssuableScope) seen(table string, day time.Time) (string, []any) {
	switch {
	case s.Reader == nil:
		return "NOT " + table + ".confidential", nil
	case s.Reader.Admin, s.ProjectID != nil && s.Role >= model.Reporter:
		return "TRUE", nil
	}
	text := "(NOT " + table + ".confidential OR " + table + ".author_id = ? OR " +
		table + ".id IN (SELECT issue_id FROM issue_assignees WHERE user_id = ?)"
	args := []any{s.Reader.UserID, s.Reader.UserID}
	if s.ProjectID == nil {
		member, more := projectWithRole("projects", s.Reader.UserID, model.Reporter, day)
		text += " OR " + table + ".project_id IN (SELECT projects.id FROM projects WHERE " + member + ")"
		args = append(args, more...)
	}
	return text + ")", args
}

// Special values of filters, which match more than one value.
const (
	None     = "None"
	Any      = "Any"
	Upcoming = "Upcoming"
	Started  = "Started"
)

// IssuableFilter narrows a list of issues or merge requests. A field that is not set matches everything.
type IssuableFilter struct {
	State         string
	Labels        []string // all of these names; or only None or Any
	Milestone     string   // a title, None, Any, Upcoming or Started
	MilestoneID   *int64
	ReleaseTag    string // the tag of a release; its milestones match
	AuthorID      *int64
	Author        string   // a username
	Assignee      string   // an id, None or Any
	Assignees     []string // usernames; all of them must be assigned
	Emoji         string   // the reader's emoji: a name, None or Any
	Search        string
	InTitle       bool // what is searched; if neither is set, both are
	InDescription bool
	IIDs          []int64
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
	UpdatedAfter  *time.Time
	UpdatedBefore *time.Time
	Not           IssuableExcept
	OrderBy       string // a key of orders, priority, label_priority or milestone_due; else created_at
	Asc           bool
}

// IssuableExcept excludes issues or merge requests from a list.
type IssuableExcept struct {
	Labels     []string
	Milestone  string // a title, Upcoming or Started
	AuthorID   *int64
	Author     string
	AssigneeID *int64
	Assignees  []string
	Emoji      string
	IIDs       []int64
}

// where applies a filter to a query of issues or merge requests.
func (in issuable) where(q *gorm.DB, f IssuableFilter, r *Reader) *gorm.DB {
	t := in.table + "."
	for _, c := range []struct {
		wanted bool
		text   string
		value  any
	}{
		{f.State != "", t + "state = " + castText, f.State},
		{len(f.IIDs) > 0, t + "iid IN ?", f.IIDs},
		{f.AuthorID != nil, t + "author_id = ?", f.AuthorID},
		{f.Author != "", t + "author_id = (SELECT id FROM users WHERE lower(username) = lower(?))", f.Author},
		{f.MilestoneID != nil, t + "milestone_id = ?", f.MilestoneID},
		{f.CreatedAfter != nil, t + "created_at >= ?", utc(f.CreatedAfter)},
		{f.CreatedBefore != nil, t + "created_at <= ?", utc(f.CreatedBefore)},
		{f.UpdatedAfter != nil, t + "updated_at >= ?", utc(f.UpdatedAfter)},
		{f.UpdatedBefore != nil, t + "updated_at <= ?", utc(f.UpdatedBefore)},
		{len(f.Not.IIDs) > 0, t + "iid NOT IN ?", f.Not.IIDs},
		{f.Not.AuthorID != nil, t + "author_id <> ?", f.Not.AuthorID},
		{f.Not.Author != "", t + "author_id NOT IN (SELECT id FROM users WHERE lower(username) = lower(?))", f.Not.Author},
	} {
		if c.wanted {
			q = q.Where(c.text, c.value)
		}
	}
	q = in.filterLabels(q, f)
	q = in.filterMilestone(q, f)
	q = in.filterAssignees(q, f)
	q = in.filterEmoji(q, f, r)
	return in.filterSearch(q, f)
}

func (in issuable) filterLabels(q *gorm.DB, f IssuableFilter) *gorm.DB {
	id := in.table + ".id "
	with := in.inSet("SELECT x."+in.column+" FROM labels l JOIN "+in.labels+" x ON x.label_id = l.id WHERE l.name = ?", "x."+in.column)
	some := "EXISTS (SELECT 1 FROM " + in.labels + " x WHERE x." + in.column + " = " + in.table + ".id)"
	for _, name := range f.Labels {
		switch {
		case strings.EqualFold(name, None):
			q = q.Where("NOT " + some)
		case strings.EqualFold(name, Any):
			q = q.Where(some)
		default:
			q = q.Where(id+with, name)
		}
	}
	for _, name := range f.Not.Labels {
		q = q.Where(id+"NOT "+with, name)
	}
	return q
}

// Queries for the milestones that have started, and for the next due milestone of each project or group.
const (
	startedMilestones  = "SELECT id FROM milestones WHERE state = 'active' AND start_date <= ?"
	upcomingMilestones = "SELECT m.id FROM milestones m WHERE m.state = 'active' AND m.due_date > ? AND NOT EXISTS " +
		"(SELECT 1 FROM milestones o " +
		"WHERE (o.project_id = m.project_id OR o.group_id = m.group_id) AND o.state = 'active' AND o.due_date > ? " +
		"AND o.due_date < m.due_date)"
)

func (in issuable) filterMilestone(q *gorm.DB, f IssuableFilter) *gorm.DB {
	column, day := in.table+".milestone_id", dayOf(q.NowFunc())
	if f.ReleaseTag != "" {
		q = q.Where(column+" IN (SELECT x.milestone_id FROM releases r JOIN release_milestones x ON x.release_id = r.id WHERE "+
			"r.tag = ? AND r.project_id = "+in.table+".project_id)", f.ReleaseTag)
	}
	switch {
	case f.Milestone == "":
	case strings.EqualFold(f.Milestone, None):
		q = q.Where(column + " IS NULL")
	case strings.EqualFold(f.Milestone, Any):
		q = q.Where(column + " IS NOT NULL")
	case strings.EqualFold(f.Milestone, Upcoming):
		q = q.Where(column+" IN ("+upcomingMilestones+")", day, day)
	case strings.EqualFold(f.Milestone, Started):
		q = q.Where(column+" IN ("+startedMilestones+")", day)
	default:
		q = q.Where(column+" IN (SELECT id FROM milestones WHERE title = ?)", f.Milestone)
	}
	other := "(" + column + " IS NULL OR " + column + " NOT IN ("
	switch {
	case f.Not.Milestone == "":
		return q
	case strings.EqualFold(f.Not.Milestone, Upcoming):
		return q.Where(other+upcomingMilestones+"))", day, day)
	case strings.EqualFold(f.Not.Milestone, Started):
		return q.Where(other+startedMilestones+"))", day)
	}
	return q.Where(other+"SELECT id FROM milestones WHERE title = ?))", f.Not.Milestone)
}

func (in issuable) filterAssignees(q *gorm.DB, f IssuableFilter) *gorm.DB {
	id := in.table + ".id "
	to := in.inSet("SELECT "+in.column+" FROM "+in.assignees+" WHERE user_id = ?", in.column)
	named := in.inSet("SELECT x."+in.column+" FROM users u JOIN "+in.assignees+
		" x ON x.user_id = u.id WHERE lower(u.username) = lower(?)", "x."+in.column)
	some := "EXISTS (SELECT 1 FROM " + in.assignees + " x WHERE x." + in.column + " = " + in.table + ".id)"
	switch {
	case f.Assignee == "":
	case strings.EqualFold(f.Assignee, None) || f.Assignee == "0":
		q = q.Where("NOT " + some)
	case strings.EqualFold(f.Assignee, Any):
		q = q.Where(some)
	default:
		q = q.Where(id+to, parseID(f.Assignee))
	}
	for _, name := range f.Assignees {
		q = q.Where(id+named, name)
	}
	if f.Not.AssigneeID != nil {
		q = q.Where(id+"NOT "+to, *f.Not.AssigneeID)
	}
	for _, name := range f.Not.Assignees {
		q = q.Where(id+"NOT "+named, name)
	}
	return q
}

func (in issuable) filterEmoji(q *gorm.DB, f IssuableFilter, r *Reader) *gorm.DB {
	if r == nil {
		return q
	}
	mine := "SELECT awardable_id FROM award_emoji WHERE awardable_type = '" + in.kind + "' AND user_id = ?"
	some, one := in.inSet(mine, "awardable_id"), in.inSet(mine+" AND name = ?", "awardable_id")
	id := in.table + ".id "
	switch {
	case f.Emoji == "":
	case strings.EqualFold(f.Emoji, None):
		q = q.Where(id+"NOT "+some, r.UserID)
	case strings.EqualFold(f.Emoji, Any):
		q = q.Where(id+some, r.UserID)
	default:
		q = q.Where(id+one, r.UserID, f.Emoji)
	}
	if f.Not.Emoji != "" {
		q = q.Where(id+"NOT "+one, r.UserID, f.Not.Emoji)
	}
	return q
}

// searchWords is the number of words of a search that are used.
const searchWords = 10

func (in issuable) filterSearch(q *gorm.DB, f IssuableFilter) *gorm.DB {
	words := strings.Fields(strings.ToLower(f.Search))
	for _, word := range words[:min(len(words), searchWords)] {
		like := "%" + likeEscaper.Replace(word) + "%"
		title, description := in.contains(q, "title"), in.contains(q, "description")
		switch {
		case f.InTitle && !f.InDescription:
			q = q.Where(title, like)
		case f.InDescription && !f.InTitle:
			q = q.Where(description, like)
		default:
			q = q.Where("("+title+" OR "+description+")", like, like)
		}
	}
	return q
}

// contains returns a condition for texts that contain a word, which is in lower case. SQLite's LIKE itself ignores the case of the
// same letters that its lower() changes, and takes less time without that.
func (in issuable) contains(q *gorm.DB, column string) string {
	if q.Name() == "postgres" {
		return "lower(" + in.table + "." + column + `) LIKE ? ESCAPE '\'`
	}
	return in.table + "." + column + " LIKE " + castText + ` ESCAPE '\'`
}
