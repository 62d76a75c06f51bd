package relationexport

import (
	"context"
	"errors"
	"fmt"

	"svc/server/domain/archive"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Export is the job that writes the relations of a group or project.
type Export struct {
	ExportID int64 `json:"export_id"`
}

// Kind returns the name of the job in the queue.
func (Export) Kind() string { return "relation_export" }

// RunExport writes the relations of a group or project. After an interruption, it continues with the relations that are not
// written.
func (s *Service) RunExport(ctx context.Context, job Export) error {
	e, err := s.Store.RelationExports.Get(ctx, job.ExportID)
	if store.IsNotFound(err) || (err == nil && e.State != model.ExportScheduled && e.State != model.ExportStarted) {
		return nil // replaced, or done
	}
	if err != nil {
		return err
	}
	touch := func(ctx context.Context) error { return s.Store.RelationExports.Touch(ctx, e.ID) }
	if err := touch(ctx); err != nil {
		return err
	}
	defer archive.ReportProgress(ctx, s.Logger, touch)()
	err = s.export(ctx, e)
	var refused *archive.BadArchiveError
	switch {
	case errors.As(err, &refused):
		return s.Store.RelationExports.Fail(ctx, e.ID, refused.Text)
	case store.IsNotFound(err):
		return nil // replaced meanwhile, or the group or project is deleted
	case err != nil:
		return err
	}
	return s.Store.RelationExports.Finish(ctx, e.ID, clock.Now(ctx).UTC().Add(lifetime))
}

// export writes the relations that are not written yet, as they are at one moment.
func (s *Service) export(ctx context.Context, e model.RelationExport) error {
	files, err := s.Store.RelationExports.Files(ctx, e.ID, "")
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for _, file := range files {
		written[file.Relation] = true
	}
	from, owner := s.Groups, e.GroupID
	if e.ProjectID != nil {
		from, owner = s.Projects, e.ProjectID
	}
	return s.Store.Snapshot(ctx, func(snapshot context.Context) error {
		all, err := from.Relations(snapshot, *owner, e.UserID)
		if err != nil {
			return err
		}
		for _, name := range from.RelationNames() {
			if written[name] {
				continue
			}
			if err := s.write(ctx, e, name, all[name]); err != nil {
				return fmt.Errorf("relation %s of export %d: %w", name, e.ID, err)
			}
		}
		return nil
	})
}

// ResumeJob is the job that resumes exports of killed processes and removes expired ones.
type ResumeJob struct{}

// Kind returns the name of the job in the queue.
func (ResumeJob) Kind() string { return "relation_exports_resume" }

const gaveUp = "It did not finish within a day; the log of the server has the reason."

// Resume resumes exports that killed processes left unfinished, and removes expired ones.
func (s *Service) Resume(ctx context.Context, _ ResumeJob) error {
	now := clock.Now(ctx).UTC()
	if err := s.Store.RelationExports.DeleteExpired(ctx, now); err != nil {
		return err
	}
	exports, err := s.Store.RelationExports.ListStale(ctx, now.Add(-staleAfter), staleBatch)
	if err != nil {
		return err
	}
	for _, e := range exports {
		if now.Sub(e.CreatedAt) > giveUp {
			err = s.Store.RelationExports.Fail(ctx, e.ID, gaveUp)
		} else {
			err = s.RunExport(ctx, Export{ExportID: e.ID})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
