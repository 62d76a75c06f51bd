package announce

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store/model"
)

// Actions of merge requests that do not follow from a comparison.
const (
	MergeRequestOpened     = "open"
	MergeRequestMerged     = "merge"
	MergeRequestApproved   = "approved"
	MergeRequestUnapproved = "unapproved"
	MergeRequestApproval   = "approval"   // one of several that are required
	MergeRequestUnapproval = "unapproval" // the merge request was not approved before
)

// MergeRequestWatch compares a merge request before and after a change.
type MergeRequestWatch struct {
	announcer *Announcer
	before    *payload.MergeRequestState // nil if no hook wants to know
}

// WatchMergeRequest reads a merge request before a change, if a hook wants to know of it.
func (a *Announcer) WatchMergeRequest(ctx context.Context, p model.Project, id int64) (MergeRequestWatch, error) {
	w := MergeRequestWatch{announcer: a}
	if a == nil {
		return w, nil
	}
	wanted, err := a.events.HooksWant(ctx, events.InProject(p), model.HookMergeRequests)
	if err != nil || !wanted {
		return w, err
	}
	m, err := a.store.MergeRequests.Find(ctx, id)
	if err != nil {
		return w, err
	}
	before, err := a.loader.MergeRequest(ctx, m.ProjectID, m.IID)
	w.before = &before
	return w, err
}

// MergeRequestChange says what the comparison of a merge request cannot show.
type MergeRequestChange struct {
	UserID     int64
	Action     string // of the change; found by comparison if empty
	OldRev     string // the former head, if new commits caused the change
	TimeChange int64  // time spent that the change has added, in seconds
}

// Announce announces what has changed since the merge request was read. If nothing has changed, nothing is sent.
func (w MergeRequestWatch) Announce(ctx context.Context, c MergeRequestChange) error {
	if w.before == nil {
		return nil
	}
	a, old := w.announcer, w.before.Row.MergeRequest
	after, err := a.loader.MergeRequest(ctx, old.ProjectID, old.IID)
	if err != nil {
		return err
	}
	in := payload.MergeRequestInput{
		MergeRequestState: after, Action: c.Action, OldRev: c.OldRev, TimeChange: c.TimeChange,
		Changes: a.to.MergeRequestChanges(*w.before, after, c.TimeChange),
	}
	if in.Action == "" {
		in.Action = stateAction(old.State, after.Row.MergeRequest.State)
	}
	if in.Action == "update" && in.OldRev == "" && !in.Changes.Any() {
		return nil
	}
	return a.mergeRequest(ctx, in, c.UserID)
}

// MergeRequestCreated announces a new merge request.
func (a *Announcer) MergeRequestCreated(ctx context.Context, p model.Project, m model.MergeRequest) error {
	if a == nil {
		return nil
	}
	wanted, err := a.events.HooksWant(ctx, events.InProject(p), model.HookMergeRequests)
	if err != nil || !wanted {
		return err
	}
	state, err := a.loader.MergeRequest(ctx, m.ProjectID, m.IID)
	if err != nil {
		return err
	}
	return a.mergeRequest(ctx, payload.MergeRequestInput{MergeRequestState: state, Action: MergeRequestOpened}, m.AuthorID)
}

// MergeRequestBody returns the body that webhooks get about a merge request, for external status checks.
func (a *Announcer) MergeRequestBody(ctx context.Context, m model.MergeRequest, userID int64) (payload.MergeRequest, error) {
	state, err := a.loader.MergeRequest(ctx, m.ProjectID, m.IID)
	if err != nil {
		return payload.MergeRequest{}, err
	}
	in := payload.MergeRequestInput{MergeRequestState: state, Action: "update"}
	in.User, err = a.store.Users.Get(ctx, userID)
	return a.to.MergeRequest(in), err
}

func (a *Announcer) mergeRequest(ctx context.Context, in payload.MergeRequestInput, userID int64) error {
	return a.one(ctx, *in.Row.Project, model.HookMergeRequests, func(ctx context.Context) (_ any, err error) {
		in.User, err = a.store.Users.Get(ctx, userID)
		return a.to.MergeRequest(in), err
	})
}
