// Package trigger creates, changes and deletes trigger tokens, which start pipelines.
package trigger

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const (
	maxDescription = 255
	hintLength     = 4 // characters of the random part
)

// Service creates, changes and deletes trigger tokens.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Create creates a trigger token of a project, and returns its row and the token.
func (s *Service) Create(
	ctx context.Context, project model.Project, ownerID int64, description string,
) (model.PipelineTrigger, string, error) {
	description, err := checkDescription(description)
	if err != nil {
		return model.PipelineTrigger{}, "", err
	}
	token := secret.NewTriggerToken()
	made := model.PipelineTrigger{
		ProjectID: project.ID, OwnerID: ownerID, Description: description, Digest: secret.Digest(token),
		Hint: token[:len(secret.TriggerTokenPrefix)+hintLength],
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.PipelineTriggers.Create(ctx, &made)
		return auditEvent(project, made, "pipeline_trigger_created", "Created trigger token"), err
	})
	return made, token, err
}

// Describe changes the description of a trigger token, and returns its row.
func (s *Service) Describe(
	ctx context.Context, project model.Project, row model.PipelineTrigger, description string,
) (model.PipelineTrigger, error) {
	description, err := checkDescription(description)
	if err != nil {
		return row, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := auditEvent(project, row, "pipeline_trigger_updated", "Changed trigger token")
		c.Field, c.From, c.To = "description", row.Description, description
		row, err = s.store.PipelineTriggers.Describe(ctx, row, description)
		return c, err
	})
	return row, err
}

// Delete deletes a trigger token. If unmodifiedSince is not nil, a token that was changed after that time is refused.
func (s *Service) Delete(
	ctx context.Context, project model.Project, row model.PipelineTrigger, unmodifiedSince *time.Time,
) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.PipelineTriggers.Delete(ctx, row, unmodifiedSince)
		return auditEvent(project, row, "pipeline_trigger_deleted", "Removed trigger token"), err
	})
}

func checkDescription(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", apierr.Invalid("description", "can't be blank")
	case utf8.RuneCountInString(text) > maxDescription:
		return "", apierr.Invalid("description", "is too long (maximum is 255 characters)")
	}
	return text, nil
}

func auditEvent(p model.Project, row model.PipelineTrigger, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p),
		Target: events.Target{Type: "Ci::Trigger", ID: row.ID, Details: row.Description}, Message: message,
	}
}
