package lint

import (
	"context"
	"errors"
	"net/http"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/syntax"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

// LintCi validates a CI file without a project.
// POST /ci/lint
func (l *Lint) LintCi(ctx context.Context, req gen.LintCiRequestObject) (gen.LintCiResponseObject, error) {
	actor, err := access.Allow(ctx, access.LintCI)
	if err != nil {
		return nil, err
	}
	user, err := l.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return nil, err
	}
	found, err := l.launch.LintAlone(ctx, user, []byte(req.Body.Content))
	if err != nil {
		return nil, err
	}
	return gen.LintCi200JSONResponse(presentLint(found, wire.Value(req.Body.IncludeJobs))), nil
}

// LintProjectCi validates a CI file as if it were in a project.
// POST /projects/{id}/ci/lint
func (l *Lint) LintProjectCi(ctx context.Context, req gen.LintProjectCiRequestObject) (gen.LintProjectCiResponseObject, error) {
	row, err := l.access.Project(ctx, req.ID, access.CreatePipeline)
	if err != nil {
		return nil, err
	}
	order, err := l.pushAt(ctx, row, wire.Value(req.Body.Ref))
	if isNotFound(err) && row.Project.EmptyRepo && first(wire.Value(req.Body.Ref), row.Project.DefaultBranch) == row.Project.DefaultBranch {
		order.SHA, order.Tag, err = git.Zero, false, nil // an empty repository has no other files
	}
	if err != nil {
		return nil, err
	}
	found, err := l.launch.Lint(ctx, order, []byte(req.Body.Content), wire.Value(req.Body.DryRun))
	if err != nil {
		return nil, err
	}
	return gen.LintProjectCi200JSONResponse(presentLint(found, wire.Value(req.Body.IncludeJobs))), nil
}

// GetProjectCiLint validates the CI file of a project.
// GET /projects/{id}/ci/lint
func (l *Lint) GetProjectCiLint(ctx context.Context, req gen.GetProjectCiLintRequestObject) (gen.GetProjectCiLintResponseObject, error) {
	row, err := l.access.Project(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	q := req.Params
	dry := wire.Value(q.DryRun)
	if dry && row.Role() < model.Developer {
		return nil, apierr.Forbidden()
	}
	order, err := l.pushAt(ctx, row, first(wire.Value(q.DryRunRef), wire.Value(q.Ref)))
	if err != nil {
		return nil, err
	}
	if at := first(wire.Value(q.ContentRef), wire.Value(q.Sha)); at != "" {
		if order.SHA, err = l.commit(ctx, row.Project, at); err != nil {
			return nil, err
		}
	}
	found, err := l.launch.Lint(ctx, order, nil, dry)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectCiLint200JSONResponse(presentLint(found, wire.Value(q.IncludeJobs))), nil
}

// pushAt describes the push for which the file is validated. Without a ref it is a push to the default branch.
func (l *Lint) pushAt(ctx context.Context, row model.ProjectRow, ref string) (launch.Request, error) {
	user, err := l.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return launch.Request{}, err
	}
	order := launch.Request{Project: row, User: user, Ref: first(ref, row.Project.DefaultBranch)}
	if order.SHA, err = l.commit(ctx, row.Project, order.Ref); err != nil {
		return order, err
	}
	_, err = l.repos.Project(row.Project.RepositoryStorage, row.Project.ID).Ref("refs/heads/" + order.Ref)
	order.Tag = err != nil
	return order, nil
}

func (l *Lint) commit(ctx context.Context, project model.Project, rev string) (string, error) {
	repo, err := l.repos.OpenProject(project.RepositoryStorage, project.ID, project.EmptyRepo)
	if err != nil {
		return "", err
	}
	sha, err := repo.Resolve(ctx, rev)
	if err != nil {
		return "", apierr.NotFound("Commit")
	}
	return sha, nil
}

func isNotFound(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

func presentLint(found launch.LintResult, jobs bool) gen.Lint {
	answer := gen.Lint{
		Valid: len(found.Errors) == 0, Status: gen.LintStatusValid, Errors: list(found.Errors),
		Warnings: list(found.Warnings), Includes: []gen.LintInclude{},
	}
	if !answer.Valid {
		answer.Status = gen.LintStatusInvalid
	} else {
		answer.MergedYaml = &found.Merged
	}
	for _, file := range found.Read {
		one := gen.LintInclude{Type: gen.LintIncludeTypeLocal, Location: file.Path, ContextProject: &found.Project, ContextSha: &file.SHA}
		if file.Project != "" {
			one.Type, one.ContextProject = gen.LintIncludeTypeFile, &file.Project
		}
		answer.Includes = append(answer.Includes, one)
	}
	if jobs {
		all := make([]gen.LintJob, len(found.Jobs))
		for i, j := range found.Jobs {
			all[i] = job(j)
		}
		answer.Jobs = &all
	}
	return answer
}

func job(j syntax.JobDescription) gen.LintJob {
	shown := gen.LintJob{
		Name: j.Name, Stage: j.Stage, BeforeScript: list(j.BeforeScript), Script: list(j.Script), AfterScript: list(j.AfterScript),
		TagList: list(j.Tags), Only: refs(j.Only), Except: refs(j.Except), When: j.When, AllowFailure: j.AllowFailure,
	}
	if j.Environment != nil {
		shown.Environment = &j.Environment.Name
	}
	if j.HasNeeds {
		needs := make([]gen.LintNeed, len(j.Needs))
		for i, need := range j.Needs {
			needs[i] = gen.LintNeed{Name: need.Job, Artifacts: need.Artifacts, Optional: need.Optional}
		}
		shown.Needs = &needs
	}
	return shown
}

func refs(given []string) *gen.LintRefs {
	if given == nil {
		return nil
	}
	return &gen.LintRefs{Refs: given}
}

func list(texts []string) []string { return append([]string{}, texts...) }

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
