package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// JobTokenScopes holds the allowlists of projects for the job tokens of other projects.
type JobTokenScopes struct{ *base }

const allowsJobs = `SELECT NOT coalesce((SELECT inbound_enabled FROM job_token_scopes WHERE project_id = ?), true)
	OR EXISTS (SELECT 1 FROM job_token_projects WHERE project_id = ? AND allowed_id = ?)
	OR EXISTS (SELECT 1 FROM job_token_groups g JOIN namespace_ancestors a ON a.ancestor_id = g.group_id
		JOIN projects p ON p.namespace_id = a.descendant_id WHERE g.project_id = ? AND p.id = ?)`

// Allows reports whether a project accepts the job tokens of the project from.
func (s JobTokenScopes) Allows(ctx context.Context, projectID, from int64) (bool, error) {
	var allowed bool
	err := s.db.Row(ctx, allowsJobs, []any{projectID, projectID, from, projectID, from}, &allowed)
	return allowed, query.Translate(err)
}

// Inbound reports whether a project limits job tokens to its allowlist. Otherwise it accepts all.
func (s JobTokenScopes) Inbound(ctx context.Context, projectID int64) (bool, error) {
	row, err := query.Take[model.JobTokenScope](s.db.Read(ctx).Where("project_id = ?", projectID), "JobTokenScope")
	if IsNotFound(err) {
		return true, nil
	}
	return row.InboundEnabled, err
}

// SetInbound sets whether a project limits job tokens to its allowlist.
func (s JobTokenScopes) SetInbound(ctx context.Context, projectID int64, enabled bool) error {
	row := model.JobTokenScope{ProjectID: projectID, InboundEnabled: enabled}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error)
}

// AllowProject adds a project to the allowlist. It returns a *ConflictError if it is there already.
func (s JobTokenScopes) AllowProject(ctx context.Context, projectID, allowed int64) error {
	return query.Translate(s.db.Write(ctx).Create(&model.JobTokenProject{ProjectID: projectID, AllowedID: allowed}).Error)
}

// DenyProject removes a project from the allowlist, unless it was added after the given time.
func (s JobTokenScopes) DenyProject(ctx context.Context, projectID, allowed int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.JobTokenProject](
		ctx, s.db, project, unchangedSince,
		"project_id = ? AND allowed_id = ?", projectID, allowed,
	)
}

// AllowGroup adds a group, with all its projects, to the allowlist. It returns a *ConflictError if it is there already.
func (s JobTokenScopes) AllowGroup(ctx context.Context, projectID, groupID int64) error {
	return query.Translate(s.db.Write(ctx).Create(&model.JobTokenGroup{ProjectID: projectID, GroupID: groupID}).Error)
}

// DenyGroup removes a group from the allowlist, unless it was added after the given time.
func (s JobTokenScopes) DenyGroup(ctx context.Context, projectID, groupID int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.JobTokenGroup](ctx, s.db, group, unchangedSince, "project_id = ? AND group_id = ?", projectID, groupID)
}

// Projects returns one page of the projects on the allowlist of a project.
func (s JobTokenScopes) Projects(ctx context.Context, projectID int64, p Page) ([]model.Project, Total, error) {
	return query.List[model.Project](s.db.Read(ctx).Select("projects.*").
		Joins("JOIN job_token_projects x ON x.allowed_id = projects.id AND x.project_id = ?", projectID).
		Order("x.created_at, projects.id"), p)
}

// Groups returns one page of the groups on the allowlist of a project.
func (s JobTokenScopes) Groups(ctx context.Context, projectID int64, p Page) ([]model.Namespace, Total, error) {
	return query.List[model.Namespace](s.db.Read(ctx).Select("namespaces.*").
		Joins("JOIN job_token_groups x ON x.group_id = namespaces.id AND x.project_id = ?", projectID).
		Order("x.created_at, namespaces.id"), p)
}
