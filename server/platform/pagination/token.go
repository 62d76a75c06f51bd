package pagination

import (
	"context"

	"svc/server/platform/reqctx"
)

// Tokens is one page of a list whose rows are identified by a token of their own.
type Tokens struct {
	Limit int
	ctx   context.Context
}

// Token reads the number of rows that a caller requests.
func Token(ctx context.Context, size *int64) Tokens {
	t := Tokens{ctx: ctx, Limit: defaultSize}
	if size != nil {
		t.Limit = int(min(*size, maxSize))
	}
	return t
}

// Headers returns only the link to the rows after the one that the token names; no link on the last page.
func (t Tokens) Headers(more bool, token string) Headers {
	if !more || reqctx.Of(t.ctx).URL == nil {
		return Headers{}
	}
	return Headers{Link: Cursor{ctx: t.ctx}.link("page_token", token)}
}
