package site

import (
	"context"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Change describes what to change in the settings of a site; nil fields stay as they are.
type Change struct {
	UniqueDomain  *bool
	PrimaryDomain *string // a custom domain of the project or its URL; empty for none
}

// Change changes the settings of the site of a project.
func (s *Service) Change(ctx context.Context, p model.Project, c Change) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		done := events.OfProject(p, "pages_settings_updated", "Changed the settings of the site")
		row, err := s.store.PagesSettings.Get(ctx, p.ID)
		if err != nil {
			return done, err
		}
		settings := row.PagesSetting
		if c.UniqueDomain != nil {
			settings.UniqueDomain = *c.UniqueDomain
		}
		if c.PrimaryDomain != nil {
			if settings.PrimaryDomainID, err = s.primaryDomain(ctx, p, *c.PrimaryDomain); err != nil {
				return done, err
			}
		}
		return done, s.store.PagesSettings.Save(ctx, settings)
	})
}

// primaryDomain returns the ID of the custom domain that a caller names, or nil for none.
func (s *Service) primaryDomain(ctx context.Context, p model.Project, name string) (*int64, error) {
	name = strings.ToLower(name)
	for _, scheme := range []string{"https://", "http://"} {
		name = strings.TrimPrefix(name, scheme)
	}
	if name = strings.TrimSuffix(name, "/"); name == "" {
		return nil, nil
	}
	d, err := s.store.PagesDomains.Get(ctx, p.ID, name)
	if store.IsNotFound(err) {
		return nil, apierr.BadParameter("pages_primary_domain is not a custom domain of the project")
	}
	return &d.ID, err
}
