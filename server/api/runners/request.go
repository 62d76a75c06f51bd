package runners

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"svc/gen"
	"svc/server/domain/ci/payload"
)

// lastUpdate is sent with each answer. A runner that sends it back is ready to wait for a job. The value says nothing
// about the state of the queue, because each request looks for a job before it waits.
const lastUpdate = "wait"

// RequestJobs assigns a job to a runner. It waits for one if the runner has asked before.
// POST /jobs/request
func (r *Runners) RequestJobs(ctx context.Context, req gen.RequestJobsRequestObject) (gen.RequestJobsResponseObject, error) {
	until := time.Time{}
	if last := req.Body.LastUpdate.Ptr(); last != nil && *last == lastUpdate {
		until = time.Now().Add(r.Poll)
	}
	for {
		rung := r.Queue.Subscribe()
		c, err := r.runnerByToken(ctx, req.Body.Token, req.Body.SystemID.Ptr(), req.Body.Info)
		if err != nil {
			return nil, err
		}
		job, err := r.Queue.Next(ctx, c)
		if err != nil {
			return nil, err
		}
		if job != nil {
			return assignedJob{job}, nil
		}
		if !r.Queue.Wait(ctx, rung, until) {
			value := lastUpdate
			return gen.RequestJobs204Response{
				Headers: gen.RequestJobs204ResponseHeaders{XGitLabLastUpdate: &value, XSvcLastUpdate: &value},
			}, nil
		}
	}
}

// assignedJob is the response that assigns a job to a runner.
type assignedJob struct{ *payload.Payload }

// VisitRequestJobsResponse writes the job as JSON.
func (g assignedJob) VisitRequestJobsResponse(w http.ResponseWriter) error {
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
