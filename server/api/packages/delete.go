package packages

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
)

// DeleteProjectPackage deletes a package.
// DELETE /projects/{id}/packages/{package_id}
func (p *Packages) DeleteProjectPackage(
	ctx context.Context, req gen.DeleteProjectPackageRequestObject,
) (gen.DeleteProjectPackageResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.DestroyPackage)
	if err != nil {
		return nil, err
	}
	found, err := p.store.Packages.Get(ctx, row.Project.ID, req.PackageID)
	if err == nil {
		err = p.packages.Delete(ctx, row, found.Package, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	}
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectPackage204Response{}, nil
}

// DeleteProjectPackagePackageFile deletes a file of a package.
// DELETE /projects/{id}/packages/{package_id}/package_files/{package_file_id}
func (p *Packages) DeleteProjectPackagePackageFile(
	ctx context.Context, req gen.DeleteProjectPackagePackageFileRequestObject,
) (gen.DeleteProjectPackagePackageFileResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.DestroyPackage)
	if err != nil {
		return nil, err
	}
	found, err := p.store.Packages.Get(ctx, row.Project.ID, req.PackageID)
	if err == nil {
		since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
		err = p.packages.DeleteFile(ctx, row, found.Package, req.PackageFileID, since)
	}
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectPackagePackageFile204Response{}, nil
}
