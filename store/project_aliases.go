package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// ProjectAliases holds the short names of projects.
type ProjectAliases struct{ *base }

const projectAlias = "Project Alias"

// List returns one page of the aliases, in the order of creation.
func (s ProjectAliases) List(ctx context.Context, p Page) ([]model.ProjectAlias, Total, error) {
	return query.List[model.ProjectAlias](s.db.Read(ctx).Order("id"), p)
}

// Get returns the alias with a name.
func (s ProjectAliases) Get(ctx context.Context, name string) (model.ProjectAlias, error) {
	return query.Take[model.ProjectAlias](s.db.Read(ctx).Where("name = ?", name), projectAlias)
}

// Path returns the path of the project that an alias names, or a *NotFoundError.
func (s ProjectAliases) Path(ctx context.Context, name string) (path string, err error) {
	err = s.db.Row(ctx, "SELECT p.full_path FROM project_aliases a JOIN projects p ON p.id = a.project_id WHERE a.name = ?",
		[]any{name}, &path)
	return path, query.Translate(err, projectAlias)
}

// Create adds an alias. It returns a *ConflictError if there is one with this name, and a *NotFoundError if there is no such
// project.
func (s ProjectAliases) Create(ctx context.Context, row *model.ProjectAlias) error {
	err := s.db.Write(ctx).Create(row).Error
	if query.IsGone(err) {
		return &NotFoundError{Resource: project}
	}
	return query.Translate(err)
}

// Delete removes an alias, unless it was changed after the given time.
func (s ProjectAliases) Delete(ctx context.Context, row model.ProjectAlias, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, projectAlias, unchangedSince)
}
