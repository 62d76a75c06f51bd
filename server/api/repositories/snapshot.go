package repositories

import (
	"context"
	"io"
	"net/http"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// GetProjectSnapshot downloads the repository of a project or of its wiki as it is stored.
// GET /projects/{id}/snapshot
func (r *Repositories) GetProjectSnapshot(
	ctx context.Context, req gen.GetProjectSnapshotRequestObject,
) (gen.GetProjectSnapshotResponseObject, error) {
	row, err := r.access.Project(ctx, req.ID, access.ReadProjectSnapshot)
	if err != nil {
		return nil, err
	}
	name := row.Project.Path
	var repo git.Repo
	if wire.Value(req.Params.Wiki) {
		name += ".wiki"
		repo, err = r.sides.OpenForGit(ctx, lifecycle.Owner{Kind: model.ProjectWikiRepository, ID: row.Project.ID})
	} else {
		repo, err = r.open(row.Project)
	}
	if err != nil {
		return nil, err
	}
	refs, err := repo.Refs("refs/")
	if err != nil {
		return nil, orNotFound(err, "Repository")
	}
	if len(refs) == 0 {
		return nil, apierr.NotFound("Repository")
	}
	return snapshotResponse{respond.Stream{
		Context: ctx, Type: "application/x-tar", Disposition: respond.Attachment(name + ".git.tar"), CacheControl: respond.NoCache,
		Size: respond.Unknown, Write: func(to io.Writer) error { return repo.WriteSnapshot(ctx, clock.Now(ctx), to) },
	}}, nil
}

// snapshotResponse is a snapshot as a response.
type snapshotResponse struct{ respond.Stream }

// VisitGetProjectSnapshotResponse writes the archive.
func (s snapshotResponse) VisitGetProjectSnapshotResponse(w http.ResponseWriter) error {
	return s.Send(w)
}
