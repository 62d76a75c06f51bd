// Package feature sets feature switches. The service has no features that they turn on or off: it stores them for programs that
// set and read them.
package feature

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Gates are the conditions under which a switch is on.
type Gates struct {
	On      bool     `json:"on,omitempty"` // for everybody
	Time    int64    `json:"time,omitempty"`
	Percent int64    `json:"percent,omitempty"` // of the actors
	Actors  []string `json:"actors,omitempty"`
	Groups  []string `json:"groups,omitempty"`
}

// State returns on, off or conditional.
func (g Gates) State() string {
	switch {
	case g.On, g.Time == 100, g.Percent == 100:
		return "on"
	case g.Time > 0, g.Percent > 0, len(g.Actors) > 0, len(g.Groups) > 0:
		return "conditional"
	}
	return "off"
}

// Switch is a feature switch.
type Switch struct {
	Name  string
	Gates Gates
}

// Setting says how to set a switch.
type Setting struct {
	Value   any      // a bool, a number or a text of one
	Actors  bool     // a percentage is one of actors, not of time
	Group   string   // of actors
	Targets []string // actors, such as User:1
}

// Service sets switches.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// List returns one page of the switches, sorted by name.
func (s *Service) List(ctx context.Context, p store.Page) ([]Switch, store.Total, error) {
	rows, total, err := s.store.Features.List(ctx, p)
	if err != nil {
		return nil, total, err
	}
	all := make([]Switch, len(rows))
	for i, row := range rows {
		if all[i], err = read(row); err != nil {
			return nil, total, err
		}
	}
	return all, total, nil
}

// Set sets a switch. Any name is accepted.
func (s *Service) Set(ctx context.Context, name string, set Setting) (Switch, error) {
	on, percent, err := readValue(set.Value)
	if err != nil {
		return Switch{}, err
	}
	var row model.Feature
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		row, err = s.store.Features.Change(ctx, name, func(gates string) (string, error) {
			before, err := read(model.Feature{Gates: gates})
			if err != nil {
				return "", err
			}
			after, err := json.Marshal(set.apply(before.Gates, on, percent))
			return string(after), err
		})
		return change(name, "feature_flag_set", "Set feature switch"), err
	})
	if err != nil {
		return Switch{}, err
	}
	return read(row)
}

// Delete deletes a switch, unless it was changed after a time. A switch that does not exist is no error.
func (s *Service) Delete(ctx context.Context, name string, unchangedSince *time.Time) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return change(name, "feature_flag_deleted", "Deleted feature switch"), s.store.Features.Delete(ctx, name, unchangedSince)
	})
	if store.IsNotFound(err) {
		return nil
	}
	return err
}

// apply returns the conditions after the setting. percent is nil if the value is true or false.
func (set Setting) apply(g Gates, on bool, percent *int64) Gates {
	switch {
	case percent != nil && set.Actors:
		g.Percent = *percent
	case percent != nil:
		g.Time = *percent
	case set.Group != "" || len(set.Targets) > 0:
		g.Actors = with(g.Actors, set.Targets, on)
		if set.Group != "" {
			g.Groups = with(g.Groups, []string{set.Group}, on)
		}
	default:
		g = Gates{On: on}
	}
	return g
}

// with adds names to a list, or removes them.
func with(list, names []string, add bool) []string {
	kept := slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(names, name) })
	if add {
		kept = append(kept, names...)
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

// readValue reads true, false or a percentage.
func readValue(value any) (on bool, percent *int64, err error) {
	bad := apierr.BadParameter("value is invalid")
	switch v := value.(type) {
	case bool:
		return v, nil, nil
	case float64:
		if v != float64(int64(v)) {
			return false, nil, bad
		}
		value = strconv.FormatInt(int64(v), 10)
	}
	text, _ := value.(string)
	switch strings.ToLower(text) {
	case "true":
		return true, nil, nil
	case "false":
		return false, nil, nil
	}
	number, parseErr := strconv.ParseInt(text, 10, 64)
	if parseErr != nil || number < 0 || number > 100 {
		return false, nil, bad
	}
	return false, &number, nil
}

func read(row model.Feature) (Switch, error) {
	found := Switch{Name: row.Name}
	if row.Gates == "" {
		return found, nil
	}
	return found, json.Unmarshal([]byte(row.Gates), &found.Gates)
}

// change describes a change for the audit events.
func change(name, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Instance, Target: events.Target{Type: "Feature", ID: name, Details: name}, Message: message,
	}
}
