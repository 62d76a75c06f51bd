package alert

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// NewIntegration describes an integration to create. Sample and Mapping are JSON texts.
type NewIntegration struct {
	Type, Name      string
	Active          bool
	Legacy          bool // the URL has no identifier of its own, as with older versions
	Sample, Mapping wire.Optional[string]
}

// IntegrationChange describes what to change in an integration; fields that are not set stay as they are. Sample and
// Mapping are JSON texts.
type IntegrationChange struct {
	Name            *string
	Active          *bool
	Sample, Mapping wire.Optional[string]
}

// CreateIntegration creates an integration with a new key.
func (s *Service) CreateIntegration(ctx context.Context, p model.Project, n NewIntegration) (model.AlertIntegration, error) {
	made, err := s.draft(p, n)
	if err != nil {
		return made, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Alerts.CreateIntegration(ctx, &made, s.paid)
		return changeOf(p, made, "alert_integration_created", "Added an alert integration"), err
	})
	var taken *store.ConflictError
	switch {
	case errors.Is(err, store.ErrTooMany) && s.paid:
		err = apierr.Refused("Maximum number of alert integrations (100) exceeded")
	case errors.Is(err, store.ErrTooMany):
		err = apierr.Refused("Maximum number of alert integrations (one of each type) exceeded")
	case errors.As(err, &taken):
		err = apierr.Invalid("legacy", "has already been taken")
	}
	return made, err
}

// draft builds the row of a new integration.
func (s *Service) draft(p model.Project, n NewIntegration) (model.AlertIntegration, error) {
	made := model.AlertIntegration{
		ProjectID: p.ID, Type: n.Type, Name: strings.TrimSpace(n.Name), Active: n.Active, Identifier: randomHex(8),
	}
	if made.Name == "" {
		return made, apierr.Invalid("name", "can't be blank")
	}
	if n.Legacy {
		made.Identifier = model.LegacyAlerts
		if made.Type == model.AlertMetrics {
			made.Identifier = model.LegacyMetrics
		}
	}
	key := randomHex(keyBytes)
	made.Digest, made.Sealed = secret.Digest(key), s.vault.Seal([]byte(key), sealOwner(p.ID))
	var err error
	made.Sample, made.Mapping, err = s.sampleAndMapping(made, n.Sample, n.Mapping)
	return made, err
}

// ChangeIntegration changes an integration and returns its new state.
func (s *Service) ChangeIntegration(
	ctx context.Context, p model.Project, before model.AlertIntegration, c IntegrationChange,
) (after model.AlertIntegration, err error) {
	set, err := s.columns(before, c)
	if err != nil {
		return before, err
	}
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) (changes []events.Change, err error) {
		after, err = s.store.Alerts.UpdateIntegration(ctx, before, set)
		return events.Differences(before, after, changeOf(p, after, "alert_integration_updated", "")), err
	})
	return after, apierr.OrNotFound(err)
}

// columns returns the columns that a change writes.
func (s *Service) columns(before model.AlertIntegration, c IntegrationChange) (map[string]any, error) {
	set := map[string]any{}
	if c.Name != nil {
		name := strings.TrimSpace(*c.Name)
		if name == "" {
			return nil, apierr.Invalid("name", "can't be blank")
		}
		set["name"] = name
	}
	if c.Active != nil {
		set["active"] = *c.Active
	}
	if c.Sample.IsSet() || c.Mapping.IsSet() {
		sample, mapping, err := s.sampleAndMapping(before, c.Sample, c.Mapping)
		if err != nil {
			return nil, err
		}
		set["sample"], set["mapping"] = sample, mapping
	}
	return set, nil
}

// DeleteIntegration deletes an integration, unless it has changed after the time.
func (s *Service) DeleteIntegration(
	ctx context.Context, p model.Project, i model.AlertIntegration, unchangedSince *time.Time,
) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Alerts.DeleteIntegration(ctx, i, unchangedSince)
		return changeOf(p, i, "alert_integration_deleted", "Removed an alert integration"), err
	})
	return apierr.OrNotFound(err)
}

// changeOf describes a change of an integration for the audit events.
func changeOf(p model.Project, i model.AlertIntegration, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Project(p),
		Target:  events.Target{Type: "AlertManagement::HttpIntegration", ID: i.ID, Details: i.Name},
		Message: message,
	}
}
