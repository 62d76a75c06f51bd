package lint

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"svc/server/domain/ci/launch"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// pushAt describes the push for which the file is validated. Without a ref it is a push to the default branch.
func (l *Lint) pushAt(ctx context.Context, row model.ProjectRow, ref string) (launch.Request, error) {
	user, err := l.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return launch.Request{}, err
	}
	order := launch.Request{Project: row, User: user, Ref: cmp.Or(ref, row.Project.DefaultBranch)}
	if order.SHA, err = l.commit(ctx, row.Project, order.Ref); err != nil {
		return order, err
	}
	_, err = l.repos.Project(row.Project.RepositoryStorage, row.Project.ID).Ref("refs/heads/" + order.Ref)
	order.Tag = err != nil
	return order, nil
}

// commit returns the ID of the commit that a revision names.
func (l *Lint) commit(ctx context.Context, project model.Project, rev string) (string, error) {
	repo, err := l.repos.OpenProject(project.RepositoryStorage, project.ID, project.EmptyRepo)
	if err != nil {
		return "", err
	}
	sha, err := repo.Resolve(ctx, rev)
	if err != nil {
		return "", apierr.NotFound("Commit")
	}
	return sha, nil
}

func isNotFound(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}
