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

// PackGroupWiki writes the wiki of a group: the commit that its branch is at, on a line, and a pack with all that is behind it. Of a
// group without a wiki it writes nothing.
func (s *Sides) PackGroupWiki(ctx context.Context, groupID int64, to io.Writer) error {
	repo, head, err := s.Open(ctx, Side{Kind: model.GroupWikiRepository, ID: groupID})
	if err != nil || head == "" {
		return err
	}
	if _, err := io.WriteString(to, head+"\n"); err != nil {
		return err
	}
	return repo.Pack(ctx, head, to)
}

// UnpackGroupWiki makes the wiki of a new group out of what PackGroupWiki has written, in the transaction that makes the group; false if
// that is not sound. A wiki that was written to meanwhile stays as it is. What a transaction that was broken off has left is replaced.
func (s *Sides) UnpackGroupWiki(ctx context.Context, groupID int64, from io.Reader, limit int64) (bool, error) {
	in := bufio.NewReader(from)
	line, err := in.Peek(len(git.Zero) + 1)
	if err != nil || line[len(git.Zero)] != '\n' {
		return false, nil //nolint:nilerr // too short, or no commit
	}
	head := string(line[:len(git.Zero)])
	if _, err := in.Discard(len(line)); err != nil {
		return false, err
	}
	if err := s.store.SideRepositories.MakeGroupWiki(ctx, groupID); err != nil {
		return false, err
	}
	side := Side{Kind: model.GroupWikiRepository, ID: groupID}
	place, err := s.store.SideRepositories.Place(ctx, side.Kind, side.ID)
	if err != nil || place.Head != "" {
		return true, err
	}
	repo := side.on(s.repos, place.Storage)
	if err := errors.Join(repo.Delete(), repo.CreateNew(model.SideBranch)); err != nil {
		return false, err
	}
	err = repo.Unpack(ctx, head, in, limit)
	if errors.Is(err, git.ErrUnsound) {
		return false, repo.Delete()
	}
	if err != nil {
		return false, err
	}
	if err := s.store.SideRepositories.SetHead(ctx, side.Kind, side.ID, strings.ToLower(head)); err != nil {
		return false, err
	}
	lock, err := repo.Lock(ctx)
	if err != nil {
		return false, err
	}
	defer lock.Release()
	return true, advance(ctx, lock, git.Zero, head)
}
