package groups

import (
	"context"
	"io"
	"net/http"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/relationexport"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
	"svc/store"
)

// ExportGroupRelations exports the relations of a group in the background, each to files of its own.
// POST /groups/{id}/export_relations
func (g *Groups) ExportGroupRelations(
	ctx context.Context, req gen.ExportGroupRelationsRequestObject,
) (gen.ExportGroupRelationsResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ExportGroup)
	if err != nil {
		return nil, err
	}
	batched := req.Body != nil && wire.Value(req.Body.Batched)
	if err := g.relations.ExportGroup(ctx, row, batched); err != nil {
		return nil, err
	}
	return gen.ExportGroupRelations202JSONResponse{Message: accepted}, nil
}

// ListGroupExportRelationsStatus returns the states of the relations in the export of a group.
// GET /groups/{id}/export_relations/status
func (g *Groups) ListGroupExportRelationsStatus(
	ctx context.Context, req gen.ListGroupExportRelationsStatusRequestObject,
) (gen.ListGroupExportRelationsStatusResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ExportGroup)
	if err != nil {
		return nil, err
	}
	states, err := g.relations.States(ctx, store.OwnedByGroup(row), string(wire.Value(req.Params.Relation)))
	if err != nil {
		return nil, err
	}
	shown := make(gen.ListGroupExportRelationsStatus200JSONResponse, len(states))
	for i, state := range states {
		shown[i] = present.RelationExport(state.Relation, state.Export, state.Files)
	}
	return shown, nil
}

// GetGroupExportRelationsDownload downloads a file with the records of a relation.
// GET /groups/{id}/export_relations/download
func (g *Groups) GetGroupExportRelationsDownload(
	ctx context.Context, req gen.GetGroupExportRelationsDownloadRequestObject,
) (gen.GetGroupExportRelationsDownloadResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ExportGroup)
	if err != nil {
		return nil, err
	}
	relation := string(req.Params.Relation)
	file, err := g.relations.File(ctx, store.OwnedByGroup(row), relationexport.Selection{
		Relation: relation, Batched: wire.Value(req.Params.Batched), Batch: req.Params.BatchNumber,
	})
	if err != nil {
		return nil, err
	}
	if reqctx.Of(ctx).Method == http.MethodGet {
		c := events.OfGroup(row, "group_relation_export_downloaded", "Downloaded the exported relation "+relation)
		if err := events.Audit(ctx, g.store, c); err != nil {
			return nil, err
		}
	}
	open := func(offset, length int64) (io.ReadCloser, error) { return g.relations.Open(ctx, file, offset, length) }
	return relationResponse{respond.Download(ctx, "application/gzip", relation+".ndjson.gz", file.SHA256, file.Size, open)}, nil
}

// relationResponse is the response that downloads a relation.
type relationResponse struct{ respond.Stream }

// VisitGetGroupExportRelationsDownloadResponse sends the file.
func (s relationResponse) VisitGetGroupExportRelationsDownloadResponse(w http.ResponseWriter) error {
	return s.Send(w)
}
