package release

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/repository/tag"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// Draft describes a new release.
type Draft struct {
	Tag         string
	Name        *string
	Description *string
	Ref         string // what a new tag points to
	TagMessage  string // of a new annotated tag
	ReleasedAt  *time.Time
	Milestones  Milestones
	Links       []Link
}

var errExists = apierr.Conflict("Release already exists")

// Create creates a release for a developer of the project. If the tag does not exist, it is created first, as by a
// push. A server that is killed between the two leaves a tag without a release; the same request then creates it.
func (s *Service) Create(ctx context.Context, row model.ProjectRow, repo git.Repo, d Draft) (model.ReleaseRow, error) {
	may, err := s.MayChange(ctx, row, d.Tag)
	if err != nil {
		return model.ReleaseRow{}, err
	}
	if !may {
		return model.ReleaseRow{}, apierr.Denied("You are not allowed to create this tag as it is protected.")
	}
	_, err = s.store.Releases.Get(ctx, row.Project.ID, d.Tag)
	switch {
	case err == nil:
		return model.ReleaseRow{}, errExists
	case !store.IsNotFound(err):
		return model.ReleaseRow{}, err
	}
	milestones, err := s.findMilestones(ctx, row.Project, d.Milestones)
	if err != nil {
		return model.ReleaseRow{}, err
	}
	links, err := newLinks(d.Links)
	if err != nil {
		return model.ReleaseRow{}, err
	}
	tagged, err := s.findOrCreateTag(ctx, row, repo, d)
	if err != nil {
		return model.ReleaseRow{}, err
	}
	return s.insert(ctx, row, d, tagged, links, milestones)
}

// findOrCreateTag returns the tag of a new release.
func (s *Service) findOrCreateTag(ctx context.Context, row model.ProjectRow, repo git.Repo, d Draft) (git.Tag, error) {
	switch {
	case hasTag(repo, d.Tag):
		return tag.Find(ctx, repo, d.Tag)
	case d.Ref == "":
		return git.Tag{}, apierr.Unprocessable("Ref is not specified")
	}
	return s.tags.Create(ctx, row, repo, tag.Draft{Name: d.Tag, Ref: d.Ref, Message: d.TagMessage})
}

// insert writes a release and its records in one transaction.
func (s *Service) insert(
	ctx context.Context, row model.ProjectRow, d Draft, tagged git.Tag, links []model.ReleaseLink, milestones []int64,
) (model.ReleaseRow, error) {
	now := clock.Now(ctx).UTC().Truncate(time.Microsecond)
	made := model.Release{
		ProjectID: row.Project.ID, Tag: d.Tag, SHA: tagged.Commit, Name: d.Name, Description: d.Description,
		AuthorID: &reqctx.Of(ctx).Actor.User.ID, ReleasedAt: now, CreatedAt: now, UpdatedAt: now,
	}
	if d.ReleasedAt != nil {
		made.ReleasedAt = d.ReleasedAt.UTC()
	}
	var shown model.ReleaseRow
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		err := s.store.Releases.Create(ctx, &made, links, milestones)
		var taken *store.ConflictError
		if errors.As(err, &taken) {
			return errExists // newLinks has compared the links, so another request has created the release meanwhile
		}
		if err != nil {
			return err
		}
		if shown, err = s.store.Releases.Get(ctx, row.Project.ID, d.Tag); err != nil {
			return err
		}
		return s.record(ctx, row.Project, shown, Created)
	})
	return shown, err
}
