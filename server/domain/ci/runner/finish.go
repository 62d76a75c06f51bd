package runner

import (
	"context"
	"errors"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/status"
	"svc/store/model"
)

// Result is the result of a job, as the runner reports it.
type Result struct {
	Success       bool
	FailureReason *string
	ExitCode      *int64
	LogSize       *int64 // nil if the runner does not report it
	LogChecksum   *string
}

// Finish ends a running job. It asks the runner for bytes of the log that are missing.
func (s *Service) Finish(ctx context.Context, job model.Job, r Result) error {
	job, err := s.checkLog(ctx, job, r)
	if err != nil {
		return err
	}
	outcome, err := s.outcome(ctx, job, r)
	if err != nil {
		return err
	}
	// The result is recorded even if the runner disconnects.
	err = s.engine.Finish(context.WithoutCancel(ctx), job, outcome)
	if errors.Is(err, engine.ErrWrongStatus) {
		return notRunning(job.Status)
	}
	return err
}

// outcome adds to a result what the log and the CI file say about the job.
func (s *Service) outcome(ctx context.Context, job model.Job, r Result) (engine.Outcome, error) {
	outcome := engine.Outcome{Success: r.Success}
	if !r.Success {
		outcome.Reason = status.UnknownFailure
		if r.FailureReason != nil {
			outcome.Reason = status.ReportedReason(*r.FailureReason)
		}
	}
	if r.ExitCode != nil {
		n := int(*r.ExitCode)
		outcome.ExitCode = &n
	}
	spec, err := s.engine.Spec(ctx, &job)
	if err != nil {
		return outcome, err
	}
	if outcome.Coverage, err = s.coverage(ctx, job, spec); err != nil {
		return outcome, err
	}
	if r.Success {
		outcome.PublishPages = spec.Pages != nil
		outcome.URL, err = s.queue.EnvironmentURL(ctx, job)
	}
	return outcome, err
}
