package group

import (
	"context"

	"svc/server/domain/group/export"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// Export schedules the export of a group into an archive.
func (s *Service) Export(ctx context.Context, row model.Namespace) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.exports.Export(ctx, row, reqctx.Of(ctx).Actor.User.ID)
		return events.OfGroup(row, "group_export_scheduled", "Exported group"), err
	})
}

// NewImported describes a group that is imported into the place. It is private at the top level; otherwise it has the
// visibility of its parent group.
func (p Place) NewImported(name, path string) New {
	row := model.DefaultNamespace(model.NamespaceGroup)
	row.Name, row.Path, row.Visibility = name, path, model.Private
	if p.parent != nil {
		row.Visibility = p.parent.Visibility
	}
	return New{Row: row}
}

// Import creates a group that the caller owns, and schedules the import of an archive into it.
func (s *Service) Import(ctx context.Context, in Place, n New, archive export.Upload) (row model.Namespace, err error) {
	if err := in.Check(n); err != nil {
		return n.Row, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if row, err = s.create(ctx, in, n.Row, nil); err != nil {
			return err
		}
		return s.exports.Import(ctx, archive, row.ID, reqctx.Of(ctx).Actor.User.ID)
	})
	return row, explainSave(err)
}
