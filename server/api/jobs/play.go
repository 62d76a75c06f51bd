package jobs

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/status"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// PlayProjectJob starts a manual or delayed job.
// POST /projects/{id}/jobs/{job_id}/play
func (j *Jobs) PlayProjectJob(ctx context.Context, req gen.PlayProjectJobRequestObject) (gen.PlayProjectJobResponseObject, error) {
	row, job, err := j.findForUpdate(ctx, req.ID, req.JobID, access.UpdateJob)
	if err != nil {
		return nil, err
	}
	given := givenVariables(req.Body)
	if len(given) > 0 && !launch.MaySetVariables(row) {
		return nil, apierr.Forbidden()
	}
	id, err := j.play(ctx, job, given)
	if errors.Is(err, engine.ErrWrongStatus) {
		return nil, apierr.BadRequest("Unplayable Job")
	}
	if err != nil {
		return nil, err
	}
	shown, err := j.store.Jobs.GetRow(ctx, id)
	if err != nil {
		return nil, err
	}
	var answer gen.PlayProjectJob200JSONResponse
	if shown.Job.Bridge {
		err = answer.FromBridge(j.presenter(row.Project).Bridge(shown))
	} else {
		err = answer.FromJob(j.presenter(row.Project).Job(shown))
	}
	return answer, err
}

// play starts a job, or runs a finished manual job again. It returns the ID of the job that runs. The engine checks
// again whether the job can be played.
func (j *Jobs) play(ctx context.Context, job model.Job, given []model.JobVariable) (int64, error) {
	userID := reqctx.Of(ctx).Actor.User.ID
	now := status.Job{Status: status.Status(job.Status), When: job.RunWhen, Retried: job.Retried}
	if !now.CanPlay() {
		return 0, engine.ErrWrongStatus
	}
	if now.PlaysByRetry() {
		fresh, err := j.engine.Retry(ctx, job, userID, given...)
		return fresh.ID, err
	}
	return job.ID, j.engine.Play(ctx, job, userID, given)
}

// givenVariables reads the job variables of the request. If a key is given twice, the last value counts.
func givenVariables(body *gen.PlayProjectJobJSONRequestBody) []model.JobVariable {
	if body == nil || body.JobVariablesAttributes == nil {
		return nil
	}
	var rows []model.JobVariable
	at := map[string]int{}
	for _, v := range *body.JobVariablesAttributes {
		if i, again := at[v.Key]; again {
			rows[i].Value = v.Value
			continue
		}
		at[v.Key] = len(rows)
		rows = append(rows, model.JobVariable{Key: v.Key, Value: v.Value})
	}
	return rows
}
