package pagination

import (
	"context"

	"svc/server/platform/reqctx"
)

// Tokens walks a list whose rows are named by a token of their own.
type Tokens struct {
	Limit int
	ctx   context.Context
}

// Token reads how many rows a caller asks for.
func Token(ctx context.Context, size *int64) Tokens {
	t := Tokens{ctx: ctx, Limit: defaultSize}
	if size != nil {
		t.Limit = int(min(*size, maxSize))
	}
	return t
}

// Headers has only the link to the rows behind the one that the token names; there is none on the last page.
func (t Tokens) Headers(more bool, token string) Headers {
	if !more || reqctx.Of(t.ctx).URL == nil {
		return Headers{}
	}
	return Headers{Link: Cursor{ctx: t.ctx}.link("page_token", token)}
}
