package changelogs

import (
	"context"
	"errors"
	"net/http"

	"svc/server/domain/repository/changelog"
	"svc/server/domain/repository/commit"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

const maxFile = 16 << 20

// commit puts a section into the file. When somebody else has pushed meanwhile, it is done again on top of that.
func (c *Changelogs) commit(ctx context.Context, row model.ProjectRow, repo git.Repo, t target, notes string) error {
	if _, err := repo.Ref("refs/heads/" + t.branch); err != nil {
		return missingIs(err, changelog.ErrNoCommit)
	}
	_, err := c.writer.Write(ctx, row, commit.Edit{
		Branch: t.branch, Message: t.message,
		Build: func(repo git.Repo, parent string) ([]git.Change, error) {
			return changesOf(ctx, repo, parent, t, notes)
		},
	})
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Status == http.StatusBadRequest {
		return &changelog.Error{Reason: refused.Error()}
	}
	return forbidden(err)
}

// changesOf is what happens to the file: nothing when it has the version already.
func changesOf(ctx context.Context, repo git.Repo, head string, t target, notes string) ([]git.Change, error) {
	if head == "" {
		return nil, changelog.ErrNoCommit
	}
	action := git.ActionUpdate
	data, taken, err := file(ctx, repo, head, t.file, maxFile)
	switch {
	case taken:
		return nil, &changelog.Error{Reason: "The path of the changelog is not that of a file"}
	case errors.Is(err, git.ErrNotFound):
		action = git.ActionCreate
	case err != nil:
		return nil, err
	}
	text, changed := changelog.Insert(string(data), notes, t.version)
	if !changed {
		return nil, nil
	}
	return []git.Change{{Action: action, Path: t.file, Content: []byte(text)}}, nil
}
