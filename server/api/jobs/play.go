package jobs

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// PlayProjectJob starts a manual or delayed job.
// POST /projects/{id}/jobs/{job_id}/play
func (j *Jobs) PlayProjectJob(
	ctx context.Context, req gen.PlayProjectJobRequestObject,
) (gen.PlayProjectJobResponseObject, error) {
	row, job, err := j.findForUpdate(ctx, req.ID, req.JobID, access.UpdateJob)
	if err != nil {
		return nil, err
	}
	given := variablesFrom(req.Body)
	if len(given) > 0 && !launch.MaySetVariables(row) {
		return nil, apierr.Forbidden()
	}
	id, err := j.engine.PlayOrRetry(ctx, job, reqctx.Of(ctx).Actor.User.ID, given)
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
		err = answer.FromBridge(j.presenter(ctx, row.Project).Bridge(shown))
	} else {
		err = answer.FromJob(j.presenter(ctx, row.Project).Job(shown))
	}
	return answer, err
}

// variablesFrom reads the job variables of the request. If a key is given twice, the last value counts.
func variablesFrom(body *gen.PlayProjectJobJSONRequestBody) []model.JobVariable {
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
