package alert

import (
	"context"

	"svc/server/platform/events"
	"svc/store/model"
)

// SettingsChange describes what to change in the alert settings of a project; nil fields stay as they are.
type SettingsChange struct {
	CreateIncident *bool
	CloseIncident  *bool
}

// ChangeSettings changes what happens when an alert arrives, and returns the new settings.
func (s *Service) ChangeSettings(ctx context.Context, p model.Project, c SettingsChange) (set model.AlertSetting, err error) {
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		before, err := s.store.Alerts.Settings(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		set = before
		if c.CreateIncident != nil {
			set.CreateIncident = *c.CreateIncident
		}
		if c.CloseIncident != nil {
			set.CloseIncident = *c.CloseIncident
		}
		changes := events.Differences(before, set, events.OfProject(p, "alert_settings_updated", ""))
		return changes, s.store.Alerts.SaveSettings(ctx, &set)
	})
	return set, err
}
