package push

import (
	"context"

	"svc/server/domain/repository/pushrule"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

// exempt is the key of contexts whose commits are not checked by push rules.
type exempt struct{}

// WithoutPushRules returns a context for commits that the service makes on its own, such as the first one of a project.
// The push rule of the project does not check them.
func WithoutPushRules(ctx context.Context) context.Context {
	return context.WithValue(ctx, exempt{}, true)
}

// checkPushRule refuses a whole push if one of its changes violates the push rule of the project.
func (p *Pusher) checkPushRule(
	ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, asked *git.Push, kept *git.Quarantine,
) error {
	rule, err := pushrule.Load(ctx, p.store, row.Project, actor.User.ID, false)
	if err != nil || rule == nil {
		return err
	}
	why, err := violation(ctx, rule, asked, kept)
	if why != "" {
		asked.RefuseAll(why)
	}
	return err
}

// violation returns why a push violates a push rule, or "".
func violation(ctx context.Context, rule *pushrule.Rule, asked *git.Push, in pushrule.Commits) (string, error) {
	var branches, tags []string
	for _, c := range asked.Commands {
		branch, isBranch := branchOf(c.Ref)
		_, isTag := tagOf(c.Ref)
		switch {
		case c.Refused != "":
		case isTag && c.New == git.Zero:
			if why := rule.DeletesTag(); why != "" {
				return why, nil
			}
		case c.New == git.Zero:
		case isBranch:
			if why := rule.Branch(branch); why != "" {
				return why, nil
			}
			branches = append(branches, c.New)
		case isTag:
			tags = append(tags, c.New)
		}
	}
	if why, err := rule.Commits(ctx, in, branches, false); err != nil || why != "" || len(tags) == 0 {
		return why, err
	}
	for _, id := range branches {
		tags = append(tags, "^"+id) // checked already
	}
	return rule.Commits(ctx, in, tags, true)
}

// checkChange returns a *RefusedError if a change that the service makes for a user violates the push rule of the project.
// The API can delete tags whatever the rule says.
func (p *Pusher) checkChange(ctx context.Context, row model.ProjectRow, userID int64, c git.Command, in pushrule.Commits) error {
	branch, isBranch := branchOf(c.Ref)
	if c.New == git.Zero || ctx.Value(exempt{}) != nil {
		return nil
	}
	rule, err := pushrule.Load(ctx, p.store, row.Project, userID, true)
	if err != nil || rule == nil {
		return err
	}
	why := ""
	if isBranch {
		why = rule.Branch(branch)
	}
	if why == "" {
		why, err = rule.Commits(ctx, in, []string{c.New}, !isBranch)
	}
	return ruleError(why, err)
}

// checkMerge returns a *RefusedError if the message of a commit that a merge makes violates the push rule of the project.
func (p *Pusher) checkMerge(ctx context.Context, row model.ProjectRow, userID int64, c git.Command, in pushrule.Commits) error {
	rule, err := pushrule.Load(ctx, p.store, row.Project, userID, true)
	if err != nil || rule == nil {
		return err
	}
	why, err := rule.Messages(ctx, in, []string{c.New})
	return ruleError(why, err)
}

func ruleError(why string, err error) error {
	if err == nil && why != "" {
		return &RefusedError{Why: why, Rule: true}
	}
	return err
}
