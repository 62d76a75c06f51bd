package tags

import (
	"context"
	"slices"
	"strings"

	"svc/gen"
	"svc/server/domain/repository/tag"
	"svc/server/platform/access"
	"svc/store/git"
)

// ListProjectRepositoryTags lists the tags of a repository.
// GET /projects/{id}/repository/tags
func (t *Tags) ListProjectRepositoryTags(
	ctx context.Context, req gen.ListProjectRepositoryTagsRequestObject,
) (gen.ListProjectRepositoryTagsResponseObject, error) {
	row, repo, err := t.open(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	refs, err := repo.Refs(tag.Prefix)
	if err != nil {
		return nil, err
	}
	if req.Params.Search != nil {
		fits := git.Search(*req.Params.Search)
		refs = slices.DeleteFunc(refs, func(r git.Ref) bool { return !fits(strings.TrimPrefix(r.Name, tag.Prefix)) })
	}
	refs, headers, err := t.window(ctx, repo, refs, req.Params)
	if err != nil {
		return nil, err
	}
	tags, err := repo.ReadTags(ctx, refs)
	if err != nil {
		return nil, err
	}
	shown, err := t.presentAll(ctx, row, repo, tags)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryTags200JSONResponse{Body: shown, Headers: gen.ListProjectRepositoryTags200ResponseHeaders(headers)}, nil
}
