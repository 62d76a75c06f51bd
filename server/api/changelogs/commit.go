package changelogs

import (
	"context"
	"errors"
	"time"

	"svc/server/changelog"
	"svc/server/push"
	"svc/server/request"
	"svc/store/git"
	"svc/store/model"
)

const (
	maxFile = 16 << 20
	tries   = 20 // against others who push to the branch
)

// commit puts a section into the file. When somebody else has pushed meanwhile, it is done again on top of that.
func (c *Changelogs) commit(ctx context.Context, row model.ProjectRow, repo git.Repo, t target, notes string) error {
	actor := request.Of(ctx).Actor
	user, err := c.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return err
	}
	ref := "refs/heads/" + t.branch
	for range tries {
		head, err := repo.Ref(ref)
		if err != nil {
			return missingIs(err, changelog.ErrNoCommit)
		}
		change, err := changeOf(ctx, repo, head, t, notes)
		if err != nil || change == nil {
			return err
		}
		who := git.Person{Name: user.Name, Email: c.show.AuthorEmail(user), When: time.Now().UTC()}
		id, err := write(ctx, repo, head, who, t.message, *change)
		if err != nil {
			return err
		}
		err = c.pusher.Change(ctx, row, actor, git.Command{Ref: ref, Old: head, New: id})
		var refused *push.RefusedError
		if !errors.As(err, &refused) {
			return err
		}
		if err := c.mayCommit(ctx, row, t.branch); err != nil { // a rule, not a race
			return err
		}
	}
	return &changelog.Error{Reason: "The branch is changed by others all the time"}
}

// changeOf is what happens to the file, or nil when it has the version already.
func changeOf(ctx context.Context, repo git.Repo, head string, t target, notes string) (*git.Change, error) {
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
		return nil, nil //nolint:nilnil // nothing to do is no failure
	}
	return &git.Change{Action: action, Path: t.file, Content: []byte(text)}, nil
}

func write(ctx context.Context, repo git.Repo, head string, who git.Person, message string, change git.Change) (string, error) {
	parent, err := repo.Commit(ctx, head)
	if err != nil {
		return "", err
	}
	id, err := repo.WriteCommit(ctx, git.NewCommit{
		Tree: parent.Tree, Parents: []string{head}, Author: who, Committer: who, Message: message, Changes: []git.Change{change},
	})
	var wrong *git.FileError
	if errors.As(err, &wrong) {
		return "", &changelog.Error{Reason: wrong.Text}
	}
	return id, err
}
