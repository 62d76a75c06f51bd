package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectImport returns the progress of the import of a project.
// GET /projects/{id}/import
func (p *Projects) GetProjectImport(
	ctx context.Context, req gen.GetProjectImportRequestObject,
) (gen.GetProjectImportResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProjectImport)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectImport200JSONResponse(present.ProjectImport(row.Project)), nil
}
