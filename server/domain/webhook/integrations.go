package webhook

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/webhook/integration"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Integration is an integration as its project or group uses it.
type Integration struct {
	integration.Kind
	Settings  integration.Settings
	Row       model.Hook
	Inherited bool // the settings are those of a group above
}

var (
	errNoIntegration = apierr.NotFound("Integration")
	errNoneAbove     = integration.Invalid("no group above has this integration, so there are no settings to inherit")
	// errChanged makes a function begin again, because another caller has changed the integration in the meantime.
	errChanged = errors.New("the integration has changed")
)

// Integrations returns the integrations that a project or a group uses, the own ones before those that it inherits.
func (s *Service) Integrations(ctx context.Context, in Owner) ([]Integration, error) {
	rows, err := s.Store.Integrations.List(ctx, in.Scope)
	if err != nil {
		return nil, err
	}
	var used []Integration
	seen := map[string]bool{}
	for _, row := range rows {
		if seen[*row.Integration] {
			continue // a nearer one counts
		}
		seen[*row.Integration] = true
		if row.Inactive {
			continue
		}
		one, err := s.integration(in, row)
		if err != nil {
			return nil, err
		}
		used = append(used, one)
	}
	return used, nil
}

// Integration returns the integration of a kind that counts for a project or a group, even if it is switched off.
func (s *Service) Integration(ctx context.Context, in Owner, slug string) (Integration, error) {
	if _, err := integration.Find(slug); err != nil {
		return Integration{}, err
	}
	own, above, err := s.findIntegration(ctx, in, slug)
	switch {
	case err != nil:
		return Integration{}, err
	case own != nil:
		return s.integration(in, *own)
	case above != nil:
		return s.integration(in, *above)
	}
	return Integration{}, errNoIntegration
}

// findIntegration returns the integration of a kind that a project or a group has itself, and that of the nearest group
// above. Both can be nil.
func (s *Service) findIntegration(ctx context.Context, in Owner, slug string) (own, above *model.Hook, err error) {
	rows, err := s.Store.Integrations.List(ctx, in.Scope)
	for i, row := range rows {
		switch {
		case *row.Integration != slug:
		case in.owns(row):
			own = &rows[i]
		case above == nil:
			above = &rows[i]
		}
	}
	return own, above, err
}

// owns reports whether an integration belongs to the project or group itself.
func (in Owner) owns(h model.Hook) bool {
	return in.ProjectID != nil && h.ProjectID != nil || in.GroupID != nil && h.GroupID != nil && *in.GroupID == *h.GroupID
}

// integration opens a row.
func (s *Service) integration(in Owner, row model.Hook) (Integration, error) {
	kind, err := integration.Find(*row.Integration)
	if err != nil {
		return Integration{}, err
	}
	open, err := s.Open(row)
	if err != nil {
		return Integration{}, err
	}
	settings, err := integration.Decode(row, open.Fields)
	return Integration{Kind: kind, Settings: settings, Row: row, Inherited: !in.owns(row)}, err
}

// SetIntegration sets up an integration with the given members of a request, and switches it on.
func (s *Service) SetIntegration(ctx context.Context, in Owner, slug string, given map[string]any) (Integration, error) {
	kind, err := integration.Find(slug)
	if err != nil {
		return Integration{}, err
	}
	for {
		var set Integration
		if given["use_inherited_settings"] == true {
			set, err = s.inheritIntegration(ctx, in, slug)
		} else {
			set, err = s.trySetIntegration(ctx, in, kind, given)
		}
		if !errors.Is(err, errChanged) {
			return set, err
		}
	}
}

// inheritIntegration removes the own settings, so that those of the nearest group count.
func (s *Service) inheritIntegration(ctx context.Context, in Owner, slug string) (Integration, error) {
	own, above, err := s.findIntegration(ctx, in, slug)
	switch {
	case err != nil:
		return Integration{}, err
	case above == nil || above.Inactive:
		return Integration{}, errNoneAbove
	case own == nil:
		return s.integration(in, *above)
	}
	err = events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		err := s.Store.Integrations.Delete(ctx, *own)
		return in.integrationChange(*own, "integration_updated", "Let an integration use the settings of a group"), err
	})
	if store.IsNotFound(err) {
		err = errChanged
	}
	if err != nil {
		return Integration{}, err
	}
	return s.integration(in, *above)
}

