package project

import (
	"context"
	"strconv"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// NewShare describes the share of a project with a group.
type NewShare struct {
	GroupID     int64
	AccessLevel model.Access // the role that members of the group get
	ExpiresAt   *time.Time
}

// Share gives the members of a group a role in a project. The caller must see the group, and cannot give a higher role
// than their own.
func (s *Service) Share(ctx context.Context, row model.ProjectRow, n NewShare) (model.ProjectLink, error) {
	link := model.ProjectLink{ProjectID: row.Project.ID, AccessLevel: n.AccessLevel, ExpiresAt: n.ExpiresAt}
	group, _, err := s.access.Group(ctx, strconv.FormatInt(n.GroupID, 10), access.ReadGroup)
	if err != nil {
		return link, err
	}
	if link.AccessLevel > row.Role() {
		return link, apierr.Forbidden()
	}
	link.GroupID = group.ID
	if link.ExpiresAt != nil {
		if err := access.CheckExpiry(ctx, *link.ExpiresAt); err != nil {
			return link, err
		}
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "project_group_link_created", "Shared project with a group")
		c.Add, c.Target = link.AccessLevel.String(), events.Target{Type: "Group", ID: link.GroupID}
		return c, s.store.ProjectLinks.Create(ctx, &link)
	})
	return link, explainShare(err)
}

// Unshare stops sharing a project with a group. The caller cannot remove a higher role than their own.
func (s *Service) Unshare(ctx context.Context, row model.ProjectRow, groupID int64, unmodifiedSince *time.Time) error {
	link, err := s.store.ProjectLinks.Get(ctx, row.Project.ID, groupID)
	if err != nil {
		return err
	}
	if link.AccessLevel > row.Role() {
		return apierr.Forbidden()
	}
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "project_group_link_deleted", "Stopped sharing project with a group")
		c.Remove, c.Target = link.AccessLevel.String(), events.Target{Type: "Group", ID: link.GroupID}
		return c, s.store.ProjectLinks.Delete(ctx, link, unmodifiedSince)
	})
}
