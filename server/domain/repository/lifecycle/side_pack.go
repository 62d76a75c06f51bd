package lifecycle

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"svc/store/git"
	"svc/store/model"
)

// PackGroupWiki writes the wiki of a group: a line with the commit of its branch, then a pack with that commit and its
// history. For a group without a wiki it writes nothing.
func (s *SideRepositories) PackGroupWiki(ctx context.Context, groupID int64, to io.Writer) error {
	repo, head, err := s.Open(ctx, Owner{Kind: model.GroupWikiRepository, ID: groupID})
	if err != nil || head == "" {
		return err
	}
	if _, err := io.WriteString(to, head+"\n"); err != nil {
		return err
	}
	return repo.Pack(ctx, head, to)
}

// UnpackGroupWiki creates the wiki of a new group from the output of PackGroupWiki, in the transaction that creates the
// group. It returns false if the data is damaged. A wiki that was written to meanwhile stays as it is. The repository
// of an aborted transaction is replaced.
func (s *SideRepositories) UnpackGroupWiki(ctx context.Context, groupID int64, from io.Reader, limit int64) (bool, error) {
	in := bufio.NewReader(from)
	line, err := in.Peek(len(git.Zero) + 1)
	if err != nil || line[len(git.Zero)] != '\n' {
		return false, nil //nolint:nilerr // too short, or no commit
	}
	head := string(line[:len(git.Zero)])
	if _, err := in.Discard(len(line)); err != nil {
		return false, err
	}
	if err := s.store.OtherRepositories.CreateGroupWiki(ctx, groupID); err != nil {
		return false, err
	}
	side := Owner{Kind: model.GroupWikiRepository, ID: groupID}
	place, err := s.store.OtherRepositories.Place(ctx, side.Kind, side.ID)
	if err != nil || place.Head != "" {
		return true, err
	}
	repo := side.On(s.repos, place.Storage)
	if err := errors.Join(repo.Delete(), repo.CreateNew(model.SideBranch)); err != nil {
		return false, err
	}
	err = repo.Unpack(ctx, head, in, limit)
	if errors.Is(err, git.ErrBadPack) {
		return false, repo.Delete()
	}
	if err != nil {
		return false, err
	}
	if err := s.store.OtherRepositories.SetHead(ctx, side.Kind, side.ID, strings.ToLower(head)); err != nil {
		return false, err
	}
	lock, err := repo.Lock(ctx)
	if err != nil {
		return false, err
	}
	defer lock.Release()
	return true, advance(ctx, lock, git.Zero, head)
}

// AdoptBundle creates the repository of a wiki from a git bundle. A wiki that something was written to stays as it is. It
// can be repeated after an interruption. It returns a *git.BundleError if the bundle is damaged.
func (s *SideRepositories) AdoptBundle(ctx context.Context, side Owner, b *git.Bundle, limit int64) error {
	place, err := s.store.OtherRepositories.Place(ctx, side.Kind, side.ID)
	if err != nil || place.Head != "" {
		return err
	}
	repo := side.On(s.repos, place.Storage)
	if err := errors.Join(repo.Delete(), repo.CreateNew(model.SideBranch)); err != nil {
		return err
	}
	if _, err := repo.ReceiveBundle(ctx, b, limit); err != nil {
		return err
	}
	head := b.Refs[sideRef]
	if head == "" {
		return &git.BundleError{Why: "it does not have the branch " + model.SideBranch}
	}
	if err := s.store.OtherRepositories.SetHead(ctx, side.Kind, side.ID, head); err != nil {
		return err
	}
	lock, err := repo.Lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Release()
	return advance(ctx, lock, git.Zero, head)
}
