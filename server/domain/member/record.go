package member

import (
	"context"

	"svc/server/platform/events"
	"svc/store/model"
)

// change describes a change of a membership for the audit events.
func (s Source) change(u model.User, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Source(s.Type, s.ID, s.Path),
		Target:  events.Target{Type: "User", ID: u.ID, Details: u.Username},
		Message: message,
	}
}

// invitationChange describes a change of an invitation for the audit events.
func (s Source) invitationChange(address, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Source(s.Type, s.ID, s.Path),
		Target:  events.Target{Type: "Invitation", ID: address, Details: address},
		Message: message,
	}
}

// record records a change of a membership as an audit event. In a project it also records an activity event of the
// member, unless action is empty.
func (s *Service) record(ctx context.Context, in Source, userID int64, c events.Change, action string) error {
	if err := events.Audit(ctx, s.store, c); err != nil || in.Project == nil || action == "" {
		return err
	}
	return s.store.Events.Create(ctx, *in.Project, &model.Event{AuthorID: userID, Action: action})
}

// recordJoined records that a user became a member.
func (s *Service) recordJoined(ctx context.Context, in Source, row model.Member) error {
	u, err := s.store.Users.Get(ctx, row.UserID)
	if err != nil {
		return err
	}
	c := in.change(u, "member_created", "Added member")
	c.Add = row.AccessLevel.String()
	return s.record(ctx, in, u.ID, c, model.EventJoined)
}
