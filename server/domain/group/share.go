package group

import (
	"context"
	"strconv"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// NewShare describes the share of a group with another group.
type NewShare struct {
	GroupID     int64        // the other group
	AccessLevel model.Access // the role that members of the other group get
	ExpiresAt   *time.Time
}

// Share gives the members of another group a role in a group. The caller must be able to see the other group.
func (s *Service) Share(ctx context.Context, row model.Namespace, n NewShare) error {
	other, _, err := s.access.Group(ctx, strconv.FormatInt(n.GroupID, 10), access.ReadGroup)
	if err != nil {
		return err
	}
	if other.ID == row.ID {
		return apierr.BadRequest("A group cannot be shared with itself")
	}
	if n.ExpiresAt != nil {
		if err := access.CheckExpiry(ctx, *n.ExpiresAt); err != nil {
			return err
		}
	}
	link := model.GroupLink{
		GroupID: row.ID, SharedWithGroupID: other.ID, AccessLevel: n.AccessLevel, ExpiresAt: n.ExpiresAt,
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfGroup(row, "group_share_created", "Shared group with another group")
		c.Add, c.Target = link.AccessLevel.String(), events.Target{Type: "Group", ID: link.SharedWithGroupID}
		return c, s.store.GroupLinks.Create(ctx, &link)
	})
	return explainShare(err)
}

// Unshare ends the sharing of a group with another group.
func (s *Service) Unshare(ctx context.Context, row model.Namespace, otherID int64, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfGroup(row, "group_share_deleted", "Stopped sharing group with another group")
		c.Target = events.Target{Type: "Group", ID: otherID}
		return c, s.store.GroupLinks.Delete(ctx, row.ID, otherID, unmodifiedSince)
	})
}
