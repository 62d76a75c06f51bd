package probes

import (
	"context"
	"net/http"
	"strings"
	"time"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
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
	failed := map[string]string{}
	check := func(name string, run Check) gen.ProbeStatus {
		err := run(ctx)
		if err == nil {
			return gen.ProbeStatusOk
		}
		failed[name] = reason(err)
		return gen.ProbeStatusFailed
	}
	state := gen.Readiness{
		Status: gen.ProbeStatusOk, Database: check("database", p.database), Queue: check("queue", p.queue),
		Storage: check("storage", p.storage),
	}
	if len(failed) == 0 {
		return gen.GetReadiness200JSONResponse(state), nil
	}
	state.Status = gen.ProbeStatusFailed
	if reqctx.Of(ctx).FromNetwork(p.explainTo()) {
		state.Reasons = &failed
	}
	return notReady{gen.GetReadiness503JSONResponse(state)}, nil
}

// maxReason is the length of a reason, in characters.
const maxReason = 300

// reason returns why a check failed, on one line.
func reason(err error) string {
	text := []rune(strings.Join(strings.Fields(err.Error()), " "))
	return string(text[:min(len(text), maxReason)])
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
