package branches

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"svc/gen"
	"svc/server/platform/pagination"
	"svc/store/git"
)

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
