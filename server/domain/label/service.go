// Package label creates and changes the labels of projects and groups.
package label

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// maxName is the maximum length of a label's name.
const maxName = 255

// Service creates and changes labels.
type Service struct{ store *store.Store }

// NewService returns the Service.
func NewService(st *store.Store) *Service { return &Service{store: st} }

// CheckName refuses names that a comma-separated list of labels could not hold.
func CheckName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return apierr.Invalid("title", "can't be blank")
	case strings.Contains(name, ","):
		return apierr.Invalid("title", "is invalid")
	case utf8.RuneCountInString(name) > maxName:
		return apierr.Invalid("title", fmt.Sprintf("is too long (maximum is %d characters)", maxName))
	}
	return nil
}

// New describes a label to create.
type New struct {
	Name        string
	Color       string // a name or hexadecimal digits
	Description *string
	Priority    *int64 // in the project
}

// Create creates a label in a project or group.
func (s *Service) Create(ctx context.Context, owner store.ResourceOwner, n New) (model.LabelRow, error) {
	made := model.Label{
		ProjectID: owner.ProjectID, GroupID: owner.GroupID, Name: strings.TrimSpace(n.Name), Description: n.Description,
	}
	var err error
	if made.Color, err = ParseColor(n.Color); err == nil {
		err = CheckName(made.Name)
	}
	if err != nil {
		return model.LabelRow{}, err
	}
	err = s.store.Labels.Create(ctx, &made, n.Priority)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Conflict("Label already exists")
	}
	return model.LabelRow{Label: made, Priority: n.Priority}, err
}

// Change describes what to change in a label. Fields that are not set stay as they are.
type Change struct {
	Name        *string
	Color       *string
	Description wire.Optional[string]
	Priority    wire.Optional[int64] // in the project; ignored in a group
}

// Apply changes a label of a project or group, which ref names by its ID or name. A project can also set the priority
// of a label of its groups, if nothing else changes.
func (s *Service) Apply(ctx context.Context, owner store.ResourceOwner, ref string, c Change) (model.Label, error) {
	set, err := c.columns()
	if err != nil {
		return model.Label{}, err
	}
	row, err := s.store.Labels.Get(ctx, owner, ref, store.LabelFilter{Ancestors: len(set) == 0})
	if err != nil {
		return row.Label, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if len(set) > 0 {
			if err := s.store.Labels.Update(ctx, row.Label.ID, set); err != nil {
				return err
			}
		}
		if !c.Priority.IsSet() || owner.ProjectID == nil {
			return nil
		}
		return s.store.Labels.SetPriority(ctx, *owner.ProjectID, row.Label.ID, c.Priority.Ptr())
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("title", "has already been taken")
	}
	return row.Label, err
}

// columns validates the change and returns the columns to write.
func (c Change) columns() (map[string]any, error) {
	set := map[string]any{}
	if c.Name != nil {
		name := strings.TrimSpace(*c.Name)
		if err := CheckName(name); err != nil {
			return nil, err
		}
		set["name"] = name
	}
	if c.Color != nil {
		color, err := ParseColor(*c.Color)
		if err != nil {
			return nil, err
		}
		set["color"] = color
	}
	if c.Description.IsSet() {
		set["description"] = c.Description.Ptr()
	}
	if len(set) == 0 && !c.Priority.IsSet() {
		return nil, apierr.BadParameter(
			"new_name, color, description, priority are missing, at least one parameter must be provided",
		)
	}
	return set, nil
}
