package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// UpdateProjectTransfer moves a project into another namespace.
// PUT /projects/{id}/transfer
func (p *Projects) UpdateProjectTransfer(
	ctx context.Context, req gen.UpdateProjectTransferRequestObject,
) (gen.UpdateProjectTransferResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.TransferProject)
	if err != nil {
		return nil, err
	}
	mover, err := p.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	to, err := p.targetNamespace(ctx, mover, req.Body.Namespace)
	if err != nil {
		return nil, err
	}
	err = p.store.Tx(ctx, func(ctx context.Context) error {
		if err := events.MoveProject(ctx, p.store, row.Project, to.id, to.limit); err != nil {
			return err
		}
		return p.events.Notify(ctx, events.Notification{
			Event: events.MovedProject, ProjectID: row.Project.ID, AuthorID: mover.ID, Text: row.Project.FullPath,
		})
	})
	if err != nil {
		return nil, explain(err)
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectTransfer200JSONResponse(shown), nil
}

// ListProjectTransferLocations lists the groups that a project can be moved into.
// GET /projects/{id}/transfer_locations
func (p *Projects) ListProjectTransferLocations(
	ctx context.Context, req gen.ListProjectTransferLocationsRequestObject,
) (gen.ListProjectTransferLocationsResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.TransferProject)
	if err != nil {
		return nil, err
	}
	rows, headers, err := p.groups(ctx, req.Params.Page, req.Params.PerPage, func(w store.Page) ([]model.Namespace, store.Total, error) {
		return p.store.Projects.ListTransferLocations(
			ctx, row.Project, store.GroupFilter{Search: wire.Value(req.Params.Search)}, *access.Reader(ctx), w,
		)
	})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectTransferLocations200JSONResponse{
		Body: rows, Headers: gen.ListProjectTransferLocations200ResponseHeaders(headers),
	}, nil
}

// groups returns one page of groups that are related to a project.
func (p *Projects) groups(
	ctx context.Context, number, size *int64, ask func(store.Page) ([]model.Namespace, store.Total, error),
) ([]gen.GroupPublic, pagination.Headers, error) {
	window, err := p.pages.Offset(ctx, pagination.Kind{Name: "Group"}, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := ask(window.Page)
	return present.All(rows, p.show.GroupPublic), window.Headers(total), err
}
