package bulkimports

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/bulkimport"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListBulkImports lists the imports of the caller.
// GET /bulk_imports
func (b *BulkImports) ListBulkImports(
	ctx context.Context, req gen.ListBulkImportsRequestObject,
) (gen.ListBulkImportsResponseObject, error) {
	caller, err := access.Allow(ctx, access.ReadOwnBulkImport)
	if err != nil {
		return nil, err
	}
	window, err := b.pages.Offset(ctx, pagination.Kind{Name: "BulkImport"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := b.store.BulkImports.List(ctx, store.BulkImportFilter{
		UserID: caller.User.ID, Status: string(wire.Value(req.Params.Status)), Oldest: string(wire.Value(req.Params.Sort)) == "asc",
	}, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListBulkImports200JSONResponse{
		Body: present.All(rows, present.BulkImport), Headers: gen.ListBulkImports200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateBulkImport imports groups and projects from another instance.
// POST /bulk_imports
func (b *BulkImports) CreateBulkImport(
	ctx context.Context, req gen.CreateBulkImportRequestObject,
) (gen.CreateBulkImportResponseObject, error) {
	if _, err := access.Allow(ctx, access.CreateOwnBulkImport); err != nil {
		return nil, err
	}
	entities := make([]bulkimport.Entity, len(req.Body.Entities))
	for i, e := range req.Body.Entities {
		entities[i] = bulkimport.Entity{
			Type: model.BulkImportGroup, SourcePath: e.SourceFullPath, Namespace: wire.Value(e.DestinationNamespace),
			Slug:               wire.Value(e.DestinationSlug),
			MigrateProjects:    e.MigrateProjects == nil || *e.MigrateProjects,
			MigrateMemberships: e.MigrateMemberships == nil || *e.MigrateMemberships,
		}
		if entities[i].Slug == "" {
			entities[i].Slug = wire.Value(e.DestinationName)
		}
		if e.SourceType == "project_entity" {
			entities[i].Type = model.BulkImportProject
		}
	}
	made, err := b.imports.Create(ctx, req.Body.Configuration.URL, req.Body.Configuration.AccessToken, entities)
	if err != nil {
		return nil, err
	}
	return gen.CreateBulkImport201JSONResponse(present.BulkImport(made)), nil
}

// find finds an import of the caller.
func (b *BulkImports) find(ctx context.Context, id int64, ability access.Ability) (model.BulkImport, error) {
	caller, err := access.Allow(ctx, ability)
	if err != nil {
		return model.BulkImport{}, err
	}
	found, err := b.store.BulkImports.Get(ctx, caller.User.ID, id)
	return found, apierr.OrNotFound(err)
}

// GetBulkImport shows an import of the caller.
// GET /bulk_imports/{import_id}
func (b *BulkImports) GetBulkImport(
	ctx context.Context, req gen.GetBulkImportRequestObject,
) (gen.GetBulkImportResponseObject, error) {
	found, err := b.find(ctx, req.ImportID, access.ReadOwnBulkImport)
	if err != nil {
		return nil, err
	}
	return gen.GetBulkImport200JSONResponse(present.BulkImport(found)), nil
}

// CancelBulkImport ends an import of the caller.
// POST /bulk_imports/{import_id}/cancel
func (b *BulkImports) CancelBulkImport(
	ctx context.Context, req gen.CancelBulkImportRequestObject,
) (gen.CancelBulkImportResponseObject, error) {
	found, err := b.find(ctx, req.ImportID, access.CreateOwnBulkImport)
	if err != nil {
		return nil, err
	}
	ended, err := b.imports.Cancel(ctx, found)
	if err != nil {
		return nil, err
	}
	return gen.CancelBulkImport200JSONResponse(present.BulkImport(ended)), nil
}
