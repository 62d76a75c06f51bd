package probes

import (
	"context"
	"net/http"
	"time"

	"svc/gen"
	"svc/server/platform/apierr"
)

// checkTimeout is how long a check may take before it counts as failed.
const checkTimeout = 2 * time.Second

// GetHealth reports that the process answers.
// GET /-/health
func (p *Probes) GetHealth(context.Context, gen.GetHealthRequestObject) (gen.GetHealthResponseObject, error) {
	return gen.GetHealth200TextResponse("svc OK\n"), nil
}

// GetLiveness reports that the process should be left running.
// GET /-/liveness
func (p *Probes) GetLiveness(context.Context, gen.GetLivenessRequestObject) (gen.GetLivenessResponseObject, error) {
	return gen.GetLiveness200JSONResponse{Status: gen.ProbeStatusOk}, nil
}

// GetReadiness reports whether the service can serve requests now.
// GET /-/readiness
func (p *Probes) GetReadiness(ctx context.Context, _ gen.GetReadinessRequestObject) (gen.GetReadinessResponseObject, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	state := gen.Readiness{
		Status: gen.ProbeStatusOk, Database: status(p.database(ctx)), Queue: status(p.queue(ctx)), Storage: status(p.storage(ctx)),
	}
	if state.Database != gen.ProbeStatusOk || state.Queue != gen.ProbeStatusOk || state.Storage != gen.ProbeStatusOk {
		state.Status = gen.ProbeStatusFailed
		return notReady{gen.GetReadiness503JSONResponse(state)}, nil
	}
	return gen.GetReadiness200JSONResponse(state), nil
}

// notReady is the response of a service that cannot serve requests now.
type notReady struct {
	gen.GetReadiness503JSONResponse
}

// VisitGetReadinessResponse sends the state of the checks.
func (r notReady) VisitGetReadinessResponse(w http.ResponseWriter) error {
	apierr.SetCode(w.Header(), apierr.TemporarilyAway)
	return r.GetReadiness503JSONResponse.VisitGetReadinessResponse(w)
}

func status(err error) gen.ProbeStatus {
	if err != nil {
		return gen.ProbeStatusFailed
	}
	return gen.ProbeStatusOk
}
