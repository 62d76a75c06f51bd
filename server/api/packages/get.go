package packages

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetProjectPackage shows a package.
// GET /projects/{id}/packages/{package_id}
func (p *Packages) GetProjectPackage(
	ctx context.Context, req gen.GetProjectPackageRequestObject,
) (gen.GetProjectPackageResponseObject, error) {
	row, found, err := p.find(ctx, req.ID, req.PackageID, access.ReadPackage)
	if err != nil {
		return nil, err
	}
	others, err := p.packages.OtherVersions(ctx, found.Package)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectPackage200JSONResponse(p.presenter(ctx, row).PackageDetail(found, others)), nil
}
