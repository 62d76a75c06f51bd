package runner

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/status"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

const (
	contactEvery   = time.Minute // the least time between two records of a runner's contact
	maxSystemID    = 64
	maxMachineText = 255 // bytes of a text that a machine reports about itself
)

// Authenticate returns the runner that owns a token, and records that one of its machines has contacted the service.
func (s *Service) Authenticate(
	ctx context.Context, token, systemID string, machine store.MachineInfo,
) (store.RunnerRequest, error) {
	if len(systemID) > maxSystemID {
		return store.RunnerRequest{}, apierr.BadParameter("system_id is too long")
	}
	c, err := s.store.Runners.FindByToken(ctx, secret.DigestText(token), systemID)
	if store.IsNotFound(err) {
		return c, apierr.Forbidden()
	}
	if err != nil {
		return c, err
	}
	c.MultiStep = machine.MultiStep
	at := clock.Now(ctx)
	if c.Runner.TokenExpiresAt != nil && at.After(*c.Runner.TokenExpiresAt) {
		return c, apierr.Forbidden()
	}
	last := c.Runner.ContactedAt
	if systemID != "" {
		last = c.Contacted
	}
	if last != nil && at.Sub(*last) < contactEvery {
		return c, nil
	}
	if systemID != "" && len(strings.TrimSpace(systemID)) == 0 {
		return c, nil
	}
	managerID, err := s.store.Runners.StoreContact(ctx, c.Runner.ID, systemID, contact(ctx, machine))
	if managerID != nil {
		c.ManagerID = managerID
	}
	return c, err
}

// contact returns what a machine reports about itself, with the address of the request. Long texts are cut.
func contact(ctx context.Context, machine store.MachineInfo) store.MachineInfo {
	short := func(given *string) *string {
		if given == nil || len(*given) <= maxMachineText {
			return given
		}
		cut := strings.ToValidUTF8((*given)[:maxMachineText], "")
		return &cut
	}
	return store.MachineInfo{
		Name: short(machine.Name), Version: short(machine.Version), Revision: short(machine.Revision),
		Platform: short(machine.Platform), Architecture: short(machine.Architecture), IP: reqctx.Of(ctx).IP.String(),
	}
}

// RunningJob returns the job that a runner calls about. A wrong token or state is answered with 403, so that the runner
// stops the job.
func (s *Service) RunningJob(ctx context.Context, id int64, tokens ...*string) (model.Job, error) {
	job, err := s.jobByToken(ctx, tokens...)
	switch {
	case err != nil:
		return job, err
	case job.ID != id:
		return job, apierr.Forbidden()
	case job.ErasedAt != nil:
		return job, apierr.Forbidden("Job has been erased!")
	case !runs(job):
		return job, notRunning(job.Status)
	}
	return job, nil
}

// jobByToken returns the job that owns the first given token, whatever the state of the job. If the user of a running
// job is no longer active, the first call about the job ends it.
func (s *Service) jobByToken(ctx context.Context, tokens ...*string) (model.Job, error) {
	for _, token := range tokens {
		if token == nil || *token == "" {
			continue
		}
		job, state, err := s.store.Jobs.ByTokenWithUserState(ctx, secret.DigestText(*token))
		switch {
		case store.IsNotFound(err):
			return job, apierr.Forbidden()
		case err == nil && runs(job) && state != model.UserActive:
			return job, s.stop(ctx, job, status.UserBlocked)
		}
		return job, err
	}
	return model.Job{}, apierr.Forbidden()
}

// stop fails a job. Its error makes the runner stop the job.
func (s *Service) stop(ctx context.Context, job model.Job, reason status.Reason) error {
	err := s.engine.Drop(context.WithoutCancel(ctx), job, reason)
	if err != nil && !errors.Is(err, engine.ErrWrongStatus) {
		return err
	}
	return notRunning(string(status.Failed))
}

func runs(job model.Job) bool {
	return job.Status == string(status.Running) || job.Status == string(status.Canceling)
}

// notRunning returns the error that makes a runner stop a job that has the given status.
func notRunning(jobStatus string) error {
	return &apierr.Error{
		Status: 403, Body: apierr.Body{Message: "403 Forbidden - Job is not running"},
		Header: map[string]string{"Job-Status": jobStatus},
	}
}
