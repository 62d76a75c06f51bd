package namespaces

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

var kind = pagination.Kind{Name: "Namespace"}

// ListNamespaces lists the caller's own namespace and groups.
// GET /namespaces
func (n *Namespaces) ListNamespaces(
	ctx context.Context, req gen.ListNamespacesRequestObject,
) (gen.ListNamespacesResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadNamespace); err != nil {
		return nil, err
	}
	window, err := n.pages.Offset(ctx, kind, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	f := store.NamespaceFilter{OwnedOnly: req.Params.OwnedOnly != nil && *req.Params.OwnedOnly}
	if req.Params.Search != nil {
		f.Search = *req.Params.Search
	}
	reader := *access.Reader(ctx)
	rows, total, err := n.store.Namespaces.List(ctx, f, reader, window.Page)
	if err != nil {
		return nil, err
	}
	show, err := n.presenter(ctx, reader, rows...)
	if err != nil {
		return nil, err
	}
	return gen.ListNamespaces200JSONResponse{
		Body:    present.All(rows, show),
		Headers: gen.ListNamespaces200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetNamespace shows a namespace.
// GET /namespaces/{id}
func (n *Namespaces) GetNamespace(
	ctx context.Context, req gen.GetNamespaceRequestObject,
) (gen.GetNamespaceResponseObject, error) {
	row, err := n.access.Namespace(ctx, req.ID, access.ReadNamespace)
	if err != nil {
		return nil, err
	}
	show, err := n.presenter(ctx, *access.Reader(ctx), row)
	if err != nil {
		return nil, err
	}
	return gen.GetNamespace200JSONResponse(show(row)), nil
}

// presenter returns a presenter for the rows. It reads member counts and owners once for all rows.
func (n *Namespaces) presenter(
	ctx context.Context, reader store.Reader, rows ...model.Namespace,
) (func(model.Namespace) gen.Namespace, error) {
	counts, err := n.store.Namespaces.CountMembers(ctx, rows, reader)
	if err != nil {
		return nil, err
	}
	owners, err := n.store.Users.ByNamespace(ctx, rows...)
	return n.show.Namespace(counts, owners), err
}
