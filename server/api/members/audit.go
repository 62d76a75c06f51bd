package members

import (
	"context"

	"svc/server/platform/events"
	"svc/store/model"
)

// change describes a change of a membership for the audit events.
func (s source) change(u model.User, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Source(s.kind, s.id, s.path),
		Target:  events.Target{Type: "User", ID: u.ID, Details: u.Username},
		Message: message,
	}
}

// invitation describes a change of an invitation for the audit events.
func (s source) invitation(address, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Source(s.kind, s.id, s.path),
		Target:  events.Target{Type: "Invitation", ID: address, Details: address},
		Message: message,
	}
}

// recordChange records a change of a membership as an audit event. In a project it also records an activity event of the
// member.
func (m *Members) recordChange(ctx context.Context, in source, userID int64, c events.Change, action string) error {
	if err := events.Audit(ctx, m.store, c); err != nil || in.project == nil || action == "" {
		return err
	}
	return m.store.Events.Create(ctx, *in.project, &model.Event{AuthorID: userID, Action: action})
}

// recordJoined records that a user became a member.
func (m *Members) recordJoined(ctx context.Context, in source, row model.Member) error {
	u, err := m.store.Users.Get(ctx, row.UserID)
	if err != nil {
		return err
	}
	c := in.change(u, "member_created", "Added member")
	c.Add = row.AccessLevel.String()
	return m.recordChange(ctx, in, u.ID, c, model.EventJoined)
}

// leaveBelow removes a user from all subgroups and projects below a group. Each of these projects gets an activity
// event.
func (m *Members) leaveBelow(ctx context.Context, in source, userID int64) error {
	left, err := m.store.Members.RemoveFromDescendants(ctx, in.id, userID)
	if err != nil {
		return err
	}
	return m.store.Events.CreateAll(ctx, left, model.Event{AuthorID: userID, Action: model.EventLeft})
}
