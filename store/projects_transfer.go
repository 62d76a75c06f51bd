package store

import (
	"context"
	"errors"

	"svc/store/internal/query"
	"svc/store/model"
)

// MoveError says why a project cannot be moved to another namespace.
type MoveError struct{ Reason string }

func (e *MoveError) Error() string { return e.Reason }

// Transfer transfers a project to another namespace. Its visibility is lowered to that of the group, if need be, and its
// old path redirects to it. In a personal namespace the user becomes an owner of the project; all other roles stay. For
// limit, see Create.
func (s Projects) Transfer(ctx context.Context, id, namespaceID int64, limit *int64) error {
	err := s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lockProject(ctx, id); err != nil {
			return err
		}
		p, err := query.Take[model.Project](s.db.Write(ctx).Where("id = ?", id), project)
		if err != nil {
			return err
		}
		if p.NamespaceID == namespaceID {
			return &MoveError{"Project is already in this namespace."}
		}
		in, err := query.Take[model.Namespace](s.db.Read(ctx).Where("id = ?", namespaceID), namespace)
		if err != nil {
			return err
		}
		if limit != nil {
			if err := s.checkLimit(ctx, namespaceID, *limit); err != nil {
				return err
			}
		}
		p.NamespaceID = namespaceID
		set := map[string]any{"namespace_id": namespaceID, "visibility": cappedVisibility(p.Visibility, in)}
		if err := s.Update(ctx, id, set); err != nil {
			return err
		}
		return s.addOwner(ctx, p)
	})
	var taken *TakenError
	var conflict *ConflictError
	if errors.As(err, &taken) || errors.As(err, &conflict) {
		return &MoveError{"Project with same name or path in target namespace already exists"}
	}
	return err
}
