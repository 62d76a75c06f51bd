package release

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

var errProtected = apierr.Denied("Access Denied")

// Change describes what to change in a release. Fields that are nil stay as they are.
type Change struct {
	Name        *string
	Description *string
	ReleasedAt  *time.Time
	Milestones  Milestones
}

func (c Change) isEmpty() bool {
	return c.Name == nil && c.Description == nil && c.ReleasedAt == nil && !c.Milestones.given()
}

// Apply changes a release for a developer of the project, and returns it as it is then.
func (s *Service) Apply(
	ctx context.Context, row model.ProjectRow, repo git.Repo, tagName string, c Change,
) (model.ReleaseRow, error) {
	if !hasTag(repo, tagName) {
		return model.ReleaseRow{}, apierr.NotThere("Tag does not exist")
	}
	found, err := s.changeable(ctx, row, tagName, errProtected)
	if err != nil {
		return found, err
	}
	if c.isEmpty() {
		return found, apierr.Refused("params is empty")
	}
	milestones, err := s.findMilestones(ctx, row.Project, c.Milestones)
	if err != nil {
		return found, err
	}
	set := map[string]any{}
	if c.Name != nil {
		set["name"] = *c.Name
	}
	if c.Description != nil {
		set["description"] = *c.Description
	}
	if c.ReleasedAt != nil {
		set["released_at"] = c.ReleasedAt.UTC()
	}
	var replaced *[]int64
	if c.Milestones.given() {
		replaced = &milestones
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Releases.Update(ctx, found.Release.ID, set, replaced); err != nil {
			return err
		}
		if found, err = s.store.Releases.Get(ctx, row.Project.ID, tagName); err != nil {
			return err
		}
		return s.record(ctx, row.Project, found, Updated)
	})
	return found, err
}

// Delete deletes a release for a developer of the project, and returns it as it was. The tag stays. It fails if the
// release was changed after unmodifiedSince.
func (s *Service) Delete(
	ctx context.Context, row model.ProjectRow, tagName string, unmodifiedSince *time.Time,
) (model.ReleaseRow, error) {
	found, err := s.changeable(ctx, row, tagName, errProtected)
	if err != nil {
		return found, err
	}
	return found, s.delete(ctx, row.Project, found, unmodifiedSince)
}

// delete removes a release and records it.
func (s *Service) delete(ctx context.Context, p model.Project, found model.ReleaseRow, unmodifiedSince *time.Time) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Releases.Delete(ctx, found.Release.ID, unmodifiedSince); err != nil {
			return err
		}
		return s.record(ctx, p, found, Deleted)
	})
}
