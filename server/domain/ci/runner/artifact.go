package runner

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"time"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Expiry returns the time at which a new artifact expires, or nil for never. The lifetime is a duration of the CI/CD
// file, such as "2 days", or empty for the default.
func (s *Service) Expiry(ctx context.Context, lifetime string) (*time.Time, error) {
	after := s.defaultLifetime()
	if lifetime != "" {
		if lifetime == "never" {
			return nil, nil
		}
		var ok bool
		if after, ok = syntax.ParseDuration(lifetime); !ok {
			return nil, apierr.BadParameter("expire_in is invalid")
		}
	}
	if after == 0 {
		return nil, nil
	}
	at := clock.Now(ctx).UTC().Add(after).Truncate(time.Microsecond)
	return &at, nil
}

// defaultLifetime returns how long artifacts are kept whose job sets no time; 0 for unlimited.
func (s *Service) defaultLifetime() time.Duration {
	after, _ := syntax.ParseDuration(s.store.Settings.Current().DefaultArtifactsExpireIn) // checked when it was set
	return after
}

// Upload stores an artifact of a running job.
func (s *Service) Upload(ctx context.Context, job model.Job, u artifacts.Upload, from io.Reader) error {
	if u.FileType == "dotenv" {
		checked, err := checkDotenv(from, u.FileFormat, s.dotenvLimits())
		if err != nil {
			return err
		}
		from = checked
	}
	_, err := s.artifacts.Put(ctx, job, u, from)
	switch {
	case errors.Is(err, artifacts.ErrTooLarge):
		return apierr.TooLarge()
	case errors.Is(err, artifacts.ErrTaken):
		return apierr.BadRequest("another artifact of the same type already exists")
	case store.IsNotFound(err):
		return apierr.Forbidden()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return incomplete()
	}
	return err
}

func incomplete() error { return apierr.BadParameter("The multipart body is incomplete") }

// maxPackedDotenv is larger than any valid report.
const maxPackedDotenv = variables.MaxDotenv + 64<<10

// dotenvLimits returns the limits of the plan.
func (s *Service) dotenvLimits() variables.DotenvLimits {
	plan := s.store.Settings.Current().PlanLimits
	return variables.NewDotenvLimits(plan.DotenvSize, plan.DotenvVariables)
}

// checkDotenv refuses a report that cannot be parsed: later jobs would silently miss its variables.
func checkDotenv(file io.Reader, format string, most variables.DotenvLimits) (io.Reader, error) {
	packed, err := io.ReadAll(io.LimitReader(file, maxPackedDotenv+1))
	if err != nil {
		return nil, incomplete()
	}
	if len(packed) > maxPackedDotenv {
		return nil, apierr.TooLarge()
	}
	text := packed
	if format == "gzip" {
		unpacked, err := gzip.NewReader(bytes.NewReader(packed))
		if err == nil {
			text, err = io.ReadAll(io.LimitReader(unpacked, most.Size+1))
		}
		if err != nil {
			return nil, apierr.BadRequest("dotenv artifact is not gzip")
		}
	}
	if _, err := variables.ParseDotenv(text, most); err != nil {
		return nil, apierr.BadRequest(err.Error())
	}
	return bytes.NewReader(packed), nil
}

// FindArchive returns the artifacts archive of a job, for the job itself or for a running job that gets its artifacts.
// The tokens are those of the job that asks.
func (s *Service) FindArchive(ctx context.Context, jobID int64, tokens ...*string) (model.JobArtifact, error) {
	job, err := s.jobByToken(ctx, tokens...)
	if err != nil {
		return model.JobArtifact{}, err
	}
	if !runs(job) {
		return model.JobArtifact{}, notRunning(job.Status)
	}
	if job.ID != jobID {
		gets, err := s.queue.GetsArtifactsOf(ctx, job, jobID)
		if err == nil && !gets {
			err = apierr.Forbidden()
		}
		if err != nil {
			return model.JobArtifact{}, err
		}
	}
	found, err := s.artifacts.Get(ctx, jobID, model.ArchiveArtifact)
	if store.IsNotFound(err) {
		err = apierr.NotFound("")
	}
	return found, err
}
