package announce

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store/model"
)

// Actions of comments.
const (
	NoteCreated = "create"
	NoteUpdated = "update"
)

// Note announces a new or changed comment. Only hooks for confidential comments get internal ones, and
// those on confidential issues.
func (a *Announcer) Note(ctx context.Context, p model.Project, n model.Note, userID int64, action string) error {
	if a == nil || n.System {
		return nil
	}
	wanted, err := a.events.HooksWant(ctx, events.InProject(p), model.HookNotes|model.HookConfidentialNotes)
	if err != nil || !wanted {
		return err
	}
	in := payload.NoteInput{Project: p, Note: n, Action: action}
	if in.Target, err = a.loader.NoteTarget(ctx, p, n); err != nil {
		return err
	}
	kind := model.HookNotes
	if in.Confidential() {
		kind = model.HookConfidentialNotes
	}
	return a.one(ctx, p, kind, func(ctx context.Context) (_ any, err error) {
		in.User, err = a.store.Users.Get(ctx, userID)
		return a.to.Note(in), err
	})
}
