package runners

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/logs"
	"svc/server/platform/apierr"
)

// traceInterval is the number of seconds after which a runner sends the log again.
const traceInterval = "3"

// AppendJobTrace appends to the log of a job.
// PATCH /jobs/{id}/trace
func (r *Runners) AppendJobTrace(
	ctx context.Context, req gen.AppendJobTraceRequestObject,
) (gen.AppendJobTraceResponseObject, error) {
	job, err := r.runners.RunningJob(ctx, req.ID, req.Params.JOBTOKEN)
	if err != nil {
		return nil, err
	}
	if req.Params.ContentRange == nil {
		return nil, apierr.BadParameter("400 Missing header Content-Range")
	}
	offset, ok := firstByte(*req.Params.ContentRange)
	if !ok {
		return nil, apierr.BadParameter("400 Content-Range is invalid")
	}
	var text []byte
	if req.Body != nil {
		text = []byte(*req.Body)
	}
	job, err = r.runners.AppendLog(ctx, job, offset, text, wire.Value(req.Params.DebugTrace))
	size := "0-" + strconv.FormatInt(job.LogSize, 10)
	interval := traceInterval
	var gap *logs.GapError
	switch {
	case errors.As(err, &gap):
		return nil, &apierr.Error{
			Status: http.StatusRequestedRangeNotSatisfiable, Body: apierr.Body{Error: "416 Range Not Satisfiable"},
			Header: map[string]string{"Job-Status": job.Status, "Range": size},
		}
	case err != nil:
		return nil, err
	}
	return gen.AppendJobTrace202JSONResponse{Body: size, Headers: gen.AppendJobTrace202ResponseHeaders{
		JobStatus: &job.Status, Range: &size, XGitLabTraceUpdateInterval: &interval, XSvcTraceUpdateInterval: &interval,
	}}, nil
}

// firstByte returns the offset in a Content-Range header. Only the first number counts, because clients disagree about
// the last.
func firstByte(contentRange string) (int64, bool) {
	digits := 0
	for digits < len(contentRange) && contentRange[digits] >= '0' && contentRange[digits] <= '9' {
		digits++
	}
	n, err := strconv.ParseInt(contentRange[:digits], 10, 64)
	return n, err == nil && digits < len(contentRange) && contentRange[digits] == '-'
}
