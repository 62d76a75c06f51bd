package tags

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"svc/gen"
	"svc/server/domain/repository/tag"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/store/git"
)

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
		at := slices.IndexFunc(refs, func(r git.Ref) bool { return r.Name == tag.Prefix+*p.PageToken })
		if at < 0 {
			return nil, pagination.Headers{}, apierr.Unprocessable("Invalid page token: " + *p.PageToken)
		}
		refs = refs[at+1:]
	}
	rows, headers := pagination.PageByToken(ctx, refs, p.PerPage, func(r git.Ref) string { return strings.TrimPrefix(r.Name, tag.Prefix) })
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
		for _, t := range tags {
			when[tag.Prefix+t.Name] = tagTime(t, commits[t.Commit])
		}
		slices.SortStableFunc(refs, func(a, b git.Ref) int { return cmp.Compare(when[a.Name], when[b.Name]) })
	}
	return nil
}

// tagTime returns the time of an annotated tag, or else the time of the tag's commit.
func tagTime(t git.Tag, c *git.Commit) int64 {
	switch {
	case t.Annotated && !t.Tagger.When.IsZero():
		return t.Tagger.When.Unix()
	case c != nil:
		return c.Committer.When.Unix()
	}
	return 0
}
