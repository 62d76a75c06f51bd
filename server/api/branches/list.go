package branches

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
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
	refs, err := branchesMatching(repo, fits)
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

// branchesMatching returns the branches whose short names fit, sorted by name.
func branchesMatching(repo git.Repo, fits func(string) bool) ([]git.Ref, error) {
	all, err := repo.Refs(headsPrefix)
	refs := all[:0]
	for _, ref := range all {
		if ref.Name = strings.TrimPrefix(ref.Name, headsPrefix); fits(ref.Name) {
			refs = append(refs, ref)
		}
	}
	return refs, err
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

// window sorts the branches and returns the requested page.
func (b *Branches) window(
	ctx context.Context, repo git.Repo, refs []git.Ref, p gen.ListProjectRepositoryBranchesParams,
) ([]git.Ref, pagination.Headers, error) {
	byName := p.Sort == nil || *p.Sort == gen.BranchSortNameAsc
	if p.Pagination != nil && *p.Pagination == gen.PaginationKeyset && byName {
		if p.PageToken != nil {
			refs = slices.DeleteFunc(refs, func(r git.Ref) bool { return r.Name <= *p.PageToken })
		}
		rows, headers := pagination.PageByToken(ctx, refs, p.PerPage, func(r git.Ref) string { return r.Name })
		return rows, headers, nil
	}
	if err := pagination.NoKeyset(p.Pagination); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := b.pages.Offset(ctx, pagination.Kind{Name: "Branch", Keyset: true}, p.Page, p.PerPage)
	if err == nil && !byName {
		err = byTime(ctx, repo, refs, *p.Sort == gen.BranchSortUpdatedDesc)
	}
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total := pagination.PageOf(window, refs)
	return rows, window.Headers(total), nil
}

// byTime sorts branches by the time of their last commits, and by name if the times are equal.
func byTime(ctx context.Context, repo git.Repo, refs []git.Ref, newestFirst bool) error {
	ids := make([]string, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	times, err := repo.Times(ctx, ids)
	if err != nil {
		return err
	}
	type dated struct {
		ref  git.Ref
		when int64
	}
	all := make([]dated, len(refs))
	for i, ref := range refs {
		all[i] = dated{ref, times[i]}
	}
	slices.SortFunc(all, func(x, y dated) int {
		order := cmp.Compare(x.when, y.when)
		switch {
		case order == 0:
			return strings.Compare(x.ref.Name, y.ref.Name)
		case newestFirst:
			return -order
		}
		return order
	})
	for i := range all {
		refs[i] = all[i].ref
	}
	return nil
}
