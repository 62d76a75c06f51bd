package pipelines

import (
	"context"

	"svc/server/domain/ci/report"
	"svc/server/platform/access"
)

// suites returns the test reports of a pipeline that the caller can see.
func (p *Pipelines) suites(ctx context.Context, project string, id int64) ([]report.Suite, error) {
	_, found, err := p.find(ctx, project, id, access.ReadPipeline)
	if err != nil {
		return nil, err
	}
	return p.reports.Suites(ctx, found.ID)
}
