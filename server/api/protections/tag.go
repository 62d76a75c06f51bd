package protections

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListProjectProtectedTags lists the protected tags of a project.
// GET /projects/{id}/protected_tags
func (p *Protections) ListProjectProtectedTags(
	ctx context.Context, req gen.ListProjectProtectedTagsRequestObject,
) (gen.ListProjectProtectedTagsResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProtection)
	if err != nil {
		return nil, err
	}
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := p.pages.Offset(ctx, pagination.Kind{Name: "ProtectedTag"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.store.Protections.ListTags(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectProtectedTags200JSONResponse{
		Body:    present.All(rows, present.ProtectedTag),
		Headers: gen.ListProjectProtectedTags200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectProtectedTag protects a tag, or all tags that match a wildcard.
// POST /projects/{id}/protected_tags
func (p *Protections) CreateProjectProtectedTag(
	ctx context.Context, req gen.CreateProjectProtectedTagRequestObject,
) (gen.CreateProjectProtectedTagResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	if err := checkName(req.Body.Name); err != nil {
		return nil, err
	}
	rule := model.ProtectedTag{ProjectID: row.Project.ID, Name: req.Body.Name, CreateAccessLevel: level(req.Body.CreateAccessLevel)}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		err := p.store.Protections.ProtectTag(ctx, &rule)
		return ruleChange(row.Project, "ProtectedTag", rule.ID, rule.Name, "protected_tag_created", "Added protected tag"), err
	})
	if err != nil {
		return nil, orConflict(err, "Protected tag '"+rule.Name+"' already exists")
	}
	return gen.CreateProjectProtectedTag201JSONResponse(present.ProtectedTag(rule)), nil
}

// GetProjectProtectedTag shows a protected tag.
// GET /projects/{id}/protected_tags/{name}
func (p *Protections) GetProjectProtectedTag(
	ctx context.Context, req gen.GetProjectProtectedTagRequestObject,
) (gen.GetProjectProtectedTagResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProtection)
	if err != nil {
		return nil, err
	}
	rule, err := p.store.Protections.Tag(ctx, row.Project.ID, req.Name)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetProjectProtectedTag200JSONResponse(present.ProtectedTag(rule)), nil
}

// DeleteProjectProtectedTag removes the protection of a tag.
// DELETE /projects/{id}/protected_tags/{name}
func (p *Protections) DeleteProjectProtectedTag(
	ctx context.Context, req gen.DeleteProjectProtectedTagRequestObject,
) (gen.DeleteProjectProtectedTagResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	rule, err := p.store.Protections.Tag(ctx, row.Project.ID, req.Name)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		err := p.store.Protections.UnprotectTag(ctx, rule, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return ruleChange(row.Project, "ProtectedTag", rule.ID, rule.Name, "protected_tag_deleted", "Removed protected tag"), err
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectProtectedTag204Response{}, nil
}
