package store

import (
	"context"
	"slices"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Hooks holds the webhooks of projects and groups, and the system hooks.
type Hooks struct{ *base }

const hook = "Hook"

// HookOwner is the project or the group that a hook belongs to; both are nil for the instance.
type HookOwner struct{ ProjectID, GroupID *int64 }

// owned limits a query to what the owner has, integrations included.
func (o HookOwner) owned(q *gorm.DB) *gorm.DB {
	c := o.ownedRows()
	return q.Where(c.text, c.args...)
}

// ownedRows returns a condition for what the owner has, integrations included.
func (o HookOwner) ownedRows() condition {
	switch {
	case o.ProjectID != nil:
		return condition{"project_id = ?", []any{*o.ProjectID}}
	case o.GroupID != nil:
		return condition{"group_id = ?", []any{*o.GroupID}}
	}
	return condition{text: "project_id IS NULL AND group_id IS NULL"}
}

// where limits a query to the hooks of the owner.
func (o HookOwner) where(q *gorm.DB) *gorm.DB { return o.owned(q).Where("integration IS NULL") }

// listedHook are the columns of a hook that lists show.
const listedHook = "id, project_id, group_id, url, name, description, events, enable_ssl_verification, push_events_branch_filter, " +
	"branch_filter_strategy, custom_webhook_template, sealed, failures, disabled_until, created_at"

func listedHookFields(h *model.Hook) []any {
	return []any{
		&h.ID, &h.ProjectID, &h.GroupID, &h.URL, &h.Name, &h.Description, &h.Events, &h.EnableSSLVerification,
		&h.PushEventsBranchFilter, &h.BranchFilterStrategy, &h.CustomWebhookTemplate, &h.Sealed, &h.Failures, &h.DisabledUntil,
		&h.CreatedAt,
	}
}

// List returns one page of the hooks of an owner, the oldest first, with what a list shows of them.
func (s Hooks) List(ctx context.Context, in HookOwner, p Page) ([]model.Hook, Total, error) {
	from := in.ownedRows()
	from.text = "hooks WHERE " + from.text + " AND integration IS NULL"
	return shortList[model.Hook]{columns: listedHook, from: from, order: "id", fields: listedHookFields}.page(ctx, s.base, p)
}

// Get returns a hook of an owner.
func (s Hooks) Get(ctx context.Context, in HookOwner, id int64) (model.Hook, error) {
	return query.Take[model.Hook](in.where(s.db.Read(ctx)).Where("id = ?", id), hook)
}

// Create adds a hook. It returns ErrTooMany if the owner already has the given number of hooks. Concurrent calls wait for
// each other, so the limit holds.
func (s Hooks) Create(ctx context.Context, h *model.Hook, most int64) error {
	return s.Exclusive(ctx, "hooks", func(ctx context.Context) error {
		var n int64
		owner := HookOwner{ProjectID: h.ProjectID, GroupID: h.GroupID}
		if err := owner.where(s.db.Write(ctx).Model(&model.Hook{})).Count(&n).Error; err != nil {
			return query.Translate(err)
		}
		if n >= most {
			return ErrTooMany
		}
		return query.Translate(s.db.Write(ctx).Create(h).Error)
	})
}

// Update writes the columns of a hook that users change. It returns false if the hook is gone, or if it was changed since
// it had the given secrets, which every update encrypts anew.
func (s Hooks) Update(ctx context.Context, h *model.Hook, sealedBefore []byte) (bool, error) {
	h.UpdatedAt = s.now()
	res := s.db.Write(ctx).Model(&model.Hook{}).Where("id = ? AND sealed = ?", h.ID, sealedBefore).UpdateColumns(map[string]any{
		"url": h.URL, "name": h.Name, "description": h.Description, "events": h.Events,
		"enable_ssl_verification": h.EnableSSLVerification, "push_events_branch_filter": h.PushEventsBranchFilter,
		"branch_filter_strategy": h.BranchFilterStrategy, "custom_webhook_template": h.CustomWebhookTemplate,
		"sealed": h.Sealed, "updated_at": h.UpdatedAt,
	})
	return res.RowsAffected > 0, query.Translate(res.Error)
}

// Delete removes a hook with its deliveries, unless it was changed after the given time.
func (s Hooks) Delete(ctx context.Context, h model.Hook, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, model.Hook{ID: h.ID}, hook, unchangedSince)
}

