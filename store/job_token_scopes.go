package store

import (
	"context"
	"time"

	"svc/store/model"

	"gorm.io/gorm/clause"
)

// JobTokenScopes are which projects let the jobs of others in.
type JobTokenScopes struct{ *base }

const allowsJobs = `SELECT NOT coalesce((SELECT inbound_enabled FROM job_token_scopes WHERE project_id = ?), true)
	OR EXISTS (SELECT 1 FROM job_token_projects WHERE project_id = ? AND allowed_id = ?)
	OR EXISTS (SELECT 1 FROM job_token_groups g JOIN namespace_ancestors a ON a.ancestor_id = g.group_id
		JOIN projects p ON p.namespace_id = a.descendant_id WHERE g.project_id = ? AND p.id = ?)`

// Allows tells whether a project lets the jobs of another one in.
func (s JobTokenScopes) Allows(ctx context.Context, projectID, from int64) (bool, error) {
	var allowed bool
	err := s.first(ctx, allowsJobs, []any{projectID, projectID, from, projectID, from}, &allowed)
	return allowed, translate(err)
}

// Inbound tells whether a project keeps a list of whose jobs it lets in; else it lets all in.
func (s JobTokenScopes) Inbound(ctx context.Context, projectID int64) (bool, error) {
	row, err := take[model.JobTokenScope](s.read(ctx).Where("project_id = ?", projectID), "JobTokenScope")
	if IsNotFound(err) {
		return true, nil
	}
	return row.InboundEnabled, err
}

// SetInbound says whether a project keeps a list.
func (s JobTokenScopes) SetInbound(ctx context.Context, projectID int64, enabled bool) error {
	row := model.JobTokenScope{ProjectID: projectID, InboundEnabled: enabled}
	return translate(s.write(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error)
}

// AllowProject lets the jobs of another project in; a *ConflictError if they are already.
func (s JobTokenScopes) AllowProject(ctx context.Context, projectID, allowed int64) error {
	return translate(s.write(ctx).Create(&model.JobTokenProject{ProjectID: projectID, AllowedID: allowed}).Error)
}

// DenyProject lets them in no more, unless they were allowed after the given time.
func (s JobTokenScopes) DenyProject(ctx context.Context, projectID, allowed int64, unchangedSince *time.Time) error {
	return deleteWhere[model.JobTokenProject](ctx, s.base, project, unchangedSince, "project_id = ? AND allowed_id = ?", projectID, allowed)
}

// AllowGroup lets the jobs of all projects of a group in; a *ConflictError if they are already.
func (s JobTokenScopes) AllowGroup(ctx context.Context, projectID, groupID int64) error {
	return translate(s.write(ctx).Create(&model.JobTokenGroup{ProjectID: projectID, GroupID: groupID}).Error)
}

// DenyGroup lets them in no more, unless they were allowed after the given time.
func (s JobTokenScopes) DenyGroup(ctx context.Context, projectID, groupID int64, unchangedSince *time.Time) error {
	return deleteWhere[model.JobTokenGroup](ctx, s.base, group, unchangedSince, "project_id = ? AND group_id = ?", projectID, groupID)
}

// Projects returns one page of the projects whose jobs a project lets in.
func (s JobTokenScopes) Projects(ctx context.Context, projectID int64, p Page) ([]model.Project, Total, error) {
	return list[model.Project](s.read(ctx).Select("projects.*").Joins("JOIN job_token_projects x ON x.allowed_id = projects.id AND x.project_id = ?", projectID).
		Order("x.created_at, projects.id"), p)
}

// Groups returns one page of the groups whose jobs a project lets in.
func (s JobTokenScopes) Groups(ctx context.Context, projectID int64, p Page) ([]model.Namespace, Total, error) {
	return list[model.Namespace](s.read(ctx).Select("namespaces.*").Joins("JOIN job_token_groups x ON x.group_id = namespaces.id AND x.project_id = ?", projectID).
		Order("x.created_at, namespaces.id"), p)
}
