package branch

import (
	"context"
	"errors"
	"strconv"

	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

// Created is a new branch, with its project and repository as they are now.
type Created struct {
	Project model.ProjectRow
	Repo    git.Repo
	Ref     git.Ref // with the short name
}

// Create creates a branch that starts from a branch, tag or commit, for a caller who may push to the project. If the
// branch starts from the default branch of an empty repository, Create creates that one, too.
func (s *Service) Create(ctx context.Context, row model.ProjectRow, repo git.Repo, name, from string) (Created, error) {
	if !git.ValidBranch(name) {
		return Created{}, apierr.Refused("Branch name is invalid")
	}
	begun, err := s.createDefault(ctx, row, repo, from)
	if err != nil {
		return Created{}, err
	}
	if begun {
		if row, repo, err = s.reload(ctx, row); err != nil {
			return Created{}, err
		}
	}
	if !begun || name != row.Project.DefaultBranch {
		if err := s.create(ctx, row, repo, name, from); err != nil {
			return Created{}, err
		}
	}
	ref, err := Find(repo, name)
	return Created{Project: row, Repo: repo, Ref: ref}, err
}

func (s *Service) create(ctx context.Context, row model.ProjectRow, repo git.Repo, name, from string) error {
	if _, err := repo.Ref(prefix + name); err == nil {
		return apierr.Refused("Branch already exists")
	}
	id, err := repo.Resolve(ctx, from)
	if errors.Is(err, git.ErrNotFound) {
		return apierr.Refused("Invalid reference name: " + from)
	}
	if err != nil {
		return err
	}
	err = s.pusher.Change(ctx, row, reqctx.Of(ctx).Actor, git.Command{Ref: prefix + name, Old: git.Zero, New: id})
	taken := apierr.Refused("Failed to create branch '" + name + "': the name conflicts with another branch")
	return push.Explain(err, taken)
}

// createDefault creates the default branch of an empty repository, with an empty README.md, if a new branch is to start
// from it. It reports whether it did. The caller must be allowed to push to the default branch.
func (s *Service) createDefault(ctx context.Context, row model.ProjectRow, repo git.Repo, from string) (bool, error) {
	main := row.Project.DefaultBranch
	if !row.Project.EmptyRepo || main == "" || from != main && from != prefix+main && from != "HEAD" {
		return false, nil
	}
	if refs, err := repo.Refs(prefix); err != nil || len(refs) > 0 {
		return false, err
	}
	_, err := s.writer.Write(ctx, row, commit.Edit{
		Branch: main, Message: "Add README.md",
		Changes: []git.Change{{Action: git.ActionCreate, Path: "README.md", Content: []byte{}}},
	})
	return err == nil, err
}

// reload reads the project again after its first push.
func (s *Service) reload(ctx context.Context, row model.ProjectRow) (model.ProjectRow, git.Repo, error) {
	row, err := s.access.Project(ctx, strconv.FormatInt(row.Project.ID, 10), access.PushCode)
	if err != nil {
		return row, git.Repo{}, err
	}
	repo, err := s.pusher.Repo(row.Project)
	return row, repo, err
}
