// Package setting changes the settings that administrators set while the service runs. Package svc/store/setting has their
// types and defaults, and the store the settings in force.
//
//	service.go     construction, and how every kind of settings is changed
//	application.go the settings of the application
//	rules.go       the values that settings of the application may have
//	fixed.go       settings that have only one value here, that are kept without an effect, or that are refused
//	appearance.go  the appearance of the pages
//	plan.go        the limits of the plan
package setting

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/setting"
)

// Service changes settings.
type Service struct{ store *store.Store }

// New returns the service.
func New(st *store.Store) *Service { return &Service{store: st} }

// fieldErrors collects the rules that values break: texts by setting.
type fieldErrors map[string][]string

func (b fieldErrors) add(name, text string) { b[name] = append(b[name], text) }

func (b fieldErrors) err() error {
	if len(b) == 0 {
		return nil
	}
	return apierr.InvalidFields(b)
}

// change stores new values of a kind of settings, with an audit event for each value that changes, and puts them in force
// in this process. before returns the values in force by name. also runs in the same transaction.
func (s *Service) change(
	ctx context.Context, kind setting.Kind, given setting.Content, before func() (setting.Content, error),
	also func(ctx context.Context) error,
) error {
	err := events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		kept, err := s.store.Settings.Lock(ctx, kind)
		if err != nil {
			return nil, err
		}
		old, err := before()
		if err != nil {
			return nil, err
		}
		maps.Copy(old, kept)
		maps.Copy(kept, given)
		if err := s.store.Settings.Put(ctx, kind, kept); err != nil {
			return nil, err
		}
		if also != nil {
			if err := also(ctx); err != nil {
				return nil, err
			}
		}
		return differences(kind, old, given), nil
	})
	if err != nil {
		return err
	}
	return s.store.Settings.Load(ctx)
}

// differences returns an audit event for each value that changes, in the order of their names.
func differences(kind setting.Kind, before, given setting.Content) []events.Change {
	var changes []events.Change
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if same(before[name], given[name]) {
			continue
		}
		changes = append(changes, events.Change{
			Type: string(kind) + "_setting_updated", Entity: events.Instance,
			Target:  events.Target{Type: "Setting", ID: name, Details: name},
			Message: "Changed " + name, Field: name, From: auditText(before[name]), To: auditText(given[name]),
		})
	}
	return changes
}

// same reports whether two texts of JSON have the same value.
func same(a, b json.RawMessage) bool {
	var one, other bytes.Buffer
	if json.Compact(&one, a) != nil || json.Compact(&other, b) != nil {
		return false
	}
	return bytes.Equal(one.Bytes(), other.Bytes())
}

// auditText returns a value as an audit event shows it: texts without quotes, and everything else as JSON.
func auditText(raw json.RawMessage) any {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// Changed returns the times of the first and of the last change of a kind of settings; nil if nobody has changed them.
func (s *Service) Changed(kind setting.Kind) (first, last *time.Time) {
	row := s.store.Settings.Current().Row(kind)
	if row.Kind == "" {
		return nil, nil
	}
	return &row.CreatedAt, &row.UpdatedAt
}

// Appearance returns the appearance of the pages.
func (s *Service) Appearance() setting.Appearance { return s.store.Settings.Current().Appearance }
