package pipelines

import (
	"context"
	"strings"

	"svc/gen"
)

// UpdateProjectPipelineMetadata renames a pipeline.
// PUT /projects/{id}/pipelines/{pipeline_id}/metadata
func (p *Pipelines) UpdateProjectPipelineMetadata(
	ctx context.Context, req gen.UpdateProjectPipelineMetadataRequestObject,
) (gen.UpdateProjectPipelineMetadataResponseObject, error) {
	row, found, err := p.findForChange(ctx, req.ID, req.PipelineID)
	if err != nil {
		return nil, err
	}
	var name *string
	if given := strings.TrimSpace(req.Body.Name); given != "" {
		name = &given
	}
	if err := p.store.Pipelines.Rename(ctx, found.ID, name); err != nil {
		return nil, err
	}
	shown, err := p.reload(ctx, row.Project, found.ID)
	return gen.UpdateProjectPipelineMetadata200JSONResponse(shown), err
}
