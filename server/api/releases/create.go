package releases

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/release"
)

// CreateProjectRelease creates a release, and its tag if it does not exist.
// POST /projects/{id}/releases
func (r *Releases) CreateProjectRelease(
	ctx context.Context, req gen.CreateProjectReleaseRequestObject,
) (gen.CreateProjectReleaseResponseObject, error) {
	row, repo, err := r.open(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	made, err := r.releases.Create(ctx, row, repo, draftFrom(*req.Body))
	if err != nil {
		return nil, err
	}
	shown, err := r.presentOne(ctx, row, made, false)
	return gen.CreateProjectRelease201JSONResponse(shown), err
}

// draftFrom reads a new release from the request.
func draftFrom(body gen.ReleaseCreate) release.Draft {
	d := release.Draft{
		Tag: body.TagName, Name: body.Name, Description: body.Description, Ref: wire.Value(body.Ref),
		TagMessage: wire.Value(body.TagMessage), ReleasedAt: body.ReleasedAt.Std(),
		Milestones: release.Milestones{Titles: body.Milestones, IDs: body.MilestoneIds},
	}
	if body.Assets != nil && body.Assets.Links != nil {
		for _, link := range *body.Assets.Links {
			d.Links = append(d.Links, linkFrom(link))
		}
	}
	return d
}

// linkFrom reads a new link from the request.
func linkFrom(body gen.ReleaseLinkCreate) release.Link {
	return release.Link{
		Name: body.Name, URL: body.URL, FilePath: either(body.DirectAssetPath, body.Filepath),
		LinkType: string(wire.Value(body.LinkType)),
	}
}

// either returns the path of a link; the name that clients used formerly counts only without the current one.
func either(current, former *string) *string {
	if current != nil {
		return current
	}
	return former
}
