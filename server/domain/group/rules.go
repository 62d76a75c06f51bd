package group

import (
	"context"
	"fmt"
	"unicode/utf8"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/store/model"
)

const maxDescription = 500

// failure returns a validation error in the format of the group operations: one text that names the field.
func failure(field, text string) error {
	e := &apierr.Error{Status: 400}
	e.Body.Message = fmt.Sprintf("Failed to save group {:%s=>[%q]}", field, text)
	return e
}

func checkName(name string) error {
	if broken := naming.Name(name); broken != "" {
		return failure("name", broken)
	}
	return nil
}

// checkDescription rejects a long description, because lists show many descriptions.
func checkDescription(text string) error {
	if utf8.RuneCountInString(text) > maxDescription {
		return failure("description", "is too long (maximum is 500 characters)")
	}
	return nil
}

// checkPath validates a path. At the top level it must not be a reserved name.
func checkPath(path string, atTop bool) error {
	if broken := naming.Path(path, atTop); broken != "" {
		return failure("path", broken)
	}
	return nil
}

func tooVisible(child, parent model.Visibility) string {
	return fmt.Sprintf("%s is not allowed since the parent group has a %s visibility.", child, parent)
}

// checkVisibility rejects a visibility that is higher than that of the parent group, or lower than that of a subgroup
// or project in the group.
func (s *Service) checkVisibility(ctx context.Context, row model.Namespace, to model.Visibility) error {
	if row.ParentID != nil {
		parent, _, err := s.store.Namespaces.GetGroup(ctx, *row.ParentID, "", nil)
		if err != nil {
			return err
		}
		if to > parent.Visibility {
			return failure("visibility_level", tooVisible(to, parent.Visibility))
		}
	}
	below, err := s.store.Namespaces.MostVisibleBelow(ctx, row.ID)
	if err != nil {
		return err
	}
	if to < below {
		return failure("visibility_level", to.String()+" is not allowed since there are sub-groups with higher visibility.")
	}
	if below, err = s.store.Namespaces.MostVisibleProject(ctx, row.ID); err != nil {
		return err
	}
	if to < below {
		return failure(
			"visibility_level", to.String()+" is not allowed since this group contains projects with higher visibility.",
		)
	}
	return nil
}

// checkRestricted refuses a visibility that the settings reserve for administrators.
func (s *Service) checkRestricted(ctx context.Context, to model.Visibility) error {
	if access.Restricted(ctx, s.store, to) {
		return failure("visibility_level", to.String()+" has been restricted by your administrator")
	}
	return nil
}

// checkChanged checks a new visibility of a group: the settings, the parent group, subgroups and projects.
func (s *Service) checkChanged(ctx context.Context, row model.Namespace, to model.Visibility) error {
	if to != row.Visibility {
		if err := s.checkRestricted(ctx, to); err != nil {
			return err
		}
	}
	return s.checkVisibility(ctx, row, to)
}
