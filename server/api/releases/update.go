package releases

import (
	"context"

	"svc/gen"
	"svc/server/domain/release"
)

// UpdateProjectRelease changes the release of a tag.
// PUT /projects/{id}/releases/{tag_name}
func (r *Releases) UpdateProjectRelease(
	ctx context.Context, req gen.UpdateProjectReleaseRequestObject,
) (gen.UpdateProjectReleaseResponseObject, error) {
	row, repo, err := r.open(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	b := req.Body
	changed, err := r.releases.Apply(ctx, row, repo, req.TagName, release.Change{
		Name: b.Name, Description: b.Description, ReleasedAt: b.ReleasedAt.Std(),
		Milestones: release.Milestones{Titles: b.Milestones, IDs: b.MilestoneIds},
	})
	if err != nil {
		return nil, err
	}
	shown, err := r.presentOne(ctx, row, changed, false)
	return gen.UpdateProjectRelease200JSONResponse(shown), err
}
