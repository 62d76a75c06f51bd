package runner

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"svc/server/domain/ci/logs"
	"svc/server/domain/ci/logview"
	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// AppendLog adds bytes to the log of a running job, and returns the job in its current state. A *logs.GapError says
// that the bytes do not start where the log ends. A job whose log is too long fails.
func (s *Service) AppendLog(
	ctx context.Context, job model.Job, offset int64, text []byte, debug bool,
) (model.Job, error) {
	job, err := s.logs.Append(ctx, job, offset, text, debug)
	if errors.Is(err, logs.ErrTooLong) {
		err = s.stop(ctx, job, status.TraceSizeExceeded)
	}
	return job, err
}

// checksumNotice is appended to a log that differs from what the runner sent.
const checksumNotice = "\nThis log is damaged: its checksum differs from that of the runner.\n"

// checkLog checks the log against the size and checksum that the runner reports. If bytes are missing, the runner is
// asked to send them. A wrong checksum cannot be repaired by sending the same bytes again, so a note is appended to the
// log.
func (s *Service) checkLog(ctx context.Context, job model.Job, r Result) (model.Job, error) {
	if r.LogSize == nil {
		return job, nil
	}
	size, sum := *r.LogSize, r.LogChecksum
	if size > job.LogSize {
		return job, apierr.PreconditionFailed() // the runner sends the rest
	}
	if size == job.LogSize && (sum == nil || *sum == "" || *sum == fmt.Sprintf("crc32:%08x", job.LogSum)) {
		return job, nil
	}
	after, err := s.logs.Append(ctx, job, job.LogSize, []byte(checksumNotice), false)
	if errors.Is(err, logs.ErrTooLong) {
		return job, nil
	}
	var gap *logs.GapError
	if errors.As(err, &gap) {
		return job, apierr.PreconditionFailed() // more bytes have arrived meanwhile
	}
	return after, err
}

// maxLine is how many bytes of a log line are matched at once.
const maxLine = 64 << 10

// coverage finds the test coverage in the log of a job, if the CI/CD file has a pattern for it.
func (s *Service) coverage(ctx context.Context, job model.Job, spec syntax.Job) (*float64, error) {
	pattern, ok := syntax.NewCoverage(spec.Coverage)
	if !ok {
		return nil, nil
	}
	log, _, err := s.logs.Open(ctx, job, 0, job.LogSize)
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
