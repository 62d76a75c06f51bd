package bulkimports

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

// ListBulkImportsEntities lists the groups and projects of all imports of the caller.
// GET /bulk_imports/entities
func (b *BulkImports) ListBulkImportsEntities(
	ctx context.Context, req gen.ListBulkImportsEntitiesRequestObject,
) (gen.ListBulkImportsEntitiesResponseObject, error) {
	caller, err := access.Allow(ctx, access.ReadOwnBulkImport)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := b.listEntities(ctx, store.BulkImportFilter{
		UserID: caller.User.ID, Status: string(wire.Value(q.Status)), Oldest: string(wire.Value(q.Sort)) == "asc",
	}, q.Page, q.PerPage)
	return gen.ListBulkImportsEntities200JSONResponse{
		Body: rows, Headers: gen.ListBulkImportsEntities200ResponseHeaders(headers),
	}, err
}

// ListBulkImportEntities lists the groups and projects of an import.
// GET /bulk_imports/{import_id}/entities
func (b *BulkImports) ListBulkImportEntities(
	ctx context.Context, req gen.ListBulkImportEntitiesRequestObject,
) (gen.ListBulkImportEntitiesResponseObject, error) {
	found, err := b.find(ctx, req.ImportID, access.ReadOwnBulkImport)
	if err != nil {
		return nil, err
	}
	rows, headers, err := b.listEntities(ctx, store.BulkImportFilter{
		UserID: found.UserID, ImportID: found.ID, Status: string(wire.Value(req.Params.Status)), Oldest: true,
	}, req.Params.Page, req.Params.PerPage)
	return gen.ListBulkImportEntities200JSONResponse{
		Body: rows, Headers: gen.ListBulkImportEntities200ResponseHeaders(headers),
	}, err
}

// listEntities returns one page of the groups and projects of imports.
func (b *BulkImports) listEntities(
	ctx context.Context, f store.BulkImportFilter, number, size *int64,
) ([]gen.BulkImportEntity, pagination.Headers, error) {
	window, err := b.pages.Offset(ctx, pagination.Kind{Name: "BulkImportEntity"}, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := b.store.BulkImports.Entities(ctx, f, window.Page)
	return present.All(rows, present.BulkImportEntity), window.Headers(total), err
}

// entity finds a group or project of an import of the caller.
func (b *BulkImports) entity(ctx context.Context, importID, id int64) (model.BulkImportEntityRow, error) {
	caller, err := access.Allow(ctx, access.ReadOwnBulkImport)
	if err != nil {
		return model.BulkImportEntityRow{}, err
	}
	row, err := b.store.BulkImports.Entity(ctx, caller.User.ID, importID, id)
	return row, apierr.OrNotFound(err)
}

// GetBulkImportEntity shows a group or project of an import.
// GET /bulk_imports/{import_id}/entities/{entity_id}
func (b *BulkImports) GetBulkImportEntity(
	ctx context.Context, req gen.GetBulkImportEntityRequestObject,
) (gen.GetBulkImportEntityResponseObject, error) {
	row, err := b.entity(ctx, req.ImportID, req.EntityID)
	if err != nil {
		return nil, err
	}
	return gen.GetBulkImportEntity200JSONResponse(present.BulkImportEntity(row)), nil
}

// ListBulkImportEntityFailures lists what could not be copied of a group or project.
// GET /bulk_imports/{import_id}/entities/{entity_id}/failures
func (b *BulkImports) ListBulkImportEntityFailures(
	ctx context.Context, req gen.ListBulkImportEntityFailuresRequestObject,
) (gen.ListBulkImportEntityFailuresResponseObject, error) {
	row, err := b.entity(ctx, req.ImportID, req.EntityID)
	if err != nil {
		return nil, err
	}
	window, err := b.pages.Offset(ctx, pagination.Kind{Name: "BulkImportFailure"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := b.store.BulkImports.Failures(ctx, row.Entity.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListBulkImportEntityFailures200JSONResponse{
		Body:    present.All(rows, present.BulkImportFailure),
		Headers: gen.ListBulkImportEntityFailures200ResponseHeaders(window.Headers(total)),
	}, nil
}