// HookScope says where something happened: in a project or a group, in the groups above it, and in the instance. Both are
// zero for the instance itself. The namespace of a project may be left out, if the caller does not know it.
type HookScope struct{ ProjectID, NamespaceID int64 }

const (
	matchedHook = "SELECT hooks.id, project_id, group_id, events, push_events_branch_filter, branch_filter_strategy, failures, " +
		"disabled_until, slow, integration, "
	// An integration is read even if it does not want the event: it may replace that of a group above.
	wanted      = " AND (events & ? <> 0 OR integration IS NOT NULL)"
	matchOwn    = matchedHook + "-1 FROM hooks WHERE project_id = ?" + wanted + " UNION ALL "
	matchSystem = " UNION ALL " + matchedHook + "0 FROM hooks WHERE project_id IS NULL AND group_id IS NULL AND events & ? <> 0 ORDER BY 1"

	matchHooks = matchOwn + matchedHook + "a.depth FROM namespace_ancestors a JOIN hooks ON hooks.group_id = a.ancestor_id " +
		"WHERE a.descendant_id = ?" + wanted + matchSystem
	// matchHooksOfProject finds the namespace of the project by itself.
	matchHooksOfProject = matchOwn + matchedHook + "a.depth FROM projects p JOIN namespace_ancestors a " +
		"ON a.descendant_id = p.namespace_id JOIN hooks ON hooks.group_id = a.ancestor_id WHERE p.id = ?" + wanted + matchSystem
)

// Match returns the hooks that want any of the given kinds of events of a project or a group: its own, those of the
// groups above it, and system hooks. Of integrations of one kind it returns the nearest, if that wants the event. It is
// one query by indexes, because every push and every change runs it, and none after ReadAhead if there are no hooks.
func (s Hooks) Match(ctx context.Context, in HookScope, kinds model.HookEvents) (hooks []model.Hook, err error) {
	if s.noneAhead(ctx, in) {
		return nil, nil
	}
	text, above := matchHooks, in.NamespaceID
	if above == 0 {
		text, above = matchHooksOfProject, in.ProjectID
	}
	near := nearest{}
	err = s.db.Rows(ctx, text, []any{in.ProjectID, int64(kinds), above, int64(kinds), int64(kinds)}, func(row query.Scanner) error {
		var h model.Hook
		var depth int64
		err := row.Scan(&h.ID, &h.ProjectID, &h.GroupID, &h.Events, &h.PushEventsBranchFilter, &h.BranchFilterStrategy,
			&h.Failures, &h.DisabledUntil, &h.Slow, &h.Integration, &depth)
		hooks = append(hooks, h)
		near.add(h, depth)
		return err
	})
	if len(near) > 0 {
		hooks = slices.DeleteFunc(hooks, func(h model.Hook) bool { return !h.Events.Has(kinds) || near.replaces(h) })
	}
	return hooks, query.Translate(err)
}

// Lease gives the caller the right to deliver to a hook until a time. It returns false if another process has it; the
// hook then says until when.
func (s Hooks) Lease(ctx context.Context, id int64, until time.Time) (model.Hook, bool, error) {
	res := s.db.Write(ctx).Model(&model.Hook{}).
		Where("id = ? AND (leased_until IS NULL OR leased_until < ?)", id, time.Now().UTC()).
		UpdateColumn("leased_until", until.UTC())
	if res.Error != nil {
		return model.Hook{}, false, query.Translate(res.Error)
	}
	h, err := query.Take[model.Hook](s.db.Write(ctx).Where("id = ?", id), hook)
	return h, res.RowsAffected > 0, err
}

// Renew extends the lease of a hook that the caller has.
func (s Hooks) Renew(ctx context.Context, id int64, until time.Time) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Hook{}).Where("id = ?", id).UpdateColumn("leased_until", until.UTC()).Error)
}

// Release gives the lease of a hook back.
func (s Hooks) Release(ctx context.Context, id int64) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Hook{}).Where("id = ?", id).UpdateColumn("leased_until", nil).Error)
}

// SetState writes the result of a delivery to a hook: its failures in a row, the end of its pause, and whether it is slow.
func (s Hooks) SetState(ctx context.Context, h model.Hook) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Hook{}).Where("id = ?", h.ID).UpdateColumns(map[string]any{
		"failures": h.Failures, "disabled_until": h.DisabledUntil, "slow": h.Slow,
	}).Error)
}
