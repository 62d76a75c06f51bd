package packages

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectPackagePackageFiles lists the files of a package.
// GET /projects/{id}/packages/{package_id}/package_files
func (p *Packages) ListProjectPackagePackageFiles(
	ctx context.Context, req gen.ListProjectPackagePackageFilesRequestObject,
) (gen.ListProjectPackagePackageFilesResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadPackage)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, p.pages, "Packages::PackageFile", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	found, err := p.store.Packages.Get(ctx, row.Project.ID, req.PackageID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	order := store.PackageFileOrder{By: string(wire.Value(q.OrderBy)), Desc: wire.Value(q.Sort) == gen.SortDesc}
	files, total, err := p.store.PackageFiles.List(ctx, found.Package.ID, order, window.Page)
	if err != nil {
		return nil, err
	}
	show := p.presenter(ctx, row)
	return gen.ListProjectPackagePackageFiles200JSONResponse{
		Body: present.All(files, func(f model.PackageFileRow) gen.PackageFile {
			return show.PackageFile(row.Project.FullPath, f)
		}),
		Headers: gen.ListProjectPackagePackageFiles200ResponseHeaders(window.Headers(total)),
	}, nil
}
