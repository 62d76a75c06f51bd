// Package topic creates, changes, merges and deletes topics of projects.
package topic

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Service changes topics.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Change describes what to change in a topic; nil fields stay as they are.
type Change struct {
	Name        *string
	Title       *string
	Description **string
	Picture     *model.Avatar // as avatar.Read returns it
}

// Create creates a topic with a name and a title.
func (s *Service) Create(ctx context.Context, c Change) (model.TopicRow, error) {
	var row model.Topic
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		name, err := nameOf(*c.Name)
		if err != nil {
			return events.Change{}, err
		}
		row = model.Topic{Name: name, Title: *c.Title}
		if c.Description != nil {
			row.Description = *c.Description
		}
		if err := s.store.Topics.Create(ctx, &row); err != nil {
			return events.Change{}, explain(err)
		}
		return change(row, "topic_created", "Created topic"), s.store.Avatars.Put(ctx, model.AvatarTopic, row.ID, c.Picture)
	})
	if err != nil {
		return model.TopicRow{}, err
	}
	return s.store.Topics.Get(ctx, row.ID)
}

// Apply changes a topic.
func (s *Service) Apply(ctx context.Context, id int64, c Change) (model.TopicRow, error) {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		before, err := s.store.Topics.Get(ctx, id)
		if err != nil {
			return events.Change{}, err
		}
		set := map[string]any{}
		if c.Name != nil {
			if set["name"], err = nameOf(*c.Name); err != nil {
				return events.Change{}, err
			}
		}
		if c.Title != nil {
			set["title"] = *c.Title
		}
		if c.Description != nil {
			set["description"] = *c.Description
		}
		if err := s.store.Topics.Update(ctx, id, set); err != nil {
			return events.Change{}, explain(err)
		}
		return change(before.Topic, "topic_updated", "Updated topic"), s.store.Avatars.Put(ctx, model.AvatarTopic, id, c.Picture)
	})
	if err != nil {
		return model.TopicRow{}, err
	}
	return s.store.Topics.Get(ctx, id)
}

// Delete deletes a topic, unless it was changed after a time. Its projects lose it.
func (s *Service) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		row, err := s.store.Topics.Get(ctx, id)
		if err != nil {
			return events.Change{}, err
		}
		return change(row.Topic, "topic_deleted", "Deleted topic"), s.store.Topics.Delete(ctx, row.Topic, unchangedSince)
	})
}

// Merge gives the projects of a topic another one, and deletes it.
func (s *Service) Merge(ctx context.Context, sourceID, targetID int64) (model.TopicRow, error) {
	if sourceID == targetID {
		return model.TopicRow{}, apierr.Refused("The source topic and the target topic are identical.")
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		source, err := s.store.Topics.Get(ctx, sourceID)
		if err != nil {
			return events.Change{}, err
		}
		target, err := s.store.Topics.Get(ctx, targetID)
		if err != nil {
			return events.Change{}, err
		}
		return change(source.Topic, "topic_merged", "Merged topic into "+target.Topic.Name),
			s.store.Topics.Merge(ctx, source.Topic, target.Topic)
	})
	if err != nil {
		return model.TopicRow{}, err
	}
	return s.store.Topics.Get(ctx, targetID)
}

// nameOf returns the name of a topic as projects have it.
func nameOf(name string) (string, error) {
	if joined := store.JoinTopics([]string{name}); joined != "" && !strings.ContainsRune(joined, 0) {
		return joined, nil
	}
	return "", apierr.Invalid("name", "can't be blank")
}

// explain says that a name is taken.
func explain(err error) error {
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return apierr.Invalid("name", "has already been taken")
	}
	return err
}

// change describes a change for the audit events.
func change(row model.Topic, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Instance, Message: message,
		Target: events.Target{Type: "Projects::Topic", ID: row.ID, Details: row.Name},
	}
}
