package member

import (
	"context"
	"time"

	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/model"
)

// Change describes what to change in a membership.
type Change struct {
	Role      model.Access
	SetExpiry bool       // false leaves the expiry date as it is
	Expires   *time.Time // nil means no expiry
	SetRole   bool       // false leaves the custom role as it is, unless the usual role changes
	RoleID    *int64     // the custom role; nil means none
}

// Update changes the role or the expiry date of a member.
func (s *Service) Update(ctx context.Context, in Source, userID int64, c Change) error {
	if err := in.checkGrant(c.Role); err != nil {
		return err
	}
	if err := in.checkTarget(userID); err != nil {
		return err
	}
	set := map[string]any{"access_level": c.Role}
	if c.SetExpiry {
		if err := checkExpiry(ctx, c.Expires); err != nil {
			return err
		}
		set["expires_at"] = c.Expires
	}
	if c.RoleID != nil {
		if err := s.CheckRole(ctx, in, *c.RoleID, c.Role); err != nil {
			return err
		}
	}
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		before, err := s.store.Members.Get(ctx, in.Filter(false), userID)
		if err != nil {
			return err
		}
		if c.SetRole || before.Member.AccessLevel != c.Role {
			set["member_role_id"] = c.RoleID
		}
		if err := s.store.Members.Update(ctx, in.Type, in.ID, userID, in.Role, set); err != nil {
			return err
		}
		if err := s.store.Members.CheckInherited(ctx, in.Type, in.ID, userID, c.Role); err != nil {
			return err
		}
		change := in.change(before.User, "member_updated", "Changed the role of a member")
		change.Field, change.From, change.To = "access_level", before.Member.AccessLevel.String(), c.Role.String()
		if err := s.record(ctx, in, userID, change, ""); err != nil {
			return err
		}
		after := before.Member
		after.AccessLevel, after.UpdatedAt = c.Role, clock.Now(ctx)
		if c.SetExpiry {
			after.ExpiresAt = c.Expires
		}
		return s.hooks.Member(ctx, announce.MemberUpdated, in.membership(before.User, after))
	})
	return apierr.OrNotFound(explain(err))
}

// Removal describes which membership ends.
type Removal struct {
	UserID         int64
	Own            bool       // the user leaves: the role of the caller does not matter
	Below          bool       // also end the memberships in the subgroups and projects of the group
	UnchangedSince *time.Time // nil, or the time after which a change of the membership prevents the removal
}

// Remove ends a membership.
func (s *Service) Remove(ctx context.Context, in Source, r Removal) error {
	if err := in.checkTarget(r.UserID); err != nil {
		return err
	}
	most := in.Role
	if r.Own {
		most = model.Owner
	}
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		before, err := s.store.Members.Get(ctx, in.Filter(false), r.UserID)
		if err != nil {
			return err
		}
		if err := s.store.Members.Remove(ctx, in.Type, in.ID, r.UserID, most, r.UnchangedSince); err != nil {
			return err
		}
		c := in.change(before.User, "member_destroyed", "Removed member")
		if c.Remove = before.Member.AccessLevel.String(); r.Below {
			c.Message += " from the group and its subgroups and projects"
		}
		if err := s.record(ctx, in, r.UserID, c, model.EventLeft); err != nil {
			return err
		}
		err = s.hooks.Member(ctx, announce.MemberRemoved, in.membership(before.User, before.Member))
		if err != nil || !r.Below {
			return err
		}
		return s.leaveBelow(ctx, in, before.User)
	})
	return apierr.OrNotFound(explain(err))
}

// leaveBelow removes a user from all subgroups and projects below a group. Each of these projects gets an activity
// event.
func (s *Service) leaveBelow(ctx context.Context, in Source, user model.User) error {
	ended, err := s.store.Members.RemoveFromDescendants(ctx, in.ID, user.ID)
	if err != nil {
		return err
	}
	var left []int64
	for _, row := range ended {
		if row.SourceType == model.SourceProject {
			left = append(left, row.SourceID)
		}
	}
	if err := s.store.Events.CreateAll(ctx, left, model.Event{AuthorID: user.ID, Action: model.EventLeft}); err != nil {
		return err
	}
	return s.announceEnded(ctx, ended, map[int64]model.User{user.ID: user})
}
