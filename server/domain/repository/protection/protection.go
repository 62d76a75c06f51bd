// Package protection protects branches and tags of projects.
package protection

import (
	"errors"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Service creates, changes and removes the rules that protect branches and tags.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

const maxName = 255

// checkName refuses a name that no branch or tag could match.
func checkName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return apierr.Invalid("name", "can't be blank")
	case utf8.RuneCountInString(name) > maxName:
		return apierr.Invalid("name", "is too long (maximum is 255 characters)")
	case !git.ValidTag(strings.ReplaceAll(name, "*", "x")):
		return apierr.Invalid("name", "is invalid")
	}
	return nil
}

// orConflict turns the conflict with an existing rule into a 409.
func orConflict(err error, text string) error {
	var conflict *store.ConflictError
	if errors.As(err, &conflict) {
		return apierr.Conflict(text)
	}
	return err
}

// branchChange returns the audit event of a change of a protected branch.
func branchChange(p model.Project, rule model.ProtectedBranch, kind, message string) events.Change {
	return ruleChange(p, events.Target{Type: "ProtectedBranch", ID: rule.ID, Details: rule.Name}, kind, message)
}

// tagChange returns the audit event of a change of a protected tag.
func tagChange(p model.Project, rule model.ProtectedTag, kind, message string) events.Change {
	return ruleChange(p, events.Target{Type: "ProtectedTag", ID: rule.ID, Details: rule.Name}, kind, message)
}

func ruleChange(p model.Project, target events.Target, kind, message string) events.Change {
	return events.Change{Type: kind, Entity: events.Project(p), Target: target, Message: message}
}
