package runners

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"svc/gen"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/logs"
	"svc/server/domain/ci/logview"
	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// traceInterval is the number of seconds after which a runner sends the log again.
const traceInterval = "3"

// UpdateJob records the state of a job: still running, or finished.
// PUT /jobs/{id}
func (r *Runners) UpdateJob(ctx context.Context, req gen.UpdateJobRequestObject) (gen.UpdateJobResponseObject, error) {
	j, err := r.runningJob(ctx, req.ID, req.Params.JOBTOKEN, req.Body.Token.Ptr())
	if err != nil {
		return nil, err
	}
	if req.Body.State == gen.JobUpdateStateRunning {
		if err := r.store.Jobs.MarkContacted(ctx, j.ID, time.Now().UTC()); err != nil {
			return nil, err
		}
		return updated(j.Status), nil
	}
	if j, err = r.checkLog(ctx, j, req.Body.Output.Ptr()); err != nil {
		return nil, err
	}
	outcome := engine.Outcome{Success: req.Body.State == gen.JobUpdateStateSuccess}
	if !outcome.Success {
		outcome.Reason = status.UnknownFailure
		if told := req.Body.FailureReason.Ptr(); told != nil {
			outcome.Reason = status.ReportedReason(*told)
		}
	}
	if code := req.Body.ExitCode.Ptr(); code != nil {
		n := int(*code)
		outcome.ExitCode = &n
	}
	spec, err := r.Engine.Spec(ctx, &j)
	if err != nil {
		return nil, err
	}
	if outcome.Coverage, err = r.coverage(ctx, j, spec); err != nil {
		return nil, err
	}
	if outcome.Success {
		outcome.PublishPages = spec.Pages != nil
		if outcome.URL, err = r.Queue.EnvironmentURL(ctx, j); err != nil {
			return nil, err
		}
	}
	// The result is recorded even if the runner disconnects.
	err = r.Engine.Finish(context.WithoutCancel(ctx), j, outcome)
	if errors.Is(err, engine.ErrWrongStatus) {
		return nil, notRunning(j)
	}
	if err != nil {
		return nil, err
	}
	return updated(string(req.Body.State)), nil
}

// checksumNotice is appended to a log that differs from what the runner sent.
const checksumNotice = "\nThis log is damaged: its checksum differs from that of the runner.\n"

// checkLog checks the log against the size and checksum that the runner reports. If bytes are missing, the runner is
// asked to send them. A wrong checksum cannot be repaired by sending the same bytes again, so a note is appended to the
// log.
func (r *Runners) checkLog(ctx context.Context, j model.Job, told *gen.JobOutput) (model.Job, error) {
	if told == nil || told.Bytesize.Ptr() == nil {
		return j, nil
	}
	size, sum := *told.Bytesize.Ptr(), told.Checksum.Ptr()
	if size > j.LogSize {
		return j, apierr.PreconditionFailed() // the runner sends the rest
	}
	if size == j.LogSize && (sum == nil || *sum == "" || *sum == fmt.Sprintf("crc32:%08x", j.LogSum)) {
		return j, nil
	}
	after, err := r.Logs.Append(ctx, j, j.LogSize, []byte(checksumNotice), false)
	if errors.Is(err, logs.ErrTooLong) {
		return j, nil
	}
	var gap *logs.GapError
	if errors.As(err, &gap) {
		return j, apierr.PreconditionFailed() // more bytes have arrived meanwhile
	}
	return after, err
}

func updated(state string) gen.UpdateJob200JSONResponse {
	interval := traceInterval
	return gen.UpdateJob200JSONResponse{Body: 200, Headers: gen.UpdateJob200ResponseHeaders{
		JobStatus: &state, XGitLabTraceUpdateInterval: &interval, XSvcTraceUpdateInterval: &interval,
	}}
}

// maxLine is how many bytes of a log line are matched at once.
const maxLine = 64 << 10

// coverage finds the test coverage in the log of a job, if the CI/CD file has a pattern for it.
func (r *Runners) coverage(ctx context.Context, j model.Job, spec syntax.Job) (*float64, error) {
	pattern, ok := syntax.NewCoverage(spec.Coverage)
	if !ok {
		return nil, nil
	}
	log, _, err := r.Logs.Open(ctx, j, 0, j.LogSize)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	var found *float64
	lines := bufio.NewReaderSize(log, maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		if number, ok := pattern.In(logview.Plain(string(line))); ok {
			found = &number
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return found, nil
		case err != nil:
			return nil, err
		}
	}
}

// UpdateJobTrace appends to the log of a job.
// PATCH /jobs/{id}/trace
func (r *Runners) UpdateJobTrace(ctx context.Context, req gen.UpdateJobTraceRequestObject) (gen.UpdateJobTraceResponseObject, error) {
	j, err := r.runningJob(ctx, req.ID, req.Params.JOBTOKEN)
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
	j, err = r.Logs.Append(ctx, j, offset, text, req.Params.DebugTrace != nil && *req.Params.DebugTrace)
	var gap *logs.GapError
	size := "0-" + strconv.FormatInt(j.LogSize, 10)
	interval := traceInterval
	switch {
	case errors.As(err, &gap):
		told := "416 Range Not Satisfiable"
		return gen.UpdateJobTrace416JSONResponse{
			Body:    gen.Error{Error: &told},
			Headers: gen.UpdateJobTrace416ResponseHeaders{JobStatus: &j.Status, Range: &size},
		}, nil
	case errors.Is(err, logs.ErrTooLong):
		return nil, r.tooLong(ctx, j)
	case err != nil:
		return nil, err
	}
	return gen.UpdateJobTrace202JSONResponse{Body: size, Headers: gen.UpdateJobTrace202ResponseHeaders{
		JobStatus: &j.Status, Range: &size, XGitLabTraceUpdateInterval: &interval, XSvcTraceUpdateInterval: &interval,
	}}, nil
}

// tooLong fails a job whose log is too long.
func (r *Runners) tooLong(ctx context.Context, j model.Job) error {
	err := r.Engine.Drop(context.WithoutCancel(ctx), j, status.TraceSizeExceeded)
	if err != nil && !errors.Is(err, engine.ErrWrongStatus) {
		return err
	}
	j.Status = string(status.Failed)
	return notRunning(j)
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
