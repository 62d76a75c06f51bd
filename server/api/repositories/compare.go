package repositories

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// GetProjectRepositoryCompare compares two branches, tags or commits.
// GET /projects/{id}/repository/compare
func (r *Repositories) GetProjectRepositoryCompare(
	ctx context.Context, req gen.GetProjectRepositoryCompareRequestObject,
) (gen.GetProjectRepositoryCompareResponseObject, error) {
	project, repo, err := r.read(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	other := repo
	if id := req.Params.FromProjectID; id != nil && *id != project.ID {
		origin, err := r.origin(ctx, project, req.ID, *id)
		if err != nil {
			return nil, err
		}
		if other, err = r.open(origin); err != nil {
			return nil, err
		}
	}
	from, err := other.Resolve(ctx, req.Params.From)
	if err != nil {
		return nil, orNotFound(err, "Ref")
	}
	to, err := repo.Resolve(ctx, req.Params.To)
	if err != nil {
		return nil, orNotFound(err, "Ref")
	}
	of := present.ComparisonInput{
		Project: project, From: req.Params.From, To: req.Params.To, Straight: wire.Value(req.Params.Straight),
		Unified: wire.Value(req.Params.Unidiff),
		Same:    from == to,
	}
	return r.compare(ctx, resolvedComparison{repo: repo, other: other, from: from, to: to, project: project.ID, of: of})
}

// origin returns another project of the same fork network, if the caller can read its code.
func (r *Repositories) origin(ctx context.Context, project model.Project, ref string, id int64) (model.Project, error) {
	row, err := r.access.Project(ctx, strconv.FormatInt(id, 10), access.ReadCode)
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return model.Project{}, noFork(ref, id)
	}
	same, err2 := r.store.Projects.SameNetwork(ctx, project.ID, id)
	switch {
	case err2 != nil:
		return model.Project{}, err2
	case !same:
		return model.Project{}, noFork(ref, id)
	case refused != nil && refused.Status == http.StatusForbidden:
		return model.Project{}, apierr.Forbidden("You don't have access to this fork's parent project")
	}
	return row.Project, err
}

func noFork(ref string, id int64) error {
	return apierr.Refused(fmt.Sprintf("Target project id:%d is not a fork of project id:%s", id, ref))
}
