package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// RunnerFilter filters a list of runners.
type RunnerFilter struct {
	Type          string
	Status        string // online, offline, stale, never_contacted, paused or active
	Paused        *bool
	Shared        *bool    // instance runners, or all others
	Tags          []string // the runner has all of them
	VersionPrefix string
	ProjectID     int64 // the runner serves this project
	GroupID       int64 // the runner serves this group
	ManagedBy     int64 // a user who manages the runner
}

// List returns one page of runners, newest first.
func (s Runners) List(ctx context.Context, f RunnerFilter, p Page) ([]model.Runner, Total, error) {
	return query.List[model.Runner](s.filter(s.db.Read(ctx), f).Order("id DESC"), p)
}

func (s Runners) filter(q *gorm.DB, f RunnerFilter) *gorm.DB {
	if f.Type != "" {
		q = q.Where("runner_type = ?", f.Type)
	}
	if f.Shared != nil {
		q = q.Where("(runner_type = 'instance_type') = ?", *f.Shared)
	}
	if f.Paused != nil {
		q = q.Where("paused = ?", *f.Paused)
	}
	if f.VersionPrefix != "" {
		q = q.Where(`version LIKE ? ESCAPE '\'`, likeText(f.VersionPrefix)+"%")
	}
	for _, tag := range f.Tags {
		text, _ := json.Marshal(tag) // marshalling a string cannot fail
		q = q.Where(`tags LIKE ? ESCAPE '\'`, "%"+likeText(string(text))+"%")
	}
	if f.ProjectID != 0 {
		q = q.Where(`(runner_type = 'instance_type' AND EXISTS (SELECT 1 FROM projects p WHERE p.id = ? AND p.shared_runners_enabled)
			OR EXISTS (SELECT 1 FROM runner_projects x WHERE x.runner_id = runners.id AND x.project_id = ?)
			OR group_id IN (SELECT a.ancestor_id FROM namespace_ancestors a JOIN projects p ON p.namespace_id = a.descendant_id
				WHERE p.id = ? AND p.group_runners_enabled))`, f.ProjectID, f.ProjectID, f.ProjectID)
	}
	if f.GroupID != 0 {
		q = q.Where("group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ?)", f.GroupID)
	}
	if f.ManagedBy != 0 {
		q = managed(q, f.ManagedBy)
	}
	switch f.Status {
	case "paused":
		return q.Where("paused")
	case "active":
		return q.Where("NOT paused")
	}
	return withContactStatus(q, f.Status)
}

// withContactStatus limits a query to runners with a status that depends on their last contact.
func withContactStatus(q *gorm.DB, status string) *gorm.DB {
	at := q.NowFunc()
	online, stale := at.Add(-model.RunnerOnlineFor), at.Add(-model.RunnerStaleAfter)
	switch status {
	case "online":
		return q.Where("contacted_at > ?", online)
	case "offline":
		return q.Where("contacted_at <= ? AND contacted_at >= ?", online, stale)
	case "stale":
		return q.Where("coalesce(contacted_at, created_at) < ?", stale)
	case "never_contacted":
		return q.Where("contacted_at IS NULL AND created_at >= ?", stale)
	}
	return q
}

// ownsGroup and maintainsProject are conditions on runners and on projects p. Arguments of ownsGroup: user, today.
// Arguments of maintainsProject: user, today, user, today.
const (
	ownsGroup = `group_id IN (SELECT a.descendant_id FROM namespace_ancestors a JOIN members m ON m.source_id = a.ancestor_id
		WHERE m.source_type = 'Namespace' AND m.user_id = ? AND m.access_level >= 50 AND (m.expires_at IS NULL OR m.expires_at > ?))`
	maintainsProject = `(EXISTS (SELECT 1 FROM members m WHERE m.source_type = 'Project' AND m.source_id = p.id
			AND m.user_id = ? AND m.access_level >= 40
			AND (m.expires_at IS NULL OR m.expires_at > ?))
		OR EXISTS (SELECT 1 FROM namespace_ancestors a JOIN members m ON m.source_id = a.ancestor_id WHERE a.descendant_id = p.namespace_id
			AND m.source_type = 'Namespace' AND m.user_id = ? AND m.access_level >= 40 AND (m.expires_at IS NULL OR m.expires_at > ?)))`
)

// managed limits a query to the runners of groups that a user owns and of projects that they maintain.
func managed(q *gorm.DB, userID int64) *gorm.DB {
	day := dayOf(q.NowFunc())
	return q.Where("("+ownsGroup+
		" OR EXISTS (SELECT 1 FROM runner_projects x JOIN projects p ON p.id = x.project_id WHERE x.runner_id = runners.id AND "+
		maintainsProject+"))", userID, day, userID, day, userID, day)
}

// likeText escapes a text for LIKE.
func likeText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}

// Get returns a runner.
func (s Runners) Get(ctx context.Context, id int64) (model.Runner, error) {
	return query.Take[model.Runner](s.db.Read(ctx).Where("id = ?", id), runner)
}

