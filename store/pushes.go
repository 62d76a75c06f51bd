package store

import (
	"context"
	"strconv"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Pushes holds the ref changes that are about to be made, and the events of finished pushes.
type Pushes struct{ *base }

// Begin stores the ref changes that are about to be made. From then on they can be recovered, whatever happens.
func (s Pushes) Begin(ctx context.Context, rows []model.Push) error {
	return s.Exclusive(ctx, pushesOf(rows[0].ProjectID), func(ctx context.Context) error {
		return query.Translate(s.db.Write(ctx).CreateInBatches(&rows, someRows).Error)
	})
}

// BeginWith is like Begin, but looks at unfinished pushes first. It passes them and the state of the repository to
// notes, which returns the changes that are about to be made.
func (s Pushes) BeginWith(ctx context.Context, projectID int64, notes func(now RepositoryState, left []model.Push) []model.Push) error {
	return s.Exclusive(ctx, pushesOf(projectID), func(ctx context.Context) error {
		now, left, err := s.unfinished(ctx, projectID)
		if err != nil {
			return err
		}
		rows := notes(now, left)
		if len(rows) == 0 {
			return nil
		}
		return query.Translate(s.db.Write(ctx).CreateInBatches(&rows, someRows).Error)
	})
}

func pushesOf(projectID int64) string { return "pushes of project " + strconv.FormatInt(projectID, 10) }

// PushResult describes the result of a push.
type PushResult struct {
	ProjectID     int64
	Batch         string // identifies the rows that Begin stored
	Events        []model.Event
	DefaultBranch string                 // set for a repository that had no branch before
	Protect       *model.ProtectedBranch // the rule for the new default branch
}

// someRows is the number of rows that one statement inserts. Databases limit the number of values in a statement.
const someRows = 500

// End writes the events of a push and deletes the rows of Begin, in one transaction. It returns false, and changes
// nothing, if another call has already ended the push.
func (s Pushes) End(ctx context.Context, d PushResult) (first bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		gone := s.db.Write(ctx).Where("project_id = ? AND batch = ?", d.ProjectID, d.Batch).Delete(&model.Push{})
		if first = gone.RowsAffected > 0; gone.Error != nil || !first {
			return query.Translate(gone.Error)
		}
		if len(d.Events) == 0 {
			return nil
		}
		if err := s.db.Write(ctx).CreateInBatches(&d.Events, someRows).Error; err != nil {
			return query.Translate(err)
		}
		set := map[string]any{"last_activity_at": s.now()}
		if d.DefaultBranch != "" {
			set["default_branch"], set["empty_repo"] = d.DefaultBranch, false
		}
		if err := s.db.Write(ctx).Model(&model.Project{}).Where("id = ?", d.ProjectID).UpdateColumns(set).Error; err != nil {
			return query.Translate(err)
		}
		if d.Protect == nil {
			return nil
		}
		return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(d.Protect).Error)
	})
	return first && err == nil, err
}

// Projects returns the projects with unfinished pushes: a push is running there, or its process was killed.
func (s Pushes) Projects(ctx context.Context) ([]int64, error) {
	var ids []int64
	err := s.db.Read(ctx).Raw("SELECT DISTINCT project_id FROM pushes ORDER BY project_id").Scan(&ids).Error
	return ids, query.Translate(err)
}

// RepositoryState is the state of a repository, as stored in its project.
type RepositoryState struct {
	EmptyRepo     bool
	DefaultBranch string
	ReadOnly      bool // while the repository is moved to another storage
	Storage       string
}

// Unfinished returns the unfinished pushes of a project in the order of their ids, and the current state of its repository.
// It waits for statements that a dead server has already sent to the database.
func (s Pushes) Unfinished(ctx context.Context, projectID int64) (now RepositoryState, rows []model.Push, err error) {
	err = s.Exclusive(ctx, pushesOf(projectID), func(ctx context.Context) error {
		now, rows, err = s.unfinished(ctx, projectID)
		return err
	})
	return now, rows, err
}

func (s Pushes) unfinished(ctx context.Context, projectID int64) (now RepositoryState, rows []model.Push, err error) {
	if err := query.ScanFirst(s.db.Write(ctx).Raw(
		"SELECT empty_repo, default_branch, repository_read_only, repository_storage FROM projects WHERE id = ?", projectID),
		&now.EmptyRepo, &now.DefaultBranch, &now.ReadOnly, &now.Storage); err != nil {
		return now, nil, query.Translate(err, project)
	}
	rows, err = query.Find[model.Push](s.db.Write(ctx).Where("project_id = ?", projectID).Order("id"), 0)
	return now, rows, query.Translate(err)
}

// Events returns the push events of a project, oldest first.
func (s Pushes) Events(ctx context.Context, projectID int64) ([]model.Event, error) {
	rows, err := query.Find[model.Event](s.db.Read(ctx).Where("project_id = ? AND action = ?", projectID, model.EventPushed).Order("id"), 0)
	return rows, query.Translate(err)
}
