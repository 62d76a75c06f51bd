package tell

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store/model"
)

const issueKinds = model.HookIssues | model.HookConfidentialIssues

// IssueWatch compares an issue before and after a change.
type IssueWatch struct {
	teller  *Teller
	project model.Project
	before  *model.IssueRow // nil if no hook wants to know
}

// WatchIssue reads an issue before a change, if a hook wants to know of it.
func (t *Teller) WatchIssue(ctx context.Context, p model.Project, id int64) (IssueWatch, error) {
	w := IssueWatch{teller: t, project: p}
	if t == nil {
		return w, nil
	}
	wanted, err := t.events.HooksWant(ctx, events.InProject(p), issueKinds)
	if err != nil || !wanted {
		return w, err
	}
	before, err := t.loader.Issue(ctx, id)
	w.before = &before
	return w, err
}

// Tell tells hooks what has changed since the issue was read. timeChange is the time spent that the change has added, in
// seconds. If nothing has changed, nothing is sent.
func (w IssueWatch) Tell(ctx context.Context, userID, timeChange int64) error {
	if w.before == nil {
		return nil
	}
	t := w.teller
	after, err := t.loader.Issue(ctx, w.before.Issue.ID)
	if err != nil {
		return err
	}
	action, changes := stateAction(w.before.Issue.State, after.Issue.State), t.to.IssueChanges(w.project, *w.before, after, timeChange)
	if action == "update" && !changes.Any() {
		return nil
	}
	return t.issue(ctx, payload.IssueInput{
		Project: w.project, Issue: after, Action: action, TimeChange: timeChange, Changes: changes,
	}, userID)
}

// stateAction returns the action of a change: it closes or reopens, or else only updates.
func stateAction(before, after string) string {
	switch {
	case before == after:
		return "update"
	case after == model.Closed:
		return "close"
	case after == model.Opened:
		return "reopen"
	}
	return "update"
}

// IssueCreated tells hooks of a new issue.
func (t *Teller) IssueCreated(ctx context.Context, p model.Project, id, userID int64) error {
	if t == nil {
		return nil
	}
	wanted, err := t.events.HooksWant(ctx, events.InProject(p), issueKinds)
	if err != nil || !wanted {
		return err
	}
	row, err := t.loader.Issue(ctx, id)
	if err != nil {
		return err
	}
	return t.issue(ctx, payload.IssueInput{Project: p, Issue: row, Action: "open"}, userID)
}

// issue tells hooks of an issue. Only hooks for confidential issues get confidential ones.
func (t *Teller) issue(ctx context.Context, in payload.IssueInput, userID int64) error {
	kind := model.HookIssues
	if in.Issue.Issue.Confidential {
		kind = model.HookConfidentialIssues
	}
	return t.one(ctx, in.Project, kind, func(ctx context.Context) (_ any, err error) {
		in.User, err = t.store.Users.Get(ctx, userID)
		return t.to.Issue(in), err
	})
}
