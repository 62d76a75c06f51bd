package export

import (
	"context"
	"errors"

	"svc/store/clock"
)

// ResumeJob is the job that resumes exports and imports of killed processes and removes expired exports.
type ResumeJob struct{}

// Kind returns the name of the job in the queue.
func (ResumeJob) Kind() string { return "project_exports_resume" }

const gaveUp = "It did not finish within a day; the log of the server has the reason."

// Resume resumes exports and imports that killed processes left unfinished, and removes expired exports.
func (s *Service) Resume(ctx context.Context, _ ResumeJob) error {
	now := clock.Now(ctx).UTC()
	if err := s.Store.ProjectExports.DeleteExpired(ctx, now); err != nil {
		return err
	}
	exports, err := s.Store.ProjectExports.ListStale(ctx, now.Add(-staleAfter), batchSize)
	if err != nil {
		return err
	}
	for _, e := range exports {
		if now.Sub(e.CreatedAt) > giveUp {
			err = s.Store.ProjectExports.Fail(ctx, e.ID, gaveUp)
		} else {
			err = s.RunExport(ctx, Export{ExportID: e.ID})
		}
		if err != nil {
			return err
		}
	}
	imports, err := s.Store.ProjectFileImports.ListStale(ctx, now.Add(-staleAfter), batchSize)
	if err != nil {
		return err
	}
	for _, i := range imports {
		if now.Sub(i.CreatedAt) > giveUp {
			err = s.fail(ctx, i, gaveUp)
		} else {
			err = errors.Join(s.Enqueue(ctx, Import{ProjectID: i.ProjectID}), s.Store.ProjectFileImports.Touch(ctx, i.ID))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
