// Package pushrule manages push rules, which say what the commits, branches and files of a push must look like, and
// checks pushes against them.
//
//	rule.go     creates, changes and deletes push rules
//	pattern.go  regular expressions with bounded cost
//	check.go    checks a push
//	commit.go   checks one commit
//	file.go     checks the names of files
package pushrule

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Service creates, changes and deletes push rules.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Change describes a new push rule, or what to change in one. Fields that are not set stay as they are.
type Change struct {
	CommitMessageRegex         *string
	CommitMessageNegativeRegex *string
	BranchNameRegex            *string
	AuthorEmailRegex           *string
	FileNameRegex              *string
	MaxFileSize                *int64
	DenyDeleteTag              *bool
	MemberCheck                *bool
	PreventSecrets             *bool
	CommitCommitterCheck       *bool
	CommitCommitterNameCheck   *bool
	RejectUnsignedCommits      *bool
	RejectNonDcoCommits        *bool
}

// Owner is the project or group that a push rule belongs to.
type Owner struct {
	projectID, groupID *int64
	entity             events.Entity
}

// Project returns a project as the owner of a push rule.
func Project(p model.Project) Owner { return Owner{projectID: &p.ID, entity: events.Project(p)} }

// Group returns a group as the owner of a push rule.
func Group(g model.Namespace) Owner { return Owner{groupID: &g.ID, entity: events.Group(g)} }

// Create adds the push rule of a project or group, which has none.
func (s *Service) Create(ctx context.Context, of Owner, c Change) (model.PushRule, error) {
	rule, err := c.apply(model.PushRule{ProjectID: of.projectID, GroupID: of.groupID})
	if err != nil {
		return rule, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.PushRules.Create(ctx, &rule)
		return of.change(rule, "push_rule_created", "Added push rule"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Unprocessable(of.entity.Type + " push rule exists")
	}
	return rule, err
}

// Apply changes a push rule and returns it.
func (s *Service) Apply(ctx context.Context, of Owner, rule model.PushRule, c Change) (model.PushRule, error) {
	changed, err := c.apply(rule)
	if err != nil {
		return rule, err
	}
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		err := s.store.PushRules.Save(ctx, &changed)
		return events.Differences(rule, changed, of.change(rule, "push_rule_updated", "")), err
	})
	return changed, err
}

// Delete deletes a push rule. With unmodifiedSince, it fails if the rule has changed since then.
func (s *Service) Delete(ctx context.Context, of Owner, rule model.PushRule, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.PushRules.Delete(ctx, rule, unmodifiedSince)
		return of.change(rule, "push_rule_deleted", "Removed push rule"), err
	})
}

// change describes a change of a push rule for the audit log.
func (o Owner) change(rule model.PushRule, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: o.entity, Message: message,
		Target: events.Target{Type: "PushRule", ID: rule.ID, Details: o.entity.Path},
	}
}

// apply returns a push rule with the changes, or what is wrong with it.
func (c Change) apply(rule model.PushRule) (model.PushRule, error) {
	wrong := map[string][]string{}
	for _, field := range []struct {
		name  string
		to    *string
		given *string
	}{
		{"commit_message_regex", &rule.CommitMessageRegex, c.CommitMessageRegex},
		{"commit_message_negative_regex", &rule.CommitMessageNegativeRegex, c.CommitMessageNegativeRegex},
		{"branch_name_regex", &rule.BranchNameRegex, c.BranchNameRegex},
		{"author_email_regex", &rule.AuthorEmailRegex, c.AuthorEmailRegex},
		{"file_name_regex", &rule.FileNameRegex, c.FileNameRegex},
	} {
		if field.given == nil {
			continue
		}
		if text := invalidPattern(*field.given); text != "" {
			wrong[field.name] = []string{text}
		}
		*field.to = *field.given
	}
	if c.MaxFileSize != nil && (*c.MaxFileSize < 0 || *c.MaxFileSize > maxFileSize) {
		wrong["max_file_size"] = []string{"must be between 0 and 1048576"}
	}
	if len(wrong) > 0 {
		return rule, apierr.InvalidFields(wrong)
	}
	rule.MaxFileSize = or(c.MaxFileSize, rule.MaxFileSize)
	rule.DenyDeleteTag = or(c.DenyDeleteTag, rule.DenyDeleteTag)
	rule.MemberCheck = or(c.MemberCheck, rule.MemberCheck)
	rule.PreventSecrets = or(c.PreventSecrets, rule.PreventSecrets)
	rule.CommitCommitterNameCheck = or(c.CommitCommitterNameCheck, rule.CommitCommitterNameCheck)
	for _, field := range []struct{ to, given **bool }{
		{&rule.CommitCommitterCheck, &c.CommitCommitterCheck},
		{&rule.RejectUnsignedCommits, &c.RejectUnsignedCommits},
		{&rule.RejectNonDcoCommits, &c.RejectNonDcoCommits},
	} {
		if *field.given != nil {
			*field.to = *field.given
		}
	}
	return rule, nil
}

// maxFileSize is the largest limit of a file in megabytes. It is far above what a push can have.
const maxFileSize = 1 << 20

// or returns a given value, or else the one that was there before.
func or[T any](given *T, before T) T {
	if given == nil {
		return before
	}
	return *given
}
