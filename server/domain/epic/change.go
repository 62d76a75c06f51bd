package epic

import (
	"context"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/label"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/model"
)

// Values of Change.State.
const (
	Close  = "close"
	Reopen = "reopen"
)

// Change describes what to change in an epic. Fields that are not set stay as they are.
type Change struct {
	Title            *string
	Description      wire.Optional[string]
	Labels           issuable.LabelInput
	Color            *string // a name or hexadecimal digits
	Confidential     *bool
	StartDateIsFixed *bool
	StartDateFixed   wire.Optional[time.Time]
	DueDateIsFixed   *bool
	DueDateFixed     wire.Optional[time.Time]
	ParentID         wire.Optional[int64] // null or 0 removes the parent
	State            string               // Close or Reopen
}

// IsSet reports whether the change has any field.
func (c Change) IsSet() bool {
	return c.Title != nil || c.Description.IsSet() || c.Labels.IsSet() || c.Color != nil || c.Confidential != nil ||
		c.StartDateIsFixed != nil || c.StartDateFixed.IsSet() || c.DueDateIsFixed != nil || c.DueDateFixed.IsSet() ||
		c.ParentID.IsSet() || c.State != ""
}

// Apply changes an epic of a group. The caller must have the ability to change epics of the group.
func (s *Service) Apply(ctx context.Context, group model.Namespace, found model.EpicRow, c Change) error {
	set, err := c.columns()
	if err != nil {
		return err
	}
	parent, err := s.newParent(ctx, found, c.ParentID)
	if err != nil {
		return err
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		before, err := s.store.Epics.Lock(ctx, found.Epic.ID)
		if err != nil {
			return err
		}
		if c.Confidential != nil && *c.Confidential && !before.Confidential {
			if err := s.checkHidden(ctx, before); err != nil {
				return err
			}
		}
		if c.Labels.IsSet() {
			if err := s.relabel(ctx, group, found, c.Labels); err != nil {
				return err
			}
		}
		if err := s.update(ctx, before, c, set); err != nil || parent == nil {
			return err
		}
		after, err := s.store.Epics.Lock(ctx, before.ID)
		if err != nil {
			return err
		}
		return s.setParent(ctx, after, *parent)
	})
}

// update writes the columns that a change sets and the state, with the system notes and the event about them.
func (s *Service) update(ctx context.Context, before model.Epic, c Change, set map[string]any) error {
	notes := c.notes(before)
	state := c.nextState(ctx, before, set)
	if err := s.store.Epics.Update(ctx, before.ID, set); err != nil {
		return err
	}
	if state != "" {
		notes = append(notes, issuable.SimpleNote(state, state))
		if err := s.issuables.RecordState(ctx, target(before), callerID(ctx), state); err != nil {
			return err
		}
	}
	return s.addSystemNotes(ctx, before.ID, notes...)
}

// notes returns the system notes about another title, description, visibility and other fixed dates.
func (c Change) notes(before model.Epic) []issuable.SystemNote {
	var notes []issuable.SystemNote
	if c.Title != nil && strings.TrimSpace(*c.Title) != before.Title {
		notes = append(notes, issuable.TitleNote(before.Title, strings.TrimSpace(*c.Title)))
	}
	if c.Description.IsSet() && wire.Value(c.Description.Ptr()) != wire.Value(before.Description) {
		notes = append(notes, issuable.SimpleNote("description", "changed the description"))
	}
	if c.Confidential != nil && *c.Confidential != before.Confidential {
		action, text := "visible", "made the epic visible to everyone"
		if *c.Confidential {
			action, text = "confidential", "made the epic confidential"
		}
		notes = append(notes, issuable.SimpleNote(action, text))
	}
	for _, d := range []struct {
		name   string
		after  wire.Optional[time.Time]
		before *time.Time
	}{{"start date", c.StartDateFixed, before.StartDateFixed}, {"due date", c.DueDateFixed, before.DueDateFixed}} {
		day := d.after.Ptr()
		switch {
		case !d.after.IsSet() || (day == nil && d.before == nil) || (day != nil && d.before != nil && day.Equal(*d.before)):
		case day == nil:
			notes = append(notes, issuable.SimpleNote("epic_date_changed", "removed the fixed "+d.name))
		default:
			text := "changed the fixed " + d.name + " to " + day.Format("January 2, 2006")
			notes = append(notes, issuable.SimpleNote("epic_date_changed", text))
		}
	}
	return notes
}

// columns returns the columns that the change sets, except those of the state and the parent.
func (c Change) columns() (map[string]any, error) {
	set := map[string]any{}
	if c.Title != nil {
		title := strings.TrimSpace(*c.Title)
		if title == "" {
			return nil, apierr.Invalid("title", "can't be blank")
		}
		set["title"] = title
	}
	if c.Description.IsSet() {
		set["description"] = c.Description.Ptr()
	}
	if c.Color != nil {
		color, err := label.ParseColor(*c.Color)
		if err != nil {
			return nil, err
		}
		set["color"] = color
	}
	if c.Confidential != nil {
		set["confidential"] = *c.Confidential
	}
	if c.StartDateIsFixed != nil {
		set["start_date_is_fixed"] = *c.StartDateIsFixed
	}
	if c.StartDateFixed.IsSet() {
		set["start_date_fixed"] = c.StartDateFixed.Ptr()
	}
	if c.DueDateIsFixed != nil {
		set["due_date_is_fixed"] = *c.DueDateIsFixed
	}
	if c.DueDateFixed.IsSet() {
		set["due_date_fixed"] = c.DueDateFixed.Ptr()
	}
	return set, checkDates(c.StartDateFixed.Ptr(), c.DueDateFixed.Ptr())
}

// nextState sets the columns of the state, if the change closes or reopens the epic. It returns the action of the event
// about it, which is empty if the state stays as it is.
func (c Change) nextState(ctx context.Context, before model.Epic, set map[string]any) string {
	switch {
	case c.State == Close && before.State == model.Opened:
		set["state"], set["closed_by_id"] = model.Closed, callerID(ctx)
		set["closed_at"] = clock.Now(ctx).UTC().Truncate(time.Microsecond)
		return model.EventClosed
	case c.State == Reopen && before.State == model.Closed:
		set["state"], set["closed_by_id"], set["closed_at"] = model.Opened, nil, nil
		return model.EventReopened
	}
	return ""
}

// checkHidden refuses to make an epic confidential that has issues or children that are not.
func (s *Service) checkHidden(ctx context.Context, e model.Epic) error {
	public, err := s.store.Epics.HasPublicParts(ctx, e.ID)
	if err == nil && public {
		err = apierr.Invalid("confidential", "cannot be set because the epic has issues or child epics that are not confidential")
	}
	return err
}

// relabel changes the labels of an epic and records the change.
func (s *Service) relabel(
	ctx context.Context, group model.Namespace, found model.EpicRow, input issuable.LabelInput,
) error {
	labels, err := s.issuables.GroupLabels(ctx, group, input, found.Labels)
	if err != nil {
		return err
	}
	added, removed, err := s.store.Epics.Relabel(ctx, found.Epic.ID, labels)
	if err != nil {
		return err
	}
	if len(added)+len(removed) == 0 {
		return nil
	}
	if err := s.addSystemNotes(ctx, found.Epic.ID, issuable.LabelNote(added, removed)); err != nil {
		return err
	}
	return s.issuables.RecordLabels(ctx, target(found.Epic), callerID(ctx), added, removed)
}
