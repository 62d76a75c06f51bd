package projects

import (
	"context"
	"math"

	"svc/gen"
	"svc/server/platform/access"
)

// GetProjectLanguages shows the programming languages of a project, in percent.
// GET /projects/{id}/languages
func (p *Projects) GetProjectLanguages(
	ctx context.Context, req gen.GetProjectLanguagesRequestObject,
) (gen.GetProjectLanguagesResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	rows, err := p.store.Projects.Languages(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	shares := make(map[string]float64, len(rows))
	for _, l := range rows {
		shares[l.Name] = math.Round(l.Share*100) / 100
	}
	return gen.GetProjectLanguages200JSONResponse(shares), nil
}
