package member

import (
	"context"
	"time"

	"svc/server/domain/webhook/tell"
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
	if err := s.record(ctx, in, u.ID, c, model.EventJoined); err != nil {
		return err
	}
	return s.hooks.Member(ctx, tell.MemberAdded, in.membership(u, row))
}

// membership returns what is sent to webhooks about a member.
func (s Source) membership(u model.User, row model.Member) tell.Membership {
	return tell.Membership{
		Project: s.Project, GroupID: s.ID, User: u, Access: row.AccessLevel, ExpiresAt: row.ExpiresAt, CreatedAt: row.CreatedAt,
		UpdatedAt: row.UpdatedAt,
	}
}

// request returns what is sent to webhooks about a user who asks for access.
func (s Source) request(u model.User, at time.Time) tell.Membership {
	return tell.Membership{Project: s.Project, GroupID: s.ID, User: u, Access: model.NoAccess, CreatedAt: at, UpdatedAt: at}
}
