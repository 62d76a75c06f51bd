package labels

import (
	"context"

	"svc/server/platform/reqctx"
	"svc/store/model"
)

// follow subscribes the caller to a label, or unsubscribes the caller. It returns false if nothing changes.
func (l *Labels) follow(ctx context.Context, in owner, ref string, want bool) (model.LabelRow, bool, error) {
	row, err := l.get(ctx, in, ref, true)
	if err != nil || row.Subscribed == want {
		return row, false, err
	}
	row.Subscribed = want
	return row, true, l.store.Subscriptions.Set(ctx, model.OnLabel, row.Label.ID, reqctx.Of(ctx).Actor.User.ID, want)
}
