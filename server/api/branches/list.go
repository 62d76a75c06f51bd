package branches

import (
	"context"
	"regexp"

	"svc/gen"
	"svc/server/domain/repository/branch"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
)

// maxRegex is the maximum length of a regular expression in a request. The time that RE2 needs grows with the length.
const maxRegex = 1000

// ListProjectRepositoryBranches lists the branches of a repository.
// GET /projects/{id}/repository/branches
func (b *Branches) ListProjectRepositoryBranches(
	ctx context.Context, req gen.ListProjectRepositoryBranchesRequestObject,
) (gen.ListProjectRepositoryBranchesResponseObject, error) {
	row, repo, err := b.open(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	fits, err := nameFilter(req.Params)
	if err != nil {
		return nil, err
	}
	refs, err := branch.List(repo, fits)
	if err != nil {
		return nil, err
	}
	refs, headers, err := b.window(ctx, repo, refs, req.Params)
	if err != nil {
		return nil, err
	}
	shown, err := b.presentBranches(ctx, row, repo, refs)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryBranches200JSONResponse{
		Body: shown, Headers: gen.ListProjectRepositoryBranches200ResponseHeaders(headers),
	}, nil
}

// nameFilter returns a function that reports whether a branch name matches the request.
func nameFilter(p gen.ListProjectRepositoryBranchesParams) (func(string) bool, error) {
	switch {
	case p.Search != nil && p.Regex != nil:
		return nil, apierr.BadParameter("search, regex are mutually exclusive")
	case p.Regex != nil:
		pattern, err := regexp.Compile(*p.Regex)
		if err != nil || len(*p.Regex) > maxRegex {
			return nil, apierr.BadParameter("regex is invalid")
		}
		return pattern.MatchString, nil
	case p.Search != nil:
		return git.Search(*p.Search), nil
	}
	return func(string) bool { return true }, nil
}
