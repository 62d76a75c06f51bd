package runners

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/gen"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/status"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// contactEvery is the least time between two records of a runner's contact.
const contactEvery = time.Minute

// runnerByToken returns the runner that owns a token, and records that it has contacted the service.
func (r *Runners) runnerByToken(ctx context.Context, token string, systemID *string, info *gen.RunnerInfo) (store.RunnerRequest, error) {
	system := ""
	if systemID != nil {
		system = *systemID
	}
	if len(system) > 64 {
		return store.RunnerRequest{}, apierr.BadParameter("system_id is too long")
	}
	c, err := r.store.Runners.FindByToken(ctx, secret.DigestText(token), system)
	if store.IsNotFound(err) {
		return c, apierr.Forbidden()
	}
	if err != nil {
		return c, err
	}
	at := time.Now()
	if c.Runner.TokenExpiresAt != nil && at.After(*c.Runner.TokenExpiresAt) {
		return c, apierr.Forbidden()
	}
	last := c.Runner.ContactedAt
	if system != "" {
		last = c.Contacted
	}
	if last != nil && at.Sub(*last) < contactEvery {
		return c, nil
	}
	if system != "" && len(strings.TrimSpace(system)) == 0 {
		return c, nil
	}
	managerID, err := r.store.Runners.StoreContact(ctx, c.Runner.ID, system, contact(ctx, info))
	if managerID != nil {
		c.ManagerID = managerID
	}
	return c, err
}

// contact returns what a runner reports about itself. Long texts are cut.
func contact(ctx context.Context, info *gen.RunnerInfo) store.MachineInfo {
	c := store.MachineInfo{IP: reqctx.Of(ctx).IP.String()}
	if info == nil {
		return c
	}
	const most = 255
	short := func(given *string) *string {
		if given == nil || len(*given) <= most {
			return given
		}
		cut := strings.ToValidUTF8((*given)[:most], "")
		return &cut
	}
	c.Name, c.Version, c.Revision = short(info.Name.Ptr()), short(info.Version.Ptr()), short(info.Revision.Ptr())
	c.Platform, c.Architecture = short(info.Platform.Ptr()), short(info.Architecture.Ptr())
	return c
}

// runningJob returns the job that a runner calls about. A wrong token or state is answered with 403, so that the runner stops
// the job.
func (r *Runners) runningJob(ctx context.Context, id int64, tokens ...*string) (model.Job, error) {
	j, err := r.jobByToken(ctx, tokens...)
	switch {
	case err != nil:
		return j, err
	case j.ID != id:
		return j, apierr.Forbidden()
	case j.ErasedAt != nil:
		return j, apierr.Forbidden("Job has been erased!")
	case !runs(j):
		return j, notRunning(j)
	}
	return j, nil
}

// jobByToken returns the job that owns a token, whatever its state. If the user of a running job is no longer active, the
// first call about the job ends it.
func (r *Runners) jobByToken(ctx context.Context, tokens ...*string) (model.Job, error) {
	for _, token := range tokens {
		if token == nil || *token == "" {
			continue
		}
		j, state, err := r.store.Jobs.ByTokenWithUserState(ctx, secret.DigestText(*token))
		switch {
		case store.IsNotFound(err):
			return j, apierr.Forbidden()
		case err == nil && runs(j) && state != model.UserActive:
			return j, r.failBlocked(ctx, j)
		}
		return j, err
	}
	return model.Job{}, apierr.Forbidden()
}

// failBlocked fails a job whose user was blocked. Its error makes the runner stop.
func (r *Runners) failBlocked(ctx context.Context, j model.Job) error {
	err := r.Engine.Drop(context.WithoutCancel(ctx), j, status.UserBlocked)
	if err != nil && !errors.Is(err, engine.ErrWrongStatus) {
		return err
	}
	j.Status = string(status.Failed)
	return notRunning(j)
}

func runs(j model.Job) bool {
	return j.Status == string(status.Running) || j.Status == string(status.Canceling)
}

// notRunning returns the error that makes a runner stop a job.
func notRunning(j model.Job) error {
	return &apierr.Error{
		Status: 403, Body: apierr.Body{Message: "403 Forbidden - Job is not running"}, Header: map[string]string{"Job-Status": j.Status},
	}
}
