package member

import (
	"context"
	"time"

	"svc/server/domain/webhook/announce"
	"svc/server/platform/events"
	"svc/store"
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
	return s.hooks.Member(ctx, announce.MemberAdded, in.membership(u, row))
}

// membership returns what is sent to webhooks about a member.
func (s Source) membership(u model.User, row model.Member) announce.Membership {
	return announce.Membership{
		Project: s.Project, GroupID: s.ID, User: u, Access: row.AccessLevel, ExpiresAt: row.ExpiresAt, CreatedAt: row.CreatedAt,
		UpdatedAt: row.UpdatedAt,
	}
}

// request returns what is sent to webhooks about a user who asks for access.
func (s Source) request(u model.User, at time.Time) announce.Membership {
	return announce.Membership{Project: s.Project, GroupID: s.ID, User: u, Access: model.NoAccess, CreatedAt: at, UpdatedAt: at}
}

// announceEnded announces to webhooks that memberships have ended. The bots of access tokens are not announced.
func (s *Service) announceEnded(ctx context.Context, rows []model.Member, users map[int64]model.User) error {
	var ids []int64
	for _, row := range rows {
		if row.SourceType == model.SourceProject {
			ids = append(ids, row.SourceID)
		}
	}
	projects, err := s.store.Projects.Rows(ctx, ids, &store.Reader{Admin: true})
	if err != nil {
		return err
	}
	var ended []announce.Membership
	for _, row := range rows {
		in := Source{Type: row.SourceType, ID: row.SourceID}
		if row.SourceType == model.SourceProject {
			project, found := projects[row.SourceID]
			if !found {
				continue // the project is deleted
			}
			in.Project = &project.Project
		}
		if u, found := users[row.UserID]; found && u.Kind == model.UserHuman {
			ended = append(ended, in.membership(u, row))
		}
	}
	return s.hooks.Member(ctx, announce.MemberRemoved, ended...)
}
