package pipelines

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/junit"
)

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
			Name: s.Job.Name, TotalTime: s.Seconds, TotalCount: int64(len(s.Cases)),
			SuccessCount: s.Count[junit.Success], FailedCount: s.Count[junit.Failed],
			SkippedCount: s.Count[junit.Skipped], ErrorCount: s.Count[junit.Error], SuiteError: s.Wrong,
			TestCases: []gen.TestCase{},
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
