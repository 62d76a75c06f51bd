package keys

import (
	"context"

	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// window holds the pagination parameters of a list.
type window[P ~string] struct {
	paging       *P
	number, size *int64
}

// listOf returns one page of the SSH or GPG keys of a user.
func listOf[R, S any, P ~string](ctx context.Context, k *Keys, kind string, userID int64, w window[P],
	ask func(context.Context, int64, store.Page) ([]R, store.Total, error), show func(R) S,
) ([]S, pagination.Headers, error) {
	asked, err := pagination.OffsetOnly(ctx, k.pages, kind, w.number, w.size, w.paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := ask(ctx, userID, asked.Page)
	return present.All(rows, show), asked.Headers(total), err
}
