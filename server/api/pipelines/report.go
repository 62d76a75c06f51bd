package pipelines

import (
	"compress/gzip"
	"context"
	"errors"
	"io"

	"svc/gen"
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

// GetProjectPipelineTestReport shows the test results of a pipeline.
// GET /projects/{id}/pipelines/{pipeline_id}/test_report
func (p *Pipelines) GetProjectPipelineTestReport(
	ctx context.Context, req gen.GetProjectPipelineTestReportRequestObject,
) (gen.GetProjectPipelineTestReportResponseObject, error) {
	suites, err := p.suites(ctx, req.ID, req.PipelineID)
	if err != nil {
		return nil, err
	}
	report := gen.TestReport{TestSuites: []gen.TestSuite{}}
	for _, s := range suites {
		one := gen.TestSuite{
			Name: s.job.Name, TotalTime: s.Seconds, TotalCount: int64(len(s.Cases)),
			SuccessCount: s.Count[junit.Success], FailedCount: s.Count[junit.Failed],
			SkippedCount: s.Count[junit.Skipped], ErrorCount: s.Count[junit.Error], SuiteError: s.wrong, TestCases: []gen.TestCase{},
		}
		for _, c := range s.Cases {
			one.TestCases = append(one.TestCases, testCase(c))
		}
		report.TestSuites = append(report.TestSuites, one)
		report.TotalTime += one.TotalTime
		report.TotalCount += one.TotalCount
		report.SuccessCount += one.SuccessCount
		report.FailedCount += one.FailedCount
		report.SkippedCount += one.SkippedCount
		report.ErrorCount += one.ErrorCount
	}
	return gen.GetProjectPipelineTestReport200JSONResponse(report), nil
}

func testCase(c junit.Case) gen.TestCase {
	shown := gen.TestCase{Status: gen.TestCaseStatus(c.Status), Name: c.Name, ExecutionTime: c.Seconds}
	if c.Class != "" {
		shown.Classname = &c.Class
	}
	if c.File != "" {
		shown.File = &c.File
	}
	if c.OutputSet {
		shown.SystemOutput = &c.Output
	}
	return shown
}

// GetProjectPipelineTestReportSummary counts the test results of a pipeline.
// GET /projects/{id}/pipelines/{pipeline_id}/test_report_summary
func (p *Pipelines) GetProjectPipelineTestReportSummary(
	ctx context.Context, req gen.GetProjectPipelineTestReportSummaryRequestObject,
) (gen.GetProjectPipelineTestReportSummaryResponseObject, error) {
	suites, err := p.suites(ctx, req.ID, req.PipelineID)
	if err != nil {
		return nil, err
	}
	summary := gen.TestReportSummary{TestSuites: []gen.TestSuiteSummary{}}
	for _, s := range suites {
		one := gen.TestSuiteSummary{
			Name: s.job.Name, TotalTime: s.Seconds, TotalCount: int64(len(s.Cases)),
			SuccessCount: s.Count[junit.Success], FailedCount: s.Count[junit.Failed],
			SkippedCount: s.Count[junit.Skipped], ErrorCount: s.Count[junit.Error], SuiteError: s.wrong, BuildIds: []int64{s.job.ID},
		}
		summary.TestSuites = append(summary.TestSuites, one)
		t := &summary.Total
		t.Time += one.TotalTime
		t.Count += one.TotalCount
		t.Success += one.SuccessCount
		t.Failed += one.FailedCount
		t.Skipped += one.SkippedCount
		t.Error += one.ErrorCount
		if s.wrong != nil {
			t.SuiteError = s.wrong
		}
	}
	return gen.GetProjectPipelineTestReportSummary200JSONResponse(summary), nil
}

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
