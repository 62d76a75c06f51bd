package release

import (
	"context"

	"svc/openapi/wire"
	"svc/server/platform/events"
	"svc/store/model"
)

// Action is what was done with a release, in the words of webhooks.
type Action string

// The actions.
const (
	Created Action = "create"
	Updated Action = "update"
	Deleted Action = "delete"
)

var sentences = map[Action]string{
	Created: "Created a release", Updated: "Changed a release", Deleted: "Deleted a release",
}

// record records a change of a release in the transaction of the change. It is the one place for everything that
// follows from a change: the audit event, the event for webhooks, and the mails. A deleted release is given as it was.
func (s *Service) record(ctx context.Context, p model.Project, r model.ReleaseRow, action Action) error {
	if err := s.hooks.Release(ctx, p, r, string(action)); err != nil {
		return err
	}
	if action == Created {
		if err := s.events.Notify(ctx, events.Notification{
			Event: events.NewRelease, ProjectID: p.ID, AuthorID: wire.Value(r.Release.AuthorID), TargetType: events.OnRelease,
			TargetID: r.Release.ID,
		}); err != nil {
			return err
		}
	}
	return events.Audit(ctx, s.store, events.Change{
		Type: "release_" + string(action) + "d", Entity: events.Project(p), Message: sentences[action],
		Target: events.Target{Type: "Release", ID: r.Release.ID, Details: r.Release.Tag},
	})
}
