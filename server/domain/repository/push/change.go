package push

import (
	"context"
	"errors"

	"svc/server/domain/repository/pushrule"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

// RefusedError means that a ref was not changed. Why is the sentence for the caller.
type RefusedError struct {
	Why  string
	Rule bool // the push rule of the project forbids it, not the caller's role
}

func (e *RefusedError) Error() string { return e.Why }

// Explain turns a *RefusedError into an API error: a 403 if a protection forbids the change, a 400 if the push rule does,
// or moved if the ref has moved since the caller read it. It returns other errors unchanged.
func Explain(err, moved error) error {
	var why *RefusedError
	switch {
	case !errors.As(err, &why):
		return err
	case why.Why == git.NotUpdated:
		return moved
	case why.Rule:
		return apierr.Refused(why.Why)
	}
	return apierr.Forbidden(why.Why)
}

// Change changes one ref for a caller who may push to the project, by the same rules and with the same event as a push.
// The API uses it for commits, branches and tags. It returns a *RefusedError if a rule forbids the change, or if the
// ref has moved since the caller read it. options are push options.
func (p *Pusher) Change(ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, c git.Command, options ...string) error {
	repo, err := p.Repo(row.Project)
	if err != nil {
		return err
	}
	asked := &git.Push{Commands: []git.Command{c}, Options: options}
	rules, err := p.rules(ctx, row)
	if err != nil {
		return err
	}
	if err := rules.check(ctx, asked, repo); err != nil {
		return err
	}
	return p.applyOne(ctx, row, actor, repo, asked, p.checkChange)
}

// checkFunc applies the push rule of a project to the change of a ref.
type checkFunc func(ctx context.Context, row model.ProjectRow, userID int64, c git.Command, in pushrule.Commits) error

// applyOne changes one ref, unless a locked file, the push rule or an earlier check refuses it.
func (p *Pusher) applyOne(
	ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, repo git.Repo, asked *git.Push, check checkFunc,
) error {
	if err := p.checkLocks(ctx, row, actor, asked, repo); err != nil {
		return err
	}
	if asked.Commands[0].Refused == "" {
		if err := check(ctx, row, actor.User.ID, asked.Commands[0], repo); err != nil {
			return err
		}
		if err := p.Apply(ctx, row, actor, repo, asked); err != nil {
			return err
		}
	}
	if why := asked.Commands[0].Refused; why != "" {
		return &RefusedError{Why: why}
	}
	return nil
}

// DeleteEach deletes refs for a caller who may push to the project, by the same rules as a push and in one update of
// refs. Each ref gets an event of its own, as if it had been deleted alone; one transaction writes all events. Refs
// that a rule protects, and refs that have moved since the caller read them, stay. DeleteEach returns a *RefusedError
// if nothing can be deleted now but may be later.
func (p *Pusher) DeleteEach(ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, refs []git.Ref) error {
	repo, err := p.Repo(row.Project)
	if err != nil {
		return err
	}
	asked := &git.Push{}
	for _, ref := range refs {
		asked.Commands = append(asked.Commands, git.Command{Ref: ref.Name, Old: ref.ID, New: git.Zero})
	}
	rules, err := p.rules(ctx, row)
	if err != nil {
		return err
	}
	if err := rules.check(ctx, asked, repo); err != nil {
		return err
	}
	if err := p.apply(ctx, row, actor, repo, asked, eachPrefix); err != nil {
		return err
	}
	for _, c := range asked.Commands {
		if c.Refused == Busy || c.Refused == ReadOnly || c.Refused == git.NotUpdated {
			return &RefusedError{Why: c.Refused}
		}
	}
	return nil
}

// MayPush reports whether the caller may push to a branch: by the role, or because a merge request opens it.
func (p *Pusher) MayPush(ctx context.Context, row model.ProjectRow, branch string) (bool, error) {
	rules, err := p.rulesWithCollaboration(ctx, row)
	if err != nil {
		return false, err
	}
	protected, least, _ := rules.protects(branch)
	if !protected {
		return row.Role() >= model.Developer || rules.collaboration[branch], nil
	}
	return row.Role() >= least, nil
}

// MayRun reports whether the caller's role allows running CI jobs on a ref.
func (p *Pusher) MayRun(ctx context.Context, row model.ProjectRow, ref string, tag bool) (bool, error) {
	_, may, err := p.RefAccess(ctx, row, ref, tag)
	return may, err
}

// RefAccess reports whether a ref is protected, and whether the caller's role allows running CI jobs on it. Developers may.
// On a protected branch, users who may push or merge may; on a protected tag, users who may create it.
func (p *Pusher) RefAccess(ctx context.Context, row model.ProjectRow, ref string, tag bool) (protected, may bool, err error) {
	rules, err := p.rules(ctx, row)
	if err != nil {
		return false, false, err
	}
	protected, least := rules.runs(ref, tag)
	if !protected {
		least = model.Developer
	}
	return protected, row.Role() >= least, nil
}
