// Package report reads the test reports of pipelines.
package report

import (
	"compress/gzip"
	"context"
	"errors"
	"io"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/junit"
	"svc/store"
	"svc/store/model"
)

// Service reads test reports.
type Service struct {
	store *store.Store
	files *artifacts.Service
}

// New returns a Service.
func New(st *store.Store, files *artifacts.Service) *Service {
	return &Service{store: st, files: files}
}

// Suite is the test report of a job.
type Suite struct {
	junit.Suite
	Job   model.Job
	Wrong *string // the reason why the report could not be read
}

// maxReports is the number of reports that Suites reads.
const maxReports = 200

// Suites returns the test reports of the newest jobs of a pipeline.
func (s *Service) Suites(ctx context.Context, pipelineID int64) ([]Suite, error) {
	jobs, err := s.store.Jobs.Newest(ctx, pipelineID)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(jobs))
	for i := range jobs {
		ids[i] = jobs[i].ID
	}
	files, err := s.store.JobArtifacts.OfJobs(ctx, ids)
	if err != nil {
		return nil, err
	}
	var suites []Suite
	for _, job := range jobs {
		for _, file := range files[job.ID] {
			if file.FileType != "junit" || len(suites) == maxReports {
				continue
			}
			one, err := s.suite(ctx, job, file)
			if err != nil {
				return nil, err
			}
			suites = append(suites, one)
		}
	}
	return suites, nil
}

// suite reads the report of a job. If the report is malformed, the suite says so.
func (s *Service) suite(ctx context.Context, job model.Job, file model.JobArtifact) (Suite, error) {
	one := Suite{Job: job}
	from, err := s.files.Open(ctx, file, 0, file.Size)
	if err != nil {
		return one, err
	}
	defer from.Close()
	var text io.Reader = from
	if file.FileFormat == "gzip" {
		text, err = gzip.NewReader(from)
	}
	if err == nil {
		one.Suite, err = junit.Parse(text)
	}
	if err != nil {
		why := "JUnit XML parsing failed"
		if errors.Is(err, junit.ErrTooLarge) {
			why = "JUnit XML is too large"
		}
		one.Suite, one.Wrong = junit.Suite{}, &why
	}
	return one, ctx.Err()
}
