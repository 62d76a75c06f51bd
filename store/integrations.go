package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// Integrations holds the integrations of projects and groups. They are rows of the table of hooks, so that events are
// matched, recorded and delivered in one way.
type Integrations struct{ *base }

const integration = "Integration"

// nearest knows, for each kind of integration, the one that counts: that of the project, or else that of the nearest group
// above. A depth is the number of groups in between.
type nearest map[string]struct{ id, depth int64 }

func (n nearest) add(h model.Hook, depth int64) {
	if h.Integration == nil {
		return
	}
	if known, found := n[*h.Integration]; !found || depth < known.depth {
		n[*h.Integration] = struct{ id, depth int64 }{h.ID, depth}
	}
}

// replaces reports whether a nearer integration of the same kind counts instead of this one.
func (n nearest) replaces(h model.Hook) bool {
	return h.Integration != nil && n[*h.Integration].id != h.ID
}

const integrationsInScope = "SELECT hooks.*, -1 AS depth FROM hooks WHERE project_id = ? AND integration IS NOT NULL UNION ALL " +
	"SELECT hooks.*, a.depth FROM namespace_ancestors a JOIN hooks ON hooks.group_id = a.ancestor_id " +
	"WHERE a.descendant_id = ? AND integration IS NOT NULL ORDER BY depth, id"

// List returns the integrations of a project, or else of a group, and those of the groups above, the nearest first. Several
// can have the same kind.
func (s Integrations) List(ctx context.Context, in HookScope) ([]model.Hook, error) {
	var rows []model.Hook
	err := s.db.Read(ctx).Raw(integrationsInScope, in.ProjectID, in.NamespaceID).Scan(&rows).Error
	return rows, query.Translate(err)
}

// Create adds an integration. It returns a *ConflictError if the owner already has one of this kind.
func (s Integrations) Create(ctx context.Context, h *model.Hook) error {
	return query.Translate(s.db.Write(ctx).Create(h).Error)
}

// Update writes the columns of an integration that users change, and ends a pause after failures. It returns false if the
// integration is gone, or if it was changed since it had the given secrets, which every update encrypts anew.
func (s Integrations) Update(ctx context.Context, h *model.Hook, sealedBefore []byte) (bool, error) {
	h.UpdatedAt, h.Failures, h.DisabledUntil = s.now(), 0, nil
	res := s.db.Write(ctx).Model(&model.Hook{}).Where("id = ? AND sealed = ?", h.ID, sealedBefore).UpdateColumns(map[string]any{
		"events": h.Events, "settings": h.Settings, "sealed": h.Sealed, "inactive": h.Inactive, "failures": h.Failures,
		"disabled_until": h.DisabledUntil, "updated_at": h.UpdatedAt,
	})
	return res.RowsAffected > 0, query.Translate(res.Error)
}

// Delete removes an integration, so that its owner uses that of a group above again.
func (s Integrations) Delete(ctx context.Context, h model.Hook) error {
	return query.DeleteOne(ctx, s.db, model.Hook{ID: h.ID}, integration, nil)
}
