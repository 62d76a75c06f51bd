// Package customattribute has what the custom attributes of users, groups and projects share.
package customattribute

import (
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
)

// Check validates the key and the value of a custom attribute.
func Check(key, value string) error {
	broken := map[string][]string{}
	if utf8.RuneCountInString(key) > 255 {
		broken["key"] = []string{"is too long (maximum is 255 characters)"}
	}
	switch {
	case value == "":
		broken["value"] = []string{"can't be blank"}
	case utf8.RuneCountInString(value) > 10000:
		broken["value"] = []string{"is too long (maximum is 10000 characters)"}
	}
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	return nil
}

// Target returns a custom attribute as the target of an audit event.
func Target(key string) events.Target {
	return events.Target{Type: "CustomAttribute", ID: key, Details: key}
}
