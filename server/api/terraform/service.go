// Package terraform implements the API operations that the backend "http" of Terraform calls: states, versions and locks.
package terraform

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // Terraform sends this checksum of the body
	"encoding/base64"
	"errors"
	"io"
	"net/http"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/terraform"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
	"svc/store/model"
)

// Terraform implements the operations on Terraform states.
type Terraform struct {
	access *access.Access
	states *terraform.Service
}

// New returns the operations on Terraform states.
func New(a *access.Access, states *terraform.Service) *Terraform {
	return &Terraform{access: a, states: states}
}

// stateResponse is the response of every operation that sends a version of a state.
type stateResponse struct{ respond.Stream }

// VisitGetProjectTerraformStateResponse sends the version.
func (r *stateResponse) VisitGetProjectTerraformStateResponse(w http.ResponseWriter) error {
	return r.Send(w)
}

// VisitGetProjectTerraformStateVersionResponse sends the version.
func (r *stateResponse) VisitGetProjectTerraformStateVersionResponse(w http.ResponseWriter) error {
	return r.Send(w)
}

// send returns the response with a version of a state.
func (t *Terraform) send(ctx context.Context, v model.TerraformStateVersion) (*stateResponse, error) {
	data, err := t.states.Decrypt(v)
	if err != nil {
		return nil, err
	}
	return &stateResponse{respond.Stream{
		Context: ctx, Type: "application/octet-stream", Disposition: respond.Attachment("terraform.tfstate"),
		CacheControl: respond.Revalidate, ETag: `"` + v.Checksum + `"`, Size: int64(len(data)),
		Open: func(offset, length int64) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data[offset : offset+length])), nil
		},
	}}, nil
}

// GetProjectTerraformState sends the version of a state that was written last.
// GET /projects/{id}/terraform/state/{name}
func (t *Terraform) GetProjectTerraformState(
	ctx context.Context, req gen.GetProjectTerraformStateRequestObject,
) (gen.GetProjectTerraformStateResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.ReadTerraformState)
	if err != nil {
		return nil, err
	}
	v, err := t.states.Latest(ctx, row.Project, req.Name)
	if err != nil {
		return nil, err
	}
	return t.send(ctx, v)
}

// GetProjectTerraformStateVersion sends a version of a state.
// GET /projects/{id}/terraform/state/{name}/versions/{serial}
func (t *Terraform) GetProjectTerraformStateVersion(
	ctx context.Context, req gen.GetProjectTerraformStateVersionRequestObject,
) (gen.GetProjectTerraformStateVersionResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.ReadTerraformState)
	if err != nil {
		return nil, err
	}
	v, err := t.states.Version(ctx, row.Project, req.Name, req.Serial)
	if err != nil {
		return nil, err
	}
	return t.send(ctx, v)
}

// CreateProjectTerraformState writes a new version of a state.
// POST /projects/{id}/terraform/state/{name}
func (t *Terraform) CreateProjectTerraformState(
	ctx context.Context, req gen.CreateProjectTerraformStateRequestObject,
) (gen.CreateProjectTerraformStateResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.AdminTerraformState)
	if err != nil {
		return nil, err
	}
	data, err := readBody(req.Body, req.Params.ContentMD5)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return gen.CreateProjectTerraformState204Response{}, nil
	}
	err = t.states.Write(ctx, row.Project, req.Name, wire.Value(req.Params.ID), data, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectTerraformState200Response{}, nil
}

// readBody reads a body and compares it with the checksum that the client sent.
func readBody(body io.Reader, checksum *string) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	data, err := io.ReadAll(body)
	if err != nil || checksum == nil {
		return data, err
	}
	sum := md5.Sum(data) //nolint:gosec // not a secret: it finds bodies that were cut off
	if base64.StdEncoding.EncodeToString(sum[:]) != *checksum {
		return nil, apierr.BadRequest("Content-MD5 does not match the body")
	}
	return data, nil
}

