package runners

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// DeleteRunner deletes a runner.
// DELETE /runners/{id}
func (r *Runners) DeleteRunner(
	ctx context.Context, req gen.DeleteRunnerRequestObject,
) (gen.DeleteRunnerResponseObject, error) {
	row, _, err := r.find(ctx, req.ID, true)
	if err != nil {
		return nil, err
	}
	if err := r.runners.Delete(ctx, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteRunner204Response{}, nil
}
