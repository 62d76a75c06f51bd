package member

import (
	"context"
	"time"

	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"
)

// RequestAccess requests access to a group or project for the caller, who must not have a role there.
func (s *Service) RequestAccess(ctx context.Context, in Source) (model.AccessRequestRow, error) {
	if in.Role > model.NoAccess || !in.RequestAccessEnabled {
		return model.AccessRequestRow{}, apierr.Forbidden()
	}
	user, err := s.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return model.AccessRequestRow{}, err
	}
	row := model.AccessRequest{SourceType: in.Type, SourceID: in.ID, UserID: user.ID}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := in.change(user, "access_request_created", "Requested access")
		if err := s.store.AccessRequests.Create(ctx, &row); err != nil {
			return c, err
		}
		return c, s.hooks.Member(ctx, announce.AccessAsked, in.request(user, clock.Now(ctx)))
	})
	if isConflict(err) {
		err = apierr.Invalid("user_id", "already exists in source")
	}
	return model.AccessRequestRow{Request: row, User: user}, err
}

// Deny deletes the access request of a user, unless the request was changed after the given time.
func (s *Service) Deny(ctx context.Context, in Source, userID int64, unchangedSince *time.Time) error {
	return apierr.OrNotFound(events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.AccessRequests.Delete(ctx, in.Type, in.ID, userID, unchangedSince); err != nil {
			return events.Change{}, err
		}
		u, err := s.store.Users.Get(ctx, userID)
		if err == nil {
			err = s.hooks.Member(ctx, announce.AccessDenied, in.request(u, clock.Now(ctx)))
		}
		return in.change(u, "access_request_denied", "Denied or withdrew an access request"), err
	}))
}

// Approve makes a user who requested access a member.
func (s *Service) Approve(ctx context.Context, in Source, userID int64, role model.Access) error {
	row, err := in.NewMember(ctx, role, nil)
	if err != nil {
		return err
	}
	row.UserID = userID
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.AccessRequests.Approve(ctx, &row); err != nil {
			return err
		}
		if err := s.store.Members.CheckInherited(ctx, in.Type, in.ID, userID, role); err != nil {
			return err
		}
		return s.recordJoined(ctx, in, row)
	})
	return apierr.OrNotFound(explain(memberExists(err)))
}
