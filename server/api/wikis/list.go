package wikis

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/domain/repository/wiki"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/git"
)

// maxContents is the maximum size in bytes of all page contents in one list.
const maxContents = 20 << 20

// query holds the query parameters of a list.
type query struct {
	paging   *gen.Pagination
	number   *int64
	size     *int64
	contents *bool
}

// list returns one page of the list of wiki pages, and its headers.
func (w *Wikis) list(ctx context.Context, in wiki.Place, q query) ([]gen.WikiPage, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, w.pages, "WikiPage", q.number, q.size, q.paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	repo, head, err := w.repositories.Open(ctx, in.Repository)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	all, err := wiki.List(ctx, repo, head)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total := pagination.PageOf(window, all)
	shown, size := make([]gen.WikiPage, len(rows)), 0
	for i, p := range rows {
		var content *string
		if q.contents != nil && *q.contents {
			text, err := wiki.Content(ctx, repo, head, p)
			if size += len(text); errors.Is(err, git.ErrTooLarge) || size > maxContents {
				return nil, pagination.Headers{}, apierr.TooLarge()
			}
			if err != nil {
				return nil, pagination.Headers{}, err
			}
			content = &text
		}
		shown[i] = present.WikiPage(p.Slug, p.Title, p.Format, content)
	}
	return shown, window.Headers(total), nil
}
