package section

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

// MayCommit refuses callers who may not push to the branch. It also refuses everybody if the repository is read-only.
func (s *Service) MayCommit(ctx context.Context, row model.ProjectRow, branch string) error {
	may, err := s.pusher.MayPush(ctx, row, branch)
	if err == nil && (!may || row.Project.RepositoryReadOnly) {
		err = apierr.Forbidden(noCommit)
	}
	return err
}

// Commit generates a section and commits it, for a caller who may commit to the branch; see MayCommit.
func (s *Service) Commit(ctx context.Context, row model.ProjectRow, r Request, t Target) error {
	repo, err := s.pusher.Repo(row.Project)
	if err != nil {
		return err
	}
	if r.To == "" {
		r.To = "refs/heads/" + t.Branch
	}
	notes, err := s.notes(ctx, row, repo, r)
	if err != nil {
		return apiError(err)
	}
	return apiError(s.insert(ctx, row, repo, t, r.Version, notes))
}

// insert writes a section into the changelog file. If somebody else pushes meanwhile, it repeats the change on top of
// that push.
func (s *Service) insert(
	ctx context.Context, row model.ProjectRow, repo git.Repo, t Target, version, notes string,
) error {
	if _, err := repo.Ref("refs/heads/" + t.Branch); err != nil {
		return replaceNotFound(err, changelog.ErrNoCommit)
	}
	_, err := s.writer.Write(ctx, row, commit.Edit{
		Branch: t.Branch, Message: t.Message,
		Build: func(repo git.Repo, parent string) ([]git.Change, error) {
			return changesOf(ctx, repo, parent, t.File, version, notes)
		},
	})
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Status == http.StatusBadRequest {
		return &changelog.Error{Reason: refused.Error()}
	}
	return ExplainForbidden(err)
}

// changesOf returns the change of the file. There is none if the file already has the version.
func changesOf(ctx context.Context, repo git.Repo, head, file, version, notes string) ([]git.Change, error) {
	if head == "" {
		return nil, changelog.ErrNoCommit
	}
	action := git.ActionUpdate
	data, taken, err := readFile(ctx, repo, head, file, maxFile)
	switch {
	case taken:
		return nil, &changelog.Error{Reason: "The path of the changelog is not a file"}
	case errors.Is(err, git.ErrNotFound):
		action = git.ActionCreate
	case err != nil:
		return nil, err
	}
	text, changed := changelog.Insert(string(data), notes, version)
	if !changed {
		return nil, nil
	}
	return []git.Change{{Action: action, Path: file, Content: []byte(text)}}, nil
}
