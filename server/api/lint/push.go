package lint

import (
	"context"
	"errors"
	"net/http"

	"svc/server/domain/ci/launch"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// pushAt describes the push of the caller for which the file is validated.
func (l *Lint) pushAt(ctx context.Context, row model.ProjectRow, ref string) (launch.Request, error) {
	user, err := l.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return launch.Request{}, err
	}
	return l.launch.LintRequest(ctx, row, user, ref)
}

func isNotFound(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}
