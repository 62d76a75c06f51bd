package badges

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// owner is the project or group of a request, after the permission check.
type owner struct {
	store.ResourceOwner
	entity  events.Entity
	project *model.ProjectRow // nil for a group
	group   string            // name of the group
}

func (b *Badges) project(ctx context.Context, ref string, ability access.Ability) (owner, error) {
	row, err := b.access.Project(ctx, ref, ability)
	in := owner{ResourceOwner: store.OwnedByProject(row.Project), entity: events.Project(row.Project), project: &row}
	if row.Place.Kind == model.NamespaceGroup {
		in.group = row.Place.Name
	}
	return in, err
}

func (b *Badges) group(ctx context.Context, ref string, ability access.Ability) (owner, error) {
	g, _, err := b.access.Group(ctx, ref, ability)
	return owner{ResourceOwner: store.OwnedByGroup(g), entity: events.Group(g), group: g.Name}, err
}

func (in owner) change(row model.Badge, kind, message string) events.Change {
	details := row.LinkURL
	if row.Name != nil {
		details = *row.Name
	}
	return events.Change{
		Type:    kind,
		Entity:  in.entity,
		Target:  events.Target{Type: "Badge", ID: row.ID, Details: details},
		Message: message,
	}
}
