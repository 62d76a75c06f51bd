package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// ProjectImports holds the imports of projects that have not ended.
type ProjectImports struct{ *base }

const projectImport = "import"

// Create adds the import of a new project, from a URL that is shown without its credentials.
func (s ProjectImports) Create(ctx context.Context, i model.ProjectImport, kind, shownURL string) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.Translate(s.db.Write(ctx).Create(&i).Error); err != nil {
			return err
		}
		return s.set(ctx, i.ProjectID, map[string]any{
			"import_status": model.ImportScheduled, "import_type": kind, "import_url": shownURL, "import_error": nil,
		})
	})
}

// Get returns the import of a project, read through the writing pool.
func (s ProjectImports) Get(ctx context.Context, projectID int64) (model.ProjectImport, error) {
	return query.Take[model.ProjectImport](s.db.Write(ctx).Where("project_id = ?", projectID), projectImport)
}

// Start marks the project of an import as being imported.
func (s ProjectImports) Start(ctx context.Context, projectID int64) error {
	return s.set(ctx, projectID, map[string]any{"import_status": model.ImportStarted})
}

// Imported is the result of an import.
type Imported struct {
	ProjectID     int64
	Error         *string // nil if the import succeeded
	Empty         bool    // the repository has no refs
	DefaultBranch string  // empty if it stays
	Protect       *model.ProtectedBranch
}

// End stores the result of an import, removes its credentials, and protects the default branch. It returns false if
// another process has ended the import.
func (s ProjectImports) End(ctx context.Context, r Imported) (ended bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		gone := s.db.Write(ctx).Where("project_id = ?", r.ProjectID).Delete(&model.ProjectImport{})
		if ended = gone.RowsAffected > 0; gone.Error != nil || !ended {
			return query.Translate(gone.Error)
		}
		set := map[string]any{"import_status": model.ImportFinished, "empty_repo": r.Empty, "import_error": r.Error}
		if r.Error != nil {
			set["import_status"] = model.ImportFailed
		}
		if r.DefaultBranch != "" {
			set["default_branch"] = r.DefaultBranch
		}
		if err := s.set(ctx, r.ProjectID, set); err != nil || r.Protect == nil {
			return err
		}
		return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(r.Protect).Error)
	})
	return ended, err
}

func (s ProjectImports) set(ctx context.Context, projectID int64, set map[string]any) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Project{}).Where("id = ?", projectID).UpdateColumns(set).Error)
}
