package announce

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store/model"
)

const issueKinds = model.HookIssues | model.HookConfidentialIssues

// IssueWatch compares an issue before and after a change.
type IssueWatch struct {
	announcer *Announcer
	project   model.Project
	before    *model.IssueRow // nil if no hook wants to know
}

// WatchIssue reads an issue before a change, if a hook wants to know of it.
func (a *Announcer) WatchIssue(ctx context.Context, p model.Project, id int64) (IssueWatch, error) {
	w := IssueWatch{announcer: a, project: p}
	if a == nil {
		return w, nil
	}
	wanted, err := a.events.HooksWant(ctx, events.InProject(p), issueKinds)
	if err != nil || !wanted {
		return w, err
	}
	before, err := a.loader.Issue(ctx, id)
	w.before = &before
	return w, err
}

// Announce announces what has changed since the issue was read. timeChange is the time spent that the change has added, in
// seconds. If nothing has changed, nothing is sent.
func (w IssueWatch) Announce(ctx context.Context, userID, timeChange int64) error {
	if w.before == nil {
		return nil
	}
	a := w.announcer
	after, err := a.loader.Issue(ctx, w.before.Issue.ID)
	if err != nil {
		return err
	}
	action, changes := stateAction(w.before.Issue.State, after.Issue.State), a.to.IssueChanges(w.project, *w.before, after, timeChange)
	if action == "update" && !changes.Any() {
		return nil
	}
	return a.issue(ctx, payload.IssueInput{
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

// IssueCreated announces a new issue.
func (a *Announcer) IssueCreated(ctx context.Context, p model.Project, id, userID int64) error {
	if a == nil {
		return nil
	}
	wanted, err := a.events.HooksWant(ctx, events.InProject(p), issueKinds)
	if err != nil || !wanted {
		return err
	}
	row, err := a.loader.Issue(ctx, id)
	if err != nil {
		return err
	}
	return a.issue(ctx, payload.IssueInput{Project: p, Issue: row, Action: "open"}, userID)
}

// issue announces an issue. Only hooks for confidential issues get confidential ones.
func (a *Announcer) issue(ctx context.Context, in payload.IssueInput, userID int64) error {
	kind := model.HookIssues
	if in.Issue.Issue.Confidential {
		kind = model.HookConfidentialIssues
	}
	return a.one(ctx, in.Project, kind, func(ctx context.Context) (_ any, err error) {
		in.User, err = a.store.Users.Get(ctx, userID)
		return a.to.Issue(in), err
	})
}
