// Package setting holds the settings that administrators change while the service runs, as Go types: those of the
// application, the appearance of the pages, and the limits of the plan. The JSON names are those of the API.
//
//	doc.go         what is set, and how it is read from what the database has
//	values.go      the settings of the application
//	appearance.go  the appearance of the pages
//	plan.go        the limits of the plan
package setting

import (
	"encoding/json"
	"fmt"
)

// Kind is a kind of settings, which has one row in the database.
type Kind string

// The kinds of settings.
const (
	ApplicationKind Kind = "application"
	AppearanceKind  Kind = "appearance"
	PlanLimitsKind  Kind = "plan_limits"
	// BroadcastKind has no settings: its version changes whenever a broadcast message changes.
	BroadcastKind Kind = "broadcast_messages"
)

// Content holds the settings of one kind that were set, as JSON by name.
type Content map[string]json.RawMessage

// Read returns the content of a row.
func Read(text string) (Content, error) {
	c := Content{}
	if text == "" {
		return c, nil
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return nil, fmt.Errorf("read stored settings: %w", err)
	}
	return c, nil
}

// Text returns the content in the form of a row.
func (c Content) Text() (string, error) {
	text, err := json.Marshal(c)
	return string(text), err
}

// Over returns defaults with everything that was set. Members that the type does not have are left out.
func Over[T any](defaults T, c Content) (T, error) {
	text, err := c.Text()
	if err == nil {
		err = json.Unmarshal([]byte(text), &defaults)
	}
	return defaults, err
}

// All returns the settings of a type as JSON by name.
func All(values any) (Content, error) {
	text, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	return Read(string(text))
}
