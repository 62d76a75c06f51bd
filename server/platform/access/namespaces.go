package access

import (
	"context"
	"strconv"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// Namespace returns a namespace, given by id or full path, if the caller has the ability on the instance and can see
// the namespace: their own, a group that they can see, or any namespace for administrators.
func (a *Access) Namespace(ctx context.Context, ref string, ability Ability) (model.Namespace, error) {
	if _, err := Allow(ctx, ability); err != nil {
		return model.Namespace{}, err
	}
	reader := Reader(ctx)
	if reader == nil {
		return model.Namespace{}, apierr.Unauthorized()
	}
	if id, err := strconv.ParseInt(ref, 10, 64); err == nil {
		return a.store.Namespaces.Get(ctx, id, "", *reader)
	}
	return a.store.Namespaces.Get(ctx, 0, ref, *reader)
}
