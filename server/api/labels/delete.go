package labels

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store"
)

// DeleteProjectLabel deletes a label of a project.
// DELETE /projects/{id}/labels/{name}
func (l *Labels) DeleteProjectLabel(
	ctx context.Context, req gen.DeleteProjectLabelRequestObject,
) (gen.DeleteProjectLabelResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.AdminLabel)
	if err != nil {
		return nil, err
	}
	if err := l.delete(ctx, in, req.Name, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectLabel204Response{}, nil
}

// DeleteGroupLabel deletes a label of a group.
// DELETE /groups/{id}/labels/{name}
func (l *Labels) DeleteGroupLabel(
	ctx context.Context, req gen.DeleteGroupLabelRequestObject,
) (gen.DeleteGroupLabelResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.AdminGroupLabel)
	if err != nil {
		return nil, err
	}
	if err := l.delete(ctx, in, req.Name, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteGroupLabel204Response{}, nil
}

// delete deletes a label of the project or group itself.
func (l *Labels) delete(ctx context.Context, in owner, ref string, unmodifiedSince *string) error {
	row, err := l.store.Labels.Get(ctx, in.ResourceOwner, ref, store.LabelFilter{})
	if err != nil {
		return err
	}
	return l.store.Labels.Delete(ctx, row.Label, reqctx.UnmodifiedSince(unmodifiedSince))
}
