package runner

import (
	"context"
	"encoding/json"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// Change describes what to change in a runner. Fields that are nil or not set stay as they are.
type Change struct {
	Description     wire.Optional[string]
	MaintenanceNote wire.Optional[string]
	MaximumTimeout  wire.Optional[int64]
	AccessLevel     *string
	Tags            *[]string
	Paused          *bool
	Locked          *bool
	RunUntagged     *bool
}

// Apply changes a runner and returns it.
func (s *Service) Apply(ctx context.Context, row model.Runner, c Change) (model.Runner, error) {
	before := row
	set, err := c.apply(&row)
	if err != nil {
		return row, err
	}
	projects, err := s.store.Runners.ProjectIDs(ctx, row.ID)
	if err != nil {
		return row, err
	}
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		in, err := s.place(ctx, row.GroupID, projects)
		if err == nil {
			err = s.store.Runners.Update(ctx, row.ID, set)
		}
		return events.Differences(before, row, auditEvent(ctx, in, before, "ci_runner_updated", "")), err
	})
	return row, err
}

// apply sets the changed fields in a row and returns the columns to write.
func (c Change) apply(row *model.Runner) (map[string]any, error) {
	set := map[string]any{}
	c.applyFlags(row, set)
	if c.Description.IsSet() {
		row.Description = c.Description.Ptr()
		set["description"] = row.Description
	}
	if c.MaintenanceNote.IsSet() {
		row.MaintenanceNote = c.MaintenanceNote.Ptr()
		set["maintenance_note"] = row.MaintenanceNote
	}
	if c.MaximumTimeout.IsSet() {
		row.MaximumTimeout = c.MaximumTimeout.Ptr()
		set["maximum_timeout"] = row.MaximumTimeout
	}
	if c.AccessLevel != nil {
		row.AccessLevel = *c.AccessLevel
		set["access_level"] = row.AccessLevel
	}
	if c.Tags != nil {
		tags, err := tagList(*c.Tags)
		if err != nil {
			return nil, err
		}
		row.Tags = tagText(tags)
		set["tags"] = row.Tags
	}
	if len(set) == 0 {
		return nil, apierr.BadParameter("description, active, paused, tag_list, run_untagged, locked, access_level, " +
			"maximum_timeout, maintenance_note are missing, at least one parameter must be provided")
	}
	var tags []string
	if err := json.Unmarshal([]byte(row.Tags), &tags); err != nil {
		return nil, err
	}
	return set, check(*row, tags)
}

func (c Change) applyFlags(row *model.Runner, set map[string]any) {
	for _, flag := range []struct {
		column string
		given  *bool
		into   *bool
	}{
		{"paused", c.Paused, &row.Paused},
		{"locked", c.Locked, &row.Locked},
		{"run_untagged", c.RunUntagged, &row.RunUntagged},
	} {
		if flag.given != nil {
			set[flag.column], *flag.into = *flag.given, *flag.given
		}
	}
}
