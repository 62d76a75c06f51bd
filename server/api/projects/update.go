package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// UpdateProject changes the given settings of a project.
// PUT /projects/{id}
func (p *Projects) UpdateProject(
	ctx context.Context, req gen.UpdateProjectRequestObject,
) (gen.UpdateProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	if req.Body != nil {
		if wire.Value(req.Body.ImportURL.Ptr()) != "" {
			return nil, apierr.BadParameter("import_url can only be given for a new project")
		}
		change, err := changeFrom(*req.Body)
		if err != nil {
			return nil, err
		}
		if err := p.projects.Apply(ctx, row, change); err != nil {
			return nil, err
		}
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProject200JSONResponse(shown), nil
}

// changeFrom reads the input. It refuses mirrors, which have their own operations.
func changeFrom(b gen.ProjectWrite) (project.Change, error) {
	if wire.Value(b.Mirror) {
		return project.Change{}, apierr.BadParameter(
			"mirror is not supported here: set the mirror of a project with PUT /projects/{id}/mirror/pull",
		)
	}
	return project.Change{
		Name: b.Name, Path: b.Path, Visibility: visibilityFrom(b.Visibility), DefaultBranch: b.DefaultBranch,
		CIConfigPath: b.CiConfigPath, Storage: b.RepositoryStorage, Avatar: b.Avatar, Settings: settings(b),
	}, nil
}

// visibilityFrom returns the model's value of a visibility, or nil.
func visibilityFrom(v *gen.Visibility) *model.Visibility {
	if v == nil {
		return nil
	}
	to := map[gen.Visibility]model.Visibility{
		"private": model.Private, "internal": model.Internal, "public": model.Public,
	}[*v]
	return &to
}
