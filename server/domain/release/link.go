package release

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Link describes a new link of a release.
type Link struct {
	Name     string
	URL      string
	FilePath *string
	LinkType string // empty: other
}

// LinkChange describes what to change in a link. Fields that are nil stay as they are.
type LinkChange struct {
	Name     *string
	URL      *string
	FilePath *string
	LinkType string // empty: other, because clients expect that
}

// AddLink adds a link to the release of a tag, for a developer of the project.
func (s *Service) AddLink(ctx context.Context, row model.ProjectRow, tagName string, l Link) (model.ReleaseLink, error) {
	found, err := s.changeable(ctx, row, tagName, apierr.Forbidden())
	if err != nil {
		return model.ReleaseLink{}, err
	}
	made := l.row()
	if err := errors.Join(checkLink(made), checkNew(made, found.Links)); err != nil {
		return made, err
	}
	made.ReleaseID = found.Release.ID
	return made, s.changeLinks(ctx, row.Project, tagName, func(ctx context.Context) error {
		return s.store.Releases.CreateLink(ctx, &made)
	})
}

// ChangeLink changes a link of the release of a tag, for a developer of the project.
func (s *Service) ChangeLink(
	ctx context.Context, row model.ProjectRow, tagName string, id int64, c LinkChange,
) (model.ReleaseLink, error) {
	found, link, err := s.changeableLink(ctx, row, tagName, id)
	if err != nil {
		return link, err
	}
	if c.Name != nil {
		link.Name = *c.Name
	}
	if c.URL != nil {
		link.URL = *c.URL
	}
	if c.FilePath != nil {
		link.FilePath = c.FilePath
	}
	link.LinkType = orOther(c.LinkType)
	if err := errors.Join(checkLink(link), checkNew(link, found.Links)); err != nil {
		return link, err
	}
	return link, s.changeLinks(ctx, row.Project, tagName, func(ctx context.Context) error {
		return s.store.Releases.UpdateLink(ctx, &link)
	})
}

// DeleteLink deletes a link of the release of a tag, for a developer of the project, and returns it as it was. It fails
// if the link was changed after unmodifiedSince.
func (s *Service) DeleteLink(
	ctx context.Context, row model.ProjectRow, tagName string, id int64, unmodifiedSince *time.Time,
) (model.ReleaseLink, error) {
	_, link, err := s.changeableLink(ctx, row, tagName, id)
	if err != nil {
		return link, err
	}
	return link, s.changeLinks(ctx, row.Project, tagName, func(ctx context.Context) error {
		return s.store.Releases.DeleteLink(ctx, id, unmodifiedSince)
	})
}

// changeableLink returns a release that the caller may change, and one of its links.
func (s *Service) changeableLink(
	ctx context.Context, row model.ProjectRow, tagName string, id int64,
) (model.ReleaseRow, model.ReleaseLink, error) {
	found, err := s.changeable(ctx, row, tagName, apierr.Forbidden())
	if err != nil {
		return found, model.ReleaseLink{}, err
	}
	for _, link := range found.Links {
		if link.ID == id {
			return found, link, nil
		}
	}
	return found, model.ReleaseLink{}, apierr.NotFound("")
}

// changeLinks changes the links of a release and records that the release has changed.
func (s *Service) changeLinks(ctx context.Context, p model.Project, tagName string, write func(ctx context.Context) error) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		err := write(ctx)
		var taken *store.ConflictError
		if errors.As(err, &taken) {
			return apierr.Refused("The release already has such a link") // another request has added it meanwhile
		}
		if err != nil {
			return err
		}
		found, err := s.store.Releases.Get(ctx, p.ID, tagName)
		if err != nil {
			return err
		}
		return s.record(ctx, p, found, Updated)
	})
}
