package epic

import (
	"context"
	"strings"
	"time"

	"svc/server/domain/issuable"
	"svc/server/domain/label"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/model"
)

// defaultColor is the color of an epic that is created without one.
const defaultColor = "#1068bf"

// New describes an epic to create.
type New struct {
	Title            string
	Description      *string
	Labels           *[]string
	Color            *string // a name or hexadecimal digits
	Confidential     bool
	StartDateIsFixed bool
	StartDateFixed   *time.Time
	DueDateIsFixed   bool
	DueDateFixed     *time.Time
	ParentID         *int64
	CreatedAt        *time.Time // only owners may set it
}

// Create creates an epic in a group. role is the role of the caller there.
func (s *Service) Create(ctx context.Context, group model.Namespace, role model.Access, n New) (model.Epic, error) {
	made, err := draft(ctx, group, role, n)
	if err != nil {
		return made, err
	}
	var parent *model.EpicRow
	if n.ParentID != nil && *n.ParentID != 0 {
		found, err := s.GetToChange(ctx, *n.ParentID)
		if err != nil {
			return made, err
		}
		parent = &found
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		labels, err := s.issuables.GroupLabels(ctx, group, issuable.LabelInput{Set: n.Labels}, nil)
		if err != nil {
			return err
		}
		if err := s.store.Epics.Create(ctx, &made, labels); err != nil {
			return err
		}
		if err := s.issuables.RecordLabels(ctx, target(made), callerID(ctx), labels, nil); err != nil {
			return err
		}
		if parent == nil {
			return nil
		}
		return s.setParent(ctx, made, parent)
	})
	return made, err
}

// draft builds a new epic.
func draft(ctx context.Context, group model.Namespace, role model.Access, n New) (model.Epic, error) {
	made := model.Epic{
		GroupID: group.ID, AuthorID: callerID(ctx), Title: strings.TrimSpace(n.Title), Description: n.Description,
		State: model.Opened, Confidential: n.Confidential, Color: defaultColor,
		StartDateIsFixed: n.StartDateIsFixed, StartDateFixed: n.StartDateFixed,
		DueDateIsFixed: n.DueDateIsFixed, DueDateFixed: n.DueDateFixed,
	}
	if made.Title == "" {
		return made, apierr.Invalid("title", "can't be blank")
	}
	if err := checkDates(n.StartDateFixed, n.DueDateFixed); err != nil {
		return made, err
	}
	if n.Color != nil {
		var err error
		if made.Color, err = label.ParseColor(*n.Color); err != nil {
			return made, err
		}
	}
	if n.CreatedAt != nil && role >= model.Owner {
		made.CreatedAt = n.CreatedAt.UTC()
		if made.CreatedAt.After(clock.Now(ctx).Add(time.Minute)) || made.CreatedAt.Year() < 1970 {
			return made, apierr.Invalid("created_at", "must be in the past")
		}
	}
	return made, nil
}
