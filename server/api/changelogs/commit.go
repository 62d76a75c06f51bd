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

// commit writes a section into the changelog file. If somebody else pushes meanwhile, it repeats the change on top of
// that push.
func (c *Changelogs) commit(ctx context.Context, row model.ProjectRow, repo git.Repo, t target, notes string) error {
	if _, err := repo.Ref("refs/heads/" + t.branch); err != nil {
		return replaceNotFound(err, changelog.ErrNoCommit)
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
	return explainForbidden(err)
}

// changesOf returns the change of the file. There is none if the file already has the version.
func changesOf(ctx context.Context, repo git.Repo, head string, t target, notes string) ([]git.Change, error) {
	if head == "" {
		return nil, changelog.ErrNoCommit
	}
	action := git.ActionUpdate
	data, taken, err := readFile(ctx, repo, head, t.file, maxFile)
	switch {
	case taken:
		return nil, &changelog.Error{Reason: "The path of the changelog is not a file"}
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
