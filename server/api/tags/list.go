package tags

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
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
	refs, err := repo.Refs(refPrefix)
	if err != nil {
		return nil, err
	}
	if req.Params.Search != nil {
		fits := git.Search(*req.Params.Search)
		refs = slices.DeleteFunc(refs, func(r git.Ref) bool { return !fits(strings.TrimPrefix(r.Name, refPrefix)) })
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

// window sorts the tags and returns the requested page.
func (t *Tags) window(
	ctx context.Context, repo git.Repo, refs []git.Ref, p gen.ListProjectRepositoryTagsParams,
) ([]git.Ref, pagination.Headers, error) {
	by := gen.TagOrderUpdated
	if p.OrderBy != nil {
		by = *p.OrderBy
	}
	keyset := p.Pagination != nil && *p.Pagination == gen.PaginationKeyset
	if keyset && p.OrderBy == nil {
		by = gen.TagOrderName
	}
	if keyset && by != gen.TagOrderName {
		return nil, pagination.Headers{}, pagination.NoKeyset(p.Pagination)
	}
	if err := order(ctx, repo, refs, by); err != nil {
		return nil, pagination.Headers{}, err
	}
	if p.Sort == nil || *p.Sort == gen.SortDesc {
		slices.Reverse(refs)
	}
	if keyset {
		return byToken(ctx, refs, p)
	}
	window, err := t.pages.Offset(ctx, pagination.Kind{Name: "Tag", Keyset: true}, p.Page, p.PerPage)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total := pagination.PageOf(window, refs)
	return rows, window.Headers(total), nil
}

func byToken(ctx context.Context, refs []git.Ref, p gen.ListProjectRepositoryTagsParams) ([]git.Ref, pagination.Headers, error) {
	if p.PageToken != nil && *p.PageToken != "" {
		at := slices.IndexFunc(refs, func(r git.Ref) bool { return r.Name == refPrefix+*p.PageToken })
		if at < 0 {
			return nil, pagination.Headers{}, apierr.Unprocessable("Invalid page token: " + *p.PageToken)
		}
		refs = refs[at+1:]
	}
	rows, headers := pagination.PageByToken(ctx, refs, p.PerPage, func(r git.Ref) string { return strings.TrimPrefix(r.Name, refPrefix) })
	return rows, headers, nil
}

// order sorts the tags. They come sorted by name.
func order(ctx context.Context, repo git.Repo, refs []git.Ref, by gen.TagOrder) error {
	switch by {
	case gen.TagOrderVersion:
		slices.SortStableFunc(refs, func(a, b git.Ref) int { return git.CompareVersions(a.Name, b.Name) })
	case gen.TagOrderUpdated:
		tags, err := repo.ReadTags(ctx, refs)
		if err != nil {
			return err
		}
		commits, err := commitsOf(ctx, repo, tags)
		if err != nil {
			return err
		}
		when := make(map[string]int64, len(tags))
		for _, tag := range tags {
			when[refPrefix+tag.Name] = tagTime(tag, commits[tag.Commit])
		}
		slices.SortStableFunc(refs, func(a, b git.Ref) int { return cmp.Compare(when[a.Name], when[b.Name]) })
	}
	return nil
}

// tagTime returns the time of an annotated tag, or else the time of the tag's commit.
func tagTime(tag git.Tag, c *git.Commit) int64 {
	switch {
	case tag.Annotated && !tag.Tagger.When.IsZero():
		return tag.Tagger.When.Unix()
	case c != nil:
		return c.Committer.When.Unix()
	}
	return 0
}
