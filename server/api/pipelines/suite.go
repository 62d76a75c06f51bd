package pipelines

import (
	"compress/gzip"
	"context"
	"errors"
	"io"

	"svc/server/domain/ci/junit"
	"svc/server/platform/access"
	"svc/store/model"
)

// suite is the test report of one job.
type suite struct {
	job model.Job
	junit.Suite
	wrong *string // the reason why the report could not be read
}

// maxReports is the maximum number of reports read for one pipeline.
const maxReports = 200

// suites reads the test reports of a pipeline, in the order of its jobs.
func (p *Pipelines) suites(ctx context.Context, project string, id int64) ([]suite, error) {
	_, found, err := p.find(ctx, project, id, access.ReadPipeline)
	if err != nil {
		return nil, err
	}
	jobs, err := p.store.Jobs.Newest(ctx, found.ID)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(jobs))
	for i := range jobs {
		ids[i] = jobs[i].ID
	}
	files, err := p.store.JobArtifacts.OfJobs(ctx, ids)
	if err != nil {
		return nil, err
	}
	var suites []suite
	for _, job := range jobs {
		for _, file := range files[job.ID] {
			if file.FileType != "junit" || len(suites) == maxReports {
				continue
			}
			one, err := p.suite(ctx, job, file)
			if err != nil {
				return nil, err
			}
			suites = append(suites, one)
		}
	}
	return suites, nil
}

// suite reads the test report of a job. If the report is malformed or too large, the suite holds the reason.
func (p *Pipelines) suite(ctx context.Context, job model.Job, file model.JobArtifact) (suite, error) {
	s := suite{job: job}
	from, err := p.files.Open(ctx, file, 0, file.Size)
	if err != nil {
		return s, err
	}
	defer from.Close()
	var text io.Reader = from
	if file.FileFormat == "gzip" {
		text, err = gzip.NewReader(from)
	}
	if err == nil {
		s.Suite, err = junit.Parse(text)
	}
	if err != nil {
		why := "JUnit XML parsing failed"
		if errors.Is(err, junit.ErrTooLarge) {
			why = "JUnit XML is too large"
		}
		s.Suite, s.wrong = junit.Suite{}, &why
	}
	return s, ctx.Err()
}