// Manages reports whether a user sees a runner, and whether they manage it. Owners of its group do both. A project
// runner is managed by maintainers of its owner project, which is the first one, and by users who maintain all its
// projects. Maintainers of only one of the other projects can see it.
func (s Runners) Manages(ctx context.Context, r model.Runner, userID int64) (sees, manages bool, err error) {
	if r.RunnerType == model.GroupRunner {
		_, err := query.Take[model.Runner](s.db.Read(ctx).Where("runners.id = ? AND "+ownsGroup, r.ID, userID, s.today()), runner)
		if IsNotFound(err) {
			return false, false, nil
		}
		return err == nil, err == nil, err
	}
	var rows []struct{ Maintained bool }
	day := s.today()
	q := s.db.Read(ctx).Table("runner_projects x").Joins("JOIN projects p ON p.id = x.project_id").
		Where("x.runner_id = ?", r.ID).Order("x.created_at, x.project_id")
	if err := q.Select(maintainsProject+" AS maintained", userID, day, userID, day).Scan(&rows).Error; err != nil {
		return false, false, query.Translate(err)
	}
	all := len(rows) > 0
	for _, row := range rows {
		sees, all = sees || row.Maintained, all && row.Maintained
	}
	return sees, all || sees && rows[0].Maintained, nil
}

// ProjectIDs returns the projects that a runner serves. The project that it was created for comes first.
func (s Runners) ProjectIDs(ctx context.Context, id int64) ([]int64, error) {
	var ids []int64
	err := s.db.Read(ctx).Model(&model.RunnerProject{}).Where("runner_id = ?", id).Order("created_at, project_id").
		Pluck("project_id", &ids).Error
	return ids, query.Translate(err)
}

// Assign assigns a runner to a project. It returns a *ConflictError if it is already assigned.
func (s Runners) Assign(ctx context.Context, id, projectID int64) error {
	return query.Translate(s.db.Write(ctx).Create(&model.RunnerProject{RunnerID: id, ProjectID: projectID}).Error)
}

// Unassign removes a runner from a project, unless it was assigned after the given time.
func (s Runners) Unassign(ctx context.Context, id, projectID int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.RunnerProject](ctx, s.db, runner, unchangedSince, "runner_id = ? AND project_id = ?", id, projectID)
}

// Managers returns one page of the machines of a runner, newest first.
func (s Runners) Managers(ctx context.Context, id int64, p Page) ([]model.RunnerManager, Total, error) {
	return query.List[model.RunnerManager](s.db.Read(ctx).Where("runner_id = ?", id).Order("id DESC"), p)
}

// ProjectsWithRoles returns the given projects with the reader's roles, in any order. It does not check whether the reader
// can see them.
func (s Runners) ProjectsWithRoles(ctx context.Context, ids []int64, r *Reader) ([]model.ProjectRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	wanted := make([]projectID, len(ids))
	for i, id := range ids {
		wanted[i].ID = id
	}
	return Projects(s).readByID(ctx, wanted, r)
}

// RunnerJobFilter filters the jobs of a runner.
type RunnerJobFilter struct {
	RunnerID int64
	Status   string
	SystemID string
	// Only jobs in projects where the reader is a member are listed; administrators see all.
	Reader *Reader
}

// Jobs returns one page of the jobs that a runner was given, newest first, and their projects by id.
func (s Runners) Jobs(ctx context.Context, f RunnerJobFilter, p Page) ([]model.JobRow, map[int64]model.Project, Total, error) {
	q := s.db.Read(ctx).Select("id, project_id AS pipeline_id").Where("runner_id = ? AND NOT bridge", f.RunnerID).Order("id DESC")
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.SystemID != "" {
		q = q.Where("runner_manager_id IN (SELECT id FROM runner_managers WHERE runner_id = ? AND system_id = ?)", f.RunnerID, f.SystemID)
	}
	if !f.Reader.Admin {
		day := s.today()
		q = q.Where(
			`project_id IN (SELECT p.id FROM projects p WHERE p.builds_access_level <> 'disabled'
				AND p.repository_access_level <> 'disabled' AND (
			EXISTS (SELECT 1 FROM members m WHERE m.source_type = 'Project' AND m.source_id = p.id AND m.user_id = ?
				AND m.access_level >= 20
				AND (m.expires_at IS NULL OR m.expires_at > ?))
			OR EXISTS (SELECT 1 FROM namespace_ancestors a JOIN members m ON m.source_id = a.ancestor_id
				WHERE a.descendant_id = p.namespace_id
				AND m.source_type = 'Namespace' AND m.user_id = ? AND m.access_level >= 20 AND (m.expires_at IS NULL
					OR m.expires_at > ?))))`,
			f.Reader.UserID,
			day,
			f.Reader.UserID,
			day,
		)
	}
	found, total, err := query.ListFiltered[OpenJob](q, p)
	if err != nil {
		return nil, nil, total, err
	}
	ids, projects := make([]int64, len(found)), map[int64]model.Project{}
	for i, row := range found {
		ids[i] = row.ID
		projects[row.PipelineID] = model.Project{}
	}
	byID, err := Jobs(s).byIDs(ctx, ids)
	if err != nil {
		return nil, nil, total, err
	}
	rows := make([]model.JobRow, 0, len(ids))
	for _, id := range ids {
		if row := byID[id]; row != nil {
			rows = append(rows, *row)
		}
	}
	seen, err := s.ProjectsWithRoles(ctx, slices.Collect(maps.Keys(projects)), &Reader{Admin: true})
	for _, row := range seen {
		projects[row.Project.ID] = row.Project
	}
	return rows, projects, total, err
}
