package tell

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
)

// MergeRequestWatch compares a merge request before and after a change.
type MergeRequestWatch struct {
	teller *Teller
	before *payload.MergeRequestState // nil if no hook wants to know
}

// WatchMergeRequest reads a merge request before a change, if a hook wants to know of it.
func (t *Teller) WatchMergeRequest(ctx context.Context, p model.Project, id int64) (MergeRequestWatch, error) {
	w := MergeRequestWatch{teller: t}
	if t == nil {
		return w, nil
	}
	wanted, err := t.events.HooksWant(ctx, events.InProject(p), model.HookMergeRequests)
	if err != nil || !wanted {
		return w, err
	}
	m, err := t.store.MergeRequests.Find(ctx, id)
	if err != nil {
		return w, err
	}
	before, err := t.loader.MergeRequest(ctx, m.ProjectID, m.IID)
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

// Tell tells hooks what has changed since the merge request was read. If nothing has changed, nothing is sent.
func (w MergeRequestWatch) Tell(ctx context.Context, c MergeRequestChange) error {
	if w.before == nil {
		return nil
	}
	t, old := w.teller, w.before.Row.MergeRequest
	after, err := t.loader.MergeRequest(ctx, old.ProjectID, old.IID)
	if err != nil {
		return err
	}
	in := payload.MergeRequestInput{
		MergeRequestState: after, Action: c.Action, OldRev: c.OldRev, TimeChange: c.TimeChange,
		Changes: t.to.MergeRequestChanges(*w.before, after, c.TimeChange),
	}
	if in.Action == "" {
		in.Action = stateAction(old.State, after.Row.MergeRequest.State)
	}
	if in.Action == "update" && in.OldRev == "" && !in.Changes.Any() {
		return nil
	}
	return t.mergeRequest(ctx, in, c.UserID)
}

// MergeRequestCreated tells hooks of a new merge request.
func (t *Teller) MergeRequestCreated(ctx context.Context, p model.Project, m model.MergeRequest) error {
	if t == nil {
		return nil
	}
	wanted, err := t.events.HooksWant(ctx, events.InProject(p), model.HookMergeRequests)
	if err != nil || !wanted {
		return err
	}
	state, err := t.loader.MergeRequest(ctx, m.ProjectID, m.IID)
	if err != nil {
		return err
	}
	return t.mergeRequest(ctx, payload.MergeRequestInput{MergeRequestState: state, Action: MergeRequestOpened}, m.AuthorID)
}

func (t *Teller) mergeRequest(ctx context.Context, in payload.MergeRequestInput, userID int64) error {
	return t.one(ctx, *in.Row.Project, model.HookMergeRequests, func(ctx context.Context) (_ any, err error) {
		in.User, err = t.store.Users.Get(ctx, userID)
		return t.to.MergeRequest(in), err
	})
}
