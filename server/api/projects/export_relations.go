package projects

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

// ExportProjectRelations exports the relations of a project in the background, each to files of its own.
// POST /projects/{id}/export_relations
func (p *Projects) ExportProjectRelations(
	ctx context.Context, req gen.ExportProjectRelationsRequestObject,
) (gen.ExportProjectRelationsResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ExportProject)
	if err != nil {
		return nil, err
	}
	batched := req.Body != nil && wire.Value(req.Body.Batched)
	if err := p.relations.ExportProject(ctx, row.Project, batched); err != nil {
		return nil, err
	}
	return gen.ExportProjectRelations202JSONResponse{Message: "202 Accepted"}, nil
}

// ListProjectExportRelationsStatus returns the states of the relations in the export of a project.
// GET /projects/{id}/export_relations/status
func (p *Projects) ListProjectExportRelationsStatus(
	ctx context.Context, req gen.ListProjectExportRelationsStatusRequestObject,
) (gen.ListProjectExportRelationsStatusResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ExportProject)
	if err != nil {
		return nil, err
	}
	states, err := p.relations.States(ctx, store.OwnedByProject(row.Project), string(wire.Value(req.Params.Relation)))
	if err != nil {
		return nil, err
	}
	shown := make(gen.ListProjectExportRelationsStatus200JSONResponse, len(states))
	for i, state := range states {
		shown[i] = present.RelationExport(state.Relation, state.Export, state.Files)
	}
	return shown, nil
}

// GetProjectExportRelationsDownload downloads a file with the records of a relation.
// GET /projects/{id}/export_relations/download
func (p *Projects) GetProjectExportRelationsDownload(
	ctx context.Context, req gen.GetProjectExportRelationsDownloadRequestObject,
) (gen.GetProjectExportRelationsDownloadResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ExportProject)
	if err != nil {
		return nil, err
	}
	relation := string(req.Params.Relation)
	file, err := p.relations.File(ctx, store.OwnedByProject(row.Project), relationexport.Selection{
		Relation: relation, Batched: wire.Value(req.Params.Batched), Batch: req.Params.BatchNumber,
	})
	if err != nil {
		return nil, err
	}
	if reqctx.Of(ctx).Method == http.MethodGet {
		c := events.OfProject(row.Project, "project_relation_export_downloaded", "Downloaded the exported relation "+relation)
		if err := events.Audit(ctx, p.store, c); err != nil {
			return nil, err
		}
	}
	open := func(offset, length int64) (io.ReadCloser, error) { return p.relations.Open(ctx, file, offset, length) }
	return relationResponse{respond.Download(ctx, "application/gzip", relation+".ndjson.gz", file.SHA256, file.Size, open)}, nil
}

// relationResponse is the response that downloads a relation.
type relationResponse struct{ respond.Stream }

// VisitGetProjectExportRelationsDownloadResponse sends the file.
func (s relationResponse) VisitGetProjectExportRelationsDownloadResponse(w http.ResponseWriter) error {
	return s.Send(w)
}
