package packages

import (
	"context"
	"encoding/json"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// maxDeprecation is the largest number of characters in a warning.
const maxDeprecation = 10000

// Deprecate sets the warnings of versions of a package, in one transaction. An empty warning removes the warning.
func (s *Service) Deprecate(ctx context.Context, p model.Project, kind, name string, warnings map[string]string) error {
	return events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		var changes []events.Change
		for version, warning := range warnings {
			if len(warning) > maxDeprecation {
				return nil, apierr.Refused("The warning is too long.")
			}
			row, err := s.store.Packages.GetVersion(ctx, p.ID, kind, name, version)
			if err != nil {
				return nil, err
			}
			changed, err := withWarning(row, warning)
			if err != nil {
				return nil, err
			}
			if changed.Metadata == row.Metadata && changed.Status == row.Status {
				continue
			}
			set := map[string]any{"metadata": changed.Metadata, "status": changed.Status}
			if err := s.store.Packages.Update(ctx, row.ID, set); err != nil {
				return nil, err
			}
			changes = append(changes, change(p, row, "package_deprecated", "Changed deprecation of package"))
		}
		return changes, nil
	})
}

// withWarning returns a package with another warning.
func withWarning(p model.Package, warning string) (model.Package, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(p.Metadata), &members); err != nil {
		return p, err
	}
	text, err := json.Marshal(warning)
	if err != nil {
		return p, err
	}
	p.Status, members["deprecated"] = model.PackageDeprecated, text
	if warning == "" {
		p.Status = model.PackageDefault
		delete(members, "deprecated")
	}
	metadata, err := json.Marshal(members)
	p.Metadata = string(metadata)
	return p, err
}
