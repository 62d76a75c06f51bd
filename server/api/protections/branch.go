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

// ListProjectProtectedBranches lists the protected branches of a project.
// GET /projects/{id}/protected_branches
func (p *Protections) ListProjectProtectedBranches(
	ctx context.Context, req gen.ListProjectProtectedBranchesRequestObject,
) (gen.ListProjectProtectedBranchesResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProtection)
	if err != nil {
		return nil, err
	}
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := p.pages.Offset(ctx, pagination.Kind{Name: "ProtectedBranch"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	search := ""
	if req.Params.Search != nil {
		search = *req.Params.Search
	}
	rows, total, err := p.store.Protections.ListBranches(ctx, row.Project.ID, search, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectProtectedBranches200JSONResponse{
		Body:    present.All(rows, present.ProtectedBranch),
		Headers: gen.ListProjectProtectedBranches200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectProtectedBranch protects a branch, or all branches that match a wildcard.
// POST /projects/{id}/protected_branches
func (p *Protections) CreateProjectProtectedBranch(
	ctx context.Context, req gen.CreateProjectProtectedBranchRequestObject,
) (gen.CreateProjectProtectedBranchResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	if err := checkName(req.Body.Name); err != nil {
		return nil, err
	}
	rule := model.ProtectedBranch{
		ProjectID: row.Project.ID, Name: req.Body.Name, PushAccessLevel: level(req.Body.PushAccessLevel),
		MergeAccessLevel: level(req.Body.MergeAccessLevel), UnprotectAccessLevel: level(req.Body.UnprotectAccessLevel),
		AllowForcePush: req.Body.AllowForcePush != nil && *req.Body.AllowForcePush,
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		err := p.store.Protections.ProtectBranch(ctx, &rule)
		return ruleChange(row.Project, "ProtectedBranch", rule.ID, rule.Name, "protected_branch_created", "Added protected branch"), err
	})
	if err != nil {
		return nil, orConflict(err, "Protected branch '"+rule.Name+"' already exists")
	}
	return gen.CreateProjectProtectedBranch201JSONResponse(present.ProtectedBranch(rule)), nil
}

// GetProjectProtectedBranch shows a protected branch.
// GET /projects/{id}/protected_branches/{name}
func (p *Protections) GetProjectProtectedBranch(
	ctx context.Context, req gen.GetProjectProtectedBranchRequestObject,
) (gen.GetProjectProtectedBranchResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProtection)
	if err != nil {
		return nil, err
	}
	rule, err := p.store.Protections.Branch(ctx, row.Project.ID, req.Name)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetProjectProtectedBranch200JSONResponse(present.ProtectedBranch(rule)), nil
}

// UpdateProjectProtectedBranch changes a protected branch.
// PATCH /projects/{id}/protected_branches/{name}
func (p *Protections) UpdateProjectProtectedBranch(
	ctx context.Context, req gen.UpdateProjectProtectedBranchRequestObject,
) (gen.UpdateProjectProtectedBranchResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	rule, err := p.store.Protections.Branch(ctx, row.Project.ID, req.Name)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	set := map[string]any{}
	if b := req.Body; b != nil {
		if b.PushAccessLevel != nil {
			set["push_access_level"] = level(b.PushAccessLevel)
		}
		if b.MergeAccessLevel != nil {
			set["merge_access_level"] = level(b.MergeAccessLevel)
		}
		if b.UnprotectAccessLevel != nil {
			set["unprotect_access_level"] = level(b.UnprotectAccessLevel)
		}
		if b.AllowForcePush != nil {
			set["allow_force_push"] = *b.AllowForcePush
		}
	}
	err = events.AuditedAll(ctx, p.store, func(ctx context.Context) ([]events.Change, error) {
		before := rule
		rule, err = p.store.Protections.UpdateBranch(ctx, rule, set)
		return events.Differences(
			before, rule,
			ruleChange(row.Project, "ProtectedBranch", before.ID, before.Name, "protected_branch_updated", ""),
		), err
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.UpdateProjectProtectedBranch200JSONResponse(present.ProtectedBranch(rule)), nil
}

// DeleteProjectProtectedBranch removes the protection of a branch.
// DELETE /projects/{id}/protected_branches/{name}
func (p *Protections) DeleteProjectProtectedBranch(
	ctx context.Context, req gen.DeleteProjectProtectedBranchRequestObject,
) (gen.DeleteProjectProtectedBranchResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	rule, err := p.store.Protections.Branch(ctx, row.Project.ID, req.Name)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		err := p.store.Protections.UnprotectBranch(ctx, rule, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return ruleChange(row.Project, "ProtectedBranch", rule.ID, rule.Name, "protected_branch_deleted", "Removed protected branch"), err
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectProtectedBranch204Response{}, nil
}

func ruleChange(p model.Project, target string, id int64, name, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Target: events.Target{Type: target, ID: id, Details: name},
		Message: message,
	}
}
