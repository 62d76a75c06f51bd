package runners

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/runner"
	"svc/store/clock"
)

// UpdateJob records the state of a job: still running, or finished.
// PUT /jobs/{id}
func (r *Runners) UpdateJob(ctx context.Context, req gen.UpdateJobRequestObject) (gen.UpdateJobResponseObject, error) {
	job, err := r.runners.RunningJob(ctx, req.ID, req.Params.JOBTOKEN, req.Body.Token.Ptr())
	if err != nil {
		return nil, err
	}
	if req.Body.State == gen.JobUpdateStateRunning {
		if err := r.store.Jobs.MarkContacted(ctx, job.ID, clock.Now(ctx).UTC()); err != nil {
			return nil, err
		}
		return updated(job.Status), nil
	}
	if err := r.runners.Finish(ctx, job, resultFrom(req)); err != nil {
		return nil, err
	}
	return updated(string(req.Body.State)), nil
}

func resultFrom(req gen.UpdateJobRequestObject) runner.Result {
	b := req.Body
	result := runner.Result{
		Success: b.State == gen.JobUpdateStateSuccess, FailureReason: b.FailureReason.Ptr(), ExitCode: b.ExitCode.Ptr(),
	}
	if output := b.Output.Ptr(); output != nil {
		result.LogSize, result.LogChecksum = output.Bytesize.Ptr(), output.Checksum.Ptr()
	}
	return result
}

func updated(state string) gen.UpdateJob200JSONResponse {
	interval := traceInterval
	return gen.UpdateJob200JSONResponse{Body: 200, Headers: gen.UpdateJob200ResponseHeaders{
		JobStatus: &state, XGitLabTraceUpdateInterval: &interval, XSvcTraceUpdateInterval: &interval,
	}}
}
