package member

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/events"
	"svc/store/clock"
	"svc/store/model"
)

// expireBatch is how many memberships a transaction deletes.
const expireBatch = 500

// Expire deletes expired memberships, invitations, and shares of groups and projects with groups.
func (s *Service) Expire(ctx context.Context, now time.Time) error {
	st := s.store
	members := s.expireMembers(ctx, now)
	_, invitations := st.Invitations.DeleteExpired(ctx, now.UTC())
	_, groupLinks := st.GroupLinks.DeleteExpired(ctx, now.UTC())
	_, projectLinks := st.ProjectLinks.DeleteExpired(ctx, now.UTC())
	return errors.Join(members, invitations, groupLinks, projectLinks)
}

// expireMembers deletes expired memberships and writes an event for each.
func (s *Service) expireMembers(ctx context.Context, now time.Time) error {
	for {
		ended := 0
		err := s.store.Tx(ctx, func(ctx context.Context) error {
			rows, err := s.store.Members.TakeExpired(ctx, now, expireBatch)
			if ended = len(rows); err != nil || ended == 0 {
				return err
			}
			return s.recordExpired(ctx, rows)
		})
		if err != nil || ended < expireBatch {
			return err
		}
	}
}

// recordExpired writes the events of expired memberships and announces them.
func (s *Service) recordExpired(ctx context.Context, rows []model.Member) error {
	st := s.store
	var users, groups, projects []int64
	for i := range rows {
		users = append(users, rows[i].UserID)
		if rows[i].SourceType != model.SourceProject {
			groups = append(groups, rows[i].SourceID)
			continue
		}
		projects = append(projects, rows[i].SourceID)
	}
	people, err := st.Users.ByID(ctx, users)
	if err != nil {
		return err
	}
	inGroups, err := st.Namespaces.Paths(ctx, groups)
	if err != nil {
		return err
	}
	inProjects, err := st.Projects.Paths(ctx, projects)
	if err != nil {
		return err
	}
	changes := make([]events.Change, len(rows))
	var expired []model.Event
	at := clock.Now(ctx).UTC().Truncate(time.Microsecond)
	for i, row := range rows {
		path := inGroups[row.SourceID]
		if row.SourceType == model.SourceProject {
			found := false
			if path, found = inProjects[row.SourceID]; found { // the project may be deleted
				expired = append(
					expired,
					model.Event{ProjectID: &rows[i].SourceID, AuthorID: row.UserID, Action: model.EventExpired, CreatedAt: at},
				)
			}
		}
		changes[i] = events.Change{
			Type: "member_expired", Entity: events.Source(row.SourceType, row.SourceID, path),
			Message: "Membership expired", Remove: row.AccessLevel.String(),
			Target: events.Target{Type: "User", ID: row.UserID, Details: people[row.UserID].Username}, Author: events.System,
		}
	}
	if err := events.Audit(ctx, st, changes...); err != nil {
		return err
	}
	if err := st.Events.CreateRows(ctx, expired); err != nil {
		return err
	}
	return s.announceEnded(ctx, rows, people)
}
