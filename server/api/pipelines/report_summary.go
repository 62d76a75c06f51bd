package pipelines

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/junit"
)

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
			Name: s.Job.Name, TotalTime: s.Seconds, TotalCount: int64(len(s.Cases)),
			SuccessCount: s.Count[junit.Success], FailedCount: s.Count[junit.Failed],
			SkippedCount: s.Count[junit.Skipped], ErrorCount: s.Count[junit.Error], SuiteError: s.Wrong,
			BuildIds: []int64{s.Job.ID},
		}
		summary.TestSuites = append(summary.TestSuites, one)
		t := &summary.Total
		t.Time += one.TotalTime
		t.Count += one.TotalCount
		t.Success += one.SuccessCount
		t.Failed += one.FailedCount
		t.Skipped += one.SkippedCount
		t.Error += one.ErrorCount
		if s.Wrong != nil {
			t.SuiteError = s.Wrong
		}
	}
	return gen.GetProjectPipelineTestReportSummary200JSONResponse(summary), nil
}
