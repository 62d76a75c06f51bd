package note

import (
	"context"

	"svc/server/domain/discussion/quickaction"
	"svc/server/domain/issuable"
	"svc/store/model"
)

// Writers are the functions that carry out quick actions on merge requests. Each does what the API operation does: it
// checks the same rules and has the same effects.
type Writers struct {
	MergeRequest func(ctx context.Context, row model.ProjectRow, iid int64, c issuable.Change) error
	Approve      func(ctx context.Context, row model.ProjectRow, iid int64, agree bool) error
	Merge        func(ctx context.Context, row model.ProjectRow, iid int64) (waits bool, err error)
}

// SetWriters sets the writers. The API area that provides them is constructed after the Service.
func (s *Service) SetWriters(w Writers) { s.writers = w }

// runOnMergeRequest applies planned quick actions to a merge request, in the caller's transaction.
func (s *Service) runOnMergeRequest(ctx context.Context, plan *quickaction.Plan) error {
	row, iid := plan.Item.Row, plan.Item.On.IID
	if plan.Change.IsSet() {
		if err := s.writers.MergeRequest(ctx, row, iid, plan.Change); err != nil {
			return quickaction.Refused(err)
		}
	}
	for _, step := range plan.Steps {
		var err error
		if step.Approve != nil {
			err = s.writers.Approve(ctx, row, iid, *step.Approve)
		} else {
			err = step.Do(ctx)
		}
		if err := plan.RecordStep(step, err); err != nil {
			return err
		}
	}
	return nil
}

// merge merges the merge request, after all other quick actions.
func (s *Service) merge(ctx context.Context, plan *quickaction.Plan) error {
	waits, err := s.writers.Merge(ctx, plan.Item.Row, plan.Item.On.IID)
	return plan.RecordMerge(waits, err)
}
