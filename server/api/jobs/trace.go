package jobs

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/store"
	"svc/store/model"
)

// GetProjectJobTrace downloads the log of a job.
// GET /projects/{id}/jobs/{job_id}/trace
func (j *Jobs) GetProjectJobTrace(
	ctx context.Context, req gen.GetProjectJobTraceRequestObject,
) (gen.GetProjectJobTraceResponseObject, error) {
	row, err := j.access.Project(ctx, req.ID, access.ReadJob)
	if err != nil {
		return nil, err
	}
	job, err := j.store.Jobs.Get(ctx, row.Project.ID, req.JobID)
	switch {
	case store.IsNotFound(err):
		return nil, apierr.RecordNotFound()
	case err != nil:
		return nil, err
	case job.Debug && row.Role() < model.Developer:
		return nil, apierr.Forbidden()
	case job.LogSize == 0:
		return nil, apierr.NotFound("")
	}
	return traceResponse{respond.Stream{
		Context: ctx, Type: "text/plain", Disposition: fmt.Sprintf(`infile; filename="%d.log"`, job.ID),
		CacheControl: respond.NoCache, Size: job.LogSize, Sandboxed: true,
		Open: func(offset, length int64) (io.ReadCloser, error) {
			from, _, err := j.logs.Open(ctx, job, offset, length)
			return from, err
		},
	}}, nil
}

// traceResponse is the response that sends a log.
type traceResponse struct{ respond.Stream }

// VisitGetProjectJobTraceResponse sends the log.
func (t traceResponse) VisitGetProjectJobTraceResponse(w http.ResponseWriter) error {
	return t.Send(w)
}
