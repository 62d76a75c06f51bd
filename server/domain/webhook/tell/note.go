package tell

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

// Note tells hooks of a new or changed comment. Only hooks for confidential comments get internal ones, and
// those on confidential issues.
func (t *Teller) Note(ctx context.Context, p model.Project, n model.Note, userID int64, action string) error {
	if t == nil || n.System {
		return nil
	}
	wanted, err := t.events.HooksWant(ctx, events.InProject(p), model.HookNotes|model.HookConfidentialNotes)
	if err != nil || !wanted {
		return err
	}
	in := payload.NoteInput{Project: p, Note: n, Action: action}
	if in.Target, err = t.loader.NoteTarget(ctx, p, n); err != nil {
		return err
	}
	kind := model.HookNotes
	if in.Confidential() {
		kind = model.HookConfidentialNotes
	}
	return t.one(ctx, p, kind, func(ctx context.Context) (_ any, err error) {
		in.User, err = t.store.Users.Get(ctx, userID)
		return t.to.Note(in), err
	})
}
