package store

import (
	"context"
	"slices"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// A search finds rows in one project, in the projects of a group and of the groups below it, or in all projects, as far as
// the reader sees them. Issues, merge requests, projects and snippets are found by their lists.

// The parts of projects that searches read besides issues and merge requests.
var (
	onCode  = issuable{kind: model.OnCommit, table: "projects", level: "repository_access_level"}
	onWikis = issuable{table: "project_wikis", level: "wiki_access_level"}
)

// likeAny returns the pattern of LIKE for texts that contain a term, for columns in lower case.
func likeAny(term string) string { return "%" + likeEscaper.Replace(strings.ToLower(term)) + "%" }

// readable returns a query for the projects of the scope in which the reader sees a part.
func (s IssuableScope) readable(in issuable, b *base) condition {
	text, args := s.projects(in, b.today())
	if s.ProjectID != nil {
		text += " AND projects.id = ?"
		args = append(args, *s.ProjectID)
	}
	return condition{text, args}
}

// groups returns a query for the groups of the scope that the reader sees: all, or a group and those below it.
func (s IssuableScope) groups(ctx context.Context, b *base) *gorm.DB {
	q := Namespaces{b}.groups(ctx, GroupFilter{}, s.Reader).Model(&model.Namespace{}).Select("id")
	if s.GroupID != nil {
		q = q.Where("id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)", *s.GroupID)
	}
	return q
}

// newest orders a search by creation.
func newest(q *gorm.DB, table string, asc bool) *gorm.DB {
	if asc {
		return q.Order(table + ".created_at").Order(table + ".id")
	}
	return q.Order(table + ".created_at DESC").Order(table + ".id DESC")
}

// Search returns one page of the milestones whose title or description contains a term: those of a project, or those of
// projects whose issues or merge requests the reader sees and of groups that the reader sees.
func (s Milestones) Search(ctx context.Context, in IssuableScope, term string, asc bool, p Page) ([]model.MilestoneRow, Total, error) {
	issues, requests := in.readable(onIssues, s.base), in.readable(onMergeRequests, s.base)
	where := "(milestones.project_id IN (" + issues.text + ") OR milestones.project_id IN (" + requests.text + ")"
	args := slices.Concat(issues.args, requests.args)
	if in.ProjectID == nil {
		where, args = where+" OR milestones.group_id IN (?)", append(args, in.groups(ctx, s.base))
	}
	like := likeAny(term)
	q := s.shown(ctx).Where(where+")", args...).
		Where(`(lower(title) LIKE ? ESCAPE '\' OR lower(description) LIKE ? ESCAPE '\')`, like, like)
	return query.ListFiltered[model.MilestoneRow](newest(q, "milestones", asc), p)
}

// Search returns one page of the comments that contain a term, on issues, merge requests and commits that the reader sees.
// Internal comments are for members from reporter on.
func (s Notes) Search(ctx context.Context, in IssuableScope, term string, asc bool, p Page) ([]model.FoundNote, Total, error) {
	issues, requests, code := in.readable(onIssues, s.base), in.readable(onMergeRequests, s.base), in.readable(onCode, s.base)
	seen, seenArgs := in.seen("issues", s.today())
	where := "((notes.noteable_type = 'Issue' AND notes.noteable_id IN (SELECT issues.id FROM issues WHERE issues.project_id IN (" +
		issues.text + ") AND " + seen + ")) OR " +
		"(notes.noteable_type = 'MergeRequest' AND notes.noteable_id IN (SELECT id FROM merge_requests WHERE project_id IN (" +
		requests.text + "))) OR " +
		"(notes.noteable_type = 'Commit' AND notes.commit_id IS NOT NULL AND notes.project_id IN (" + code.text + ")))"
	args := slices.Concat(issues.args, seenArgs, requests.args, code.args)
	q := s.db.Read(ctx).Where("NOT notes.system").Where(`lower(notes.body) LIKE ? ESCAPE '\'`, likeAny(term)).Where(where, args...)
	if r := in.Reader; r == nil {
		q = q.Where("NOT notes.internal")
	} else if !r.Admin {
		member, memberArgs := projectWithRole("projects", r.UserID, model.Reporter, s.today())
		q = q.Where("(NOT notes.internal OR notes.project_id IN (SELECT projects.id FROM projects WHERE "+member+"))", memberArgs...)
	}
	plain, total, err := query.ListFiltered[model.Note](newest(q, "notes", asc), p)
	if err != nil || len(plain) == 0 {
		return nil, total, err
	}
	rows, err := s.withPeople(ctx, plain)
	if err != nil {
		return nil, total, err
	}
	found, err := s.withNumbers(ctx, rows)
	return found, total, err
}

// withNumbers adds the numbers of the issues and merge requests that notes are about, in one statement.
func (s Notes) withNumbers(ctx context.Context, rows []model.NoteRow) ([]model.FoundNote, error) {
	ids := map[string][]int64{model.OnIssue: {0}, model.OnMergeRequest: {0}}
	for _, row := range rows {
		if n := row.Note; n.NoteableID != nil && ids[n.NoteableType] != nil {
			ids[n.NoteableType] = append(ids[n.NoteableType], *n.NoteableID)
		}
	}
	type number struct {
		Kind    string
		ID, IID int64
	}
	numbers, err := query.Find[number](s.db.Read(ctx).Raw(
		"SELECT 'Issue' AS kind, id, iid FROM issues WHERE id IN ? UNION ALL "+
			"SELECT 'MergeRequest' AS kind, id, iid FROM merge_requests WHERE id IN ?", ids[model.OnIssue], ids[model.OnMergeRequest],
	), len(rows))
	type key struct {
		kind string
		id   int64
	}
	iids := make(map[key]int64, len(numbers))
	for _, n := range numbers {
		iids[key{n.Kind, n.ID}] = n.IID
	}
	found := make([]model.FoundNote, len(rows))
	for i, row := range rows {
		found[i].NoteRow = row
		if id := row.Note.NoteableID; id != nil {
			found[i].IID = iids[key{row.Note.NoteableType, *id}]
		}
	}
	return found, query.Translate(err)
}

// SearchMembers returns one page of the active users whose name or username contains a term, or whose public address it is:
// the members of a project, or those of a group and of the groups and projects below it that the reader sees.
func (s Users) SearchMembers(ctx context.Context, in IssuableScope, term string, asc bool, p Page) ([]model.User, Total, error) {
	day, like := s.today(), likeAny(term)
	order := "id DESC"
	if asc {
		order = "id"
	}
	q := s.db.Read(ctx).Where("state = ? AND kind NOT IN ? AND kind <> ?", model.UserActive, model.InternalKinds(), model.UserProjectBot).
		Where(`(lower(name) LIKE ? ESCAPE '\' OR lower(username) LIKE ? ESCAPE '\' OR lower(public_email) = ?)`,
			like, like, strings.ToLower(term)).Order(order)
	const effective = "id IN (SELECT m.user_id FROM members m JOIN (" + effectiveBegin + ofGroups + ofInvitedGroups
	if in.ProjectID != nil {
		id := *in.ProjectID
		place := gorm.Expr("(SELECT namespace_id FROM projects WHERE id = ?)", id)
		q = q.Where(effective+ofProject+effectiveEnd+") AS x ON x.member_id = m.id)", place, day, place, day, day, id, day, id, day, day)
		return query.ListFiltered[model.User](q, p)
	}
	id := *in.GroupID
	seen, args := visibleProject("projects", in.Reader, day)
	below := "SELECT m.user_id FROM members m WHERE (m.expires_at IS NULL OR m.expires_at > ?) AND " +
		"((m.source_type = 'Namespace' AND m.source_id IN (?)) OR (m.source_type = 'Project' AND m.source_id IN (" +
		"SELECT projects.id FROM projects WHERE projects.namespace_id IN " +
		"(SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?) AND " + seen + ")))"
	all := append([]any{id, day, id, day, day, day, in.groups(ctx, s.base), id}, args...)
	return query.ListFiltered[model.User](
		q.Where("("+effective+effectiveEnd+") AS x ON x.member_id = m.id) OR id IN ("+below+"))", all...), p)
}

// ListWithCode returns projects of the scope that have code which the reader sees, the last active first.
func (s Projects) ListWithCode(ctx context.Context, in IssuableScope, most int) ([]model.ProjectRow, error) {
	code := in.readable(onCode, s.base)
	q := s.db.Read(ctx).Table("projects").Select("id").Where("id IN ("+code.text+")", code.args...).Where("NOT empty_repo").
		Order("last_activity_at DESC").Order("id DESC").Limit(most)
	ids, err := query.Find[projectID](q, most)
	if err != nil {
		return nil, query.Translate(err)
	}
	return s.byID(ctx, ids, in.Reader)
}

// ListWikis returns the wikis of the scope that have pages and that the reader sees, the last changed first: those of
// projects and those of groups.
func (s OtherRepositories) ListWikis(ctx context.Context, in IssuableScope, most int) ([]model.WikiPlace, error) {
	projects := in.readable(onWikis, s.base)
	text := "SELECT 'project_wiki' AS kind, w.project_id AS owner_id, p.repository_storage AS storage, w.head, w.updated_at " +
		"FROM project_wikis w JOIN projects p ON p.id = w.project_id WHERE w.head <> '' AND w.project_id IN (" + projects.text + ")"
	args := projects.args
	if in.ProjectID == nil {
		text += " UNION ALL SELECT 'group_wiki', group_id, repository_storage, head, updated_at FROM group_wikis " +
			"WHERE head <> '' AND group_id IN (?)"
		args = append(args, in.groups(ctx, s.base))
	}
	q := s.db.Read(ctx).Raw("SELECT kind, owner_id, storage, head FROM ("+text+") AS wikis ORDER BY updated_at DESC, owner_id LIMIT ?",
		append(args, most)...)
	rows, err := query.Find[model.WikiPlace](q, most)
	return rows, query.Translate(err)
}

// LastOfCommits returns the newest pipelines of commits of projects, by project and commit. It ignores child pipelines.
func (s Pipelines) LastOfCommits(ctx context.Context, commits []model.ProjectCommit) (map[model.ProjectCommit]*model.Pipeline, error) {
	last := make(map[model.ProjectCommit]*model.Pipeline, len(commits))
	if len(commits) == 0 {
		return last, nil
	}
	either := strings.TrimSuffix(strings.Repeat("(project_id = ? AND sha = ?) OR ", len(commits)), " OR ")
	args := make([]any, 0, 2*len(commits))
	for _, c := range commits {
		args = append(args, c.ProjectID, c.SHA)
	}
	newest := s.db.Read(ctx).Table("pipelines").Select("max(id)").Where("NOT child").Where("("+either+")", args...).Group("project_id, sha")
	rows, err := query.Find[model.Pipeline](s.db.Read(ctx).Select(pipelineListed).Where("id IN (?)", newest), len(commits))
	for i := range rows {
		last[model.ProjectCommit{ProjectID: rows[i].ProjectID, SHA: rows[i].SHA}] = &rows[i]
	}
	return last, query.Translate(err)
}
