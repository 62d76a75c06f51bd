// Package variablestore creates, changes and deletes the CI/CD variables of the instance, of groups and of projects.
// Package variables decides which of them a job gets.
//
//	service.go   construction
//	owned.go     the variables of projects and groups
//	instance.go  the variables of the instance
//	rules.go     the rules of keys, values and scopes
package variablestore

import (
	"svc/server/platform/events"
	"svc/store"
)

// Service creates, changes and deletes stored variables.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// variableChange describes a change of an instance variable for the audit events.
func variableChange(kind, key, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Instance, Target: events.Target{Type: "Ci::Variable", ID: key, Details: key},
		Message: message,
	}
}
