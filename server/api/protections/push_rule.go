package protections

import (
	"context"
	"io"
	"net/http"

	"svc/gen"
	"svc/server/domain/repository/pushrule"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// noPushRule is the response about a project without a push rule.
type noPushRule struct{}

// VisitGetProjectPushRuleResponse writes null.
func (noPushRule) VisitGetProjectPushRuleResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, err := io.WriteString(w, "null")
	return err
}

// GetProjectPushRule shows the push rule of a project, or null.
// GET /projects/{id}/push_rule
func (p *Protections) GetProjectPushRule(
	ctx context.Context, req gen.GetProjectPushRuleRequestObject,
) (gen.GetProjectPushRuleResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProtection)
	if err != nil {
		return nil, err
	}
	rule, err := p.store.PushRules.OfProject(ctx, row.Project.ID)
	if err != nil || rule == nil {
		return noPushRule{}, err
	}
	return gen.GetProjectPushRule200JSONResponse(present.PushRule(*rule)), nil
}

// CreateProjectPushRule adds the push rule of a project.
// POST /projects/{id}/push_rule
func (p *Protections) CreateProjectPushRule(
	ctx context.Context, req gen.CreateProjectPushRuleRequestObject,
) (gen.CreateProjectPushRuleResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	rule, err := p.pushRules.Create(ctx, pushrule.Project(row.Project), pushRuleFrom(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectPushRule201JSONResponse(present.PushRule(rule)), nil
}

// UpdateProjectPushRule changes the push rule of a project.
// PUT /projects/{id}/push_rule
func (p *Protections) UpdateProjectPushRule(
	ctx context.Context, req gen.UpdateProjectPushRuleRequestObject,
) (gen.UpdateProjectPushRuleResponseObject, error) {
	row, rule, err := p.findProjectPushRule(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	changed, err := p.pushRules.Apply(ctx, pushrule.Project(row.Project), rule, pushRuleFrom(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectPushRule200JSONResponse(present.PushRule(changed)), nil
}

// DeleteProjectPushRule removes the push rule of a project.
// DELETE /projects/{id}/push_rule
func (p *Protections) DeleteProjectPushRule(
	ctx context.Context, req gen.DeleteProjectPushRuleRequestObject,
) (gen.DeleteProjectPushRuleResponseObject, error) {
	row, rule, err := p.findProjectPushRule(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := p.pushRules.Delete(ctx, pushrule.Project(row.Project), rule, since); err != nil {
		return nil, err
	}
	return gen.DeleteProjectPushRule204Response{}, nil
}

// findProjectPushRule finds the push rule of a project that the caller may administer.
func (p *Protections) findProjectPushRule(ctx context.Context, project string) (model.ProjectRow, model.PushRule, error) {
	row, err := p.access.Project(ctx, project, access.AdminProject)
	if err != nil {
		return row, model.PushRule{}, err
	}
	rule, err := existing(p.store.PushRules.OfProject(ctx, row.Project.ID))
	return row, rule, err
}

// existing returns a push rule that was looked for, or the error for one that does not exist.
func existing(rule *model.PushRule, err error) (model.PushRule, error) {
	switch {
	case err != nil:
		return model.PushRule{}, err
	case rule == nil:
		return model.PushRule{}, apierr.NotFound("")
	}
	return *rule, nil
}

// pushRuleFrom converts the body of a request.
func pushRuleFrom(b *gen.PushRuleInput) pushrule.Change {
	if b == nil {
		return pushrule.Change{}
	}
	return pushrule.Change{
		CommitMessageRegex: b.CommitMessageRegex, CommitMessageNegativeRegex: b.CommitMessageNegativeRegex,
		BranchNameRegex: b.BranchNameRegex, AuthorEmailRegex: b.AuthorEmailRegex, FileNameRegex: b.FileNameRegex,
		MaxFileSize: b.MaxFileSize, DenyDeleteTag: b.DenyDeleteTag, MemberCheck: b.MemberCheck, PreventSecrets: b.PreventSecrets,
		CommitCommitterCheck: b.CommitCommitterCheck, CommitCommitterNameCheck: b.CommitCommitterNameCheck,
		RejectUnsignedCommits: b.RejectUnsignedCommits, RejectNonDcoCommits: b.RejectNonDcoCommits,
	}
}