// DeleteProjectTerraformState deletes a state.
// DELETE /projects/{id}/terraform/state/{name}
func (t *Terraform) DeleteProjectTerraformState(
	ctx context.Context, req gen.DeleteProjectTerraformStateRequestObject,
) (gen.DeleteProjectTerraformStateResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.AdminTerraformState)
	if err != nil {
		return nil, err
	}
	if err := t.states.Delete(ctx, row.Project, req.Name, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectTerraformState200Response{}, nil
}

// DeleteProjectTerraformStateVersion deletes a version of a state.
// DELETE /projects/{id}/terraform/state/{name}/versions/{serial}
func (t *Terraform) DeleteProjectTerraformStateVersion(
	ctx context.Context, req gen.DeleteProjectTerraformStateVersionRequestObject,
) (gen.DeleteProjectTerraformStateVersionResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.AdminTerraformState)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := t.states.DeleteVersion(ctx, row.Project, req.Name, req.Serial, since); err != nil {
		return nil, err
	}
	return gen.DeleteProjectTerraformStateVersion204Response{}, nil
}

// heldResponse describes the lock that another process holds.
type heldResponse struct{ lock gen.TerraformLock }

// VisitLockProjectTerraformStateResponse sends the lock.
func (r heldResponse) VisitLockProjectTerraformStateResponse(w http.ResponseWriter) error {
	apierr.SetCode(w.Header(), apierr.CodeOf(http.StatusConflict))
	return gen.LockProjectTerraformState409JSONResponse(r.lock).VisitLockProjectTerraformStateResponse(w)
}

// VisitDeleteProjectTerraformStateLockResponse sends the lock.
func (r heldResponse) VisitDeleteProjectTerraformStateLockResponse(w http.ResponseWriter) error {
	apierr.SetCode(w.Header(), apierr.CodeOf(http.StatusConflict))
	return gen.DeleteProjectTerraformStateLock409JSONResponse(r.lock).VisitDeleteProjectTerraformStateLockResponse(w)
}

// LockProjectTerraformState locks a state.
// POST /projects/{id}/terraform/state/{name}/lock
func (t *Terraform) LockProjectTerraformState(
	ctx context.Context, req gen.LockProjectTerraformStateRequestObject,
) (gen.LockProjectTerraformStateResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.AdminTerraformState)
	if err != nil {
		return nil, err
	}
	b := req.Body
	lock := terraform.LockInfo{
		ID: b.ID, Operation: wire.Value(b.Operation), Info: wire.Value(b.Info), Who: wire.Value(b.Who),
		Version: wire.Value(b.Version), Created: wire.Value(b.Created), Path: wire.Value(b.Path),
	}
	err = t.states.Lock(ctx, row.Project, req.Name, lock, reqctx.Of(ctx).Actor.User.ID)
	var held *terraform.HeldError
	switch {
	case errors.As(err, &held):
		return heldResponse{gen.TerraformLock(held.Lock)}, nil
	case err != nil:
		return nil, err
	}
	return gen.LockProjectTerraformState200JSONResponse(lock), nil
}

// DeleteProjectTerraformStateLock unlocks a state.
// DELETE /projects/{id}/terraform/state/{name}/lock
func (t *Terraform) DeleteProjectTerraformStateLock(
	ctx context.Context, req gen.DeleteProjectTerraformStateLockRequestObject,
) (gen.DeleteProjectTerraformStateLockResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.AdminTerraformState)
	if err != nil {
		return nil, err
	}
	var id *string
	if req.Body != nil {
		id = req.Body.ID
	}
	err = t.states.Unlock(ctx, row.Project, req.Name, id)
	var held *terraform.HeldError
	switch {
	case errors.As(err, &held):
		return heldResponse{gen.TerraformLock(held.Lock)}, nil
	case err != nil:
		return nil, err
	}
	return gen.DeleteProjectTerraformStateLock200Response{}, nil
}
