package store

import (
	"context"
	"slices"
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

// End writes the events of pushes to one repository and deletes the rows of Begin, in one transaction. It returns the batches
// that it has ended. If another call has already ended a push, it changes nothing for that push.
func (s Pushes) End(ctx context.Context, pushes ...PushResult) (ended map[string]bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		var some []PushResult
		if ended, some, err = s.deleteNotes(ctx, pushes); err != nil {
			return err
		}
		var events []model.Event
		for _, p := range some {
			events = append(events, p.Events...)
		}
		if len(events) == 0 {
			return nil
		}
		if err := s.db.Write(ctx).CreateInBatches(&events, someRows).Error; err != nil {
			return query.Translate(err)
		}
		return s.changeProject(ctx, some)
	})
	return ended, err
}

// deleteNotes deletes the rows of Begin. It returns the batches and the pushes that had some.
func (s Pushes) deleteNotes(ctx context.Context, pushes []PushResult) (map[string]bool, []PushResult, error) {
	batches, ended := make([]string, len(pushes)), map[string]bool{}
	for i, p := range pushes {
		batches[i] = p.Batch
	}
	var gone []model.Push
	err := s.db.Write(ctx).Clauses(clause.Returning{Columns: []clause.Column{{Name: "batch"}}}).
		Where("project_id = ? AND batch IN ?", pushes[0].ProjectID, batches).Delete(&gone).Error
	for _, row := range gone {
		ended[row.Batch] = true
	}
	some := slices.DeleteFunc(slices.Clone(pushes), func(p PushResult) bool { return !ended[p.Batch] })
	return ended, some, query.Translate(err)
}

// changeProject notes in the project that something was pushed.
func (s Pushes) changeProject(ctx context.Context, pushes []PushResult) error {
	set := map[string]any{"last_activity_at": s.now()}
	for _, p := range pushes {
		if p.DefaultBranch != "" {
			set["default_branch"], set["empty_repo"] = p.DefaultBranch, false
		}
	}
	if err := s.db.Write(ctx).Model(&model.Project{}).Where("id = ?", pushes[0].ProjectID).UpdateColumns(set).Error; err != nil {
		return query.Translate(err)
	}
	for _, p := range pushes {
		if p.Protect == nil {
			continue
		}
		if err := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(p.Protect).Error; err != nil {
			return query.Translate(err)
		}
	}
	return nil
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