// trySetIntegration changes the settings. Addresses are checked before the transaction, because that may take some
// seconds.
func (s *Service) trySetIntegration(ctx context.Context, in Owner, kind integration.Kind, given map[string]any) (Integration, error) {
	own, _, err := s.findIntegration(ctx, in, kind.Slug)
	if err != nil {
		return Integration{}, err
	}
	set := Integration{Kind: kind, Settings: kind.New()}
	if own != nil && !own.Inactive {
		if set, err = s.integration(in, *own); err != nil {
			return set, err
		}
	}
	if set.Settings, err = kind.Apply(set.Settings, given); err != nil {
		return set, err
	}
	for name, address := range kind.Addresses(set.Settings) {
		if err := s.Client.Check(ctx, address, false); err != nil {
			return set, integration.Invalid(name + " is not an address that can be used")
		}
	}
	set.Row, err = s.saveIntegration(ctx, in, own, set)
	return set, err
}

// saveIntegration writes an integration. own is the row that it replaces, or nil.
func (s *Service) saveIntegration(ctx context.Context, in Owner, own *model.Hook, set Integration) (row model.Hook, err error) {
	row = model.Hook{
		ProjectID: in.ProjectID, GroupID: in.GroupID, EnableSSLVerification: true, BranchFilterStrategy: model.FilterWildcard,
		Integration: &set.Slug,
	}
	if own != nil {
		row = *own
	}
	row.Events, row.Inactive = set.Settings.Events, set.Row.Inactive
	settings, err := set.Settings.Encode()
	if err != nil {
		return row, err
	}
	row.Settings = &settings
	if row.Sealed, err = s.seal(row, Secrets{Fields: set.Settings.Secrets}); err != nil {
		return row, err
	}
	err = events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		if own == nil {
			err := s.Store.Integrations.Create(ctx, &row)
			return in.integrationChange(row, "integration_created", "Set up an integration"), err
		}
		done, err := s.Store.Integrations.Update(ctx, &row, own.Sealed)
		if err == nil && !done {
			err = errChanged
		}
		return in.integrationChange(row, "integration_updated", "Changed an integration"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = errChanged
	}
	return row, err
}

// RemoveIntegration switches an integration off and removes its settings, unless it has changed after the time. One that
// the project or group inherits is switched off only there.
func (s *Service) RemoveIntegration(ctx context.Context, in Owner, slug string, unchangedSince *time.Time) error {
	kind, err := integration.Find(slug)
	if err != nil {
		return err
	}
	for {
		if err := s.tryRemoveIntegration(ctx, in, kind, unchangedSince); !errors.Is(err, errChanged) {
			return apierr.OrNotFound(err)
		}
	}
}

func (s *Service) tryRemoveIntegration(ctx context.Context, in Owner, kind integration.Kind, unchangedSince *time.Time) error {
	own, above, err := s.findIntegration(ctx, in, kind.Slug)
	now := own
	if own == nil {
		now = above
	}
	switch {
	case err != nil:
		return err
	case now == nil:
		return errNoIntegration
	case store.ChangedAfter(now.UpdatedAt, unchangedSince):
		return &store.ChangedError{Resource: "Integration"}
	case own != nil && own.Inactive:
		return nil
	}
	off := Integration{Kind: kind, Settings: integration.Settings{Values: map[string]any{}}, Row: model.Hook{Inactive: true}}
	_, err = s.saveIntegration(ctx, in, own, off)
	return err
}

// integrationChange describes a change of an integration for the audit events.
func (in Owner) integrationChange(h model.Hook, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: in.Entity, Target: events.Target{Type: "Integration", ID: h.ID, Details: *h.Integration}, Message: message,
	}
}
