package pagination

import (
	"context"

	"svc/server/platform/reqctx"
)

// TokenPage is one page of a list whose rows are identified by a token of their own.
type TokenPage struct {
	Limit int
	ctx   context.Context
}

// NewTokenPage reads the number of rows that a caller requests.
func NewTokenPage(ctx context.Context, size *int64) TokenPage {
	t := TokenPage{ctx: ctx, Limit: defaultSize}
	if size != nil {
		t.Limit = int(min(*size, maxSize))
	}
	return t
}

// Headers returns only the link to the rows after the one that the token names; no link on the last page.
func (t TokenPage) Headers(more bool, token string) Headers {
	if !more || reqctx.Of(t.ctx).URL == nil {
		return Headers{}
	}
	return Headers{Link: Cursor{ctx: t.ctx}.link("page_token", token)}
}
