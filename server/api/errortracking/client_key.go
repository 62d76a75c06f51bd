package errortracking

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"

	"svc/gen"
	tracking "svc/server/domain/monitoring/errortracking"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// ListProjectErrorTrackingClientKeys lists the client keys of a project.
// GET /projects/{id}/error_tracking/client_keys
func (e *ErrorTracking) ListProjectErrorTrackingClientKeys(
	ctx context.Context, req gen.ListProjectErrorTrackingClientKeysRequestObject,
) (gen.ListProjectErrorTrackingClientKeysResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadErrorTracking)
	if err == nil {
		err = pagination.NoKeyset(req.Params.Pagination)
	}
	if err != nil {
		return nil, err
	}
	window, err := e.pages.Offset(ctx, pagination.Kind{Name: "ErrorTracking::ClientKey"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := e.store.ErrorTracking.Keys(ctx, row.Project.ID, window.Page)
	for i := range rows {
		if err == nil {
			rows[i], err = e.decryptKey(rows[i])
		}
	}
	if err != nil {
		return nil, err
	}
	return gen.ListProjectErrorTrackingClientKeys200JSONResponse{
		Body:    present.All(rows, e.show.ErrorTrackingClientKey),
		Headers: gen.ListProjectErrorTrackingClientKeys200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectErrorTrackingClientKey creates a client key.
// POST /projects/{id}/error_tracking/client_keys
func (e *ErrorTracking) CreateProjectErrorTrackingClientKey(
	ctx context.Context, req gen.CreateProjectErrorTrackingClientKeyRequestObject,
) (gen.CreateProjectErrorTrackingClientKeyResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminErrorTracking)
	if err != nil {
		return nil, err
	}
	var random [16]byte
	rand.Read(random[:]) // never fails
	k := model.ErrorTrackingKey{ProjectID: row.Project.ID, Key: tracking.Prefix + hex.EncodeToString(random[:])}
	k.Digest, k.Sealed = secret.Digest(k.Key), e.vault.Seal([]byte(k.Key), sealOwner(k.ProjectID))
	err = e.store.Tx(ctx, func(ctx context.Context) error {
		if err := e.store.ErrorTracking.CreateKey(ctx, &k); err != nil {
			return err
		}
		return e.audit(ctx, row.Project, "error_tracking_client_key_created", "Added a client key", target(k))
	})
	if errors.Is(err, store.ErrTooMany) {
		err = apierr.Refused("Maximum number of client keys (100) exceeded")
	}
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectErrorTrackingClientKey201JSONResponse(e.show.ErrorTrackingClientKey(k)), nil
}

// DeleteProjectErrorTrackingClientKey deletes a client key.
// DELETE /projects/{id}/error_tracking/client_keys/{key_id}
func (e *ErrorTracking) DeleteProjectErrorTrackingClientKey(
	ctx context.Context, req gen.DeleteProjectErrorTrackingClientKeyRequestObject,
) (gen.DeleteProjectErrorTrackingClientKeyResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminErrorTracking)
	if err != nil {
		return nil, err
	}
	k, err := e.store.ErrorTracking.Key(ctx, row.Project.ID, req.KeyID)
	if err == nil {
		k, err = e.decryptKey(k)
	}
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	err = e.store.Tx(ctx, func(ctx context.Context) error {
		if err := e.store.ErrorTracking.DeleteKey(ctx, k, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
			return err
		}
		return e.audit(ctx, row.Project, "error_tracking_client_key_deleted", "Removed a client key", target(k))
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectErrorTrackingClientKey200JSONResponse(e.show.ErrorTrackingClientKey(k)), nil
}

func target(k model.ErrorTrackingKey) events.Target {
	return events.Target{Type: "ErrorTracking::ClientKey", ID: k.ID, Details: "client key"}
}
