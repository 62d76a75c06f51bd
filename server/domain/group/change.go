package group

import (
	"context"
	"maps"
	"regexp"

	"svc/openapi/wire"
	"svc/server/domain/avatar"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// Change describes what to change in a group; fields that are not set stay as they are.
type Change struct {
	Name, Path, Description *string
	Visibility              *model.Visibility
	Avatar                  wire.Optional[[]byte]
	Settings                map[string]any     // further settings by column, which need no validation
	Expressions             map[string]*string // regular expressions by column
}

// Apply changes a group. The rules of the parent group apply.
func (s *Service) Apply(ctx context.Context, row model.Namespace, c Change) error {
	picture, err := avatar.Read(c.Avatar)
	if err != nil {
		return err
	}
	if c.Name != nil {
		if err := checkName(*c.Name); err != nil {
			return err
		}
	}
	if c.Description != nil {
		if err := checkDescription(*c.Description); err != nil {
			return err
		}
	}
	for column, text := range c.Expressions {
		if text != nil {
			if _, err := regexp.Compile(*text); err != nil {
				return apierr.Invalid(column, "not valid RE2 syntax: "+err.Error())
			}
		}
	}
	err = s.store.Namespaces.RunWithGroupsLocked(ctx, func(ctx context.Context) error {
		row, _, err := s.store.Namespaces.GetGroup(ctx, row.ID, "", nil) // it can have been moved meanwhile
		if err != nil {
			return err
		}
		if c.Path != nil {
			if err := checkPath(*c.Path, row.ParentID == nil); err != nil {
				return err
			}
		}
		if c.Visibility != nil {
			if err := s.checkChanged(ctx, row, *c.Visibility); err != nil {
				return err
			}
		}
		return s.update(ctx, row, c.columns(), picture)
	})
	return explainSave(err)
}

// update sets columns and the avatar of a group, and records an audit event for each change.
func (s *Service) update(ctx context.Context, row model.Namespace, set map[string]any, picture *model.Avatar) error {
	if err := s.store.Namespaces.Update(ctx, row.ID, set); err != nil {
		return err
	}
	if err := s.store.Avatars.Put(ctx, model.AvatarGroup, row.ID, picture); err != nil {
		return err
	}
	after, _, err := s.store.Namespaces.GetGroup(ctx, row.ID, "", nil)
	if err != nil {
		return err
	}
	if err := s.hooks.GroupRenamed(ctx, row, after); err != nil {
		return err
	}
	changes := events.Differences(row, after, events.OfGroup(row, "group_updated", ""))
	if picture != nil {
		changes = append(changes, events.OfGroup(row, "group_updated", "Changed the picture"))
	}
	return events.Audit(ctx, s.store, changes...)
}

// columns returns the columns to set.
func (c Change) columns() map[string]any {
	set := maps.Clone(c.Settings)
	if set == nil {
		set = map[string]any{}
	}
	for column, text := range map[string]*string{"name": c.Name, "path": c.Path, "description": c.Description} {
		if text != nil {
			set[column] = *text
		}
	}
	for column, text := range c.Expressions {
		if text != nil {
			set[column] = *text
		}
	}
	if c.Visibility != nil {
		set["visibility"] = *c.Visibility
	}
	return set
}
