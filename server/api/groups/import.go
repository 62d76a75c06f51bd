package groups

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
)

// ImportGroup creates a group from an export archive.
// POST /groups/import
func (g *Groups) ImportGroup(
	ctx context.Context, req gen.ImportGroupRequestObject,
) (gen.ImportGroupResponseObject, error) {
	if _, err := access.Allow(ctx, access.CreateGroup); err != nil {
		return nil, err
	}
	form := &importForm{}
	err := g.readImport(ctx, req.Body, form)
	if err == nil {
		err = g.importInto(ctx, form)
	}
	if err != nil {
		if form.file != nil {
			g.exports.DiscardUpload(ctx, *form.file)
		}
		return nil, err
	}
	return gen.ImportGroup202JSONResponse{Message: accepted}, nil
}

// importInto creates the group of a form and schedules the import.
func (g *Groups) importInto(ctx context.Context, form *importForm) error {
	in, n, err := g.newFromForm(ctx, form)
	if err != nil {
		return err
	}
	_, err = g.groups.Import(ctx, in, n, *form.file)
	return err
}

// GetGroupImport returns the progress of the import of a group.
// GET /groups/{id}/import
func (g *Groups) GetGroupImport(
	ctx context.Context, req gen.GetGroupImportRequestObject,
) (gen.GetGroupImportResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ReadGroupImport)
	if err != nil {
		return nil, err
	}
	i, err := g.store.GroupImports.Of(ctx, row.ID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetGroupImport200JSONResponse(present.GroupImport(row, i)), nil
}
