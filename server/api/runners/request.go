package runners

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/payload"
)

// lastUpdate is sent with each answer. A runner that sends it back is ready to wait for a job. The value says nothing
// about the state of the queue, because each request looks for a job before it waits.
const lastUpdate = "wait"

// RequestJob assigns a job to a runner. It waits for one if the runner has asked before.
// POST /jobs/request
func (r *Runners) RequestJob(
	ctx context.Context, req gen.RequestJobRequestObject,
) (gen.RequestJobResponseObject, error) {
	b := req.Body
	wait := time.Duration(0)
	if wire.Value(b.LastUpdate.Ptr()) == lastUpdate {
		wait = r.poll
	}
	job, err := r.runners.RequestJob(ctx, b.Token, wire.Value(b.SystemID.Ptr()), machineFrom(b.Info), wait)
	if err != nil {
		return nil, err
	}
	if job == nil {
		value := lastUpdate
		return gen.RequestJob204Response{
			Headers: gen.RequestJob204ResponseHeaders{XGitLabLastUpdate: &value, XSvcLastUpdate: &value},
		}, nil
	}
	return assignedJob{job}, nil
}

// assignedJob is the response that assigns a job to a runner.
type assignedJob struct{ *payload.Payload }

// VisitRequestJobResponse writes the job as JSON.
func (g assignedJob) VisitRequestJobResponse(w http.ResponseWriter) error {
	text, err := json.Marshal(g.Payload)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header()["X-GitLab-Last-Update"] = []string{lastUpdate}
	w.Header().Set("X-Svc-Last-Update", lastUpdate)
	w.WriteHeader(http.StatusCreated)
	_, err = w.Write(text)
	return err
}
