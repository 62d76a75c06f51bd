package errortracking

import (
	"context"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// SettingsChange describes what to change in the settings; a nil field stays as it is.
type SettingsChange struct {
	Active     bool
	Integrated *bool
}

// Settings returns the settings of a project. A project that has none answers 404.
func (s *Service) Settings(ctx context.Context, p model.Project) (model.ErrorTrackingSetting, error) {
	set, err := s.store.ErrorTracking.Settings(ctx, p.ID)
	return set, apierr.OrNotFound(err, "Error Tracking Setting")
}

// ReplaceSettings creates or replaces the settings of a project.
func (s *Service) ReplaceSettings(
	ctx context.Context, p model.Project, active, integrated bool,
) (model.ErrorTrackingSetting, error) {
	before, err := s.store.ErrorTracking.Settings(ctx, p.ID)
	if err != nil && !store.IsNotFound(err) {
		return before, err
	}
	set := model.ErrorTrackingSetting{ProjectID: p.ID, Active: active, Integrated: integrated}
	err = s.saveSettings(ctx, p, before, &set)
	return set, err
}

// ChangeSettings changes the settings of a project that has some.
func (s *Service) ChangeSettings(ctx context.Context, p model.Project, c SettingsChange) (model.ErrorTrackingSetting, error) {
	before, err := s.Settings(ctx, p)
	if err != nil {
		return before, err
	}
	set := before
	set.Active = c.Active
	if c.Integrated != nil {
		set.Integrated = *c.Integrated
	}
	err = s.saveSettings(ctx, p, before, &set)
	return set, err
}

// saveSettings writes the settings and their audit event.
func (s *Service) saveSettings(
	ctx context.Context, p model.Project, before model.ErrorTrackingSetting, set *model.ErrorTrackingSetting,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.ErrorTracking.SaveSettings(ctx, set); err != nil {
			return err
		}
		return s.events.Audit(ctx, events.Change{
			Type:   "error_tracking_settings_updated",
			Entity: events.Project(p),
			Target: events.Target{Type: "Project", ID: p.ID, Details: p.FullPath},
			Field:  "error tracking", From: describeSettings(before), To: describeSettings(*set),
		})
	})
}

// describeSettings describes the settings in one word, for the audit events.
func describeSettings(s model.ErrorTrackingSetting) string {
	switch {
	case !s.Active:
		return "off"
	case s.Integrated:
		return "on"
	}
	return "external"
}
