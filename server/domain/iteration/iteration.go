// Package iteration creates, changes and deletes the iterations of groups.
package iteration

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Service changes iterations on behalf of the caller of a request.
type Service struct{ store *store.Store }

// New returns the service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Input is what a person enters about an iteration.
type Input struct {
	Title       string // may be empty
	Description string
	StartDate   *time.Time
	DueDate     *time.Time
}

const (
	day            = 24 * time.Hour
	maxTitle       = 255
	maxDescription = 1_000_000
)

// check refuses an iteration without days, or with too long texts.
func (in Input) check() error {
	switch {
	case in.StartDate == nil:
		return apierr.Invalid("start_date", "can't be blank")
	case in.DueDate == nil:
		return apierr.Invalid("due_date", "can't be blank")
	case in.DueDate.Before(*in.StartDate):
		return apierr.Invalid("due_date", "must be on or after the start date")
	case in.StartDate.Year() < 1 || in.DueDate.Year() > 9999:
		return apierr.Invalid("due_date", "is not a valid date")
	case utf8.RuneCountInString(in.Title) > maxTitle:
		return apierr.Invalid("title", fmt.Sprintf("is too long (maximum is %d characters)", maxTitle))
	case utf8.RuneCountInString(in.Description) > maxDescription:
		return apierr.Invalid("description", fmt.Sprintf("is too long (maximum is %d characters)", maxDescription))
	}
	return nil
}

// apply copies the input into a row.
func (in Input) apply(row *model.Iteration) {
	row.Title, row.Description = optional(strings.TrimSpace(in.Title)), optional(in.Description)
	row.StartDate, row.DueDate = in.StartDate.UTC().Truncate(day), in.DueDate.UTC().Truncate(day)
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Create creates an iteration of a group.
func (s *Service) Create(ctx context.Context, g model.Namespace, in Input) (model.Iteration, error) {
	row := model.Iteration{GroupID: g.ID}
	if err := in.check(); err != nil {
		return row, err
	}
	in.apply(&row)
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Iterations.Create(ctx, &row)
		return change(g, row, "iteration_created", "Created iteration"), err
	})
	return row, explain(err)
}

// Change changes an iteration of a group.
func (s *Service) Change(ctx context.Context, g model.Namespace, row model.Iteration, in Input) error {
	if err := in.check(); err != nil {
		return err
	}
	in.apply(&row)
	return explain(events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return change(g, row, "iteration_updated", "Changed iteration"), s.store.Iterations.Update(ctx, row)
	}))
}

// Delete deletes an iteration of a group. Its issues lose it.
func (s *Service) Delete(ctx context.Context, g model.Namespace, row model.Iteration) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return change(g, row, "iteration_deleted", "Deleted iteration"), s.store.Iterations.Delete(ctx, row.ID)
	})
}

func change(g model.Namespace, row model.Iteration, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Group(g), Message: message,
		Target: events.Target{Type: "Iteration", ID: row.ID, Details: row.Name()},
	}
}

func explain(err error) error {
	if errors.Is(err, store.ErrOverlap) {
		return apierr.Invalid("start_date", "and the due date must not be in another iteration of the group")
	}
	return err
}
