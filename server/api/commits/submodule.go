package commits

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
)

// UpdateProjectRepositorySubmodule lets a submodule point to another commit.
// PUT /projects/{id}/repository/submodules/{submodule}
func (c *Commits) UpdateProjectRepositorySubmodule(
	ctx context.Context, req gen.UpdateProjectRepositorySubmoduleRequestObject,
) (gen.UpdateProjectRepositorySubmoduleResponseObject, error) {
	row, err := c.access.Project(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	b := req.Body
	edit := commit.SubmoduleEdit(ctx, req.Submodule, b.CommitSha)
	edit.Branch = b.Branch
	if text := wire.Value(b.CommitMessage); text != "" {
		edit.Message = text
	}
	id, err := c.writer.Write(ctx, row, edit)
	if err != nil {
		return nil, err
	}
	made, stats, err := c.readCommit(ctx, row.Project, id, true)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectRepositorySubmodule200JSONResponse(c.show.CommitDetail(row.Project, made, stats)), nil
}
