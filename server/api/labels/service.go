// Package labels implements the API operations on the labels of projects and groups.
package labels

import (
	"context"
	"errors"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Labels implements the operations on labels.
type Labels struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
}

// New returns the label operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset) *Labels {
	return &Labels{store: st, access: a, pages: pages}
}

// owner is the project or group of a request, after the permission check.
type owner struct {
	store.ResourceOwner
	scope store.IssuableScope
}

func (l *Labels) project(ctx context.Context, ref string, ability access.Ability) (owner, model.ProjectRow, error) {
	row, err := l.access.Project(ctx, ref, ability)
	return owner{store.OwnedByProject(row.Project), store.InProject(row, access.Reader(ctx))}, row, err
}

func (l *Labels) group(ctx context.Context, ref string, ability access.Ability) (owner, error) {
	g, _, err := l.access.Group(ctx, ref, ability)
	return owner{store.OwnedByGroup(g), store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}}, err
}

// query holds the parameters of a list of labels.
type query struct {
	counts, ancestors *bool
	search            *string
	number, size      *int64
	paging            *gen.Pagination
}

func (l *Labels) list(ctx context.Context, in owner, q query) ([]model.LabelRow, pagination.Headers, error) {
	if err := pagination.NoKeyset(q.paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := l.pages.Offset(ctx, pagination.Kind{Name: "Label"}, q.number, q.size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	filter := store.LabelFilter{Ancestors: q.ancestors == nil || *q.ancestors}
	if q.search != nil {
		filter.Search = *q.search
	}
	rows, total, err := l.store.Labels.List(ctx, in.ResourceOwner, filter, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	if wire.Value(q.counts) {
		if err := l.store.Labels.Count(ctx, rows, in.scope); err != nil {
			return nil, pagination.Headers{}, err
		}
	}
	return rows, window.Headers(total), l.loadSubscriptions(ctx, rows)
}

// loadSubscriptions sets which of the labels the caller is subscribed to.
func (l *Labels) loadSubscriptions(ctx context.Context, rows []model.LabelRow) error {
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return nil
	}
	ids := make([]int64, len(rows))
	for i := range rows {
		ids[i] = rows[i].Label.ID
	}
	said, err := l.store.Subscriptions.Choices(ctx, model.OnLabel, ids, actor.User.ID)
	for i := range rows {
		rows[i].Subscribed = said[rows[i].Label.ID]
	}
	return err
}

// get finds a label, and sets whether the caller is subscribed to it.
func (l *Labels) get(ctx context.Context, in owner, ref string, ancestors bool) (model.LabelRow, error) {
	row, err := l.store.Labels.Get(ctx, in.ResourceOwner, ref, ancestors)
	if err != nil {
		return row, err
	}
	rows := []model.LabelRow{row}
	err = l.loadSubscriptions(ctx, rows)
	return rows[0], err
}

func (l *Labels) create(ctx context.Context, in owner, made model.Label, priority *int64) (model.LabelRow, error) {
	var err error
	made.ProjectID, made.GroupID = in.ProjectID, in.GroupID
	made.Name = strings.TrimSpace(made.Name)
	if made.Color, err = parseColor(made.Color); err == nil {
		err = issuable.CheckLabelName(made.Name)
	}
	if err != nil {
		return model.LabelRow{}, err
	}
	err = l.store.Labels.Create(ctx, &made, priority)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Conflict("Label already exists")
	}
	return model.LabelRow{Label: made, Priority: priority}, err
}

// change holds the fields of a label to change.
type change struct {
	name, color *string
	description interface {
		IsSet() bool
		Ptr() *string
	}
	ranked   bool
	priority *int64
}

func (l *Labels) update(ctx context.Context, in owner, ref string, c change) (model.LabelRow, error) {
	set := map[string]any{}
	if c.name != nil {
		name := strings.TrimSpace(*c.name)
		if err := issuable.CheckLabelName(name); err != nil {
			return model.LabelRow{}, err
		}
		set["name"] = name
	}
	if c.color != nil {
		text, err := parseColor(*c.color)
		if err != nil {
			return model.LabelRow{}, err
		}
		set["color"] = text
	}
	if c.description.IsSet() {
		set["description"] = c.description.Ptr()
	}
	if len(set) == 0 && !c.ranked {
		return model.LabelRow{}, apierr.BadParameter(
			"new_name, color, description, priority are missing, at least one parameter must be provided",
		)
	}
	row, err := l.store.Labels.Get(ctx, in.ResourceOwner, ref, len(set) == 0) // a project can rank group labels
	if err != nil {
		return row, err
	}
	err = l.store.Tx(ctx, func(ctx context.Context) error {
		if len(set) > 0 {
			if err := l.store.Labels.Update(ctx, row.Label.ID, set); err != nil {
				return err
			}
		}
		if !c.ranked || in.ProjectID == nil {
			return nil
		}
		return l.store.Labels.SetPriority(ctx, *in.ProjectID, row.Label.ID, c.priority)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("title", "has already been taken")
	}
	if err != nil {
		return row, err
	}
	return l.get(ctx, in, itoa(row.Label.ID), true)
}

func (l *Labels) delete(ctx context.Context, in owner, ref string, unmodifiedSince *string) error {
	row, err := l.store.Labels.Get(ctx, in.ResourceOwner, ref, false)
	if err != nil {
		return err
	}
	return l.store.Labels.Delete(ctx, row.Label, reqctx.UnmodifiedSince(unmodifiedSince))
}

// follow subscribes the caller to a label, or unsubscribes the caller. It returns false if nothing changes.
func (l *Labels) follow(ctx context.Context, in owner, ref string, want bool) (model.LabelRow, bool, error) {
	row, err := l.get(ctx, in, ref, true)
	if err != nil || row.Subscribed == want {
		return row, false, err
	}
	row.Subscribed = want
	return row, true, l.store.Subscriptions.Set(ctx, model.OnLabel, row.Label.ID, reqctx.Of(ctx).Actor.User.ID, want)
}

// labelRef returns the label that the older form of an operation names by its ID or name.
func labelRef(id, name *string) (string, error) {
	switch {
	case id != nil:
		return *id, nil
	case name != nil:
		return *name, nil
	}
	return "", apierr.BadParameter("label_id, name are missing, exactly one parameter must be provided")
}
