package export

import (
	"context"

	"svc/store/clock"
)

// ResumeJob is the job that resumes exports and imports of killed processes and removes expired exports.
type ResumeJob struct{}

// Kind returns the name of the job in the queue. It is an old name: a queue can still hold jobs with it.
func (ResumeJob) Kind() string { return "group_parcels_rest" }

// Resume resumes exports and imports that killed processes left unfinished, and removes expired exports.
func (s *Service) Resume(ctx context.Context, _ ResumeJob) error {
	now := clock.Now(ctx).UTC()
	if err := s.store.GroupExports.DeleteExpired(ctx, now); err != nil {
		return err
	}
	exports, err := s.store.GroupExports.ListStale(ctx, now.Add(-staleAfter), batchSize)
	if err != nil {
		return err
	}
	for _, e := range exports {
		if now.Sub(e.CreatedAt) > giveUp {
			err = s.store.GroupExports.Fail(ctx, e.ID, gaveUp)
		} else {
			err = s.RunExport(ctx, Export{ExportID: e.ID})
		}
		if err != nil {
			return err
		}
	}
	imports, err := s.store.GroupImports.ListStale(ctx, now.Add(-staleAfter), batchSize)
	if err != nil {
		return err
	}
	for _, i := range imports {
		if now.Sub(i.CreatedAt) > giveUp {
			err = s.failImport(ctx, i.ID, gaveUp)
		} else {
			err = s.RunImport(ctx, Import{ImportID: i.ID})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const gaveUp = "It did not finish within a day; the log of the server has the reason."
